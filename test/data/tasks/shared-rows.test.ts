/** Dense rows lie where other threads can read them, whatever a task set is made by. */
import { describe, expect, test, vi } from "vitest";
import {
  fillGaps,
  Pipeline,
  readCsv,
  simulate,
  tasksFromTable,
  TaskSet,
} from "../../../src/data/index.js";

const tasks = TaskSet.from([
  {
    name: "a",
    x: [
      [1, 2],
      [3, 4],
      [5, 6],
    ],
    y: [1, 2, 3],
  },
  {
    name: "b",
    x: [
      [7, 8],
      [9, 1],
    ],
    y: [4, 5],
  },
]);
const isShared = ({ x }: TaskSet) => x.buffer instanceof SharedArrayBuffer;

describe("rows are in shared memory", () => {
  test("of arrays", () => {
    expect(isShared(tasks)).toBe(true);
  });

  test("of parts of a set", () => {
    const { train, test: held } = tasks.split({ trainFraction: 0.5, seed: 1 });
    expect([train, held].map(isShared)).toEqual([true, true]);
  });

  test("of transformed rows", () => {
    expect(isShared(Pipeline.fit(tasks, [{ kind: "unit-rows" }]).apply(tasks))).toBe(true);
  });

  test("of rows whose gaps were filled", () => {
    const gaps = TaskSet.adopt({ ...tasks.arrays(), x: tasks.x.map((v) => (v === 9 ? NaN : v)) });
    const { train, test: held } = fillGaps({ train: tasks, test: gaps });
    expect([train, held].map(isShared)).toEqual([true, true]);
  });

  test("of tables", async () => {
    const table = await readCsv("school,a,score\nx,1,2\nx,2,3\ny,3,4\ny,5,6\n");
    expect(isShared(tasksFromTable(table, { task: "school", target: "score" }).tasks)).toBe(true);
  });

  test("of simulated data", () => {
    const { train } = simulate({ pattern: "low-rank", tasks: 2, features: 3, seed: 1 });
    expect(isShared(train)).toBe(true);
  });
});

test("a host without it has other memory", () => {
  vi.stubGlobal("SharedArrayBuffer", undefined);
  const { x } = TaskSet.from([{ name: "a", x: [[1, 2]], y: [1] }]);
  vi.unstubAllGlobals();
  expect(x.buffer).toBeInstanceOf(ArrayBuffer);
  expect([...x]).toEqual([1, 2]);
});
