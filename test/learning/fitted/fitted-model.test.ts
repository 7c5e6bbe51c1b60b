import { describe, expect, test } from "vitest";
import { DataError } from "../../../src/core/errors.js";
import { TaskSet } from "../../../src/data/index.js";
import { MpLowRank, SingleTask, TraceNorm } from "../../../src/learning/index.js";
import { makeLabelled, makeTasks } from "../tasks.js";

const tasks = makeTasks({ m: 5, d: 4, rows: () => 12 });

describe("a fitted model", () => {
  test("predicts x . w_i + b_i", async () => {
    const model = await new SingleTask({ lambda: 0.01, intercept: true }).fit(tasks);
    const row = [0.1, -0.2, 0.3, 0.4];
    const w = model.weights.subarray(2 * 4, 3 * 4);
    const expected = row.reduce((sum, x, j) => sum + x * w[j]!, model.intercepts![2]!);
    expect(model.predict("task-2", [row])[0]).toBeCloseTo(expected, 14);
    expect(model.predict("task-2", Float64Array.from(row))[0]).toBeCloseTo(expected, 14);
  });

  test("refuses an unknown task by name, and rows that do not fit by number", async () => {
    const model = await new SingleTask().fit(tasks);
    expect(() => model.predict("task-9", [[1, 2, 3, 4]])).toThrow(DataError);
    expect(() => model.predict("task-9", [[1, 2, 3, 4]])).toThrow(/task "task-9" is unknown/);
    expect(() =>
      model.predict("task-1", [
        [1, 2, 3, 4],
        [1, 2],
      ]),
    ).toThrow(/row 1 has 2 columns/);
    expect(() => model.predict("task-1", [[1, 2, NaN, 4]])).toThrow(
      /row 0: an entry is not finite/,
    );
  });

  test("classifies with the caller's own labels; probabilities are of the larger one", async () => {
    const labelled = makeLabelled({ m: 4, d: 4, rows: () => 30 });
    const model = await new TraceNorm({ loss: "logistic", lambda: 0.01 }).fit(labelled);
    expect(model.classes).toEqual(["no", "yes"]);
    const own = model.forTask("task-0");
    const rows = labelled.task("task-0").x;
    const labels = own.predictLabels(rows);
    own.predict(rows).forEach((p, i) => {
      expect(labels[i]).toBe(p > 0.5 ? "yes" : "no");
    });
    expect(model.score(labelled).accuracy).toBeGreaterThan(0.8);
  });

  test("scores a constant target as undefined, not NaN", async () => {
    const constant = TaskSet.from([
      {
        name: "a",
        x: [
          [1, 0],
          [0, 1],
        ],
        y: [2, 2],
      },
      {
        name: "b",
        x: [
          [1, 0],
          [0, 1],
        ],
        y: [2, 2],
      },
    ]);
    const model = await new SingleTask().fit(constant);
    expect(model.score(constant)).toEqual({ nmse: null, nmsePerTask: null, tasksLeftOut: 2 });
  });

  test("gives a participant its own model and nothing pooled", async () => {
    const model = await new MpLowRank({ rounds: 2, clip: 2 }).fit(tasks);
    const own = model.forTask("task-3");
    expect(own.weights).toEqual(model.weights.slice(12, 16));
    expect(Object.keys(own).sort()).toEqual(
      [
        "architecture",
        "classes",
        "featureNames",
        "guarantee",
        "intercepts",
        "loss",
        "method",
        "recordGuarantee",
        "targetScale",
        "task",
        "weights",
      ].sort(),
    );
  });
});

test("one class over all tasks is refused, in one task it is not", async () => {
  const x = [
    [1, 0],
    [0, 1],
  ];
  const same = TaskSet.from([
    { name: "a", x, y: [1, 1] },
    { name: "b", x, y: [1, 1] },
  ]);
  await expect(new TraceNorm({ loss: "logistic" }).fit(same)).rejects.toThrow(/one class/);
  const mixed = TaskSet.from([
    { name: "a", x, y: [1, 1] },
    { name: "b", x, y: [0, 1] },
  ]);
  const model = await new TraceNorm({ loss: "logistic" }).fit(mixed);
  expect(model.score(mixed).tasksLeftOut).toBe(1);
});
