/**
 * Weights of rows in every method that takes them: whole numbers are repeated rows, equal ones are none; every other
 * method refuses them by its name.
 */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { DataError } from "../../../src/core/index.js";
import { TaskSet, type TaskInput } from "../../../src/data/index.js";
import { makeEstimator, METHODS } from "../../../src/learning/methods.js";
import type { FittedModel } from "../../../src/learning/fitted/fitted-model.js";
import { ownModels } from "../../../src/learning/tasks/own-models/own-models.js";
import { placeTasks } from "../../../src/learning/tasks/resident-tasks.js";
import { makeClasses, makeLabelled, makeTasks } from "../tasks.js";
import { thorough } from "../../thorough.js";

type Weights = readonly (readonly number[])[];

const random = { mode: "seeded", seed: "weights" } as const;
const sizes = { m: 4, d: 3, rows: (i: number) => 6 + i, seed: "weighted rows" };
const sets = {
  squared: makeTasks(sizes),
  logistic: makeLabelled(sizes),
  softmax: makeClasses({ ...sizes, classes: 3 }),
};
type Loss = keyof typeof sets;

function inputs(tasks: TaskSet): TaskInput[] {
  return [...tasks].map(({ name, x, y }) => ({
    name,
    x: Float64Array.from(x),
    y: tasks.targetLevels ? Array.from(y, (at) => tasks.targetLevels![at] as string) : y.slice(),
  }));
}

const labelsOf = (tasks: TaskSet) =>
  tasks.targetLevels ? { labels: tasks.targetLevels as readonly string[] } : {};

function weighted(tasks: TaskSet, weights: Weights): TaskSet {
  const given = inputs(tasks).map((input, i) => ({ ...input, weights: weights[i]! }));
  return TaskSet.from(given, labelsOf(tasks));
}

/** Every row as often as its weight says. */
function repeated(tasks: TaskSet, weights: Weights): TaskSet {
  const given = inputs(tasks).map(({ name, x, y }, i) => {
    const rows = weights[i]!.flatMap((count, row) => new Array<number>(count).fill(row));
    const all = x as Float64Array;
    return {
      name,
      x: rows.map((row) => Array.from(all.subarray(row * tasks.d, (row + 1) * tasks.d))),
      y: rows.map((row) => (y as string[])[row]!),
    };
  });
  return TaskSet.from(given, labelsOf(tasks));
}

function apart(a: FittedModel, b: FittedModel): number {
  const all = (model: FittedModel) => [...model.weights, ...(model.intercepts ?? [])];
  const [left, right] = [all(a), all(b)];
  const size = Math.hypot(...left);
  return Math.hypot(...left.map((value, k) => value - right[k]!)) / Math.max(size, 1e-3);
}

/** Whole numbers, in every task one of them at least 2. */
const wholeWeights = fc.tuple(
  ...Array.from({ length: sizes.m }, (_, i) =>
    fc
      .array(fc.integer({ min: 0, max: 3 }), { minLength: sizes.rows(i), maxLength: sizes.rows(i) })
      .map((own) => [...own.slice(1), 2 + (own[0]! % 2)]),
  ),
);

const private_ = { random, epsilon: 5, delta: 1e-3, safeguard: false, rounds: 4, featureBound: 1 };
const averaging = { random, epsilon: 5, delta: 1e-3, safeguard: false, rounds: 4 };
const exact = { tolerance: 1e-13, maxRounds: 20000 };

const cases: readonly [string, readonly Loss[], Record<string, unknown>, number][] = [
  ["single-task", ["squared", "logistic"], { lambda: 0.1, ...exact }, 1e-5],
  // Where a task keeps one class, a free intercept has no best value.
  ["single-task", ["softmax"], { lambda: 0.1, intercept: false, ...exact }, 1e-5],
  ["single-task", ["squared", "logistic"], { penalty: "l1", lambda: 0.01, ...exact }, 1e-4],
  ["trace-norm", ["squared", "logistic"], { lambda: 0.02, ...exact }, 1e-4],
  ["group-sparse", ["squared", "logistic"], { lambda: 0.02, ...exact }, 1e-4],
  ["low-rank-sparse", ["squared"], { lambda: 0.03, lambda2: 0.02, ...exact }, 1e-4],
  ["task-relationship", ["squared"], { lambda: 0.02, lambda2: 0.01, ...exact }, 1e-4],
  ["mean-regularized", ["squared", "logistic"], { lambda: 0.1, ...exact }, 1e-4],
  ["mp-low-rank", ["squared", "logistic"], { ...private_, initial: "zeros" }, 1e-9],
  ["mp-low-rank", ["squared"], { ...private_, initialPenalty: 0.1 }, 1e-9],
  ["mp-low-rank", ["squared"], { ...private_, initial: "zeros", rounds: 60 }, 1e-8],
  ["mp-low-rank", ["squared"], { ...private_, initial: "zeros", stepSize: "own" }, 1e-5],
  ["mp-group-sparse", ["squared", "logistic"], { ...private_, initial: "zeros" }, 1e-9],
  ["mp-low-rank-sparse", ["squared"], { ...private_, initial: "zeros" }, 1e-9],
  [
    "pmtl",
    ["squared", "logistic", "softmax"],
    { ...averaging, localSteps: 3, stepSize: 0.3 },
    1e-9,
  ],
  ["pmtl", ["squared", "logistic"], { ...averaging, localSteps: "solve" }, 1e-6],
  ["pmtl", ["squared"], { ...averaging, localSteps: 40, rounds: 40, stepSize: 0.3 }, 1e-8],
  ["private-fedavg", ["squared", "logistic", "softmax"], { ...averaging, stepSize: 0.3 }, 1e-9],
  ["private-fedprox", ["squared"], { ...averaging, stepSize: 0.3 }, 1e-9],
];

describe("whole numbers as weights are rows repeated", () => {
  test.each(
    cases.flatMap(([method, losses, options, tolerance]) =>
      losses.map((loss) => [method, loss, options, tolerance] as const),
    ),
  )("%s, %s, %j", async (method, loss, options, tolerance) => {
    await fc.assert(
      fc.asyncProperty(wholeWeights, async (weights) => {
        const fit = (tasks: TaskSet) => makeEstimator(method, { ...options, loss }).fit(tasks);
        const one = await fit(weighted(sets[loss], weights));
        const other = await fit(repeated(sets[loss], weights));
        expect(apart(one, other)).toBeLessThan(tolerance);
        const scored = one.score(weighted(sets[loss], weights));
        const same = one.score(repeated(sets[loss], weights));
        for (const [name, value] of Object.entries(same)) {
          if (["nmse", "logLoss", "guessing"].includes(name)) continue; // pooled: tasks count by their rows
          expect(scored[name as keyof typeof scored], name).toBeCloseTo(value as number, 9);
        }
      }),
      { numRuns: thorough ? 4 : 2, seed: 1 },
    );
  });
});

const defaults = { random, epsilon: 5, delta: 1e-3, scale: "unit", clip: 1, gradientClip: 1 };

function optionsOf(name: string, loss: Loss): Record<string, unknown> {
  const { options } = METHODS.find((method) => method.name === name)!;
  const known = Object.entries(defaults).filter(([key]) => key in options);
  return { ...Object.fromEntries(known), loss };
}

describe.each(["squared", "logistic"] as const)("every method, %s", (loss) => {
  const names = METHODS.filter(({ options }) => options["loss"]?.accept(loss) !== undefined).map(
    ({ name }) => name,
  );
  const some = sets[loss].names.map((_, i) =>
    Array.from({ length: sizes.rows(i) }, (_, row) => 1 + ((row * 7 + i) % 3)),
  );

  test.each(names)("%s takes weights or refuses them by its name", async (name) => {
    const estimator = makeEstimator(name, optionsOf(name, loss));
    const equal = some.map((own, i) => own.map(() => 3 * i + 0.1));
    equal[0] = equal[0]!.map(() => 5);
    let model: FittedModel;
    try {
      model = await estimator.fit(weighted(sets[loss], some));
    } catch (error) {
      expect(error).toBeInstanceOf(DataError);
      const { message } = error as Error;
      expect(message).toMatch(`${name} takes no weights of rows, because `);
      // Whether some differ does not show.
      await expect(async () => estimator.fit(weighted(sets[loss], equal))).rejects.toThrow(message);
      return;
    }
    const plain = await makeEstimator(name, optionsOf(name, loss)).fit(sets[loss]);
    expect(apart(model, plain)).toBeGreaterThan(1e-6);
    const same = await makeEstimator(name, optionsOf(name, loss)).fit(weighted(sets[loss], equal));
    expect(apart(same, plain)).toBeLessThan(1e-12);
  });
});

test("a row of weight s is one of noise 1 / s to a task's own model", () => {
  // The model of rows times sqrt(s) without an intercept, declared ranges aside: closed form of the whitening.
  const rows = makeTasks({ m: 1, d: 2, rows: () => 8, seed: "whitened" });
  const weights = [3, 1, 1, 1, 0.5, 0.5, 0.5, 0.5];
  const given = weighted(rows, [weights]);
  const roots = weights.map(Math.sqrt);
  const whitened = TaskSet.from([
    {
      name: "task-0",
      x: Array.from({ length: 8 }, (_, j) => [
        rows.x[2 * j]! * roots[j]!,
        rows.x[2 * j + 1]! * roots[j]!,
      ]),
      y: roots.map((root, j) => root * rows.y[j]!),
    },
  ]);
  const options = { loss: "squared", lossScale: "mean", intercept: false } as const;
  const own = ownModels(placeTasks(given, options).tasks).weights;
  const want = ownModels(placeTasks(whitened, options).tasks).weights;
  own.forEach((value, k) => expect(value).toBeCloseTo(want[k]!, 12));
});

describe("what is refused", () => {
  const row = { name: "a", x: [[1], [2]], y: [1, 2] };
  test.each([
    [[1], /task "a": weights: expected one for each of its 2 rows, got 1/],
    [[1, -1], /task "a", row 1: weights: expected a finite number that is not negative/],
    [[1, NaN], /task "a", row 1: weights/],
    [[0, 0], /task "a": weights: expected a sum above 0/],
    [[1, "2"], /task "a", row 1: weights/],
  ])("%j", (weights, message) => {
    expect(() => TaskSet.from([{ ...row, weights: weights as number[] }])).toThrow(message);
  });

  test("weights of some tasks only", () => {
    const other = { ...row, name: "b", weights: [1, 2] };
    expect(() => TaskSet.from([row, other])).toThrow(/as other tasks have them, got none/);
  });
});

test("splits and folds keep the weights with their rows", () => {
  const all = weighted(
    sets.squared,
    sets.squared.names.map((_, i) => Array.from({ length: sizes.rows(i) }, (_, row) => 1 + row)),
  );
  const { train, test: held } = all.splitBy((row) => row % 2 === 0);
  for (const part of [train, held]) {
    for (let row = 0; row < part.size; row++) {
      const at = all.y.indexOf(part.y[row]!);
      expect(part.sampleWeights![row]).toBe(all.sampleWeights![at]);
    }
  }
  expect(all.select(["task-2"]).sampleWeights).toEqual(
    all.sampleWeights!.subarray(all.offsets[2], all.offsets[3]),
  );
});
