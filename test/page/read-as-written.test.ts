/** What the page makes of a file without being told how it is written. */
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { readAsWritten } from "../../page/src/work/read-as-written.js";
import { inspectTable } from "../../page/src/work/table.js";

const bytes = (text: string) => new TextEncoder().encode(text).buffer;

test.each([
  ["a,b\n1.5,x;y\n", [1.5]],
  ["a;b\n1,5;x,y\n2;z\n", [1.5, 2]],
  ["a;b\n1.5;x\n2;z\n", [1.5, 2]],
  ['"a"\t"b"\n"-1,25"\tx\n', [-1.25]],
  ["b|a\nx, y|7\n", [7]],
])("%j", async (text, expected) => {
  for (const file of [bytes(text), new Uint8Array(gzipSync(text)).buffer]) {
    const table = await readAsWritten(file, "t.csv.gz");
    expect(table.columnNames.slice().sort()).toEqual(["a", "b"]);
    expect([...table.numbers("a")]).toEqual(expected);
  }
});

test("a column that numbers the rows is not offered; sparse rows are refused", async () => {
  const { columns } = await inspectTable({ name: "t.csv", bytes: bytes('"";"a"\n"1";3\n"2";4\n') });
  expect(columns.map(({ name }) => name)).toEqual(["a"]);
  await expect(readAsWritten(bytes("1 1:2\n"), "t.svm")).rejects.toThrow(/sparse rows/);
});

test("a comma in a quoted header, as in an address, is no delimiter", async () => {
  const text = 'a;"b, c, d; e";f\n1,5;"x,y";3\n';
  const table = await readAsWritten(bytes(text), "t.csv");
  expect(table.columnNames).toEqual(["a", "b, c, d; e", "f"]);
  expect([...table.numbers("a")]).toEqual([1.5]);
});
