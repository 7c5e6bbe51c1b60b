/** Codes for missing values in a table of one's own, on the page. */
import { expect, test } from "vitest";
import type { TableChoice } from "../../page/src/work/messages.js";
import { inspectTable, loadTable, schemaOf } from "../../page/src/work/table.js";
import { readCsv, tasksFromTable } from "../../src/data/index.js";

const rows = Array.from({ length: 40 }, (_, i) => [
  `c${i % 4}`,
  i % 9 === 0 ? "-999" : String(20 + i),
  `${i % 7} kg`,
  `2024-01-${String(1 + (i % 28)).padStart(2, "0")}`,
  String((i * 7) % 11),
]);
const csv = ["clinic,age,rebate,day,score", ...rows.map((row) => row.join(","))].join("\n");
const file = { name: "t.csv", bytes: new TextEncoder().encode(csv).buffer as ArrayBuffer };
const choice: TableChoice = {
  task: "clinic",
  target: "score",
  features: ["age"],
  categorical: [],
  loss: "squared",
  rangesFrom: "table",
  ranges: {},
  levelsPublic: false,
  scaling: "method",
};

test("are pointed at, and so is what is written otherwise than as numbers", async () => {
  const { columns } = await inspectTable(file);
  expect(columns.map(({ codes }) => codes)).toEqual([[], [{ value: "-999", rows: 5 }], [], [], []]);
  expect(columns.map(({ written }) => written)).toEqual([
    undefined,
    undefined,
    "marked",
    "dates",
    undefined,
  ]);
});

test("said to be such they are gaps, also of the range that is looked up", async () => {
  const table = await readCsv(csv);
  const ageOf = (missingCodes: readonly string[]) =>
    schemaOf(table, { ...choice, missingCodes }).kinds!["age"];
  expect(ageOf([])).toMatchObject({ range: [-999, 59] });
  expect(ageOf(["-999"])).toMatchObject({ range: [21, 59] });
  const coded = await loadTable({ file, choice: { ...choice, missingCodes: ["-999"] }, split: 0 });
  const plain = await loadTable({
    file: {
      ...file,
      bytes: new TextEncoder().encode(csv.replaceAll("-999", "")).buffer as ArrayBuffer,
    },
    choice,
    split: 0,
  });
  expect(coded.train.x).toEqual(plain.train.x);
  const { encoding } = tasksFromTable(
    table,
    schemaOf(table, { ...choice, missingCodes: ["-999"] }),
  );
  expect(encoding.toJSON().missingCodes).toMatchObject({ age: ["-999"] });
});
