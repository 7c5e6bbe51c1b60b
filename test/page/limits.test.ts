/** What a target cannot be, as the page's fields state it. */
import { expect, test } from "vitest";
import type { TableChoice } from "../../page/src/work/messages.js";
import { statedLimits, typedLimitsOf } from "../../page/src/views/data/range-fields.js";
import { loadTable, schemaOf } from "../../page/src/work/table.js";
import { readCsv } from "../../src/data/index.js";

const csv = [
  "clinic,age,visits",
  ...Array.from({ length: 40 }, (_, i) => `c${i % 4},${20 + i},${(i * 7) % 11}`),
].join("\n");
const file = { name: "t.csv", bytes: new TextEncoder().encode(csv).buffer as ArrayBuffer };
const choice: TableChoice = {
  task: "clinic",
  target: "visits",
  features: ["age"],
  categorical: [],
  loss: "squared",
  rangesFrom: "stated",
  ranges: { visits: [0, 10] },
  levelsPublic: false,
  scaling: "method",
};

test("fields of limits: empty, one, none that fit", () => {
  const limits = (least: string, most: string, range?: [number, number]) =>
    statedLimits({ least, most }, range);
  expect(limits("", " ")).toEqual({ wrong: null });
  expect(limits("0", "", [0, 5])).toEqual({ limits: [0, null], wrong: null });
  expect(limits("", "100", [0, 5])).toEqual({ limits: [null, 100], wrong: null });
  expect(limits("0", "x", [0, 5]).wrong).toMatch(/a number, or nothing/);
  expect(limits("0", "").wrong).toMatch(/expected a range beside them/);
  expect(limits("1", "", [0, 5]).wrong).toMatch(/expected them to hold the declared range/);
  expect(limits("9", "3", [0, 5]).wrong).toMatch(/expected them to hold the declared range/);
  expect(typedLimitsOf([0, null])).toEqual({ least: "0", most: "" });
});

test("they hold the target, and a value beyond them is refused by its line", async () => {
  const table = await readCsv(csv);
  const limits = [0, null] as const;
  expect(schemaOf(table, { ...choice, limits }).schema?.target).toMatchObject({ limits });
  expect(schemaOf(table, choice).schema?.target).not.toHaveProperty("limits");
  // Ranges of the table are no public knowledge for limits to stand on.
  const looked = { ...choice, limits, rangesFrom: "table" } as const;
  expect(schemaOf(table, looked).schema?.target).not.toHaveProperty("limits");
  const { train } = await loadTable({ file, choice: { ...choice, limits }, split: 0 });
  expect(train.encoding?.target.scale).toMatchObject({ held: [0, 20] });
  const beyond = { ...choice, ranges: { visits: [1, 10] as const }, limits: [1, null] as const };
  await expect(loadTable({ file, choice: beyond, split: 0 })).rejects.toThrow(
    /line 2, column "visits": the value is beyond the declared limits/,
  );
});
