import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { OptionError } from "../../src/core/errors.js";
import { TaskSet } from "../../src/data/index.js";
import {
  DpAggregation,
  DpTaskRelationship,
  SingleTask,
  TaskRelationship,
  type DpTaskRelationshipOptions,
  type RoundView,
} from "../../src/learning/index.js";
import {
  deltaOf,
  liftBudget,
  recordBudget,
  type Guarantee,
  type PrivacyEvent,
} from "../../src/privacy/index.js";
import { losses, norms } from "./objectives.js";
import { makeLabelled, makeTasks } from "./tasks.js";

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

  test("delta 0 is pure for a record and for a task", async () => {
    const { guarantee } = await fit({ epsilon: 1, delta: 0 });
    expect(guarantee).toMatchObject({ mechanism: "spherical-laplace", delta: 0, sound: true });
  });

  test("the slope bound of the papers, read off the data, is marked as unsound", async () => {
    const { guarantee } = await fit({ slopeBound: "data" });
    expect(guarantee).toMatchObject({ sound: false, private: false });
    expect((guarantee as Guarantee).why).toContain("largest slope on the data at hand");
    const secure = await fit({ slopeBound: "data", random: { mode: "secure" } });
    expect(secure.guarantee).toMatchObject({ private: false });
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
    for (const stage of ["exact", "released", "message"]) {
      expect(views[stage]!.map((values) => values.length)).toEqual(Array(rounds).fill(length));
    }
    expect(views["message"]).toEqual(views["released"]);
    expect([...model.weights.subarray(0, length)]).toEqual([...views["released"]!.at(-1)!]);
    // The noise of pure DP has the norm of a gamma variable: twenty times its mean is out of reach.
    const noise = views["released"]!.at(-1)!.map((value, k) => value - views["exact"]!.at(-1)![k]!);
    const scale = model.history.at(-1)!["noiseScale"]! * length;
    expect(Math.hypot(...noise)).toBeGreaterThan(0);
    expect(Math.hypot(...noise)).toBeLessThan(20 * scale);
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
  const alone = await new SingleTask({ lambda: 0.2 }).fit(tasks);
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
    ...{ epsilon: 6e8, delta: 0, random },
    ...{ lambda, slopeBound: bound },
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
    ...{ epsilon: 1e15, delta: 0, random },
    ...{ ...penalties, rounds: 100, slopeBound: 100 },
  }).fit(tasks);
  const solution = await new TaskRelationship({ ...penalties, tolerance: 1e-11 }).fit(tasks);
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
