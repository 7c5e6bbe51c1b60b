/** Values that look like codes for missing ones: which are shown, and which are not. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { inspectTable, parseSchema, readCsv, tableFrom } from "../../../../src/data/index.js";
import { suspiciousCodes } from "../../../../src/data/inspect/signs/suspicious-codes.js";

const found = (values: readonly (number | string)[]) =>
  suspiciousCodes(tableFrom({ a: values.map(String) }), "a").map(({ value, rows }) => [
    value,
    rows,
  ]);

const ages = [18, 25, 31, 40, 44, 52, 67, 71, 88];

describe("looks like a code", () => {
  test.each([
    ["far above, twice", [...ages, 999, 999], [["999", 2]]],
    ["far below", [...ages, -99, -99, -99], [["-99", 3]]],
    ["of nines, with a fraction", [...ages, 999.9, 999.9], [["999.9", 2]]],
    [
      "both ends, of several sizes",
      [...ages, -99, -99, 998, 998, 999, 999],
      [
        ["-99", 2],
        ["998", 2],
        ["999", 2],
      ],
    ],
    [
      "the only negative ones, of nines and eights",
      [100, 2000, 31000, 4400, 52000, 67, -9, -9, -8, -8],
      [
        ["-9", 2],
        ["-8", 2],
      ],
    ],
    ["a word among numbers", [...ages, "unk", "unk"], [["unk", 2]]],
    ["a dash among words", ["yes", "no", "yes", "-", "-"], [["-", 2]]],
  ] as const)("%s", (_what, values, codes) => {
    expect(found(values)).toEqual(codes);
  });
});

test("words among numbers with decimal commas do, points between thousands do not", async () => {
  const cells = (values: readonly string[]) =>
    readCsv(["a;b", ...values.map((value) => `${value};1`)].join("\n"), {
      delimiter: ";",
      decimal: ",",
    });
  const commas = ["25,7", "31,5", "40", "44,25", "52,1", "k.A.", "k.A."];
  expect(suspiciousCodes(await cells(commas), "a")).toEqual([{ value: "k.A.", rows: 2 }]);
  const points = ["1.500", "23,5", "40", "44,25", "52,1", "61", "1.234.567", "1.234.567"];
  expect(suspiciousCodes(await cells(points), "a")).toEqual([]);
});

describe("does not", () => {
  test.each([
    ["one large value", [...ages, 999]],
    ["a large value that repeats near the others", [...ages, 120, 120]],
    ["negative numbers beside others", [...ages, -9, -9, -3]],
    ["a large value with a fraction that repeats", [...ages, 960.7, 960.7]],
    ["two values", [0, 0, 1, 1, 999, 999]],
    ["words", ["a", "a", "b", "b", "c", "d", "e", "f"]],
    ["signs alone", ["+", "+", "-", "-", "+"]],
    ["pictures", ["😀", "é", "😀", "é"]],
    ["one dash", ["yes", "no", "yes", "-"]],
    ["a slip", [...ages, "4o"]],
    ["numbers with decimal commas among others", [...ages, "1,5", "1,5"]],
    ["nothing", []],
  ] as const)("%s", (_what, values) => {
    if (values.length > 0) expect(found(values)).toEqual([]);
  });

  test("anything drawn evenly, or without an end that repeats", () => {
    const draws = fc.array(fc.integer({ min: 0, max: 20 }), { minLength: 5, maxLength: 60 });
    fc.assert(
      fc.property(draws, (values) => {
        const others = new Set(values).size;
        // Five others apart by as much as the rest is wide leave no room within 20.
        if (others >= 12) expect(found(values)).toEqual([]);
      }),
    );
  });
});

test("is shown of features and target whose codes nobody said", () => {
  const rows = [...ages, 999, 999];
  const table = tableFrom({
    site: rows.map((_, i) => `s${i % 2}`),
    id: rows,
    y: rows,
    a: rows,
    b: rows,
    c: rows,
  });
  const schema = parseSchema({
    format: "mp-mtl-schema",
    version: 1,
    task: "site",
    target: { column: "y", kind: "number" },
    columns: {
      id: { kind: "identifier" },
      a: { kind: "number" },
      b: { kind: "number", missingCodes: [] },
      c: { kind: "number", missingCodes: [999] },
    },
  });
  const of = (report: ReturnType<typeof inspectTable>) =>
    report.columns.filter(({ codes }) => codes.length > 0).map(({ name }) => name);
  expect(of(inspectTable(table, { schema }))).toEqual(["y", "a"]);
  expect(of(inspectTable(table, { task: "site" }))).toEqual(["id", "y", "a", "b", "c"]);
  expect(of(inspectTable(table, { task: "site", missingCodes: [999] }))).toEqual([]);
});
