/** Folds copied within the core against the same rows placed as tasks of their own. */
import { describe, expect, test } from "vitest";
import { openCore } from "../../../src/core/index.js";
import { TaskSet } from "../../../src/data/index.js";
import { FoldBatch } from "../../../src/learning/local-selection/folds.js";
import { heldOutOf } from "../../../src/learning/local-selection/held-out-rows.js";
import { residentFolds } from "../../../src/learning/tasks/resident-folds.js";
import { placeTasks, type ResidentTasks } from "../../../src/learning/tasks/resident-tasks.js";

const rows = (task: number, n: number, d: number) => ({
  name: `task ${task}`,
  x: Float64Array.from({ length: n * d }, (_, k) => Math.sin(7 * task + k)),
  y: Float64Array.from({ length: n }, (_, k) => Math.cos(task + 3 * k)),
});
const data = TaskSet.from([rows(0, 7, 3), rows(1, 2, 3), rows(2, 12, 3)]);
const owners = Uint32Array.of(0, 0, 0, 0, 0, 1, 1, 2, 2);
const batch = new FoldBatch(data, 0, owners, Uint32Array.of(0, 1, 2, 3, 4, 0, 1, 0, 4));

const contents = ({
  core: { arena },
  m,
  d,
  rows: n,
  rowsAt,
  y,
  offsets,
  scales,
}: ResidentTasks) => ({
  x: arena.view(rowsAt, n * d).slice(),
  y: arena.view(y, n).slice(),
  offsets: arena.words(offsets, m + 1).slice(),
  scales: arena.view(scales, m).slice(),
});

describe.each(["mean", "sum"] as const)("folds in the core, lossScale %s", (lossScale) => {
  const options = { loss: "squared", lossScale, intercept: false } as const;
  const { tasks } = placeTasks(data, options);

  test("what is left of tasks", () => {
    const { tasks: apart } = placeTasks(batch.data, options);
    expect(contents(residentFolds(tasks, batch, "left")!)).toEqual(contents(apart));
  });

  test("what is held out", () => {
    const { tasks: apart } = placeTasks(heldOutOf(data, batch).data(), options);
    expect(contents(residentFolds(tasks, batch, "held out")!)).toEqual(contents(apart));
  });
});

test("rows in Float32, and weighted ones, are not copied", () => {
  const single = {
    loss: "squared",
    lossScale: "mean",
    intercept: false,
    rowPrecision: "float32",
  } as const;
  const { tasks } = placeTasks(data, single, { core: openCore() });
  expect(residentFolds(tasks, batch, "left")).toBeUndefined();
});
