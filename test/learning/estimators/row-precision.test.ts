/**
 * Fits on rows in Float32: they are fits of the rounded rows to the bit, methods without them refuse them by name, and what does
 * not fit Float32 is named where it is placed, and held by fits.
 */
import { describe, expect, test } from "vitest";
import { DataError, openCore, OptionError } from "../../../src/core/index.js";
import { TaskSet } from "../../../src/data/index.js";
import { ALL_METHODS } from "../../../src/learning/estimators/all.js";
import type { FittedModel } from "../../../src/learning/index.js";
import { makeEstimator } from "../../../src/learning/methods.js";
import { batchSize, residentBytes } from "../../../src/learning/tasks/resident-size.js";
import { placeTasks } from "../../../src/learning/tasks/resident-tasks.js";
import { makeClasses, makeLabelled, makeTasks } from "../tasks.js";

const float32 = { rowPrecision: "float32" } as const;
const random = { mode: "seeded", seed: "rows" } as const;
const sizes = { m: 6, d: 5, rows: (i: number) => 4 + 5 * i };
const SETS = {
  squared: makeTasks(sizes),
  logistic: makeLabelled(sizes),
  softmax: makeClasses({ ...sizes, classes: 3 }),
};
type Loss = keyof typeof SETS;

/** The same rows rounded to Float32, in Float64. */
const rounded = (tasks: TaskSet) =>
  TaskSet.adopt({ ...tasks.arrays(), x: Float64Array.from(tasks.x, Math.fround) });

/** With weights of the rows 1, 2, 1, 2, ... */
const weighted = (tasks: TaskSet) =>
  TaskSet.adopt({
    ...tasks.arrays(),
    sampleWeights: Float64Array.from({ length: tasks.size }, (_, row) => 1 + (row % 2)),
  });

/** All models, with their intercepts. */
const bitsOf = (model: FittedModel, { names }: TaskSet) =>
  names.flatMap((name) => {
    const { weights, intercepts } = model.forTask(name);
    return [...weights, ...(intercepts ?? [])];
  });

const fit = (method: string, given: object, tasks: TaskSet) =>
  makeEstimator(method, { random, epsilon: 5, ...given }).fit(tasks);

/** Rounded rows may be longer than 1 by rounding. */
const PROJECTED = { rounds: 4, clip: 2, featureBound: 2 };
const AVERAGING = { rounds: 3 };
const CASES: readonly [string, Loss, object][] = [
  ["mp-low-rank", "squared", PROJECTED],
  ["mp-low-rank", "squared", { ...PROJECTED, rounds: 60, intercept: true }],
  ["mp-low-rank", "squared", { ...PROJECTED, initialPenalty: 0.1, stepSize: "own" }],
  ["mp-low-rank", "logistic", { ...PROJECTED, choice: "local" }],
  ["mp-low-rank", "logistic", { ...PROJECTED, initialPenalty: 0.1, intercept: true }],
  ["mp-group-sparse", "squared", { ...PROJECTED, choice: "pooled", epsilon: 50 }],
  ["mp-low-rank-sparse", "logistic", PROJECTED],
  ["pmtl", "squared", AVERAGING],
  ["pmtl", "squared", { rounds: 30, localSteps: 20, intercept: false }],
  ["pmtl", "logistic", AVERAGING],
  ["pmtl", "softmax", { ...AVERAGING, choice: "local" }],
  ["pmtl", "squared", { ...AVERAGING, localSteps: "solve" }],
  ["pmtl", "logistic", { ...AVERAGING, localSteps: "solve", choice: "local" }],
  ["pmtl", "logistic", { ...AVERAGING, batchSize: 3, safeguard: false }],
  ["pmtl", "softmax", { ...AVERAGING, batchSize: 2, safeguard: false }],
  ["private-fedavg", "logistic", { ...AVERAGING, finetune: { kind: "symmetrized-kl" } }],
  ["private-fedprox", "softmax", { ...AVERAGING, finetune: { kind: "ewc" } }],
  ["pmtl-projected", "squared", AVERAGING],
  ["ppsgd", "logistic", AVERAGING],
  ["joint-dp-sgd", "softmax", AVERAGING],
];

describe("a fit on rows in Float32", () => {
  test.each(CASES)("%s, %s, %o: is that of the rounded rows", async (method, loss, given) => {
    const weightless = method === "joint-dp-sgd" || "finetune" in given;
    for (const tasks of weightless ? [SETS[loss]] : [SETS[loss], weighted(SETS[loss])]) {
      const single = await fit(method, { ...given, ...float32, loss }, tasks);
      const same = await fit(method, { ...given, loss }, rounded(tasks));
      const double = await fit(method, { ...given, loss }, tasks);
      expect(bitsOf(single, tasks)).toEqual(bitsOf(same, tasks));
      expect(single.guarantee).toEqual(double.guarantee);
      expect(single.ledger!.toJSON()).toEqual(double.ledger!.toJSON());
      // And rounded they were.
      expect(bitsOf(single, tasks)).not.toEqual(bitsOf(double, tasks));
    }
  });

  test("every method either has the option or refuses it by its name", () => {
    const having = ALL_METHODS.filter(({ options }) => "rowPrecision" in options);
    expect(having.map(({ name }) => name).sort()).toEqual(
      [...new Set(CASES.map(([method]) => method))].sort(),
    );
    for (const { name, options, inCodeOnly } of ALL_METHODS) {
      if ("rowPrecision" in options || inCodeOnly) continue;
      expect(() => makeEstimator(name, float32)).toThrow("rowPrecision: not an option of " + name);
    }
  });
});

describe("rows in Float32 are refused before anything is charged", () => {
  test.each([
    ["pmtl", { model: "network" }, /rowPrecision: networks.*expected "float64"/],
    ["private-fedavg", { unit: "record" }, /rowPrecision: every row's gradient.*"float64"/],
    ["private-fedprox", { unit: "both" }, /rowPrecision: every row's gradient/],
    ["ppsgd", { model: "network" }, /rowPrecision: networks/],
    ["joint-dp-sgd", { model: "network" }, /rowPrecision: networks/],
    ["pmtl", { rowPrecision: "float16" }, /rowPrecision: expected one of float64, float32/],
  ])("%s %o", (method, given, message) => {
    const make = () => makeEstimator(method, { ...float32, ...given });
    expect(make).toThrow(OptionError);
    expect(make).toThrow(message);
  });

  const sparse = TaskSet.from(
    [0, 1].map((i) => ({
      name: `task-${i}`,
      x: { indptr: [0, 1, 2], indices: [0, 1], values: [1, 0.1], shape: [2, 2] as const },
      y: [1, 2],
    })),
  );
  test.each(["mp-low-rank", "pmtl"])("%s: of sparse rows", async (method) => {
    await expect(fit(method, float32, sparse)).rejects.toThrow(
      `${method} takes no sparse rows, because those kept in Float32 (rowPrecision "float32") are dense`,
    );
    await fit(method, { rounds: 2 }, sparse);
  });

  const far = (value: number) =>
    TaskSet.from(
      [
        { name: "north", x: [[1, 2]], y: [1] },
        { name: "south", x: [[1, 2], [3, value]], y: [1, 2] }, // prettier-ignore
      ],
      { featureNames: ["age", "income"] },
    );
  test("values beyond its range where they are placed, by task, row and column; private fits have held them before", async () => {
    const core = openCore();
    const options = { ...float32, loss: "squared", lossScale: "mean", intercept: false } as const;
    const place = () => placeTasks(far(-3.5e38), options, { core });
    expect(place).toThrow(DataError);
    expect(place).toThrow('task "south", row 1, column "income": expected a number within');
    expect(place).not.toThrow("3.5e");
    for (const [method, given] of [
      ["mp-low-rank", { featureBound: 1e300 }],
      ["private-fedavg", {}],
    ] as const) {
      const all = { ...float32, ...given };
      const model = await fit(method, all, far(-3.5e38));
      expect(model.weights).toEqual((await fit(method, all, far(-3.4028234663852886e38))).weights);
    }
    // The largest that rounds to a finite number.
    const { tasks } = placeTasks(far(3.4028235677973362e38), options, { core });
    expect(core.arena.singles(tasks.rowsAt, 6)[5]).toBe(3.4028234663852886e38);
  });
});

test("rows in Float32 take half the memory, and are reckoned so", () => {
  const tasks = makeTasks({ m: 40, d: 30, rows: () => 300 });
  const bytes = (rowPrecision: "float64" | "float32") => {
    const core = openCore();
    placeTasks(
      tasks,
      { loss: "squared", lossScale: "mean", intercept: false, rowPrecision },
      { core },
    );
    return { placed: core.arena.used, reckoned: residentBytes(batchSize(tasks), rowPrecision) };
  };
  const [double, single] = [bytes("float64"), bytes("float32")];
  const rows = 8 * tasks.size * tasks.d;
  expect(Math.abs(double.placed - single.placed - rows / 2)).toBeLessThan(4096);
  // Beside them lies one task's rows in Float64.
  expect(double.reckoned - single.reckoned).toBe(rows / 2 - 8 * 300 * tasks.d);
});
