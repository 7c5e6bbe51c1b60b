/** Codes for missing values against the same table with empty cells in their places. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  draftSchema,
  inspectTable,
  parseSchema,
  readCsv,
  tasksFromTable,
  TableEncoding,
  type TableSchema,
} from "../../../src/data/index.js";
import { codesOf, mayHaveCodes } from "../../../src/data/schema/missing-codes.js";
import { plannedSchema } from "../../../src/federation/protocol/plan/plan-schema.js";

const roles = { task: "site", target: "y", undeclared: "auto", missing: "impute" } as const;
const schemaOf = (columns: object, target: object = { column: "y", kind: "number" }) =>
  parseSchema({ format: "mp-mtl-schema", version: 1, task: "site", target, columns });

/** Rows "site,y,a,w" with the texts of gaps. */
const tableOf = (cells: readonly (readonly string[])[], gap: (cell: string) => string) =>
  readCsv(
    ["site,y,a,w", ...cells.map((row, i) => [`s${i % 3}`, ...row.map(gap)].join(","))].join("\n"),
  );

const outcome = (encode: () => ReturnType<typeof tasksFromTable>) => {
  try {
    const { tasks, dropped, encoding } = encode();
    const { missingCodes: _, ...state } = encoding.toJSON();
    return { x: [...tasks.x], y: [...tasks.y], names: tasks.names, dropped, state };
  } catch (error) {
    return (error as Error).message;
  }
};

test("a table with codes is the table with gaps, whatever their spelling", async () => {
  const number = fc.constantFrom("1", "2.5", "-3", "0", "17", "GAP");
  const word = fc.constantFrom("med", "surg", "GAP");
  const rows = fc.array(fc.tuple(number, number, word), { minLength: 3, maxLength: 25 });
  const missing = fc.constantFrom("impute", "center", "refuse" as const);
  await fc.assert(
    fc.asyncProperty(
      rows,
      missing,
      fc.constantFrom("-99", "-99.0", "unknown"),
      async (cells, how, code) => {
        const asked: TableSchema = { ...roles, missing: how };
        const empty = await tableOf(cells, (cell) => cell.replace("GAP", ""));
        const coded = await tableOf(cells, (cell) => cell.replace("GAP", code));
        const expected = outcome(() => tasksFromTable(empty, asked));
        const missingCodes = [-99, "unknown"];
        expect(outcome(() => tasksFromTable(coded, { ...asked, missingCodes }))).toEqual(expected);
      },
    ),
    { numRuns: 300 },
  );
});

describe("codes of one column", () => {
  const text = "site,y,a,w\nu,1,999,999\nu,2,5,3\nv,999,6,4\nv,3,7,999\n";

  test("are not those of another, and come back with the encoding", async () => {
    const table = await readCsv(text);
    const schema = schemaOf({
      a: { kind: "number", range: [0, 10], missing: "task-mean", missingCodes: [999] },
      w: { kind: "number", range: [0, 1000] },
    });
    const { tasks, encoding } = tasksFromTable(table, { schema });
    // a: the mean of u's own values, 5, is the middle of its range; w keeps 999, as y does.
    expect([...tasks.x.filter((_, at) => at % 2 === 0)]).toEqual([0, 0, 0.2, 0.4].map((x) => expect.closeTo(x, 12))); // prettier-ignore
    expect([...tasks.y]).toEqual([1, 2, 999, 3]);
    expect(tasks.x[1]).toBeCloseTo(0.998, 12);
    const again = TableEncoding.fromJSON(JSON.parse(JSON.stringify(encoding)) as never);
    expect(again.toJSON().missingCodes).toEqual({ a: ["999"] });
    expect([...again.apply(table).tasks.x]).toEqual([...tasks.x]);
    expect([...again.features(table).x]).toEqual([...tasks.x]);
    expect([...again.withMeansOf(table).apply(table).tasks.x]).toEqual([...tasks.x]);
  });

  test("go before those of the table, an empty list too; names have none", async () => {
    const table = await readCsv(`${text}v,4,7,4\n`.replaceAll("v,", "999,"));
    const columns = { a: { kind: "number", missingCodes: [] } };
    const { tasks, dropped } = tasksFromTable(table, {
      ...roles,
      missingCodes: [999],
      schema: schemaOf(columns),
    });
    expect(tasks.names).toEqual(["u", "999"]);
    expect(dropped).toBe(1);
    expect(tasks.x[0]).toBe(999);
    // w, of which nothing is said, has two values and gaps.
    expect(tasks.featureNames).toEqual(["a", "w=4", "w=missing"]);
  });

  test("a target's leave its rows out", async () => {
    const target = { column: "y", kind: "number", missing: "drop", missingCodes: [999] };
    const { dropped } = tasksFromTable(await readCsv(text), { schema: schemaOf({}, target) });
    expect(dropped).toBe(1);
  });
});

test("with decimal commas a column of numbers and a code is one of numbers", async () => {
  const text = "site;y;a\nu;1,5;k.A.\nu;2,5;0,25\nu;1;0,75\nv;3;-4,5\n";
  const table = await readCsv(text, { delimiter: ";", decimal: "," });
  const { tasks } = tasksFromTable(table, { ...roles, missingCodes: ["k.A."] });
  expect([...tasks.x]).toEqual([0.5, 0.25, 0.75, -4.5]);
});

test("a plan has them in one form, and an owner's reading follows it", () => {
  const columns = (missingCodes: unknown) => ({
    a: { kind: "number" as const, range: [0, 9] as [number, number], missingCodes },
  });
  const planned = (missingCodes: unknown) => plannedSchema({ columns: columns(missingCodes) as never }).columns; // prettier-ignore
  expect(planned(["-99.0", "n.s.", -99])["a"]).toMatchObject({ missingCodes: ["-99", "n.s."] });
  expect(planned([])).toEqual(planned(undefined));
});

describe("a schema is refused", () => {
  test.each([
    [{ a: { kind: "number", missingCodes: -99 } }, /column "a": "missingCodes": expected a list/],
    [
      { a: { kind: "number", missingCodes: [null] } },
      /column "a": "missingCodes": expected a list/,
    ],
    [{ a: { kind: "binary", levels: ["0", "1"], missingCodes: [0] } }, /none of the levels/],
    [{ a: { kind: "ignore", missingCodes: [1] } }, /"missingCodes" is not known here/],
  ])("%j", (columns, message) => {
    expect(() => schemaOf(columns)).toThrow(message);
  });

  test("and so are codes of a table that are no list", async () => {
    const table = await readCsv("site,y,a\nu,1,2\n");
    expect(() => tasksFromTable(table, { ...roles, missingCodes: -99 as never })).toThrow(
      /missingCodes: expected a list/,
    );
  });
});

test("inspect counts them as missing, and a draft says them of the columns that have them", async () => {
  const table = await readCsv("site,y,a,w\nu,1,999,b\nu,2,5,c\nv,4,6,b\nv,3,7,unknown\n");
  const asked = { task: "site", target: "y", missingCodes: [999, "unknown"] };
  const report = inspectTable(table, asked);
  expect(report.columns.map(({ name, missing }) => [name, missing])).toEqual([
    ["site", 0],
    ["y", 0],
    ["a", 1],
    ["w", 1],
  ]);
  const draft = draftSchema(table, asked);
  expect(draft.columns).toMatchObject({
    a: { missingCodes: ["999"] },
    w: { kind: "binary", levels: ["b", "c"], missingCodes: ["unknown"], missing: "level" },
  });
  expect(draft.target).not.toHaveProperty("missingCodes");
  expect(draft).toMatchObject(parseSchema(JSON.parse(JSON.stringify(draft))));
});

test("with decimal commas a code that is a number leaves its column one of numbers", async () => {
  const text =
    "site;y;a;b\nu;1,5;999;k.A.\nu;2,5;170,25;1.234\nu;1;0,75;2.345\nu;3;9;2\nv;999;-4,5;7\n";
  const table = await readCsv(text, { delimiter: ";", decimal: "," });
  const asked = { ...roles, features: ["a"], missingCodes: [999, "k.A."] };
  const { tasks, dropped } = tasksFromTable(table, asked);
  expect([...tasks.x]).toEqual([60, 170.25, 0.75, 9]);
  expect(dropped).toBe(1);
  // Points that may stand between thousands are refused as before.
  const thousands = { ...asked, kinds: { b: { kind: "number" } }, features: ["b"] } as const;
  expect(() => tasksFromTable(table, thousands)).toThrow(/found a point in a column of numbers/);
});

test("codes of the whole table are those of columns whose values mean something and that are used", async () => {
  const table = await tableOf([["1", "-99", "-99"], ["2", "3", "4"]], (cell) => cell); // prettier-ignore
  const schema = schemaOf({ a: { kind: "ignore" } });
  const request = { ...roles, schema, missingCodes: [-99] };
  expect(codesOf(table, request)).toEqual({ y: ["-99"], w: ["-99"] });
  const may = table.columnNames.filter((name) => mayHaveCodes(table, name, request));
  expect(may).toEqual(["y", "w"]);
});
