/**
 * Feature learning and the hierarchical prior: their limits, what they release, and the pieces they
 * are made of against closed forms.
 */
import { describe, expect, test } from "vitest";
import {
  makeEstimator,
  MpFeatureLearning,
  MpHierarchical,
} from "../../../../src/learning/index.js";
import { solveLeavingOneOut } from "../../../../src/learning/local-selection/leave-one-out.js";
import { scaledIdentity, solveTasks } from "../../../../src/learning/tasks/solves/local-solves.js";
import { placeTasks, type ResidentTasks } from "../../../../src/learning/tasks/resident-tasks.js";
import { shrinkSpectrum } from "../../../../src/learning/sharing/shrink-spectrum.js";
import { votes } from "../../../../src/learning/local-selection/vote-participants.js";
import { TaskSet } from "../../../../src/data/index.js";
import { loadModel, saveModel } from "../../../../src/model/index.js";
import { makeLabelled, makeTasks } from "../../tasks.js";

const random = { mode: "seeded", seed: "s" } as const;
const optimal = { shrinkage: "optimal", edge: 0.6, floor: "auto" } as const;
const tasks = makeTasks({ m: 40, d: 6, rows: () => 8, rank: 1, noise: 0.05 });

function distance(a: Float64Array, b: Float64Array): number {
  return Math.sqrt(a.reduce((sum, value, j) => sum + (value - b[j]!) ** 2, 0));
}

function withLoss(data: TaskSet, loss: "squared" | "logistic", intercept: boolean) {
  return placeTasks(data, { loss, lossScale: "mean", intercept }).tasks;
}

describe("the spectrum's shrinkage", () => {
  const semicircle = (s: number) => ({ mean: 0, edge: 2 * s, deviation: s });

  test("without noise keeps the eigenvalues and the floor", () => {
    const values = Float64Array.of(8, 2, 0, 0);
    expect(shrinkSpectrum(values, semicircle(0), 10, 10, optimal)).toBe(2);
    expect([...values].map((v) => Number(v.toFixed(12)))).toEqual([3.2, 0.8, 0.001, 0.001]);
  });

  test("pure noise gives the identity exactly", () => {
    const values = Float64Array.of(20, 8, -6, -21);
    expect(shrinkSpectrum(values, semicircle(15), 10, 10, optimal)).toBe(0);
    expect([...values]).toEqual([1, 1, 1, 1]);
  });

  test("a lone spike keeps theta - s^2/theta of lambda = theta + s^2/theta", () => {
    const d = 400;
    const [theta, s] = [1000, 10];
    const values = new Float64Array(d);
    values[0] = theta + (s * s) / theta;
    shrinkSpectrum(values, semicircle(s), 2000, 100, optimal);
    const rest = values[1]!;
    const kept = theta - (s * s) / theta;
    // The trace is d: kept / (kept + (d - 1) elsewhere) of it on the spike.
    expect(values[0]! + (d - 1) * rest).toBeCloseTo(d, 6);
    const leaked = (s * s) / theta;
    const elsewhere = Math.sqrt(leaked * (2000 - kept)) / (d - 1);
    expect(values[0]! / rest).toBeGreaterThan((0.98 * kept) / elsewhere);
    expect(values[0]! / rest).toBeLessThan((1.02 * kept) / elsewhere);
  });
});

describe("leaving one out", () => {
  test("equals refitting without the row (squared loss, with and without intercepts)", () => {
    for (const intercept of [false, true]) {
      const data = makeTasks({ m: 1, d: 3, rows: () => 7 });
      const losses = leaveOut(withLoss(data, "squared", intercept), 0.1);
      for (let j = 0; j < 7; j++) {
        const { kept, row } = without(data, j);
        // The kernel keeps c = 1/7 for the smaller problem: the penalty grows by 7/6.
        const model = refit(withLoss(kept, "squared", intercept), (0.1 * 7) / 6);
        const margin = row.x.reduce((sum, value, k) => sum + value * model.w[k]!, model.b);
        expect(losses[j]).toBeCloseTo((margin - row.y) ** 2, 10);
      }
    }
  });

  test("is close to refitting without the row (logistic loss)", () => {
    const labelled = makeLabelled({ m: 1, d: 2, rows: () => 40 });
    const losses = leaveOut(withLoss(labelled, "logistic", true), 0.05);
    const y = withLoss(labelled, "logistic", true);
    const labels = y.core.arena.view(y.y, 40).slice();
    for (let j = 0; j < 40; j += 7) {
      const { kept, row } = without(labelled, j);
      const model = refit(withLoss(kept, "logistic", true), (0.05 * 40) / 39);
      const margin = row.x.reduce((sum, value, k) => sum + value * model.w[k]!, model.b);
      const exact = Math.log1p(Math.exp(-labels[j]! * margin));
      expect(Math.abs(losses[j]! - exact)).toBeLessThan(0.02 * (1 + exact));
    }
  });

  function leaveOut(resident: ResidentTasks, penalty: number): Float64Array {
    const { arena } = resident.core;
    const weights = arena.zeros(resident.m * resident.d);
    const intercepts = resident.intercept ? arena.zeros(resident.m) : 0;
    const precision = scaledIdentity(arena, resident.d, penalty);
    return solveLeavingOneOut(resident, { precision, center: 0 }, { weights, intercepts }).losses;
  }

  function refit(resident: ResidentTasks, penalty: number) {
    const { arena } = resident.core;
    const weights = arena.zeros(resident.d);
    const intercepts = resident.intercept ? arena.zeros(1) : 0;
    const precision = scaledIdentity(arena, resident.d, penalty);
    solveTasks(resident, { precision, center: 0 }, { weights, intercepts });
    return {
      w: arena.view(weights, resident.d).slice(),
      b: intercepts === 0 ? 0 : arena.view(intercepts, 1)[0]!,
    };
  }

  function without(data: TaskSet, j: number) {
    const { d } = data;
    const rows = Array.from({ length: data.size }, (_, i) => [
      ...data.x.subarray(i * d, (i + 1) * d),
    ]);
    const y = Array.from(data.y);
    const row = { x: rows[j]!, y: y[j]! };
    const keep = (_: unknown, i: number) => i !== j;
    const labels = data.targetLevels;
    const targets = labels ? y.map((level) => labels[level]!) : y;
    const kept = TaskSet.from([
      { name: "t", x: rows.filter(keep), y: targets.filter(keep) as number[] },
    ]);
    return { kept, row };
  }
});

test("votes are centred and of norm at most 1, whatever the costs", () => {
  const cast = votes(Float64Array.of(1, 2, 3, 1e9, -1e9, 0, 5, 5, 5), [1, 1, 1]);
  for (let i = 0; i < 3; i++) {
    const own = cast.subarray(3 * i, 3 * i + 3);
    expect(own.reduce((sum, v) => sum + v, 0)).toBeCloseTo(0, 12);
    expect(Math.sqrt(own.reduce((sum, v) => sum + v * v, 0))).toBeLessThanOrEqual(1);
  }
});

describe.each(["mp-feature-learning", "mp-hierarchical"])("%s", (method) => {
  const make = (options: object) => makeEstimator(method, { random, ...options });

  test("as eps -> infinity equals the same with no noise to speak of", async () => {
    const options = { delta: 1e-3, priorStrength: 0.01 };
    const a = await make({ ...options, epsilon: 1e9 }).fit(tasks);
    const b = await make({ ...options, epsilon: 1e10, random: { mode: "seeded", seed: 2 } }).fit(
      tasks,
    );
    expect(distance(a.weights, b.weights)).toBeLessThan(1e-2 * Math.hypot(...a.weights));
  });

  test("as eps -> 0 every task is alone", async () => {
    const kappa = 0.01;
    const options = {
      epsilon: 1e-5,
      delta: 1e-9,
      priorStrength: kappa,
      safeguard: false,
      featureScale: "given",
    };
    const model = await make(options).fit(tasks);
    const alone = await makeEstimator("single-task", { lambda: kappa }).fit(tasks);
    expect(distance(model.weights, alone.weights)).toBeLessThan(1e-9);
  });

  test("helps related tasks", async () => {
    const many = makeTasks({ m: 120, d: 8, rows: () => 16, rank: 1, noise: 0.3 });
    const { train, test } = many.split({ trainFraction: 0.5, seed: 1 });
    const model = await make({ epsilon: 8, delta: 1e-3 }).fit(train);
    const alone = await make({ epsilon: 1e-5, delta: 1e-9 }).fit(train);
    expect(model.score(test).nmse!).toBeLessThan(0.8 * alone.score(test).nmse!);
  });

  test.each([0.001, 8])(
    "columns in other units change little of what is learned, eps %d",
    async (epsilon) => {
      const many = makeTasks({ m: 120, d: 12, rows: () => 24, rank: 1, noise: 0.1 });
      // A step of half a decade from column to column: the last has a 300,000th of the first's size.
      const inUnits = TaskSet.from(
        [...many].map(({ name, x, y }) => ({
          name,
          x: Float64Array.from(x, (value, k) => value * 10 ** (-0.5 * (k % 12))),
          y: Float64Array.from(y),
        })),
        { featureNames: many.featureNames },
      );
      const errorOf = async (data: TaskSet) => {
        const { train, test: rest } = data.split({ trainFraction: 0.5, seed: 1 });
        return (await make({ epsilon, delta: 1e-3, random }).fit(train)).score(rest).nmse!;
      };
      expect(await errorOf(inUnits)).toBeLessThan(2.5 * (await errorOf(many)));
    },
  );

  test("rows far from those that a task learned from are predicted as its farthest", async () => {
    const model = await make({ epsilon: 8, delta: 1e-3 }).fit(tasks);
    const own = model.forTask("task-3");
    const far = [1e6, 0, 0, 0, 0, 0];
    const least = Math.abs(own.weights[0]! * 100);
    expect(Math.abs(own.predict([far])[0]!)).toBeLessThan(1 + least);
    expect(own.predict([far])).toEqual(own.predict([[1e9, 0, 0, 0, 0, 0]]));
    expect(loadModel(saveModel(model)).forTask("task-3").predict([far])).toEqual(
      own.predict([far]),
    );
  });

  test("charges the choice after the rounds, in the same budget", async () => {
    const model = await make({ epsilon: 2, delta: 1e-3, choice: "pooled" }).fit(tasks);
    const { entries, plan } = model.ledger!;
    expect(entries.map(({ event }) => event)).toEqual(plan);
    expect(entries.at(-1)!.label).toBe("choice");
    expect(model.ledger!.spent().epsilon).toBeLessThanOrEqual(2);
    expect(model.ledger!.spent().epsilon).toBeGreaterThan(1.99);
  });

  test("pure budgets, and intercepts with the logistic loss", async () => {
    const labelled = makeLabelled({ m: 12, d: 3, rows: () => 9 });
    const options = { loss: "logistic", intercept: true, epsilon: 5, delta: 0 };
    for (const choice of ["local", "pooled"]) {
      const model = await make({ ...options, choice }).fit(labelled);
      expect(model.guarantee).toMatchObject({ sound: true, delta: 0 });
      expect(model.weights.every(Number.isFinite)).toBe(true);
      expect(model.score(labelled).accuracy!).toBeGreaterThan(0.7);
    }
  });

  test("an untrusted curator: two guarantees, both saved", async () => {
    const model = await make({ epsilon: 2, curator: "untrusted", recordEpsilon: 3 }).fit(tasks);
    expect(model.recordGuarantee).toMatchObject({ kind: "record", epsilon: 3, delta: 0 });
    expect(model.recordLedger!.entries).toHaveLength(model.rounds);
    expect(model.recordLedger!.spent().epsilon).toBeLessThanOrEqual(3);
    const again = loadModel(saveModel(model));
    expect(again.recordGuarantee).toEqual(model.recordGuarantee);
    expect(again.recordLedger!.toJSON()).toEqual(model.recordLedger!.toJSON());
    const pooled = make({ curator: "untrusted", choice: "pooled" });
    await expect(pooled.fit(tasks)).rejects.toThrow("choice");
  });
});

test("the diagonal prior finds the features in use", async () => {
  const model = await new MpFeatureLearning({ sharing: "diagonal", epsilon: 5, random }).fit(tasks);
  expect(model.ledger!.entries[0]!.event.kind).toBe("discrete-gaussian");
  const pure = new MpFeatureLearning({ sharing: "diagonal", epsilon: 5, delta: 0, random });
  expect((await pure.fit(tasks)).ledger!.entries[0]!.event.kind).toBe("laplace");
});

test("around a center: models shared by clipping", async () => {
  const options = { uploadScaling: "clipped", clip: 3, epsilon: 1e9, delta: 1e-3, random } as const;
  const model = await new MpHierarchical({ ...options, priorStrength: 1e4, safeguard: false }).fit(
    tasks,
  );
  // So strong a prior leaves every task with the mean.
  const first = model.weights.subarray(0, tasks.d);
  const second = model.weights.subarray(tasks.d, 2 * tasks.d);
  expect(distance(first, second)).toBeLessThan(0.05 * (1 + Math.hypot(...first)));
});

test("a floor at which priors would be singular, once releases are paid for, is refused", () => {
  for (const floor of [1e-11, 1e-150, 1e11])
    expect(() => new MpHierarchical({ floor })).toThrow(
      /floor: expected auto or a number >= 1e-10/,
    );
  expect(new MpFeatureLearning({ floor: 1e-10 }).options.floor).toBe(1e-10);
});
