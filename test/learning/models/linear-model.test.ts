/** A linear model in the kernels' memory: beside its rows it holds next to nothing, and calls give back what they take. */
import { expect, test } from "vitest";
import { openCore } from "../../../src/core/index.js";
import { LinearModel } from "../../../src/learning/models/linear-model.js";
import { placeTasks } from "../../../src/learning/tasks/resident-tasks.js";
import type { CommonOptions } from "../../../src/learning/tasks/common-options.js";
import { makeTasks } from "../tasks.js";

const d = 30;
const data = makeTasks({ m: 2, d, rows: () => 200 });
const squared = { loss: "squared", lossScale: "mean" } as CommonOptions;

test("what it holds does not grow with its rows, of which thousands of participants in a process have a model each", () => {
  const { tasks } = placeTasks(data, squared);
  const { arena } = tasks.core;
  const before = arena.used;
  const model = new LinearModel(tasks, 1);
  expect(arena.used - before).toBeLessThan(256);
  const [weights, slopes, out] = [arena.zeros(d), arena.f64(200), arena.f64(d)];
  const held = arena.used;
  arena.view(weights, d).fill(0.5);
  for (const task of [0, 1]) {
    model.predict(task, weights, slopes);
    model.pullback(task, weights, slopes, out);
    model.valueAndGradient(task, weights, out);
  }
  expect(arena.used).toBe(held);
});

test("predictions and pullbacks are the sums by hand, also where a call makes the memory grow", () => {
  const { tasks } = placeTasks(data, { ...squared, rowPrecision: "float32" }, { core: openCore() });
  const { arena } = tasks.core;
  const model = new LinearModel(tasks, 1);
  const [weights, margins, out] = [arena.zeros(d), arena.f64(200), arena.f64(d)];
  arena.view(weights, d).forEach((_, j, all) => (all[j] = j / d));
  model.predict(1, weights, margins);
  model.pullback(1, weights, margins, out);
  const rows = Array.from({ length: 200 }, (_, k) =>
    Array.from(data.x.subarray((200 + k) * d, (201 + k) * d), Math.fround),
  );
  const z = rows.map((row) => row.reduce((sum, x, j) => sum + (x * j) / d, 0));
  const expected = rows[0]!.map((_, j) => rows.reduce((sum, row, k) => sum + row[j]! * z[k]!, 0));
  arena.view(margins, 200).forEach((value, k) => expect(value).toBeCloseTo(z[k]!, 10));
  arena.view(out, d).forEach((value, j) => expect(value).toBeCloseTo(expected[j]!, 8));
});
