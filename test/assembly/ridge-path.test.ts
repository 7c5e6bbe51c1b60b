import { describe, expect, test } from "vitest";
import type { Core } from "../../src/core/core.js";
import { openCore } from "../../src/core/index.js";
import { TaskSet } from "../../src/data/index.js";
import { ResidentTasks } from "../../src/learning/tasks/resident-tasks.js";
import { ridgePath } from "../../src/learning/tasks/solves/ridge-path.js";
import { copyModels } from "../../src/learning/tasks/local-models.js";
import { singleTaskModels } from "../../src/learning/local-selection/single-task.js";
import { ridgeModels } from "../../src/learning/tasks/solves/ridge.js";
import { foldBatches } from "../../src/learning/local-selection/folds.js";
import { FOLDS } from "../../src/learning/local-selection/thresholds.js";
import { makeLabelled, makeTasks } from "../learning/tasks.js";
import { builds, coreOf } from "./builds.js";

const PENALTIES = Float64Array.of(1e-3, 1e-2, 0.1, 1);

function place(
  tasks: TaskSet,
  intercept: boolean,
  lossScale: "mean" | "sum" = "sum",
  core: Core = openCore(),
) {
  return new ResidentTasks(core, tasks, tasks.y, { loss: "squared", lossScale, intercept });
}

/** Leave-one-out by leaving each row out and fitting again. */
function refitErrors(tasks: TaskSet, name: string, intercept: boolean, penalty: number): number {
  const { x, y, n } = tasks.task(name);
  const { d } = tasks;
  let sum = 0;
  for (let j = 0; j < n; j++) {
    const rows = Array.from({ length: n }, (_, k) => [...x.subarray(k * d, (k + 1) * d)]);
    const [left] = rows.splice(j, 1);
    const rest = TaskSet.from([{ name, x: rows, y: [...y].filter((_, k) => k !== j) }]);
    const { weights, intercepts } = ridgeModels(place(rest, intercept), penalty);
    const predicted = left!.reduce((total, v, k) => total + v * weights[k]!, intercepts[0]!);
    sum += (predicted - y[j]!) ** 2 / n;
  }
  return sum;
}

describe.each([false, true])("taskRidgePath, intercept %s", (intercept) => {
  // Tasks with fewer rows than features take the dual, the others the primal form.
  const tasks = makeTasks({ m: 6, d: 5, rows: (i) => 2 + 2 * i, noise: 0.5 });
  const path = ridgePath(place(tasks, intercept), PENALTIES);

  test("chooses what leaving rows out and fitting again chooses, with the same error", () => {
    tasks.names.forEach((name, i) => {
      const errors = Array.from(PENALTIES, (p) => refitErrors(tasks, name, intercept, p));
      const least = Math.min(...errors);
      expect(path.errors[i]).toBeCloseTo(least, 9);
      // Two rows and an intercept make every weight equal, so the choice is judged by its error.
      expect(errors[path.chosen[i]!]).toBeCloseTo(least, 9);
    });
  });

  test("returns the ridge model of the chosen weight", () => {
    tasks.names.forEach((name, i) => {
      const alone = place(tasks.select([name]), intercept);
      const model = ridgeModels(alone, PENALTIES[path.chosen[i]!]!);
      for (let j = 0; j < 5; j++) expect(path.weights[i * 5 + j]).toBeCloseTo(model.weights[j]!, 10);
      expect(path.intercepts[i]).toBeCloseTo(model.intercepts[0]!, 10);
    });
  });

  test("gives the models without each fold of the rows that fitting those alone gives", () => {
    // The last tasks' folds have more rows than features.
    const sizes = [1, 2, 3, 5, 7, 12, 26, 61];
    const many = makeTasks({ m: sizes.length, d: 5, rows: (i) => sizes[i]!, noise: 0.5 });
    const { folds, chosen } = ridgePath(place(many, intercept), PENALTIES, FOLDS);
    const batches = [...foldBatches(many, { bytes: 8 * 5 * 40 })];
    expect(batches.length).toBeGreaterThan(3);
    for (const { data, owners, first } of batches) {
      [...data].forEach(({ x, y, n }, k) => {
        const rows = Array.from({ length: n }, (_, j) => [...x.subarray(j * 5, j * 5 + 5)]);
        const rest = TaskSet.from([{ name: "rest", x: rows, y: [...y] }]);
        const model = ridgeModels(place(rest, intercept), PENALTIES[chosen[owners[k]!]!]!);
        const entry = first + k;
        for (let j = 0; j < 5; j++) {
          expect(folds.weights[entry * 5 + j]).toBeCloseTo(model.weights[j]!, 9);
        }
        expect(folds.intercepts[entry]).toBeCloseTo(model.intercepts[0]!, 9);
      });
    }
    expect(folds.intercepts).toHaveLength(2 + 3 + 5 * 5);
  });

  test("models alone on folds of labels are those of the rows that are left", () => {
    const labelled = makeLabelled({ m: 3, d: 3, rows: (i) => 9 + 6 * i });
    const core = openCore();
    const options = { loss: "logistic", lossScale: "mean", intercept } as const;
    const signs = (data: TaskSet) => data.y.map((y) => (y > 0 ? 1 : -1));
    const placed = (data: TaskSet) => new ResidentTasks(core, data, signs(data), options);
    const tasks = placed(labelled);
    const alone = singleTaskModels(tasks, 0.1);
    for (const batch of foldBatches(labelled, { bytes: 1e6 })) {
      const at = alone.withoutFolds(batch, () => placed(batch.data));
      const own = copyModels(core.arena, at, batch.owners.length, tasks.d);
      const direct = ridgeModels(placed(batch.data), 0.1);
      own.weights.forEach((w, k) => expect(w).toBeCloseTo(direct.weights[k]!, 6));
      own.intercepts.forEach((b, k) => expect(b).toBeCloseTo(direct.intercepts[k]!, 6));
    }
  });

  test("is finite for one row, repeated rows and a constant column", () => {
    const awkward = TaskSet.from([
      { name: "one", x: [[0.5, 1, 0]], y: [2] },
      { name: "twice", x: [[0.5, 1, 0], [0.5, 1, 0]], y: [2, 2] },
      { name: "tall", x: [[1, 1, 0], [0, 1, 0], [1, 1, 0], [0, 1, 0], [0.5, 1, 0]], y: [1, 2, 3, 4, 5] },
    ]);
    const { weights, errors, folds } = ridgePath(place(awkward, intercept, "mean"), PENALTIES, 5);
    const all = [...weights, ...errors, ...folds.weights, ...folds.intercepts];
    expect(all.every(Number.isFinite)).toBe(true);
  });

  // Tridiagonal matrices up to order 13 in both forms, groups of eight rows whole and in part.
  const larger = makeTasks({ m: 5, d: 13, rows: (i) => [1, 6, 13, 16, 27][i]!, noise: 0.5 });

  test("both builds give the same bits", () => {
    const [simd, scalar] = builds.map((build) =>
      ridgePath(place(larger, intercept, "mean", coreOf(build)), PENALTIES, 5),
    );
    expect(scalar).toEqual(simd);
  });

  test("features in other units, by a power of two, change models by that power and nothing else", () => {
    const given = ridgePath(place(larger, intercept), PENALTIES, 5);
    for (const unit of [2 ** 40, 2 ** -60]) {
      const { y, offsets, names, featureNames, targetName } = larger;
      const x = larger.x.map((value) => value * unit);
      const scaled = TaskSet.adopt({ x, y, offsets, names, featureNames, targetName });
      const penalties = PENALTIES.map((penalty) => penalty * unit ** 2);
      const found = ridgePath(place(scaled, intercept), penalties, 5);
      expect(found.weights.map((w) => w * unit)).toEqual(given.weights);
      expect(found.folds.weights.map((w) => w * unit)).toEqual(given.folds.weights);
      expect(found.errors).toEqual(given.errors);
    }
  });

  test("a weight far below the rounding of the rows gives finite models that fit what can be fitted", () => {
    const { weights, errors, folds } = ridgePath(place(larger, intercept), Float64Array.of(1e-300), 5);
    expect([...weights, ...errors, ...folds.weights].every(Number.isFinite)).toBe(true);
    // Six rows of thirteen features: no residual.
    const { x, y, n } = larger.task(larger.names[1]!);
    const b = intercept ? ridgePath(place(larger, true), Float64Array.of(1e-300)).intercepts[1]! : 0;
    for (let j = 0; j < n; j++) {
      let fit = b;
      for (let k = 0; k < 13; k++) fit += x[j * 13 + k]! * weights[13 + k]!;
      expect(fit).toBeCloseTo(y[j]!, 7);
    }
  });
});

test("what cannot be solved leaves the core's memory as it was", () => {
  const core = openCore();
  const placed = place(makeTasks({ m: 3, d: 2, rows: () => 4 }), true, "sum", core);
  const { used } = core.arena;
  expect(() => ridgePath(placed, Float64Array.of(NaN))).toThrow();
  expect(core.arena.used).toBe(used);
});
