/** Mini-batches: every row once in an epoch, in an order of the task's own. */
import { expect, test } from "vitest";
import { openCore } from "../../../src/core/index.js";
import { MiniBatches } from "../../../src/learning/steps/mini-batches.js";
import { ResidentTasks } from "../../../src/learning/tasks/resident-tasks.js";
import { makeTasks } from "../tasks.js";

test("an epoch goes through all rows of a task once, the next in another order, whichever tasks are beside", () => {
  const data = makeTasks({ m: 3, d: 2, rows: (i) => [10, 1, 23][i]! });
  const core = openCore();
  const tasks = new ResidentTasks(core, data, data.y, { loss: "squared", lossScale: "mean" });
  const random = { mode: "seeded", seed: "batches" } as const;
  const batches = new MiniBatches(tasks, 4, random, [5, 0, 2]);
  const [from, to] = [11, 34];
  const rows = Array.from({ length: to - from }, (_, k) => from + k);
  const epoch = (of: MiniBatches, task: number, n: number) => {
    const seen: number[] = [];
    while (seen.length < n) {
      const { at, count } = of.next(task);
      expect(count).toBe(Math.min(4, n - seen.length));
      seen.push(...core.arena.words(at, count));
    }
    return seen;
  };
  const [first, second] = [epoch(batches, 2, 23), epoch(batches, 2, 23)];
  for (const seen of [first, second]) expect(seen.toSorted((a, b) => a - b)).toEqual(rows);
  expect(second).not.toEqual(first);
  expect(epoch(batches, 1, 1)).toEqual([10]);
  // By the task's place in the run.
  const again = new MiniBatches(tasks, 4, random, [5, 0, 2]);
  expect(epoch(again, 2, 23)).toEqual(first);
  const elsewhere = new MiniBatches(tasks, 4, random, [5, 0, 3]);
  expect(epoch(elsewhere, 2, 23)).not.toEqual(first);
  batches.close();
});
