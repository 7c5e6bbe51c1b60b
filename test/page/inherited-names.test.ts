/**
 * Columns of a user's table that are called as what every object has: they are asked for by their own names only.
 */
import { expect, test } from "vitest";
import { featureColumns } from "../../page/src/text/guess-columns.js";
import { EMPTY, statedRanges, typedOf } from "../../page/src/views/data/range-fields.js";
import { schemaOf } from "../../page/src/work/table.js";
import type { TableChoice } from "../../page/src/work/table-messages.js";
import { readCsv } from "../../src/data/index.js";

const NAMES = ["toString", "__proto__", "constructor"];

test("no range was typed for them until one was", () => {
  expect(statedRanges({}, NAMES)).toEqual({ ranges: {}, wrong: null });
  const typed = {
    ...typedOf({ toString: [0, 1] as const }),
    ["__proto__"]: { ...EMPTY, least: "1" },
  };
  expect(statedRanges(typed, NAMES)).toEqual({ ranges: { toString: [0, 1] }, wrong: "__proto__" });
});

test("text of many values is left out unless the user wants it", () => {
  const columns = NAMES.map((name) => ({ name, numeric: false, distinct: 90, codes: [] }));
  const used = (wishes = {}) =>
    featureColumns({ columns } as never, "task", "y", wishes).map((column) => column.used);
  expect(used()).toEqual([false, false, false]);
  expect(used({ constructor: true })).toEqual([false, false, true]);
});

test("they are in raw units where no range is stated", async () => {
  const table = await readCsv(`task,y,${NAMES.join()}\na,1,2,3,4\nb,2,5,6,7\n`, { name: "t.csv" });
  const choice: TableChoice = {
    task: "task",
    target: "y",
    features: NAMES,
    categorical: [],
    loss: "squared",
    rangesFrom: "stated",
    ranges: { toString: [0, 9] },
    levelsPublic: false,
  } as never;
  expect(schemaOf(table, choice).kinds).toEqual({ toString: { kind: "number", range: [0, 9] } });
});
