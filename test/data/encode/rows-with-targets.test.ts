/** What rows without a target say of columns: nothing. */
import { describe, expect, test } from "vitest";
import { draftSchema, readCsv, tableFrom, tasksFromTable } from "../../../src/data/index.js";
import { rowsWithTargets } from "../../../src/data/encode/rows-with-targets.js";

const roles = { task: "school", target: "score" };
const asCommandLine = { ...roles, missing: "impute", undeclared: "auto" } as const;
const rows =
  "school,score,age,ward,smokes\na,1,30,med,0\na,2,40,surg,1\nb,3,50,med,0\nb,5,20,med,1\n";
const csv = (text: string) => readCsv(text, { name: "t.csv" });

describe("rows without anything in them, as spreadsheets leave behind,", () => {
  test("give no category a column for gaps, nor make one of a column of numbers", async () => {
    const [whole, blank] = [await csv(rows), await csv(`${rows},,,,\n,,,,\n`)];
    const [{ tasks }, left] = [
      tasksFromTable(whole, asCommandLine),
      tasksFromTable(blank, asCommandLine),
    ];
    expect(left.tasks.featureNames).toEqual(["age", "ward=surg", "smokes"]);
    expect(left.tasks.x).toEqual(tasks.x);
    expect(left.dropped).toBe(2);
    expect(draftSchema(blank, roles)).toEqual(draftSchema(whole, roles));
  });

  test("a level that no other row has is none", async () => {
    const { tasks } = tasksFromTable(await csv(`${rows}b,,30,ped,0\n`), asCommandLine);
    expect(tasks.featureNames).toContain("ward=surg");
    expect(tasks.featureNames).not.toContain("ward=ped");
  });
});

test("a gap beside a target still is one", async () => {
  const { tasks } = tasksFromTable(await csv(`${rows}b,4,30,,0\n`), asCommandLine);
  expect(tasks.featureNames).toEqual(["age", "ward=surg", "ward=missing", "smokes"]);
});

test("a category that is only named has a column for gaps where it has some, as one that is found", async () => {
  const named = { ...asCommandLine, kinds: { smokes: "category" } } as const;
  const { tasks } = tasksFromTable(await csv(`${rows},,,,\n`), named);
  expect(tasks.featureNames).toEqual(["age", "ward=surg", "smokes=0", "smokes=1"]);
  const gap = tasksFromTable(await csv(`${rows}b,4,30,med,\n`), named);
  expect(gap.tasks.featureNames.slice(2)).toEqual(["smokes=0", "smokes=1", "smokes=missing"]);
});

test("a table that is refused for want of targets is refused as a whole", async () => {
  const table = await csv(`${rows}b,,30,med,0\n`);
  expect(rowsWithTargets(table, roles)).toBe(table);
  expect(() => tasksFromTable(table, roles)).toThrow('t.csv, line 6, column "score"');
  const none = await csv("school,score,age\na,,1\n");
  expect(rowsWithTargets(none, asCommandLine)).toBe(none);
});

test("an infinity in a column of numbers makes no category of it, and what is wrong in a row is told by its number in the whole table", () => {
  const table = tableFrom([
    { school: "a", score: null, age: 1 },
    { school: "a", score: 1, age: 2 },
    { school: "a", score: 2, age: Infinity },
  ]);
  expect(() => tasksFromTable(table, asCommandLine)).toThrow('row 2, column "age"');
  expect(table.select([2, 1]).select([0]).place(0, "age")).toBe('table, row 2, column "age"');
});

test("codes in hexadecimal digits are text, though some read as numbers beyond all", async () => {
  const codes = ["ab12", "12e4567", "cd34", "9e999", "0f1e", "77"];
  const coded = await csv(
    ["school,score,code", ...codes.map((code, at) => `${"ab"[at % 2]},${at},${code}`)].join("\n"),
  );
  expect(tasksFromTable(coded, asCommandLine).tasks.featureNames).toContain("code=12e4567");
});

test("a minus as it is printed is refused with the remedy, however many cells have it", async () => {
  const signed = Array.from({ length: 60 }, (_, i) => `${"ab"[i % 2]},${i},\u2212${i}.5`);
  const half = signed.map((line, i) => (i % 2 === 0 ? line.replace("\u2212", "") : line));
  for (const lines of [signed, half]) {
    const table = await csv(["school,score,age", ...lines].join("\n"));
    expect(() => tasksFromTable(table, asCommandLine)).toThrow(
      /^t\.csv, line [23], column "age": the cell is a number with a minus as it is printed \(U\+2212\)/,
    );
  }
  const labels = await csv("school,score,age\na,1,\u2212x\nb,2,3\na,3,4\n");
  expect(() => tasksFromTable(labels, asCommandLine)).not.toThrow();
});
