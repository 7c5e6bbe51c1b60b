/**
 * Sparse rows in every method: the models of the same rows given dense. What works with d x d numbers takes rows of few
 * features and refuses others by its name.
 */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { TaskSet, type TaskInput } from "../../../src/data/index.js";
import { chooseMethod } from "../../../src/learning/auto/choose-method.js";
import { scoreNewTasks } from "../../../src/learning/fitted/scores/score-new-tasks.js";
import { fitNewTask } from "../../../src/learning/new-tasks.js";
import { makeEstimator, METHODS } from "../../../src/learning/methods.js";
import { MOST_MADE_DENSE } from "../../../src/learning/options/rows-taken.js";
import type { ConfiguredEstimator } from "../../../src/learning/options/configured-estimator.js";
import type { FittedModel } from "../../../src/learning/fitted/fitted-model.js";
import { someOf } from "../../thorough.js";

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
const recordwise = { random, epsilon: 50, delta: 1e-3, featureBound: 2, slopeBound: 3, lambda: 1 };
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
  ["private-fedavg", ["softmax"], { ...averaging, ...alone }, 1e-9],
  ["private-fedprox", ["squared", "logistic"], { ...averaging, ...alone }, 1e-12],
  ["joint-dp-sgd", ["squared", "logistic"], averaging, 1e-12],
  ["single-task", ["squared", "logistic"], {}, 1e-9],
  ["single-task", ["softmax"], {}, 1e-6],
  ["single-task", ["squared", "logistic"], { lambda: 0.1, ...exact }, 1e-9],
  ["single-task", ["squared"], { penalty: "l1", lambda: 0.02, ...exact }, 1e-5],
  ["pooled", ["squared", "logistic"], {}, 1e-9],
  ["pooled", ["squared"], { intercept: false }, 1e-9],
  ["pooled", ["softmax"], {}, 1e-6],
  ["mean-regularized", ["squared"], {}, 1e-9],
  ["mean-regularized", ["squared"], { lambda: 3, lossScale: "sum" }, 1e-9],
  ["mean-regularized", ["squared"], { intercept: false }, 1e-9],
  ["dp-aggregation", ["squared"], { ...recordwise, safeguard: false }, 1e-9],
  ["dp-aggregation", ["logistic"], { ...recordwise, slopeBound: 1 }, 1e-9],
  ["dp-aggregation", ["squared"], { ...recordwise }, 1e-9],
  ["dp-task-relationship", ["squared"], { ...recordwise, safeguard: false }, 1e-9],
  ["trace-norm", ["squared", "logistic"], { lambda: 0.05, ...exact }, 1e-4],
  ["group-sparse", ["squared"], { lambda: 0.05, ...exact }, 1e-4],
  ["low-rank-sparse", ["squared"], { lambda: 0.05, lambda2: 0.05, ...exact }, 1e-4],
  ["task-relationship", ["squared"], { lambda: 0.05, lambda2: 0.05, ...exact }, 1e-4],
];

describe("sparse rows give the models of the same rows dense", () => {
  const all = cases.flatMap(([method, losses, options, tolerance]) =>
    losses.map((loss) => [method, loss, options, tolerance] as const),
  );
  test.each(someOf(all, 2))("%s, %s, %j", async (method, loss, options, tolerance) => {
    await fc.assert(
      fc.asyncProperty(tasksOf, fc.boolean(), async (tasks, weighted) => {
        // What hides single records takes no weights.
        const [dense, sparse] = bothForms(tasks, loss, weighted && !method.startsWith("dp-"));
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
      { numRuns: 3, seed: 3 },
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

/** The set above with so many columns that hold nothing. */
const widened = (columns: number) =>
  TaskSet.from(
    [...small].map(({ name, x, y }) => ({
      name,
      x: { ...sparseOf(rowsOf(x)), shape: [y.length, d + columns] as const },
      y,
    })),
  );
const rowsOf = (x: Float64Array) =>
  Array.from({ length: x.length / d }, (_, j) => [...x.subarray(j * d, (j + 1) * d)]);
const densely = TaskSet.from(
  [...small].map(({ name, x, y }) => ({ name, x: rowsOf(x), y: [...y] })),
);

test.each(METHODS.map(({ name }) => name))(
  "%s takes sparse rows of few features, and of many or refuses these by its name",
  async (name) => {
    const known = {
      random,
      tolerance: 1e-10,
      maxRounds: 5000,
      epsilon: 5,
      delta: 1e-3,
      scale: "unit",
      featureBound: 2,
    };
    const { options } = METHODS.find((method) => method.name === name)!;
    if (options["loss"]?.accept("squared") === undefined) return;
    const bounded = name.startsWith("dp-") ? { slopeBound: 3 } : {};
    const given = {
      ...Object.fromEntries(Object.entries(known).filter(([key]) => key in options)),
      ...bounded,
      loss: "squared",
    };
    const model = await makeEstimator(name, given).fit(small);
    const same = await makeEstimator(name, given).fit(densely);
    expect(apart(same, model)).toBeLessThan(1e-4);
    expect(model.score(small)).toEqual(model.score(densely));
    expect(model.predict("task-1", sparseOf(rowsOf([...small][1]!.x)))).toEqual(
      model.predict("task-1", rowsOf([...small][1]!.x)),
    );
    const quick = { rounds: 2, safeguard: false, initial: "zeros" };
    const few = Object.fromEntries(Object.entries(quick).filter(([key]) => key in options));
    const many = widened(MOST_MADE_DENSE + 1 - d);
    const estimator = makeEstimator(name, { ...given, ...few });
    const taken = (estimator as ConfiguredEstimator<object>).rowsTaken?.sparse;
    if (taken === true || taken === undefined) {
      expect((await estimator.fit(many)).weights.every(Number.isFinite)).toBe(true);
    } else {
      const refused = `${name} takes no sparse rows of more than 256 features, got 257, because `;
      await expect(estimator.fit(many)).rejects.toThrow(refused);
      // The same bits where rows are made dense.
      expect(model.weights).toEqual(same.weights);
    }
  },
);

test("a mixed model of labels predicts for sparse rows what it does for dense ones", async () => {
  const labelled = TaskSet.from(
    [...small].map(({ name, x, y }) => ({
      name,
      x: sparseOf(rowsOf(x)),
      y: Array.from(y, (value) => (value > 0 ? "yes" : "no")),
    })),
    { labels: ["no", "yes"] },
  );
  const options = { random, epsilon: 5, delta: 1e-3, scale: "unit", loss: "logistic" };
  const model = await makeEstimator("mp-mixed", options).fit(labelled);
  const x = rowsOf([...small][2]!.x);
  expect(model.forTask("task-2").posterior).toBeTruthy();
  expect(model.predict("task-2", sparseOf(x))).toEqual(model.predict("task-2", x));
});

test("tasks that come later have their models from sparse rows too", async () => {
  const options = { random, epsilon: 5, delta: 1e-3, scale: "unit" };
  const fitted = await makeEstimator("mp-mixed", options).fit(small);
  expect(fitNewTask(fitted, small).weights).toEqual(fitNewTask(fitted, densely).weights);
  const score = scoreNewTasks(fitted, small);
  expect(score).toBeTruthy();
  expect(score).toEqual(scoreNewTasks(fitted, densely));
});

test("auto takes for sparse rows of few features what it takes for dense ones", () => {
  const facts = (d: number, sparse: boolean) => ({
    sizes: { m: 400, d, rows: 8000, mostRows: 20 },
    ...({ loss: "squared", epsilon: 2, delta: "auto", declared: true } as const),
    rows: { weighted: false, sparse },
  });
  expect(chooseMethod(facts(8, true)).method).toBe("mp-mixed");
  expect(chooseMethod(facts(8, true))).toEqual(chooseMethod(facts(8, false)));
  const many = chooseMethod(facts(MOST_MADE_DENSE + 1, true));
  expect(many.method).toBe("single-task");
  expect(many.why).toContain("takes no sparse rows of 257 features");
});

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
