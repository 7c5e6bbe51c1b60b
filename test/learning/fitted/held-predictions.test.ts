/** Predictions of a target with a declared range: no farther from its middle than its values are taken. */
import { describe, expect, test } from "vitest";
import fc from "fast-check";
import {
  parseSchema,
  sparseMatrix,
  Table,
  tasksFromTable,
  TaskSet,
} from "../../../src/data/index.js";
import { makeEstimator, TaskModel, type FittedModel } from "../../../src/learning/index.js";
import { loadModel, saveModel } from "../../../src/model/index.js";
import { makeTasks } from "../tasks.js";

const range = [100, 200] as const;
const rows = [...makeTasks({ m: 20, d: 2, rows: () => 6, seed: "held" })].flatMap(
  ({ name, x, y }) =>
    Array.from(y, (value, row) => ({
      name,
      x: x.slice(2 * row, 2 * row + 2),
      y: 150 + 20 * value,
    })),
);
const numbers = (name: string, of: (row: (typeof rows)[number]) => number) => ({
  name,
  values: Float64Array.from(rows, of),
});
const table = new Table([
  { name: "task", values: rows.map(({ name }) => name) },
  numbers("a", ({ x }) => x[0]!),
  numbers("b", ({ x }) => x[1]!),
  numbers("y", ({ y }) => Math.min(200, Math.max(100, y))),
]);
const column = { kind: "number", range: [-1, 1] };
const tasksWith = (outside: string, limits?: readonly (number | null)[]) => {
  const schema = parseSchema(
    {
      format: "mp-mtl-schema",
      version: 1,
      task: "task",
      columns: { a: column, b: column },
      target: { column: "y", kind: "number", range, outside, ...(limits && { limits }) },
    },
    "schema",
  );
  return tasksFromTable(table, { schema }).tasks;
};
const tasks = tasksWith("keep");
const given = { epsilon: 5, delta: 1e-3, random: { mode: "seeded", seed: "held" } };
const mixed = await makeEstimator("mp-mixed", given).fit(tasks);
const alone = await makeEstimator("single-task", {}).fit(tasks);
const reloaded = (model: FittedModel) => loadModel(saveModel(model));

describe("a target with the range 100 to 200, values kept", () => {
  test.each([
    ["mp-mixed", mixed],
    ["single-task", alone],
  ])("%s: predictions lie within a width of the range beyond its ends", (_, model) => {
    const cell = fc.double({ min: -1e9, max: 1e9, noNaN: true });
    fc.assert(
      fc.property(fc.nat(19), fc.tuple(cell, cell), (i, row) => {
        const [value] = model.predict(`task-${i}`, [row]);
        expect(value).toBeGreaterThanOrEqual(0);
        expect(value).toBeLessThanOrEqual(300);
      }),
    );
  });

  test("and may be at either end of that", () => {
    const ends = [1e9, -1e9].flatMap((far) => [...alone.predict("task-0", [[far, 0]])]);
    expect(ends.sort()).toEqual([0, 300]);
  });

  test("near rows are predicted as x . w + b says", () => {
    const { weights, intercepts } = alone.forTask("task-3");
    const [value] = alone.predict("task-3", [[0.3, -0.2]]);
    const z = 0.3 * weights[0]! - 0.2 * weights[1]! + intercepts![0]!;
    expect(value).toBeCloseTo(150 + 50 * z, 9);
  });

  test("intervals and tasks never seen are held, too, and intervals hold their prediction", () => {
    for (const task of ["task-1", null]) {
      const x = Float64Array.of(1e8, 1e8, 0.1, 0.2);
      const { lower, upper } = mixed.predictInterval!(task, x, 0.8);
      const middle = task === null ? mixed.predictNew!(x) : mixed.predict(task, x);
      for (const [row, value] of middle.entries()) {
        expect(lower[row]).toBeGreaterThanOrEqual(0);
        expect(lower[row]).toBeLessThanOrEqual(value);
        expect(value).toBeLessThanOrEqual(upper[row]!);
        expect(upper[row]).toBeLessThanOrEqual(300);
      }
    }
  });

  test("intervals and tasks never seen take rows as predict does, and refuse what it does", () => {
    const rows = [
      [0.3, -0.2],
      [0.1, 0.2],
    ];
    const flat = Float64Array.from(rows.flat());
    for (const task of ["task-1", null]) {
      expect(mixed.predictInterval!(task, rows, 0.8)).toEqual(
        mixed.predictInterval!(task, flat, 0.8),
      );
      expect(() => mixed.predictInterval!(task, [[1]], 0.8)).toThrow("row 0 has 1 column");
      const single = [0.3, -0.2] as unknown as number[][];
      expect(() => mixed.predictInterval!(task, single, 0.8)).toThrow("one row is [[…]]");
    }
    expect(mixed.predictNew!(rows)).toEqual(mixed.predictNew!(flat));
  });

  test("sparse rows alike; files and JSON keep the hold, and older ones have none", () => {
    const far = Float64Array.of(1e9, 0);
    const matrix = sparseMatrix(
      { starts: Uint32Array.of(0, 1), columns: Uint32Array.of(0), values: Float64Array.of(1e9) },
      2,
    );
    expect(alone.predict("task-0", matrix)).toEqual(alone.predict("task-0", far));
    expect(reloaded(alone).predict("task-0", far)).toEqual(alone.predict("task-0", far));
    const text = JSON.stringify(alone.forTask("task-0"));
    expect(new TaskModel(JSON.parse(text) as TaskModel).predict(far)).toEqual(
      alone.predict("task-0", far),
    );
    const older = JSON.parse(text.replace(',"held":[0,300]', "")) as TaskModel;
    const [value] = new TaskModel(older).predict(far);
    expect(Math.abs(value!)).toBeGreaterThan(1e6);
  });

  test("a score is of what is predicted", () => {
    const x = [
      [1e9, 0],
      [0, 0],
    ];
    const wild = TaskSet.from([{ name: "task-0", x, y: [140, 160] }], { targetRange: [...range] });
    const [far, near] = alone.predict("task-0", x);
    // The targets are 10 from their mean.
    const expected = ((far! - 140) ** 2 + (near! - 160) ** 2) / 200;
    expect(alone.score(wild).nmse).toBeCloseTo(expected, 9);
  });
});

test.each([
  ["clip", undefined, 100, 200],
  ["refuse", undefined, 100, 200],
  ["keep", undefined, 0, 300],
  ["keep", [90, null], 90, 300],
  ["keep", [null, 200.1], 0, 200.1],
  ["keep", [-1e3, 1e3], 0, 300],
  ["clip", [90, 210], 100, 200],
] as const)(
  "outside: %s with limits %j: within %d and %d",
  async (outside, limits, least, most) => {
    const model = await makeEstimator("single-task", {}).fit(tasksWith(outside, limits));
    const ends = [1e12, -1e12].flatMap((far) => [...model.predict("task-0", [[far, 0]])]);
    expect(ends.sort((a, b) => a - b)).toEqual([least, most]);
  },
);

describe("limits of arrays", () => {
  const given = [{ name: "one", x: [[0], [1], [2]], y: [0, 3, 40] }];
  const range = [0, 10] as const;

  test("a count is predicted as 0 or more, to the bit", async () => {
    const count = TaskSet.from(given, { targetRange: range, targetLimits: [0, null] });
    expect(count.encoding.target.scale!.held).toEqual([0, 20]);
    const model = await makeEstimator("pooled", {}).fit(count);
    expect(model.predict("one", [[-1e6], [1e6]])).toEqual(Float64Array.of(0, 20));
  });

  test.each([
    [{ targetLimits: [0, 30] }, 'task "one", row 2: y: the value is beyond targetLimits.'],
    [{ targetLimits: [1, null] }, "targetLimits: expected them to hold the declared range"],
    [{ targetLimits: [null, null] }, "targetLimits: expected [least, most], each a number"],
    [{ targetLimits: [0, NaN] }, "targetLimits: expected [least, most], each a number"],
    [{ targetLimits: 0 }, "targetLimits: expected [least, most], each a number"],
    [
      { targetLimits: [0, null], targetRange: undefined },
      "targetLimits: expected a range beside them",
    ],
  ])("%j is refused", (options, message) => {
    expect(() => TaskSet.from(given, { targetRange: range, ...options } as never)).toThrow(message);
  });
});

test("a cell beyond the limits is an error that names it, and not its value", () => {
  expect(() => tasksWith("keep", [101, null])).toThrow(
    "schema: target: limits: expected them to hold the declared range",
  );
  const counts = new Table([
    { name: "task", values: ["a", "a", "b"] },
    { name: "y", values: Float64Array.of(1, 2, -7) },
    { name: "x", values: Float64Array.of(1, 2, 3) },
  ]);
  const target = { column: "y", kind: "number", range: [0, 5], limits: [0, null] };
  const schema = { format: "mp-mtl-schema", version: 1, task: "task", target, columns: {} };
  const encode = () => tasksFromTable(counts, { schema: parseSchema(schema, "schema") });
  expect(encode).toThrow(/, column "y": the value is beyond the declared limits: mend the cell/);
  expect(encode).not.toThrow(/7/);
});
