/** Values that only a plan has, as texts and as a plan's file has them. */
import { expect, test } from "vitest";
import { plannedTasks } from "../../../src/cli/federated/plan-kinds.js";

const north = { name: "a", participant: "north" };

test("tasks with their participants are read from a text, and from a plan", () => {
  expect(plannedTasks.accept(plannedTasks.read!("a=north, b"))).toEqual([
    north,
    { name: "b", participant: null },
  ]);
  expect(plannedTasks.accept([north])).toEqual([north]);
});

test.each([
  ["a participant that is misspelt", { name: "a", particpant: "north" }],
  ["no name", { participant: "north" }],
  ["nothing", null],
])("%s is refused, and does not leave the task to anyone", (_what, task) => {
  expect(plannedTasks.accept([north, task])).toBeUndefined();
});
