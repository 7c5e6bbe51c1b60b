/** What a model of tasks that learn alone says of what they have in common. */
import { expect, test } from "vitest";
import { tableFrom, tasksFromTable, TaskSet } from "../../../../src/data/index.js";
import { SingleTask } from "../../../../src/learning/index.js";

const ALONE = "no task's model depends on another task's data";

async function stated(tasks: TaskSet, options: object = {}, notCharged: string[] = []) {
  const model = await new SingleTask(options).fit(tasks, { notCharged });
  expect(model.forTask(model.taskNames[0]!).guarantee).toEqual(model.guarantee);
  return "why" in model.guarantee ? model.guarantee.why : "";
}

const rows = [
  { task: "a", y: 1, x: 0.5, word: "red" },
  { task: "a", y: 2, x: 0.1, word: "red" },
  { task: "b", y: 4, x: 0.3, word: "blue" },
  { task: "b", y: 3, x: 0.2, word: "of b alone" },
];

test("levels that nobody declared are in every task's model, and its statement says so", async () => {
  const { tasks } = tasksFromTable(tableFrom(rows), {
    task: "task",
    target: "y",
    undeclared: "auto",
    missing: "impute",
  });
  expect(tasks.featureNames).toContain("word=of b alone");
  expect(await stated(tasks)).toMatch(/another task's data, except through .*levels.*"word"/);
});

test("so are labels, and what a caller found in all rows", async () => {
  const labelled = TaskSet.from([
    { name: "a", x: [[1], [2]], y: ["no", "yes"] },
    { name: "b", x: [[1], [2]], y: ["no", "no"] },
  ]);
  expect(await stated(labelled, { loss: "logistic" })).toMatch(/except through .*labels/);
  const numbers = TaskSet.from([{ name: "a", x: [[1], [2]], y: [1, 2] }]);
  expect(await stated(numbers, {}, ["the mean of a column"])).toContain("the mean of a column");
  expect(await stated(numbers)).toBe(`${ALONE}; each model reveals its own task's`);
});
