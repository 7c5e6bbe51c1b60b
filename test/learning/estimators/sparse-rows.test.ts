/**
 * Sparse rows in every method that takes them: the models of the same rows given dense; every other method refuses them
 * by its name, and no dense matrix is ever made.
 */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { DataError } from "../../../src/core/index.js";
import { TaskSet, type TaskInput } from "../../../src/data/index.js";
import { makeEstimator, METHODS } from "../../../src/learning/methods.js";
import type { FittedModel } from "../../../src/learning/fitted/fitted-model.js";

const d = 7;
const random = { mode: "seeded", seed: "sparse" } as const;

/** Rows with few entries; some rows and columns have none. */
const entry = fc.oneof(
  { weight: 3, arbitrary: fc.constant(0) },
  { weight: 1, arbitrary: fc.integer({ min: -32, max: 32 }).map((value) => value / 64) },
);
const rows = fc.array(fc.array(entry, { minLength: d, maxLength: d }), {
  minLength: 3,
  maxLength: 12,
});
const target = fc.integer({ min: -99, max: 99 }).map((value) => value / 99);
const tasksOf = fc.array(
  rows.chain((x) =>
    fc.record({
      x: fc.constant(x),
      y: fc.array(target, { minLength: x.length, maxLength: x.length }),
      weights: fc.array(fc.constantFrom(1, 2), { minLength: x.length, maxLength: x.length }),
    }),
  ),
  { minLength: 3, maxLength: 5 },
);

/** The matrix with its zeros left out. */
function sparseOf(x: readonly (readonly number[])[]) {
  const [indptr, indices, values] = [[0], [] as number[], [] as number[]];
  for (const row of x) {
    row.forEach((value, column) => {
      if (value === 0) return;
      indices.push(column);
      values.push(value);
    });
    indptr.push(values.length);
  }
  return { indptr, indices, values, shape: [x.length, d] as const };
}

type Loss = "squared" | "logistic" | "softmax";

function bothForms(
  tasks: readonly { x: number[][]; y: number[]; weights: number[] }[],
  loss: Loss,
  weighted: boolean,
): [TaskSet, TaskSet] {
  const label = (y: number) =>
    loss === "logistic" ? String(y > 0) : y < -0.3 ? "a" : y < 0.3 ? "b" : "c";
  const levels = loss === "logistic" ? ["false", "true"] : ["a", "b", "c"];
  const inputs = (x: (rows: number[][]) => TaskInput["x"]) =>
    tasks.map((task, i) => ({
      name: `task-${i}`,
      x: x(task.x),
      y: loss === "squared" ? task.y : task.y.map(label),
      ...(weighted ? { weights: task.weights } : {}),
    }));
  const options = loss === "squared" ? {} : { labels: levels };
  return [
    TaskSet.from(
      inputs((x) => x),
      options,
    ),
    TaskSet.from(inputs(sparseOf), options),
  ];
}

function apart(a: FittedModel, b: FittedModel): number {
  const all = (model: FittedModel) => [...model.weights, ...(model.intercepts ?? [])];
  const [left, right] = [all(a), all(b)];
  return (
    Math.hypot(...left.map((value, k) => value - right[k]!)) / Math.max(Math.hypot(...left), 1e-2)
  );
}

const privately = { random, epsilon: 5, delta: 1e-3, featureBound: 2, rounds: 5 };
const averaging = { random, epsilon: 5, delta: 1e-3, rounds: 5 };
const alone = { safeguard: false };
const zeros = { ...alone, initial: "zeros" };
const exact = { tolerance: 1e-12, maxRounds: 20000 };
const cases: readonly [string, readonly Loss[], Record<string, unknown>, number][] = [
  ["mp-low-rank", ["squared", "logistic"], { ...privately, ...zeros }, 1e-12],
  ["mp-low-rank", ["squared"], { ...privately, ...zeros, stepSize: "own" }, 1e-12],
  ["mp-low-rank", ["squared", "logistic"], privately, 1e-9],
  ["mp-low-rank", ["squared"], { ...privately, initialPenalty: 0.1 }, 1e-9],
  ["mp-group-sparse", ["squared", "logistic"], { ...privately, ...zeros }, 1e-12],
  ["mp-low-rank-sparse", ["squared", "logistic"], { ...privately, ...zeros }, 1e-12],
  ["pmtl", ["squared", "logistic", "softmax"], { ...averaging, ...alone, stepSize: 0.3 }, 1e-11],
  ["pmtl", ["squared", "logistic"], { ...averaging, ...alone }, 1e-12],
  ["pmtl", ["squared", "logistic"], { ...averaging, choice: "local" }, 1e-9],
  ["pmtl", ["squared"], { ...averaging, ...alone, batchSize: 2, localSteps: 5 }, 1e-12],
  // Where a task has one class, a free intercept has no best value.
  [
    "pmtl",
    ["squared", "logistic"],
    { ...averaging, ...alone, localSteps: "solve", intercept: false },
    1e-4,
  ],
  ["private-fedavg", ["squared", "logistic"], { ...averaging, ...alone }, 1e-12],
  ["private-fedavg", ["softmax"], { ...averaging, ...alone }, 1e-11],
  ["private-fedprox", ["squared", "logistic"], { ...averaging, ...alone }, 1e-12],
  ["single-task", ["squared", "logistic"], {}, 1e-9],
  ["single-task", ["softmax"], {}, 1e-6],
  ["single-task", ["squared", "logistic"], { lambda: 0.1, ...exact }, 1e-9],
  ["single-task", ["squared"], { penalty: "l1", lambda: 0.02, ...exact }, 1e-5],
  ["trace-norm", ["squared", "logistic"], { lambda: 0.05, ...exact }, 1e-4],
  ["group-sparse", ["squared"], { lambda: 0.05, ...exact }, 1e-4],
  ["low-rank-sparse", ["squared"], { lambda: 0.05, lambda2: 0.05, ...exact }, 1e-4],
  ["task-relationship", ["squared"], { lambda: 0.05, lambda2: 0.05, ...exact }, 1e-4],
];

describe("sparse rows give the models of the same rows dense", () => {
  test.each(
    cases.flatMap(([method, losses, options, tolerance]) =>
      losses.map((loss) => [method, loss, options, tolerance] as const),
    ),
  )("%s, %s, %j", async (method, loss, options, tolerance) => {
    await fc.assert(
      fc.asyncProperty(tasksOf, fc.boolean(), async (tasks, weighted) => {
        const [dense, sparse] = bothForms(tasks, loss, weighted);
        const fit = (set: TaskSet) => makeEstimator(method, { ...options, loss }).fit(set);
        const [one, other] = [await fit(dense), await fit(sparse)];
        expect(apart(one, other)).toBeLessThan(tolerance);
        expect(other.outputs(sparse)).toEqual(other.outputs(dense));
        expect(other.score(sparse)).toEqual(other.score(dense));
        const { name } = [...dense][0]!;
        expect(other.predict(name, sparseOf(tasks[0]!.x))).toEqual(
          other.predict(name, tasks[0]!.x),
        );
      }),
      { numRuns: 5, seed: 3 },
    );
  });
});

const small = bothForms(
  Array.from({ length: 4 }, (_, i) => ({
    x: Array.from({ length: 6 }, (_, j) =>
      Array.from({ length: d }, (_, k) => ((i + j * k) % 3 === 0 ? 0.3 : 0)),
    ),
    y: Array.from({ length: 6 }, (_, j) => Math.sin(i + j)),
    weights: [],
  })),
  "squared",
  false,
)[1];

test.each(METHODS.map(({ name }) => name))(
  "%s takes sparse rows or refuses them by its name",
  async (name) => {
    const known = { random, epsilon: 5, delta: 1e-3, scale: "unit", featureBound: 2 };
    const { options } = METHODS.find((method) => method.name === name)!;
    if (options["loss"]?.accept("squared") === undefined) return;
    const given = Object.fromEntries(Object.entries(known).filter(([key]) => key in options));
    try {
      const model = await makeEstimator(name, { ...given, loss: "squared" }).fit(small);
      expect(model.weights.every(Number.isFinite)).toBe(true);
    } catch (error) {
      expect(error).toBeInstanceOf(DataError);
      expect((error as Error).message).toMatch(`${name} takes no sparse rows, because `);
    }
  },
);

describe("what is refused", () => {
  const x = { indptr: [0, 1, 2], indices: [0, 1], values: [1, 2], shape: [2, 2] as const };
  const from = (changes: object) => () =>
    TaskSet.from([{ name: "a", x: { ...x, ...changes } as never, y: [1, 2] }]);

  test.each([
    [
      { indptr: [0, 2] },
      /task "a": x: indptr: expected 3 integers from 0 to the number of entries, 2/,
    ],
    [{ indptr: [0, 3, 2] }, /task "a", row 0: x: indptr/],
    [{ indices: [0, 2] }, /task "a", row 1: x: indices: expected columns below 2/],
    [{ indices: [0] }, /expected as many indices as values, got 1 and 2/],
    [{ indptr: [0, 2, 2], indices: [1, 1] }, /row 0: x: indices: .* none twice; entry 1/],
    [{ values: [1, NaN] }, /task "a", row 1, column 1: expected a finite number/],
    [{ shape: [2] }, /shape: expected \[rows, columns\]/],
    [{ shape: [3, 2] }, /indptr: expected 4/],
  ])("%j", (changes, message) => {
    expect(from(changes)).toThrow(message);
    expect(from({})).not.toThrow();
  });

  test("dense rows of such a set", () => {
    expect(() => small.x).toThrow(/the rows are sparse, and this needs dense ones/);
    expect([...small][1]!.x).toHaveLength(6 * d);
  });

  test("rows of another width at predict, and rows beyond the declared bound", async () => {
    const model = await makeEstimator("single-task", {}).fit(small);
    expect(() => model.predict("task-0", x)).toThrow(/expected a matrix of 7 columns, got 2/);
    const bounded = makeEstimator("mp-low-rank", { random, clip: 1, featureBound: 0.1 });
    await expect(bounded.fit(small)).rejects.toThrow(/l2 norm is above the declared featureBound/);
  });
});

test("parts of a set keep their rows", () => {
  const { train, test: held } = small.splitBy((row) => row % 2 === 0);
  const dense = [...small].map(({ x }) => x);
  [...train].forEach(({ x }, i) => {
    for (let j = 0; j < 3; j++) {
      expect(x.subarray(j * d, (j + 1) * d)).toEqual(
        dense[i]!.subarray(2 * j * d, (2 * j + 1) * d),
      );
    }
  });
  expect(held.size).toBe(12);
  expect([...small.select(["task-3"])][0]!.x).toEqual(dense[3]);
});
