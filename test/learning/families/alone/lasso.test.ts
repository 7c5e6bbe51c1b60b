/** The lasso of `single-task`: the optimality conditions, whatever the data. */
import { describe, expect, test } from "vitest";
import { binaryLabels, TaskSet } from "../../../../src/data/index.js";
import { makeEstimator, type FittedModel } from "../../../../src/learning/index.js";
import { losses } from "../../objectives.js";
import { makeLabelled, makeTasks } from "../../tasks.js";

const sizes = { m: 6, d: 5, rows: (i: number) => 4 + 3 * i, noise: 0.5 };
/** More features than rows, and more than take part at once. */
const wide = { m: 3, d: 300, rows: (i: number) => 12 + i, noise: 0.5 };

const fit = (options: object, data: TaskSet, maxRounds = 100_000) =>
  makeEstimator("single-task", { penalty: "l1", tolerance: 1e-12, maxRounds, ...options }).fit(
    data,
  );

/** Columns that repeat each other: a minimum that is not unique, and systems that are singular. */
const repeated = TaskSet.from(
  [...makeTasks(sizes)].map(({ name, x, y, n }) => ({
    name,
    y,
    x: Array.from({ length: n }, (_, row) => {
      const { d } = sizes;
      const own = Array.from(x.subarray(row * d, (row + 1) * d));
      return [...own, ...own.map((value) => -2 * value), 1, 0];
    }),
  })),
);

/** The largest distance from a subgradient that is 0, relative to lambda; slopes of intercepts are told apart. */
function violation(
  data: TaskSet,
  loss: "squared" | "logistic",
  model: FittedModel,
  lambda: number,
) {
  const y = loss === "squared" ? data.y : binaryLabels(data).y;
  const { gradient } = losses(data, y, loss, model);
  return gradient.reduce((most, slope, k) => {
    const weight = model.weights[k]!;
    const off =
      weight === 0 ? Math.abs(slope) - lambda : Math.abs(slope + lambda * Math.sign(weight));
    return Math.max(most, off / lambda);
  }, 0);
}

describe.each([0.3, 0.03, 0.001])("the lasso at lambda %f", (lambda) => {
  test.each([
    ["squared loss", "squared", makeTasks(sizes)],
    ["more features than rows", "squared", makeTasks(wide)],
    ["columns that repeat each other", "squared", repeated],
    ["labels", "logistic", makeLabelled(sizes)],
    ["labels, more features than rows", "logistic", makeLabelled(wide)],
  ] as const)("meets its optimality conditions: %s", async (_, loss, data) => {
    for (const intercept of [true, false]) {
      const model = await fit({ loss, lambda, intercept }, data);
      expect(model.certificate).toMatchObject({ kind: "duality-gap", met: true });
      expect(violation(data, loss, model, lambda)).toBeLessThan(1e-6);
    }
  });
});

test("uses no more features than a task has rows, and the others not at all", async () => {
  const model = await fit({ lambda: 0.003 }, makeTasks(wide));
  for (let i = 0; i < wide.m; i++) {
    const used = model.weights.subarray(i * wide.d, (i + 1) * wide.d).filter((w) => w !== 0);
    expect(used.length).toBeGreaterThan(0);
    expect(used.length).toBeLessThanOrEqual(wide.rows(i));
  }
});

test("stops after as many rounds as it may, and says that the tolerance was not met", async () => {
  const data = makeTasks(wide);
  const model = await fit({ lambda: 0.001 }, data, 3);
  expect(model.rounds).toBe(3);
  expect(model.certificate!.met).toBe(false);
  const whole = await fit({ lambda: 0.001 }, data);
  const excess = (model.objective - whole.objective) / model.objective;
  expect(excess).toBeGreaterThan(0);
  expect(excess).toBeLessThanOrEqual(model.certificate!.value);
});

test("ends where rounding leaves no progress", async () => {
  const model = await fit({ lambda: 0.03, tolerance: 1e-30 }, makeTasks(sizes));
  expect(model.certificate!.met).toBe(false);
  expect(model.certificate!.value).toBeLessThan(1e-14);
  expect(model.rounds).toBeLessThan(100_000);
});
