import { expect, test } from "vitest";
import { Table, TaskSet, tasksFromTable } from "../../../../src/data/index.js";
import { SingleTask, TaskModel } from "../../../../src/learning/index.js";
import { loadModel, saveModel } from "../../../../src/model/index.js";
import { makeTasks } from "../../../learning/tasks.js";

const tasks = makeTasks({ m: 3, d: 2, rows: () => 12, noise: 0.2 });

/** Mean and reach of a task's first feature, worked out here. */
function reachOf(name: string) {
  const { x, n } = tasks.task(name);
  const own = Array.from({ length: n }, (_, row) => x[2 * row]!);
  const mean = own.reduce((sum, value) => sum + value, 0) / n;
  const squares = own.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return { mean, reach: 4 * Math.sqrt((squares * (1 + 1 / n)) / (n - 1)) };
}

test("beyond four deviations of a task's own rows a feature counts as if it were there", async () => {
  const model = await new SingleTask().fit(tasks);
  for (const name of tasks.names) {
    const { mean, reach } = reachOf(name);
    const predicted = (value: number) => model.predict(name, [[value, 0]])[0]!;
    const edge = predicted(mean + reach);
    expect(predicted(mean + 2 * reach)).toBeCloseTo(edge, 10);
    expect(predicted(1e9)).toBeCloseTo(edge, 10);
    expect(predicted(mean - 5 * reach)).toBeCloseTo(predicted(mean - reach), 10);
    expect(Math.abs(predicted(mean + reach / 2) - edge)).toBeGreaterThan(1e-3);
  }
});

test("a task's own rows are predicted as they are, and a saved model holds features alike", async () => {
  const outlying = TaskSet.from(
    [...tasks].map(({ name, x, y, n }) => ({
      name,
      y: Float64Array.from(y),
      x: Float64Array.from(x, (value, k) => (k === 2 * (n - 1) ? 50 : value)),
    })),
  );
  const model = await new SingleTask().fit(outlying);
  const name = outlying.names[0]!;
  const { weights, intercepts } = model.forTask(name);
  const linear = 50 * weights[0]! + intercepts![0]!;
  expect(model.predict(name, [[50, 0]])[0]).toBeCloseTo(linear, 10);
  const again = loadModel(saveModel(model));
  expect(again.predict(name, [[1e6, 0]])).toEqual(model.predict(name, [[1e6, 0]]));
});

test("not of declared ranges, and not of a given lambda", async () => {
  const { x, y } = tasks.task(tasks.names[0]!);
  const table = new Table([
    { name: "site", values: Array.from(y, () => "a") },
    { name: "x", values: Float64Array.from(y, (_, row) => x[2 * row]!) },
    { name: "y", values: Float64Array.from(y) },
  ]);
  const declared = tasksFromTable(table, {
    task: "site",
    target: "y",
    features: ["x"],
    kinds: { x: { kind: "number", range: [-10, 10] } },
  }).tasks;
  expect((await new SingleTask().fit(declared)).components).not.toHaveProperty("taskFeatureLimits");
  const ridge = await new SingleTask({ lambda: 0.1 }).fit(tasks);
  expect(ridge.forTask(tasks.names[0]!).limits ?? null).toBeNull();
});

test("limits of the largest features that there may be are numbers, and the task's own model is read again", async () => {
  const tasks = TaskSet.from([
    { name: "far", x: [[1e60], [-1e60], [9e59]], y: ["a", "b", "c"] },
    { name: "near", x: [[1], [2], [3]], y: ["a", "b", "c"] },
  ]);
  const model = await new SingleTask({ loss: "softmax" }).fit(tasks);
  expect(model.components["taskFeatureLimits"]!.data.every(Number.isFinite)).toBe(true);
  const own = JSON.parse(JSON.stringify(model.forTask("far"))) as TaskModel;
  expect(new TaskModel(own).task).toBe("far");
});
