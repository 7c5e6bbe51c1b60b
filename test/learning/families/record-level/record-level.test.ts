import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { OptionError } from "../../../../src/core/errors.js";
import { Pipeline, TaskSet } from "../../../../src/data/index.js";
import {
  DpAggregation,
  DpTaskRelationship,
  SingleTask,
  TaskRelationship,
  type DpTaskRelationshipOptions,
  type RoundView,
} from "../../../../src/learning/index.js";
import {
  deltaOf,
  liftBudget,
  recordBudget,
  type Guarantee,
  type PrivacyEvent,
} from "../../../../src/privacy/index.js";
import { placeTasks } from "../../../../src/learning/tasks/resident-tasks.js";
import { ownModels } from "../../../../src/learning/tasks/own-models/own-models.js";
import { losses, norms } from "../../objectives.js";
import { makeLabelled, makeTasks } from "../../tasks.js";

const tasks = makeTasks({ m: 6, d: 4, rows: (i) => 3 + i, noise: 0.5 });
const groupSize = 8;
const random = { mode: "seeded", seed: "record" } as const;
/** So large a budget that the noise is below 1e-6. */
const exact = { epsilon: 1e12, delta: 0, random } as const;

const methods = [
  ["dp-aggregation", DpAggregation, 1],
  ["dp-task-relationship", DpTaskRelationship, 3],
] as const;

describe.each(methods)("%s", (_name, Method, rounds) => {
  const fit = (options: Partial<DpTaskRelationshipOptions> = {}, data = tasks) =>
    new Method({ random, ...options }).fit(data);

  test("protects one record, and says so beside the lift to a task", async () => {
    const { guarantee, ledger } = await fit({ epsilon: 2, delta: 1e-3 });
    const { epsilon, delta, record, sound, note } = guarantee as Guarantee;
    expect(sound).toBe(true);
    expect(record).toMatchObject({ groupSize });
    expect(guarantee).toMatchObject({ groupSize });
    expect(record!.epsilon).toBeCloseTo(2 / groupSize, 9);
    expect(record!.delta).toBeCloseTo(1e-3 / (groupSize * Math.exp(2)), 12);
    expect(epsilon).toBeLessThanOrEqual(2);
    expect(epsilon).toBeGreaterThan(2 - 1e-9);
    expect(delta).toBeLessThanOrEqual(1e-3);
    expect(delta).toBeGreaterThan(1e-3 - 1e-9);
    expect(note).toContain("group privacy, n = 8");
    expect(ledger!.entries).toHaveLength(rounds);
    const events: PrivacyEvent[] = ledger!.entries.map(({ event }) => event);
    expect(deltaOf(events, { epsilon: record!.epsilon })).toBeLessThanOrEqual(record!.delta);
  });

  test("states nothing of single records where rows were prepared with statistics of their task", async () => {
    const scaled = Pipeline.fit(tasks, [
      { kind: "standardize", scope: "task" },
      { kind: "unit-rows" },
    ]).apply(tasks);
    const guarantee = (await fit({ epsilon: 2, delta: 1e-3 }, scaled)).guarantee as Guarantee;
    expect(guarantee.record).toBeUndefined();
    expect(guarantee.epsilon).toBeGreaterThan(2 - 1e-9);
    expect(guarantee.note).toContain("single records are promised nothing");
    expect(guarantee.note).not.toContain("protects one record");
  });

  test("delta 0 is pure for a record and for a task", async () => {
    const { guarantee } = await fit({ epsilon: 1, delta: 0 });
    expect(guarantee).toMatchObject({ mechanism: "spherical-laplace", delta: 0, sound: true });
  });

  test("the slope bound of the papers, read off the data, is marked as unsound", async () => {
    const { guarantee, ledger } = await fit({ slopeBound: "data" });
    // So that no statement beside it can be edited to say more.
    expect(ledger!.nominal).toBe(true);
    expect((await fit({ slopeBound: 1 })).ledger!.nominal).toBe(false);
    expect(guarantee).toMatchObject({ sound: false, private: false });
    expect((guarantee as Guarantee).why).toContain("largest slope on the data at hand");
    const secure = await fit({ slopeBound: "data", random: { mode: "secure" } });
    expect(secure.guarantee).toMatchObject({
      private: false,
      nominal: { epsilon: expect.closeTo(1, 9) as number },
    });
  });

  test.each(["task", "record"] as const)(
    "of %s: nothing is said to follow from figures that nothing proves",
    async (unit) => {
      const secure = { unit, random: { mode: "secure" } } as const;
      const said = async (slopeBound: 1 | "data") =>
        JSON.stringify((await fit({ ...secure, slopeBound })).guarantee);
      const claims = /"attacker"|"gaussian"|"record":|protects one record/;
      expect(await said(1)).toMatch(claims);
      expect(await said("data")).not.toMatch(claims);
    },
  );

  test("one record does not decide how far others are solved, whatever its task's other rows repeat", async () => {
    const [m, n, d] = [4, 34, 206];
    const dense = Float64Array.from({ length: d }, (_, j) => Math.sin(j * j + 1) / 20);
    const world = (first: boolean) =>
      TaskSet.from(
        Array.from({ length: m }, (_, i) => ({
          name: `t${i}`,
          x: Array.from({ length: n }, (_, r) =>
            Array.from({ length: d }, (_, j) =>
              first && i === 0 && r === 0 ? dense[j]! : j === 3 ? (r % 3 === 0 ? -1 : 1) : 0,
            ),
          ),
          y: Array.from({ length: n }, (_, r) => (r % 3 === 0 ? -1 : 1)),
        })),
      );
    const exactOf = async (data: TaskSet) => {
      let found = new Float64Array();
      await new Method({ ...exact, lambda: 0.5 }).fit(data, {
        observe: ({ stage, values }) => {
          if (stage === "exact" && found.length === 0) found = values.slice();
        },
      });
      return found;
    };
    const [one, other] = [await exactOf(world(false)), await exactOf(world(true))];
    expect(Math.hypot(...one)).toBeGreaterThan(0.3);
    // One of n records, whose gradient is no longer than 1 before and after, under a penalty of 0.5.
    expect(Math.hypot(...one.map((value, k) => value - other[k]!))).toBeLessThan(2 / n / 0.5);
  });

  test("one changed record moves the release no further than the noise is scaled to", async () => {
    const options = { ...exact, lambda: 0.2, lambda2: 0.3, rounds: 1, slopeBound: 0.5 };
    const run = (data: TaskSet) =>
      new Method(Method === DpAggregation ? without(options) : options).fit(data);
    const base = await run(tasks);
    const { event } = base.ledger!.entries[0]!;
    const sensitivity = (event as { sensitivity: number }).sensitivity;
    const unit = fc.array(fc.double({ min: -1, max: 1, noNaN: true }), {
      minLength: 4,
      maxLength: 4,
    });
    const y = fc.double({ min: -100, max: 100, noNaN: true });
    const place = fc.integer({ min: 0, max: tasks.size - 1 });
    await fc.assert(
      fc.asyncProperty(unit, y, place, async (direction, target, row) => {
        const moved = await run(replaceRecord(row, direction, target));
        const copies = Method === DpAggregation ? tasks.m : 1; // all tasks hold the one average
        const change = moved.weights.map((value, k) => value - base.weights[k]!);
        const distance = Math.hypot(...change) / Math.sqrt(copies);
        expect(distance).toBeLessThanOrEqual(sensitivity * (1 + 1e-9) + 1e-6);
      }),
      { numRuns: 15, seed: 11 },
    );
  });

  test("an observer sees what is released, and the noise on it", async () => {
    const views: Record<string, Float64Array[]> = {};
    const observe = ({ stage, values }: RoundView) => (views[stage] ??= []).push(values.slice());
    const model = await new Method({ ...exact, epsilon: 1e4 }).fit(tasks, { observe });
    const length = Method === DpAggregation ? tasks.d : tasks.m * tasks.d;
    for (const stage of ["exact", "released", "broadcast"]) {
      expect(views[stage]!.map((values) => values.length)).toEqual(Array(rounds).fill(length));
    }
    expect(views["broadcast"]).toEqual(views["released"]);
    expect([...model.weights.subarray(0, length)]).toEqual([...views["released"]!.at(-1)!]);
    // The noise of pure DP has the norm of a gamma variable: twenty times its mean is out of reach.
    const noise = views["released"]!.at(-1)!.map((value, k) => value - views["exact"]!.at(-1)![k]!);
    const scale = model.history.at(-1)!["noiseScale"]! * length;
    expect(Math.hypot(...noise)).toBeGreaterThan(0);
    expect(Math.hypot(...noise)).toBeLessThan(20 * scale);
  });

  describe("safeguard", () => {
    const unlike = makeTasks({ m: 30, d: 3, rows: () => 25, noise: 0.1 });

    test("noise leaves every task alone with its ridge model; what is promised stays", async () => {
      const noisy = { epsilon: 1e-3, delta: 1e-6, slopeBound: 5 };
      const [bare, safe] = [
        await fit(noisy, unlike),
        await fit({ ...noisy, safeguard: true }, unlike),
      ];
      const lone = ownModels(placeTasks(unlike, COMMON).tasks);
      expect(safe.weights).toEqual(lone.weights);
      expect(safe.ledger!.toJSON()).toEqual(bare.ledger!.toJSON());
      expect({ ...safe.guarantee, note: "" }).toEqual({ ...bare.guarantee, note: "" });
      expect((safe.guarantee as Guarantee).note).toContain("not from whoever holds its own task's");
    });

    test("tasks that do not fit what was released stay alone", async () => {
      const alike = oneUnlike(unlike);
      const options = { ...exact, lambda: 1e-3, lambda2: 1, slopeBound: 50 };
      const given = Method === DpAggregation ? without(options) : { ...options, rounds: 1 };
      const run = (safeguard: boolean) => new Method({ ...given, safeguard }).fit(alike);
      const [bare, safe] = [await run(false), await run(true)];
      const kept = alike.names.map((name) =>
        safe.forTask(name).weights.every((w, k) => w === bare.forTask(name).weights[k]),
      );
      if (Method === DpAggregation) {
        expect(kept.at(-1)).toBe(false);
        expect(kept.filter(Boolean).length).toBeGreaterThan(18);
      } else {
        // Held to zero by lambda2, the models that were released are worse than ridge.
        expect(kept).toContain(false);
      }
      expect(safe.score(alike).nmse!).toBeLessThan(bare.score(alike).nmse!);
    });

    test("labels, one row a task and one task", async () => {
      const labelled = makeLabelled({ m: 4, d: 3, rows: (i) => 1 + 5 * i });
      const logistic = { loss: "logistic", safeguard: true, epsilon: 0.1 } as const;
      expect((await fit(logistic, labelled)).weights.every(Number.isFinite)).toBe(true);
      const one = makeTasks({ m: 1, d: 3, rows: () => 9 });
      const single = await fit({ safeguard: true, delta: 0, epsilon: 0.01 }, one);
      expect(single.weights.every(Number.isFinite)).toBe(true);
    });
  });

  test("learns labels; refuses intercepts, long rows, other slope bounds and warm starts", async () => {
    const labelled = makeLabelled({ m: 6, d: 4, rows: () => 20 });
    const model = await fit({ loss: "logistic", ...exact }, labelled);
    expect(model.score(labelled).auc).toBeGreaterThan(0.5);
    expect(() => new Method({ intercept: true })).toThrow(/intercept.*no bounded sensitivity/);
    expect(() => new Method({ loss: "logistic", slopeBound: 2 })).toThrow(OptionError);
    const long = TaskSet.from([{ name: "a", x: [[3, 4]], y: [1] }]);
    await expect(fit({ delta: 0 }, long)).rejects.toThrow(/featureBound/);
    const warmStart = await new SingleTask().fit(tasks);
    await expect(new Method().fit(tasks, { warmStart })).rejects.toThrow(/warmStart/);
  });

  test("the same seed gives the same bits, another does not", async () => {
    const [a, b, c] = [await fit(), await fit(), await fit({ random: { ...random, seed: "x" } })];
    expect(a.weights).toEqual(b.weights);
    expect(a.weights).not.toEqual(c.weights);
  });
});

function without({ lambda2: _lambda2, rounds: _rounds, ...rest }: Record<string, unknown>) {
  return rest;
}

const COMMON = { loss: "squared", lossScale: "mean", intercept: false } as const;

/** One model for all tasks, but for the last, whose targets have the other sign. */
function oneUnlike(data: TaskSet): TaskSet {
  return TaskSet.from(
    Array.from(data, ({ name, x, n }, i) => ({
      name,
      x,
      y: Float64Array.from({ length: n }, (_, j) => {
        const signal = 3 * x[j * data.d]! - 2 * x[j * data.d + 1]!;
        return (i === data.m - 1 ? -1 : 1) * signal + 1.5 * Math.sin(7 * i + 5 * j);
      }),
    })),
  );
}

test("an average less a fold's part in it is the average without the fold", async () => {
  const options = { ...exact, lambda: 0.2, slopeBound: 0.7 };
  const weights = async (data: TaskSet) => (await new DpAggregation(options).fit(data)).weights;
  const last = tasks.names.at(-1)!;
  const { train: left } = tasks.splitBy((row, task) => task !== tasks.m - 1 || row % 5 !== 2);
  const [all, without, own, ownLeft] = await Promise.all(
    [tasks, left, tasks.select([last]), left.select([last])].map(weights),
  );
  for (let k = 0; k < tasks.d; k++) {
    const taken = all![k]! - (own![k]! - ownLeft![k]!) / tasks.m;
    expect(Math.abs(taken - without![k]!)).toBeLessThan(1e-5);
    expect(Math.abs(all![k]! - without![k]!)).toBeGreaterThan(1e-4);
  }
});

/** The tasks with one record changed to a unit row and another target. */
function replaceRecord(at: number, direction: number[], target: number): TaskSet {
  const length = Math.hypot(...direction) || 1;
  return TaskSet.from(
    Array.from(tasks, ({ name, x, y }, i) => {
      const [rows, targets] = [x.slice(), y.slice()];
      const row = at - tasks.offsets[i]!;
      if (row >= 0 && row < targets.length) {
        rows.set(
          direction.map((value) => value / Math.max(1, length)),
          row * tasks.d,
        );
        targets[row] = target;
      }
      return { name, x: rows, y: targets };
    }),
    { featureNames: tasks.featureNames },
  );
}

test("as eps grows, aggregation tends to the mean of the ridge models", async () => {
  const model = await new DpAggregation({ ...exact, lambda: 0.2, slopeBound: 100 }).fit(tasks);
  const alone = await new SingleTask({ lambda: 0.2, intercept: false }).fit(tasks);
  for (let k = 0; k < tasks.d; k++) {
    let mean = 0;
    for (let i = 0; i < tasks.m; i++) mean += alone.weights[i * tasks.d + k]! / tasks.m;
    expect(Math.abs(model.weights[k]! - mean)).toBeLessThan(1e-4);
  }
});

test("with slopes clipped, each local model satisfies Huber's optimality condition", async () => {
  // One task, so the average is its model; the noise at eps' = 1e8 is far below the check.
  const one = makeTasks({ m: 1, d: 3, rows: () => 6, noise: 5 });
  const [lambda, bound] = [0.3, 0.4];
  const { weights } = await new DpAggregation({
    epsilon: 6e8,
    delta: 0,
    random,
    lambda,
    slopeBound: bound,
  }).fit(one);
  const gradient = Float64Array.from(weights, (w) => lambda * w);
  let clipped = 0;
  for (let j = 0; j < 6; j++) {
    let slope = -one.y[j]!;
    for (let k = 0; k < 3; k++) slope += one.x[j * 3 + k]! * weights[k]!;
    if (Math.abs(slope) > bound) clipped++;
    const held = Math.max(-bound, Math.min(bound, slope));
    for (let k = 0; k < 3; k++) gradient[k]! += (held / 6) * one.x[j * 3 + k]!;
  }
  expect(clipped).toBeGreaterThan(0);
  for (const entry of gradient) expect(Math.abs(entry)).toBeLessThan(1e-5);
});

test("as eps grows, the alternation tends to the task relationship solution", async () => {
  const penalties = { lambda: 0.05, lambda2: 0.02 };
  const model = await new DpTaskRelationship({
    epsilon: 1e15,
    delta: 0,
    random,
    ...penalties,
    rounds: 100,
    slopeBound: 100,
  }).fit(tasks);
  const solution = await new TaskRelationship({
    ...penalties,
    intercept: false,
    tolerance: 1e-11,
  }).fit(tasks);
  const objective = ({ weights }: { weights: Float64Array }) =>
    losses(tasks, tasks.y, "squared", { weights, intercepts: null }).value +
    0.025 * weights.reduce((sum, w) => sum + w * w, 0) +
    0.01 * norms.trace.value(weights, tasks.d) ** 2;
  // Omega keeps a share of I / m, so the limit stays a little above the optimum.
  const excess = objective(model) / objective(solution) - 1;
  expect(excess).toBeGreaterThan(-1e-9);
  expect(excess).toBeLessThan(2e-3);
});

test("lifting a record's budget stays within the task's", () => {
  const epsilon = fc.double({ min: 1e-3, max: 50, noNaN: true });
  const delta = fc.double({ min: 0, max: 0.5, noNaN: true });
  fc.assert(
    fc.property(epsilon, delta, fc.integer({ min: 1, max: 1000 }), (e, d, n) => {
      const lifted = liftBudget(recordBudget({ epsilon: e, delta: d }, n), n);
      expect(lifted.epsilon).toBeLessThanOrEqual(e);
      expect(lifted.delta).toBeLessThanOrEqual(d);
      expect(lifted.epsilon).toBeGreaterThan(e * (1 - 1e-9));
    }),
  );
});

test("what a record's budget is lifted to is not below n epsilon and n e^(n epsilon) delta", () => {
  // Numbers of [1/2, 1) are whole in units of 2^-53, and so is whatever is larger.
  const whole = fc.integer({ min: 2 ** 31, max: 2 ** 32 - 1 });
  const low = fc.integer({ min: 0, max: 2 ** 21 - 1 });
  fc.assert(
    fc.property(whole, low, fc.integer({ min: 2, max: 700 }), (high, rest, n) => {
      const k = high * 2 ** 21 + rest;
      const product = n * (k / 2 ** 53);
      const lifted = liftBudget({ epsilon: k / 2 ** 53, delta: 1e-300 }, n);
      const units = (x: number) => BigInt(x * 2 ** 53);
      const lost = units(product) - BigInt(n) * BigInt(k);
      expect(units(lifted.epsilon) >= BigInt(n) * BigInt(k)).toBe(true);
      const above = 1 - Number(lost) / 2 ** 53;
      if (lost < 0n) {
        expect(lifted.delta / (n * Math.exp(product) * 1e-300)).toBeGreaterThanOrEqual(above);
      }
    }),
  );
});

test("no delta is lifted to none, however large epsilon is", () => {
  expect(liftBudget(recordBudget({ epsilon: 770, delta: 1e-5 }, 1), 1).delta).toBe(0);
  const lifted = liftBudget({ epsilon: 1e300, delta: 0 }, 1000);
  expect(lifted).toEqual({ epsilon: expect.closeTo(1e303, -290) as number, delta: 0 });
});

test.each([DpAggregation, DpTaskRelationship])(
  "%o ends where a task's losses overflow: its slopes are clipped",
  async (Method) => {
    const huge = TaskSet.from(
      [...tasks].map(({ name, x, y, n }, i) => ({
        name,
        x: Array.from({ length: n }, (_, row) => [...x.subarray(4 * row, 4 * row + 4)]),
        y: Array.from(y, (value) => (i === 2 ? 1e160 * value : value)),
      })),
    );
    const options = { epsilon: 1, delta: 1e-3, slopeBound: 5, featureBound: 10, random };
    const model = await new Method(options).fit(huge, { signal: AbortSignal.timeout(20_000) });
    expect(model.weights.every(Number.isFinite)).toBe(true);
  },
);
