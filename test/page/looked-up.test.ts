/** What the page guesses of one's own table by looking at all rows is listed by the guarantee, unless the user vouches for it. */
import { expect, test } from "vitest";
import { featureColumns, leftOutUnasked } from "../../page/src/text/guess-columns.js";
import { wishesOf } from "../../page/src/views/data/table-answers.js";
import type { TableChoice } from "../../page/src/work/messages.js";
import { lookedUp } from "../../page/src/text/guarantee-words.js";
import { watchedFit } from "../../page/src/work/fit.js";
import { inspectTable, loadTable, schemaOf } from "../../page/src/work/table.js";
import { readCsv, TableEncoding, TaskSet } from "../../src/data/index.js";
import { MpMixed } from "../../src/learning/index.js";

const csv = [
  "clinic,age,ward,note,visits",
  ...Array.from(
    { length: 80 },
    (_, i) => `c${i % 8},${20 + i},${"ab"[i % 2]},n${i},${(i * 7) % 11}`,
  ),
].join("\n");
const file = { name: "t.csv", bytes: new TextEncoder().encode(csv).buffer as ArrayBuffer };
const choice: TableChoice = {
  task: "clinic",
  target: "visits",
  features: ["age", "ward"],
  categorical: ["ward"],
  leftOut: ["note"],
  loss: "squared",
  rangesFrom: "none",
  ranges: {},
  scaling: "method",
  levelsPublic: false,
};
const STATED = { rangesFrom: "stated", ranges: { visits: [0, 10], age: [0, 100] } } as const;

const pooled = async (of: Partial<TableChoice>) => {
  const table = await readCsv(csv);
  return TableEncoding.fit(table, schemaOf(table, { ...choice, ...of })).pooled;
};

test("kinds of columns and target, levels, and columns that are left out", async () => {
  const left = 'leaving out the columns "note", by looking at all tasks\' rows';
  const levels = 'levels of the column "ward" observed over all tasks';
  expect(await pooled({})).toEqual([
    'kinds of the columns "age", found by looking at all tasks\' rows',
    left,
    levels,
    'kind of the target "visits" observed over all tasks',
  ]);
  // A range that is stated says that the column is of numbers.
  expect(await pooled(STATED)).toEqual([left, levels]);
  expect(await pooled({ ...STATED, ranges: { age: [0, 100] } })).toEqual([
    left,
    levels,
    'kind of the target "visits" observed over all tasks',
  ]);
  expect(await pooled({ ...STATED, levelsPublic: true })).toEqual([left]);
  expect(await pooled({ ...STATED, levelsPublic: true, leftOut: [] })).toEqual([]);
});

test("a fit of the page lists them", async () => {
  const { train } = await loadTable({ file, choice, split: 0 });
  const { guarantee } = await new MpMixed({ epsilon: 20 }).fit(TaskSet.adopt(train));
  expect(guarantee).toMatchObject({
    notCharged: expect.arrayContaining([
      expect.stringMatching(/^kinds of the columns "age"/),
      expect.stringMatching(/^kind of the target "visits"/),
      expect.stringMatching(/^leaving out the columns "note"/),
    ]),
  });
});

test("so is the decimal sign of a file, which cells of any task may tell, whatever it is found to be", async () => {
  const sign = "the decimal sign of numbers, found by looking at all tasks' rows";
  // How others' "20,5%" is called hangs on one owner's age.
  const written = (age: string) =>
    csv
      .replaceAll(",", ";")
      .replaceAll(";a;", ";10%;")
      .replaceAll(";b;", ";20,5%;")
      .replace(";20;", `;${age};`);
  const fitted = async (text: string) => {
    const bytes = new TextEncoder().encode(text).buffer as ArrayBuffer;
    const vouched = { ...STATED, levelsPublic: true, leftOut: [] };
    const own = { file: { ...file, bytes }, choice: { ...choice, ...vouched }, split: 0 };
    const data = await loadTable(own);
    const request = { data, method: "mp-mixed", options: { epsilon: 20 } };
    const { guarantee, featureNames } = await watchedFit(request, () => undefined);
    return { told: guarantee.kind === "none" ? [] : lookedUp(guarantee), featureNames };
  };
  const [comma, point] = [await fitted(written("20,5")), await fitted(written("20"))];
  expect(comma.featureNames).not.toEqual(point.featureNames);
  expect([comma.told, point.told]).toEqual([[sign], [sign]]);
  // In a file with commas between cells there is no choice.
  expect((await fitted(csv)).told).toEqual([]);
});

test("what the user said of a column is the user's own choice, and stays so when the table is opened again", async () => {
  const summary = await inspectTable(file);
  const asked = (wishes: Record<string, boolean>) =>
    leftOutUnasked(featureColumns(summary, "clinic", "visits", wishes), wishes);
  expect(asked({})).toEqual(["note"]);
  expect(asked({ note: false, age: false })).toEqual([]);
  const names = summary.columns.map(({ name }) => name);
  expect(wishesOf(choice, names)).toEqual({ age: true, ward: true });
  expect(wishesOf({ ...choice, leftOut: [] }, names)).toEqual({
    age: true,
    ward: true,
    note: false,
  });
});
