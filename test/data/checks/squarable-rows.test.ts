import { expect, test, vi } from "vitest";
import * as squarable from "../../../src/core/squarable.js";
import { hasSquarableRows, requireSquarableRows } from "../../../src/data/checks/squarable-rows.js";
import { TaskSet } from "../../../src/data/index.js";

vi.mock(import("../../../src/core/squarable.js"), { spy: true });

const tasksWith = (value: number) =>
  TaskSet.adopt({
    names: ["a", "b"],
    offsets: Uint32Array.of(0, 1, 3),
    x: Float64Array.of(1, 2, 3, 4, value, 6),
    y: Float64Array.of(1, 2, 3),
    featureNames: ["u", "v"],
    targetName: "y",
  });

test("rows of a task set are looked at once", () => {
  const looks = vi.mocked(squarable.areSquarable);
  looks.mockClear();
  const tasks = tasksWith(5);
  expect(hasSquarableRows(tasks)).toBe(true);
  const { length } = looks.mock.calls;
  expect(length).toBeGreaterThan(0);
  expect(hasSquarableRows(tasks)).toBe(true);
  requireSquarableRows(tasks);
  expect(looks.mock.calls).toHaveLength(length);
  expect(hasSquarableRows(tasksWith(5))).toBe(true);
  expect(looks.mock.calls.length).toBeGreaterThan(length);
});

test("a task set that was refused is refused again", () => {
  const tasks = tasksWith(1e200);
  for (let k = 0; k < 2; k++) {
    expect(hasSquarableRows(tasks)).toBe(false);
    expect(() => requireSquarableRows(tasks)).toThrow('task "b", row 1, column "u"');
  }
});
