/** Tables from memory, against the same rows read from CSV; Arrow by its own library. */
import * as arrow from "apache-arrow";
import { describe, expect, test } from "vitest";
import {
  readCsv,
  tableFrom,
  tasksFromTable,
  TaskSet,
  type Table,
} from "../../../src/data/index.js";
import { SingleTask } from "../../../src/learning/index.js";

const records = [
  { school: "north", score: 1.5, age: 31, ward: "med", late: true },
  { school: "north", score: 0.5, age: null, ward: "surg", late: false },
  { school: "south", score: 2.25, age: 44, late: true },
  { school: "south", score: 3, age: 50, ward: "med", late: false },
];
const csv =
  "school,score,age,ward,late\nnorth,1.5,31,med,1\nnorth,0.5,,surg,0\nsouth,2.25,44,,1\nsouth,3,50,med,0\n";

const cells = (table: Table) =>
  table.columnNames.map((name) => [name, table.isNumeric(table.column(name)), table.texts(name)]);

async function fromCsv(): Promise<Table> {
  return readCsv(new TextEncoder().encode(csv), { name: "table" });
}

describe("tableFrom", () => {
  test("records, columns and Arrow are the table that CSV is", async () => {
    const expected = await fromCsv();
    const columns = {
      school: ["north", "north", "south", "south"],
      score: new Float32Array([1.5, 0.5, 2.25, 3]),
      age: [31, null, 44, 50],
      ward: ["med", "surg", undefined, "med"],
      late: [true, false, true, false],
    };
    const table = new arrow.Table({
      school: arrow.vectorFromArray(
        columns.school,
        new arrow.Dictionary(new arrow.Utf8(), new arrow.Int32()),
      ),
      score: arrow.makeVector(columns.score),
      age: arrow.vectorFromArray([31n, null, 44n, 50n], new arrow.Int64()),
      ward: arrow.vectorFromArray(["med", "surg", null, "med"], new arrow.Utf8()),
      late: arrow.vectorFromArray(columns.late, new arrow.Bool()),
    });
    // Through the format, as a file or a server would give it.
    const read = arrow.tableFromIPC(arrow.tableToIPC(table));
    const schema = {
      task: "school",
      target: "score",
      missing: "impute",
      undeclared: "auto",
    } as const;
    const tasks = tasksFromTable(expected, schema).tasks;
    for (const one of [tableFrom(records), tableFrom(columns), tableFrom(read)]) {
      expect(cells(one)).toEqual(cells(expected));
      expect([...tasksFromTable(one, schema).tasks.x]).toEqual([...tasks.x]);
    }
  });

  test("integers beyond 2^53 stay apart, as text", () => {
    const ids = [9007199254740993n, 9007199254740992n];
    expect(tableFrom({ id: ids }).texts("id")).toEqual(["9007199254740993", "9007199254740992"]);
  });

  test.each([
    ["a date", [{ when: new Date(0) }], /column "when": .*convert the column/],
    ["a mixture", [{ a: 1 }, { a: "x" }], /column "a": .*mixture/],
    ["nesting", { a: [{ b: 1 }] }, /column "a": .*nested/],
    ["no records", [], /no columns/],
    ["a row that is none", [{ a: 1 }, 3], /row 1: expected an object/],
    ["lengths", { a: [1, 2], b: [1] }, /column "b" has 1 rows, expected 2/],
    ["a column that is none", { a: 3 }, /column "a": expected an array/],
    ["a number", 3, /expected an array of objects/],
    ["a promise of a table", Promise.resolve(records), /got a promise: await it/],
    ["numbers alone", new Float64Array(3), /expected an array of objects/],
  ])("%s is refused", (_, data, message) => {
    expect(() => tableFrom(data as never)).toThrow(message);
  });
});

test("Float32Array are rows to fit and to predict", async () => {
  const values = [0.5, 1, -0.25, 2, 1.5, 0.75];
  const task = (x: Float32Array | Float64Array) => ({
    name: "a",
    x,
    y: new Float32Array([1, 2, 4]),
  });
  const [single, double] = [Float32Array, Float64Array].map((Kind) =>
    TaskSet.from([task(new Kind(values))]),
  );
  expect([...single!.x]).toEqual([...double!.x]);
  const model = await new SingleTask().fit(single!);
  expect([...model.predict("a", new Float32Array(values))]).toEqual([
    ...model.predict("a", new Float64Array(values)),
  ]);
});
