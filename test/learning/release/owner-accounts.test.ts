/** Owners with budgets of their own: factors, exact accounts, neighbouring inputs, and what each model says. */
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { TaskSet } from "../../../src/data/index.js";
import {
  audit,
  Auto,
  FittedModel,
  MpLowRank,
  MpMixed,
  selectPrivately,
  type FittedModelState,
} from "../../../src/learning/index.js";
import { releasesOf } from "../../../src/learning/release/private-estimator.js";
import { loadModel, saveModel } from "../../../src/model/index.js";
import {
  epsilonOf,
  gaussianEpsilon,
  gaussianMu,
  type Guarantee,
} from "../../../src/privacy/index.js";
import type { RandomOptions } from "../../../src/random/index.js";
import { makeTasks } from "../tasks.js";
import { thoroughTest } from "../../thorough.js";

const tasks = makeTasks({ m: 6, d: 3, rows: (i) => 9 + 2 * i });
const random = { mode: "seeded", seed: 4 } as const;
const options = { unit: "record", epsilon: 2, delta: 1e-5, scale: "unit", random } as const;
const taskEpsilons = { "task-1": 0.25, "task-4": 1 };
const fit = (more: object = {}) => new MpMixed({ ...options, taskEpsilons, ...more }).fit(tasks);

/** Of one record: outer products, differences, and how far tasks lie apart; then its task's own moments. */
const SENSITIVITIES = [Math.SQRT2, Math.SQRT2, 2, Math.SQRT2];

/** mu of releases with the noise of events, at sensitivities times a factor. */
const muOf = (events: readonly object[], weight: number) =>
  Math.hypot(
    ...events.map((event, k) => (weight * SENSITIVITIES[k]!) / (event as { sigma: number }).sigma),
  );

describe("accounts", () => {
  test("each owner's epsilon is the closed form of the run's noise at its factor", async () => {
    const model = await fit();
    for (const [i, name] of tasks.names.entries()) {
      const stated = (taskEpsilons as Record<string, number>)[name] ?? 2;
      const { weight, epsilon } = model.owners![i]!;
      const { guarantee } = model.forTask(name);
      expect(epsilon).toBe(stated);
      expect(guarantee).toMatchObject({ epsilon: stated, delta: 1e-5, unit: "record" });
      const exact = gaussianEpsilon(muOf(model.ledger!.plan!, weight), 1e-5);
      expect(exact).toBeLessThanOrEqual(stated);
      expect(exact).toBeGreaterThan(stated * (1 - 1e-4));
      expect(weight).toBeCloseTo(gaussianMu(stated, 1e-5) / gaussianMu(2, 1e-5), 4);
      const ledger = model.ledgerOf(name)!;
      expect(ledger.epsilon).toBe(stated);
      expect(ledger.entries).toHaveLength(3);
      expect(ledger.spent().epsilon).toBeLessThanOrEqual(stated);
      expect(epsilonOf(ledger.plan!, { delta: 1e-5 })).toBeLessThanOrEqual(stated);
      expect(guarantee.kind === "joint" && guarantee.spent).toEqual(ledger.spent());
    }
    expect(model.guarantee).toMatchObject({ epsilon: 2 });
    expect(model.guarantee.kind === "joint" && model.guarantee.note).toContain("owners' own");
  });

  test("noisy models: epsilon is of the shared releases and the owner's own, and the others see less", async () => {
    const model = await fit({ ownModel: "noisy" });
    for (const [name, stated] of Object.entries({ "task-1": 0.25, "task-4": 1, "task-0": 2 })) {
      const { guarantee, recordGuarantee } = model.forTask(name);
      const { weight } = model.owners![tasks.indexOf(name)]!;
      expect(recordGuarantee).toMatchObject({ against: "own model", epsilon: stated });
      const whole = gaussianEpsilon(muOf(model.recordLedger!.plan!, weight), 1e-5);
      expect(whole).toBeLessThanOrEqual(stated);
      expect(whole).toBeGreaterThan(stated * (1 - 1e-4));
      const shared = gaussianEpsilon(muOf(model.ledger!.plan!, weight), 1e-5);
      const { epsilon } = guarantee as { epsilon: number };
      expect(epsilon).toBeGreaterThanOrEqual(shared);
      expect(epsilon).toBeLessThan(shared * (1 + 1e-4));
      expect(epsilon).toBeLessThan(stated);
    }
  });

  test("both: a task's own epsilon, and a record's of it", async () => {
    const model = await fit({ unit: "both" });
    const { weight, recordOf } = model.owners![1]!;
    const { guarantee } = model.forTask("task-1");
    expect(guarantee).toMatchObject({ unit: "task", epsilon: 0.25 });
    const exact = gaussianEpsilon(muOf(model.ledger!.plan!, weight), 1e-5);
    expect(recordOf!.epsilon).toBeGreaterThanOrEqual(exact);
    expect(recordOf!.epsilon).toBeLessThan(exact * (1 + 1e-4));
    expect(guarantee.kind === "joint" && guarantee.recordOf).toEqual(recordOf);
    expect(recordOf!.epsilon).toBeLessThan(model.forTask("task-0").guarantee.kind === "joint" ? 0.25 : 0); // prettier-ignore
  });

  test("what rounding adds to a sum is of the size of all owners' rows, whatever an owner's factor", () => {
    const rows = 1_000_000;
    const sizes = {
      m: 2,
      d: 3,
      rows,
      mostRows: 600_000,
      owners: { rows: [600_000, 400_000], epsilons: [2, 0.02] },
    };
    const { releases } = new MpMixed(options).halves;
    const { weight, sensitivities } = releases({ sizes, outputs: 1 }).owners![1]!;
    expect(weight).toBeLessThan(0.02);
    // Of d + 2 coordinates, packed: each entry is a sum over all rows of numbers of at most 1, in both worlds.
    const rounding = 2 * (rows + 2) * 2 ** -53 * rows * Math.sqrt(15);
    expect(sensitivities[0]).toBeGreaterThanOrEqual(weight * Math.SQRT2 + rounding);
  });

  test("whatever is stated is kept, at any budget", () => {
    const budget = fc.double({ min: 0.05, max: 8, noNaN: true });
    fc.assert(
      fc.property(budget, budget, fc.constantFrom("record", "both"), (a, b, unit) => {
        const [own, most] = [Math.min(a, b), Math.max(a, b)];
        const { owners } = releasesOf(
          new MpMixed({ ...options, unit, epsilon: most, taskEpsilons: { "task-2": own } }),
          tasks,
        );
        expect(owners![2]!.epsilon).toBe(own);
        expect(owners![2]!.weight).toBeGreaterThan(0.999 * (gaussianMu(own, 1e-5) / gaussianMu(most, 1e-5))); // prettier-ignore
        expect(owners![0]!.weight).toBe(1);
      }),
      { seed: 5, numRuns: 12 },
    );
  });
});

describe("neighbouring inputs", () => {
  /** What was summed before its noise: the same seed in both worlds. */
  async function released(data: TaskSet, unit: "record" | "both") {
    const out: Float64Array[] = [];
    const model = await new MpMixed({ ...options, unit, taskEpsilons }).fit(data, {
      observe: ({ stage, values }) => {
        if (stage === "exact") out.push(Float64Array.from(values));
      },
    });
    return { out, model };
  }

  const changed = (row: number) =>
    TaskSet.from(
      [...tasks].map(({ name, x, y }, i) => ({
        name,
        x: Float64Array.from(x, (value, at) =>
          i === 1 && Math.floor(at / tasks.d) === row ? -40 : value,
        ),
        y: Float64Array.from(y, (value, k) => (i === 1 && k === row ? 30 : value)),
      })),
    );

  test.each(["record", "both"] as const)(
    "%s: a record of an owner moves the first sums by at most its own sensitivity",
    async (unit) => {
      const before = await released(tasks, unit);
      const sizes = [0, 3, 8].map(async (row) => {
        const after = await released(changed(row), unit);
        const moved = Math.hypot(...before.out[0]!.map((value, k) => value - after.out[0]![k]!));
        const { weight } = before.model.owners![1]!;
        expect(moved).toBeGreaterThan(0);
        expect(moved).toBeLessThanOrEqual(weight * Math.SQRT2 * (1 + 1e-9));
        return moved;
      });
      await Promise.all(sizes);
    },
  );
});

describe("what is made of it", () => {
  test("an owner that consents to nearly nothing is nearly left out of what the others learn", async () => {
    const others = TaskSet.from([...tasks].slice(1));
    const loud = { epsilon: 1e6, delta: 1e-5 };
    const quiet = await new MpMixed({ ...options, ...loud, taskEpsilons: { "task-0": 0.5 } }).fit(tasks); // prettier-ignore
    const without = await new MpMixed({ ...options, ...loud }).fit(others);
    const effects = (model: typeof quiet) => model.components["fixedEffects"]!.data;
    effects(quiet).forEach((value, k) => {
      expect(Math.abs(value - effects(without)[k]!)).toBeLessThan(0.02);
    });
  });

  test("equal budgets, however they are written, give the bits of one budget, scaled noise and all", async () => {
    const all = Object.fromEntries(tasks.names.map((name) => [name, 2]));
    const [one, each] = [
      await new MpMixed(options).fit(tasks),
      await new MpMixed({ ...options, taskEpsilons: all }).fit(tasks),
    ];
    one.weights.forEach((value, k) => expect(each.weights[k]).toBeCloseTo(value, 9));
    expect(each.owners!.every(({ weight }) => weight === 1)).toBe(true);
  });

  test("the table of parties has a line for each figure, with the tasks that it is about", async () => {
    const model = await fit({ random: { mode: "secure" } });
    const lines = model.protection.filter(
      ({ of, against }) => of === "record" && against === "other tasks",
    );
    expect(lines.map(({ epsilon, tasks }) => [epsilon, tasks])).toEqual([
      [2, ["task-0", "task-2", "task-3", "task-5"]],
      [0.25, ["task-1"]],
      [1, ["task-4"]],
    ]);
    expect(lines[1]!.words).toContain('for "task-1": ');
    // What an owner is handed says of whom its epsilon is, and claims nothing of the others'.
    const notes = ["task-1", "task-0"].map((name) => model.forTask(name).guarantee as Guarantee);
    expect((model.guarantee as Guarantee).note).toMatch(/is the largest of the owners' own/);
    for (const { note } of notes)
      expect(note).toMatch(/^epsilon is this owner's own; that of other/);
    const own = model.forTask("task-1").protection;
    expect(own.find(({ of, against }) => of === "record" && against === "other tasks")!.epsilon).toBe(0.25); // prettier-ignore
    expect(own).toHaveLength(8);
  });

  test("a file keeps every owner's account, and one that promises more than was paid is refused", async () => {
    const model = await fit();
    const back = loadModel(saveModel(model));
    expect(back.owners).toEqual(model.owners);
    expect(back.forTask("task-1").guarantee).toEqual(model.forTask("task-1").guarantee);
    expect(back.ledgerOf("task-4")!.toJSON()).toEqual(model.ledgerOf("task-4")!.toJSON());
    const altered = (owners: typeof model.owners) =>
      saveModel(new FittedModel({ ...(model as FittedModelState), owners }));
    const forged = model.owners!.map((owner) => ({ ...owner, epsilon: owner.epsilon / 2 }));
    expect(() => loadModel(altered(forged))).toThrow("owners: one of them is promised more");
    expect(() => loadModel(altered(model.owners!.slice(1)))).toThrow(
      "owners: expected one for each task",
    );
  });

  test("auto hands it on", async () => {
    const model = await new Auto({ ...options, epsilon: 8, taskEpsilons }).fit(
      makeTasks({ m: 12, d: 3, rows: () => 30 }),
    );
    expect(model.method).toBe("mp-mixed");
    expect(model.forTask("task-4").guarantee).toMatchObject({ epsilon: 1 });
  });
});

describe("audit", () => {
  const small = makeTasks({ m: 3, d: 3, rows: (i) => 4 + (i % 3) });
  const audited = (own: Record<string, number>, wrong = false) =>
    audit({
      estimator: (noise: RandomOptions) => {
        const given = { ...options, epsilon: 20, delta: 0.01, random: noise };
        const estimator = new MpMixed({ ...given, taskEpsilons: own });
        if (!wrong) return estimator;
        // A planted fault: uploads are not scaled, while the account says they are.
        const { halves } = estimator;
        const participants: typeof halves.participants = (context) => {
          const owners = context.releases.owners!.map((owner) => ({ ...owner, weight: 1 }));
          return halves.participants({ ...context, releases: { ...context.releases, owners } });
        };
        Object.assign(estimator, { halves: { ...halves, participants } });
        return estimator;
      },
      tasks: small,
      canary: "task-0",
      trials: 100,
      confidence: 0.999,
      random: { mode: "seeded", seed: "owners" },
    });

  // Fixed seeds. The audit of a sound fit alarms with probability at most 0.001.
  thoroughTest(
    "an owner's own claim stands, and one whose uploads are not scaled is found",
    async () => {
      const sound = await audited({ "task-0": 0.5 });
      expect(sound.claim.epsilon).toBe(0.5);
      expect(sound).toMatchObject({ verdict: "consistent" });
      const faulty = await audited({ "task-0": 0.5 }, true);
      expect(faulty.verdict).toBe("violated");
    },
    120_000,
  );
});

describe("what no account covers is refused", () => {
  test("other units, persons in several tasks, more than the run's, unknown tasks, selection", async () => {
    const make = (more: object) => () => new MpMixed({ ...options, taskEpsilons, ...more });
    expect(make({ unit: "task" })).toThrow(/^taskEpsilons: .*unit is "task"/);
    expect(make({ tasksPerPerson: 2 })).toThrow(/^taskEpsilons: .*several tasks/);
    expect(make({ epsilon: 0.5 })).toThrow(/^taskEpsilons: "task-4": more than the run's epsilon/);
    for (const bad of [{ "task-1": 0 }, { "task-1": NaN }, { "task-1": "1" }, {}, [1], 3]) {
      expect(make({ taskEpsilons: bad })).toThrow("taskEpsilons");
    }
    await expect(fit({ taskEpsilons: { north: 1 } })).rejects.toThrow('no task "north"');
    expect(() => new MpLowRank({ taskEpsilons } as object)).toThrow("taskEpsilons");
    const selection = { method: "mp-mixed", options: { ...options, taskEpsilons }, candidates: [{}, {}] }; // prettier-ignore
    await expect(selectPrivately(tasks, selection)).rejects.toThrow("unit: votes and scores"); // prettier-ignore
  });

  test("a budget that the run's grid cannot give", async () => {
    await expect(fit({ epsilon: 1e9, taskEpsilons: { "task-0": 1e-6 } })).rejects.toThrow(
      /^epsilon: an owner's 0\.000001 is too small/,
    );
  });
});
