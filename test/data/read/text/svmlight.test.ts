/** Sparse rows in SVMlight's form: what is written is read, wherever the text is cut; what is not so is refused by its place. */
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { DataError } from "../../../../src/core/errors.js";
import { readSvmlight, readTable, type Table } from "../../../../src/data/index.js";
import { MOST_COLUMNS } from "../../../../src/data/read/bytes/limits.js";

const read = (text: string) => readSvmlight(text, { name: "t.svmlight" });

/** Row by row: what is not 0, by the feature's number. */
function rowsOf({ sparse }: Table): [number, number][][] {
  const { first, rows } = sparse!;
  return Array.from({ length: rows.starts.length - 1 }, (_, j) =>
    Array.from(rows.columns.subarray(rows.starts[j], rows.starts[j + 1]), (column, k) => [
      column + first,
      rows.values[rows.starts[j]! + k]!,
    ]),
  );
}

const number = fc.double({ noNaN: true, noDefaultInfinity: true }).map((x) => x + 0);
const row = fc.record({
  target: number,
  task: fc.nat(5),
  entries: fc.dictionary(fc.nat(40).map(String), number, { maxKeys: 6 }),
});

describe("SVMlight's form", () => {
  test("is read back as it was written, wherever it is cut", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(row, { minLength: 1, maxLength: 10 }),
        fc.constantFrom("\n", "\r\n", "\r"),
        fc.array(fc.nat(), { maxLength: 5 }),
        async (rows, lineEnd, cuts) => {
          const entries = rows.map((one) =>
            Object.entries(one.entries)
              .map(([at, value]) => [Number(at), value] as [number, number])
              .sort(([a], [b]) => a - b),
          );
          fc.pre(entries.some((one) => one.length > 0));
          const text = rows.map(
            ({ target, task }, j) =>
              `${target} qid:${task} ${entries[j]!.map((pair) => pair.join(":")).join(" ")} # 1:2`,
          );
          const bytes = new TextEncoder().encode(text.join(lineEnd));
          const places = [0, ...cuts.map((at) => at % (bytes.length + 1)), bytes.length].sort(
            (a, b) => a - b,
          );
          const pieces = async function* () {
            for (let k = 1; k < places.length; k++) {
              yield await Promise.resolve(bytes.slice(places[k - 1], places[k]));
            }
          };
          const table = await readSvmlight(pieces());
          expect([...table.numbers("target")]).toEqual(rows.map(({ target }) => target));
          expect(table.texts("qid")).toEqual(rows.map(({ task }) => String(task)));
          expect(rowsOf(table)).toEqual(
            entries.map((one) => one.filter(([, value]) => value !== 0)),
          );
          const numbers = entries.flat().map(([at]) => at);
          expect(table.sparse!.first).toBe(numbers.includes(0) ? 0 : 1);
          expect(table.sparse!.first + table.sparse!.count - 1).toBe(Math.max(...numbers));
        },
      ),
      { numRuns: 100, seed: 2 },
    );
  });

  test("a file of LIBSVM: labels with signs, no qid, empty lines and comments; packed or not", async () => {
    const text = "# heart\n+1 1:0.708 3:-1 # a\n\n-1 2:0 13:1e-3\n";
    for (const bytes of [new TextEncoder().encode(text), gzipSync(text)]) {
      const table = await readTable(bytes, { name: "heart.libsvm" });
      expect(table.columnNames).toEqual(["target"]);
      expect([...table.numbers("target")]).toEqual([1, -1]);
      expect(rowsOf(table)).toEqual([[[1, 0.708], [3, -1]], [[13, 1e-3]]]); // prettier-ignore
      expect(table.place(1, "target")).toBe('heart.libsvm, line 4, column "target"');
      expect(rowsOf(table.select([1]))).toEqual([[[13, 1e-3]]]);
    }
  });

  test.each([
    ["", /t\.svmlight has no rows/],
    ["1\n2\n", /has no features/],
    ["x 1:2", /line 1: expected the row's target first/],
    ["1,2 1:2", /line 1: expected the row's target first/],
    ["1 1:2 2", /line 1: expected number:value pairs/],
    ["1 -1:2", /line 1: expected number:value pairs/],
    [
      "1 1:2\n1 3:1 3:2",
      /line 2, feature 3: expected numbers that ascend within a row, none twice/,
    ],
    ["1 4:1 3:2", /line 1, feature 3: expected numbers that ascend/],
    ["1 2:nan", /line 1, feature 2: expected a finite number/],
    ["1 2:1e999", /line 1, feature 2: expected a finite number/],
    [`1 ${MOST_COLUMNS + 1}:1`, /line 1: a feature's number is above 1000000/],
    ["1 qid:1 1:1\n1 1:1", /line 2: expected a qid in every row or in none/],
    ["1 1:1\n1 qid:1 1:1", /line 2: expected a qid in every row or in none/],
    ["1 qid:a 1:1", /line 1: qid: expected an integer/],
  ])("%j is refused", async (text, message) => {
    await expect(read(text)).rejects.toThrow(message);
    await expect(read(text)).rejects.toBeInstanceOf(DataError);
  });

  test("text that is not UTF-8, and delimiters, are refused", async () => {
    await expect(readSvmlight(Uint8Array.of(0x31, 0xff))).rejects.toThrow(/is not UTF-8/);
    const bytes = new TextEncoder().encode("1 1:1");
    await expect(readTable(bytes, { name: "t.svm", delimiter: ";" })).rejects.toThrow(
      /no delimiter/,
    );
  });
});
