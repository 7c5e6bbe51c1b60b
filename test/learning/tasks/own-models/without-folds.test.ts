/**
 * Own models without folds of the rows, read where all rows lie, are those of what is left, to the bit in doubles; where some are in
 * single precision they are the same in every batch.
 */
import { expect, test } from "vitest";
import { TaskSet } from "../../../../src/data/index.js";
import { foldBatches } from "../../../../src/learning/local-selection/folds.js";
import {
  ownModels,
  ownModelsWithoutFolds,
} from "../../../../src/learning/tasks/own-models/own-models.js";
import { ownRidge } from "../../../../src/learning/tasks/own-models/own-ridge.js";
import { ResidentTasks } from "../../../../src/learning/tasks/resident-tasks.js";
import { describeBuilds } from "../../../assembly/builds.js";
import { makeTasks } from "../../tasks.js";

describeBuilds("own models without folds", (core) => {
  // Fewer rows than columns, and more; tasks of one row, which have no fold, and of fewer rows than folds.
  test.each([
    [1, false],
    [7, false],
    [7, true],
    [13, true],
  ])("of %i features, intercept %s, in batches", (d, intercept) => {
    const data = makeTasks({ m: 24, d, rows: (i) => 1 + i, noise: 0.5 });
    const options = { loss: "squared", lossScale: "mean", intercept } as const;
    const place = (of: TaskSet) => new ResidentTasks(core, of, of.y, options);
    const tasks = place(data);
    const inPlace = () => {
      throw new Error("expected the rows to be read in their places");
    };
    const [whole] = foldBatches(data);
    const all = ownModelsWithoutFolds(tasks, whole!, inPlace);
    const found: number[] = [];
    for (const batch of foldBatches(data, { bytes: 8 * d * 90 })) {
      expect(ownRidge(tasks, batch)).toEqual(ownModels(place(batch.data)));
      const { weights, intercepts } = ownModelsWithoutFolds(tasks, batch, inPlace);
      expect(weights).toEqual(all.weights.subarray(batch.first * d).slice(0, weights.length));
      expect(intercepts).toEqual(all.intercepts.subarray(batch.first).slice(0, intercepts.length));
      found.push(...weights);
    }
    expect(found.length).toBe(all.weights.length);
    expect(found.length).toBe(d * [...data].reduce((sum, { n }) => sum + (n > 1 ? Math.min(n, 5) : 0), 0)); // prettier-ignore
    expect(found.filter((w) => Math.abs(w) > 1e-3).length).toBeGreaterThan(found.length / 4);
  });

  test("rows with weights are placed anew: those that are left have another mean", () => {
    const { x, y, offsets, names, featureNames, targetName } = makeTasks({ m: 3, d: 2, rows: () => 6 }); // prettier-ignore
    const sampleWeights = Float64Array.from(y, (_, k) => 1 + (k % 4));
    const data = TaskSet.adopt({ x, y, offsets, names, featureNames, targetName, sampleWeights });
    const options = { loss: "squared", lossScale: "mean" } as const;
    const place = (of: TaskSet) => new ResidentTasks(core, of, of.y, options);
    const [batch] = foldBatches(data);
    const models = ownModelsWithoutFolds(place(data), batch!, () => place(batch!.data));
    expect(models).toEqual(ownModels(place(batch!.data)));
  });
});
