import { expect, test } from "vitest";
import { questionsOf } from "../../../../src/cli/tables/words/question-target.js";
import { readCsv, tasksFromTable } from "../../../../src/data/index.js";

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

test.each([
  ["numbers with units", ["12 %", "7 %", "50 %", "12 %", "7 %", "50 %"]],
  ["marks between thousands", ['"1,234"', '"2,300"', "900", '"1,234"', '"2,300"', "900"]],
  ["dates", ["1.3.2026", "2.3.2026", "4.3.2026", "1.3.2026", "2.3.2026", "4.3.2026"]],
])("a target of %s is none of classes", async (what, labels) => {
  const [question] = await asked(labels, "softmax");
  expect(question).toContain(`the target "y" holds`);
  expect(question).toContain(what);
  expect(question).toContain("say --loss softmax");
});

test.each(["Unknown", "unbekannt", "k.A.", "not recorded", "—"])(
  "a label %s may stand for a missing one",
  async (label) => {
    const [question] = await asked(["yes", "no", label, "no", "yes", "no"], "softmax");
    expect(question).toContain(`the label ${JSON.stringify(label)}`);
    expect(question).toContain("--missing-codes=");
    expect(question).toContain("if not, --loss softmax");
  },
);

test.each(["none", "refused", "-1", "other", "kA-band"])("a label %s may be one", async (label) => {
  const questions = await asked(["yes", "no", label, "no", "yes", "no"], "softmax");
  expect(questions.join()).not.toContain("--missing-codes");
});

test("a minus beside a plus is an answer", async () => {
  const [question] = await asked(["+", "-", "+/-", "-", "+", "-"], "softmax");
  expect(question).not.toContain("--missing-codes");
});

/** What is asked of a column of numbers. */
async function askedOf(numbers: readonly number[]) {
  const rows = numbers.map((value, row) => `${row % 2 ? "a" : "b"},${row},${value}`);
  const table = await readCsv(["task,x,y", ...rows].join("\n"), { name: "t.csv" });
  return questionsOf(tasksFromTable(table, { task: "task", target: "y" }).tasks, "squared");
}

test("of counts it is said that no loss is made for them", async () => {
  const few = [0, 0, 1, 0, 2, 1, 0, 3, 1, 0, 0, 7];
  const [question] = await askedOf(few);
  expect(question).toContain("if they are classes");
  expect(question).toContain("If they are counts, no loss here is made for counts");
  const many = [...few, 4, 5, 6, 8, 9, 10, 14, 20, 41];
  expect((await askedOf(many))[0]).toContain("looks like counts");
  expect(await askedOf(many.map((value) => value / 2))).toEqual([]);
});
