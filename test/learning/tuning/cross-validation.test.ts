import { describe, expect, test } from "vitest";
import { TaskSet } from "../../../src/data/index.js";
import {
  crossValidate,
  errorOf,
  expandGrid,
  meanAndError,
  SingleTask,
} from "../../../src/learning/index.js";
import { makeTasks } from "../tasks.js";

describe("crossValidate", () => {
  const tasks = makeTasks({ m: 4, d: 3, rows: () => 20, noise: 0.3 });
  const candidates = expandGrid({ lambda: [10, 0.1, 0.001] });
  const common = { method: "single-task", options: {}, candidates, seed: "cv", folds: 4 };

  test("reports the mean over folds of the held-out error, as done by hand", async () => {
    const { errors, chosen } = await crossValidate(tasks, common);
    for (const { candidate, mean, standardError } of errors) {
      const byHand: number[] = [];
      for (const { train, test: held } of tasks.folds(4, { seed: "cv" })) {
        const model = await new SingleTask(candidate).fit(train);
        byHand.push(errorOf(model.score(held))!);
      }
      const average = byHand.reduce((a, b) => a + b) / 4;
      expect(mean).toBeCloseTo(average, 12);
      const spread = byHand.reduce((sum, error) => sum + (error - average) ** 2, 0) / 3;
      expect(standardError).toBeCloseTo(Math.sqrt(spread / 4), 12);
    }
    const least = Math.min(...errors.map(({ mean }) => mean));
    expect(errors.find(({ mean }) => mean === least)!.candidate).toEqual(chosen);
  });

  test("needs no options that candidates share", async () => {
    const { options: _, ...without } = common;
    expect(await crossValidate(tasks, without)).toEqual(await crossValidate(tasks, common));
  });

  test("one standard error takes the first candidate that is as good as the best", async () => {
    const { chosen, errors } = await crossValidate(tasks, { ...common, oneStandardError: true });
    const best = errors.reduce((a, b) => (b.mean < a.mean ? b : a));
    const limit = best.mean + best.standardError;
    expect(chosen).toEqual(errors.find(({ mean }) => mean <= limit)!.candidate);
  });

  test("refuses when no candidate has a defined error", async () => {
    const constant = TaskSet.from([{ name: "a", x: [[1], [2], [3], [4]], y: [1, 1, 1, 1] }]);
    await expect(crossValidate(constant, { ...common, folds: 2 })).rejects.toThrow(
      /held-out error/,
    );
  });
});

test("expandGrid gives all combinations, the last option fastest", () => {
  expect(expandGrid({ a: [1, 2], b: ["x", "y"] })).toEqual([
    { a: 1, b: "x" },
    { a: 1, b: "y" },
    { a: 2, b: "x" },
    { a: 2, b: "y" },
  ]);
  expect(expandGrid({})).toEqual([{}]);
});

test("meanAndError of one value has no spread; of two it is half their distance", () => {
  expect(meanAndError([3])).toEqual({ mean: 3, standardError: 0 });
  expect(meanAndError([1, 5])).toEqual({ mean: 3, standardError: 2 });
});
