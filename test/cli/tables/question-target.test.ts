import { expect, test } from "vitest";
import { questionsOf } from "../../../src/cli/tables/question-target.js";
import { readCsv, tasksFromTable } from "../../../src/data/index.js";

/** What is asked of a column of labels. */
async function asked(labels: readonly string[], loss: "logistic" | "softmax") {
  const rows = labels.map((label, row) => `${row % 2 ? "a" : "b"},${row},${label}`);
  const table = await readCsv(["task,x,y", ...rows].join("\n"), { name: "t.csv" });
  const { tasks } = tasksFromTable(table, { task: "task", target: "y", targetKind: "label" });
  return questionsOf(tasks, loss);
}

test("labels of two spellings are asked about, other labels are not", async () => {
  const two = await asked(["Yes", "No", "yes", "no ", "No", "Yes", "No"], "softmax");
  expect(two).toHaveLength(1);
  expect(two[0]).toContain('"Yes" and "yes"');
  expect(two[0]).toContain("if they mean one, write one");
  expect(await asked(["Yes", "No", "No", "Yes"], "logistic")).toEqual([]);
  const grades = await asked(["low", "high", "middle", "low", "high", "middle"], "softmax");
  expect(grades[0]).toContain("classes without an order");
});
