/** Bounds on persons that are none. */
import { expect, test } from "vitest";
import { boundPersons, TaskSet } from "../../../src/data/index.js";

const tasks = TaskSet.from([{ name: "a", x: [[1], [2]], y: [1, 2], persons: ["p", "p"] }]);

test("a bound that is none is named, and no task is said to be without rows", () => {
  const partial = { rowsPerPerson: 1 } as Parameters<typeof boundPersons>[1];
  expect(() => boundPersons(tasks, partial)).toThrow("tasksPerPerson: expected a number");
  expect(() => boundPersons(tasks, { rowsPerPerson: NaN, tasksPerPerson: 1 })).toThrow(
    "rowsPerPerson: expected a finite number",
  );
  expect(() => boundPersons(tasks, { rowsPerPerson: 0, tasksPerPerson: 1 })).toThrow(
    "rowsPerPerson: expected an integer >= 1",
  );
  expect(boundPersons(tasks, { rowsPerPerson: 1, tasksPerPerson: 1 }).size).toBe(1);
});
