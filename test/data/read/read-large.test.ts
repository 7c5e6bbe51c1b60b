/** Text that is read in pieces: nothing depends on where it is cut, and bounds come before work. */
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { gunzipPieces } from "../../../src/data/read/bytes/gunzip.js";
import { readCsv, readTable } from "../../../src/data/index.js";
import { csvPieces } from "../../../src/data/read/text/csv-pieces.js";
import { GrowingColumn } from "../../../src/data/read/text/growing-column.js";
import { checkTableSize, MOST_CELLS } from "../../../src/data/read/bytes/limits.js";
import { thoroughTest } from "../../thorough.js";

async function* cut(bytes: Uint8Array, ends: readonly number[]) {
  let from = 0;
  for (const end of [...ends].sort((a, b) => a - b)) {
    yield await Promise.resolve(bytes.slice(from, end));
    from = end;
  }
  yield bytes.slice(from);
}

const cells = fc.oneof(
  fc.constantFrom("", "1", "-0.5", "01", 'a"b', "x,y", "Zürich", "two\nlines", "a\r\nb", "東京"),
  fc.integer().map(String),
);
const rows = fc.array(fc.tuple(cells, cells), { minLength: 1, maxLength: 12 });
const quoted = (cell: string) => `"${cell.replaceAll('"', '""')}"`;

describe("comma-separated text in pieces", () => {
  test("is the same table wherever it is cut, in the middle of a character or a line's end too", async () => {
    await fc.assert(
      fc.asyncProperty(
        rows,
        fc.constantFrom("\n", "\r\n"),
        fc.array(fc.nat(), { maxLength: 6 }),
        fc.boolean(),
        async (table, lineEnd, at, ended) => {
          const text = [["a", "b"], ...table].map((row) => row.map(quoted).join(",")).join(lineEnd);
          const bytes = new TextEncoder().encode(ended ? text + lineEnd : text);
          const pieces = cut(
            bytes,
            at.map((place) => place % (bytes.length + 1)),
          );
          const found = await readCsv(pieces);
          for (const [j, name] of ["a", "b"].entries()) {
            expect(found.texts(name)).toEqual(table.map((row) => row[j]));
          }
        },
      ),
      { numRuns: 300 },
    );
  });

  test("comes in whole rows, with the number of lines before them", async () => {
    const text = new TextEncoder().encode('a,b\n1,"x\ny"\n3,4\n5,6');
    const found = [];
    for await (const piece of csvPieces(cut(text, [9, 14, 18]), "t.csv")) found.push(piece);
    expect(found.map(({ text, linesBefore }) => [text, linesBefore])).toEqual([
      ["a,b\n", 0],
      ['1,"x\ny"\n', 1],
      ["3,4\n", 3],
      ["5,6", 4],
    ]);
  });

  thoroughTest("names lines after many pieces", async () => {
    const many = "1.5,2\n".repeat(300_000);
    await expect(readCsv(`a,b\n${many}3,4,5\n`, { name: "t.csv" })).rejects.toThrow(
      "t.csv, line 300002 has 3 cells, the header has 2.",
    );
    await expect(readCsv(`a,b\n${many}"3,4\n`, { name: "t.csv" })).rejects.toThrow(
      "t.csv, line 300002: a quoted cell is never closed; close the quote",
    );
    const table = await readCsv(`a,b\n${many}x,4\n`, { name: "t.csv" });
    expect(table.rows).toBe(300_001);
    expect(() => table.numbers("a")).toThrow('t.csv, line 300002, column "a"');
    expect(table.columns.map(({ values }) => values instanceof Float64Array)).toEqual([
      false,
      true,
    ]);
  });

  test("a quote that is never closed does not gather the whole file", async () => {
    async function* endless() {
      yield await Promise.resolve(new TextEncoder().encode('a,b\n1,"'));
      const piece = new Uint8Array(1 << 22).fill(97);
      for (;;) yield piece;
    }
    await expect(readCsv(endless(), { name: "t.csv" })).rejects.toThrow(
      "t.csv, line 2: a row goes on for more than 16777216 characters; is a quote never closed?",
    );
  });

  thoroughTest(
    "a small .gz that holds a huge file is refused where it stops making sense",
    async () => {
      const bomb = gzipSync(new Uint8Array(30_000_000).fill(97), { level: 1 });
      expect(bomb.length).toBeLessThan(300_000);
      await expect(readTable(bomb, { name: "t.csv.gz" })).rejects.toThrow(
        "t.csv.gz, line 1: a row goes on",
      );
    },
  );

  thoroughTest(
    "a small .gz of whole rows without end is refused where it outgrows every table",
    async () => {
      // Members of gzip stand one behind the other as one file: a megabyte of them holds a gigabyte of rows.
      const member = gzipSync("task,1,2\n".repeat(2 ** 17), { level: 9 });
      const bomb = Buffer.concat(new Array<Buffer>(1000).fill(member));
      const read = async (bytes: Uint8Array) => {
        let total = 0;
        for await (const piece of gunzipPieces(bytes, "t.csv.gz")) total += piece.length;
        return total;
      };
      await expect(read(bomb)).rejects.toThrow(
        `t.csv.gz: ${bomb.length} bytes of gzip hold more than 250 times as many, as no table does`,
      );
      // What grows as much and stays small is read.
      expect(await read(bomb.subarray(0, 50 * member.length))).toBe(50 * 9 * 2 ** 17);
    },
  );

  thoroughTest("bounds come before work", async () => {
    const header = Array.from({ length: 1_000_001 }, (_, j) => `c${j}`).join(",");
    await expect(readCsv(`${header}\n`, { name: "t.csv" })).rejects.toThrow(
      "t.csv has 1000001 columns; at most 1000000 are read.",
    );
    expect(() => checkTableSize("t", MOST_CELLS / 2, 2)).not.toThrow();
    expect(() => checkTableSize("t", MOST_CELLS / 2 + 1, 2)).toThrow(
      "t has more than 536870912 cells",
    );
  });
});

describe("a column while it is read", () => {
  test("loses nothing, and takes numbers as numbers where their text is known", () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(cells, fc.double().map(String))), (texts) => {
        const column = new GrowingColumn();
        for (const text of texts) column.push(text);
        const { values } = column.finish("x");
        expect(Array.from(values as ArrayLike<string | number>, String)).toEqual(texts);
      }),
    );
    const numbers = new GrowingColumn();
    for (let i = 0; i < 1000; i++) numbers.push(String(i / 8));
    expect(numbers.finish("x").values).toBeInstanceOf(Float64Array);
  });
});
