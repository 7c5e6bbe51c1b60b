import { describe, expect, test } from "vitest";
import { DataError } from "../../../src/core/errors.js";
import { readNpy, readTable, type Table } from "../../../src/data/index.js";
import { npyFiles, parquetFiles } from "./read-fixtures.js";

const bytes = (base64: string) => new Uint8Array(Buffer.from(base64, "base64"));
const columns = (table: Table) =>
  Object.fromEntries(table.columns.map(({ name, values }) => [name, [...values]]));

/** A file of zeros. */
function npy(descr: string, shape: string, size: number): Uint8Array {
  const text = `{'descr': ${descr}, 'fortran_order': False, 'shape': ${shape}, }\n`;
  const whole = new Uint8Array(10 + text.length + size);
  whole.set([0x93, ...new TextEncoder().encode("NUMPY"), 1, 0, text.length, 0]);
  whole.set(new TextEncoder().encode(text), 10);
  return whole;
}

describe("NPY files written by numpy", () => {
  const read = (file: string) => columns(readNpy(bytes(file), { name: "t.npy" }));

  test("matrices of float64, float32 and integers, in either order of entries and bytes", () => {
    expect(read(npyFiles.matrix)).toEqual({ c0: [1.5, -2, 5], c1: [NaN, 4, 6] });
    expect(read(npyFiles.fortran)).toEqual({ c0: [1, 3, 5], c1: [2, 4, 6] });
    expect(read(npyFiles.bigEndian)).toEqual({ c0: [1, 300], c1: [-2, 4] });
  });

  test("structured arrays, with the names of their fields", () => {
    expect(read(npyFiles.structured)).toEqual({ task: [1, 2], score: [2.5, -3], flag: [1, 0] });
  });

  test.each([
    [
      "vector",
      "t.npy: expected a matrix [rows, columns] or a structured array [rows], got shape [2]",
    ],
    ["complex", "t.npy: expected float32, float64, integer or boolean entries."],
    ["nested", "t.npy: expected fields that are single numbers."],
  ] as const)("refuses a %s", (key, message) => {
    expect(() => read(npyFiles[key])).toThrow(DataError);
    expect(() => read(npyFiles[key])).toThrow(message);
  });

  test("integers that float64 cannot hold stay apart, as text", () => {
    const table = readNpy(bytes(npyFiles.huge), { name: "t.npy" });
    expect(table.texts("c0")).toEqual([String(2n ** 60n)]);
    const two = npy("'<i8'", "(2, 1)", 16);
    const view = new DataView(two.buffer, two.length - 16);
    view.setBigInt64(0, 2n ** 53n, true);
    view.setBigInt64(8, 2n ** 53n + 1n, true);
    const owners = readNpy(two, { name: "t.npy" }).texts("c0");
    expect(owners).toEqual(["9007199254740992", "9007199254740993"]);
  });

  test.each([
    ["(0, 30000000)", "it has no rows"],
    ["(0,)", "expected a matrix"],
    ["(1, 1000001)", "the file is cut short"],
    ["(99999999999, 99999999999)", "the NPY header is damaged"],
  ])("a shape of %s takes no memory", (shape, message) => {
    expect(() => readNpy(npy("'|u1'", shape, 8), { name: "t.npy" })).toThrow(message);
  });

  test("a million and one columns are too many", () => {
    expect(() => readNpy(npy("'|u1'", "(1, 1000001)", 1_000_001), { name: "t.npy" })).toThrow(
      "t.npy has 1000001 columns; at most 1000000 are read.",
    );
  });

  test("refuses a file cut short anywhere", () => {
    const whole = bytes(npyFiles.matrix);
    for (let length = 0; length < whole.length; length++) {
      expect(() => readNpy(whole.subarray(0, length), { name: "t.npy" })).toThrow(DataError);
    }
    expect(() => readNpy(whole.subarray(0, whole.length - 1), { name: "t.npy" })).toThrow(
      "t.npy: the file is cut short: 47 bytes of data, expected 48.",
    );
    expect(() => readNpy(bytes("AAAA"), { name: "t.npy" })).toThrow("this is not an NPY file.");
  });
});

describe("Parquet files written by Arrow", () => {
  test.each(["zstd", "snappy", "gzip"] as const)("compressed by %s", async (codec) => {
    const table = await readTable(bytes(parquetFiles[codec]), { name: "t.parquet" });
    expect(columns(table)).toEqual({
      task: ["a", "b", "", "a"],
      id: ["1", "2", "3", "1152921504606846976"],
      n: [1, NaN, 3, 4],
      x: [0.5, NaN, NaN, -2],
      ok: [1, 0, NaN, 1],
    });
    expect(table.place(2, "x")).toBe('t.parquet, row 2, column "x"');
  });

  test("from a Buffer of Node, whose slices are no copies", async () => {
    const table = await readTable(Buffer.from(parquetFiles.unpacked, "base64"), {
      name: "t.parquet",
    });
    const copied = await readTable(bytes(parquetFiles.unpacked), { name: "t.parquet" });
    expect(columns(table)).toEqual(columns(copied));
  });

  const twelve = Array.from({ length: 12 }, (_, i) => i);
  const sixty = Array.from({ length: 60 }, (_, i) => i);
  test.each([
    ["second", twelve],
    ["unpacked", twelve],
    ["checksums", twelve],
    ["lz4", twelve],
    ["differences", sixty],
    ["differencesInText", sixty],
  ] as const)("%s", async (key, rows) => {
    const table = await readTable(bytes(parquetFiles[key]), { name: "t.parquet" });
    expect(columns(table)).toEqual({
      task: rows.map((i) => ["a", "b", "", "ab", "abc"][i % 5]),
      id: rows.map((i) => String(2n ** 60n + 7n * BigInt(i))),
      n: rows.map((i) => (i % 4 === 1 ? NaN : 3 * i - 50)),
      x: rows.map((i) => (i % 7 === 2 ? NaN : i * 0.37 - 3)),
      f: rows.map((i) => 0.5 * i),
      ok: rows.map((i) => (i % 9 === 0 ? NaN : Number(i % 2 === 0))),
    });
  });

  test("a bit flipped in a page with a checksum is found, wherever it is", async () => {
    const whole = bytes(parquetFiles.checksums);
    const start = whole.findIndex((_, i) => whole[i] === 0x28 && whole[i + 1] === 0xb5);
    for (let at = start; at < start + 20; at++) {
      const changed = Uint8Array.from(whole);
      changed[at]! ^= 1 << (at % 8);
      await expect(readTable(changed, { name: "t.parquet" })).rejects.toThrow(
        "t.parquet is not a Parquet file that can be read, or it is damaged (a page has another checksum).",
      );
    }
  });

  test("streams of bytes that hold another number of values than the levels say are refused", async () => {
    const whole = bytes(parquetFiles.differences);
    // Some of the levels of x, of 60 rows of which every seventh is missing.
    expect([...whole.subarray(262, 266)]).toEqual([0xbf, 0xdf, 0xef, 0xf7]);
    whole.set([0x0a, 0x5e, 0xa3, 0x9e], 262);
    await expect(readTable(whole, { name: "t.parquet" })).rejects.toThrow(
      "t.parquet is not a Parquet file that can be read, or it is damaged (a page holds another number of values).",
    );
  });

  test("a nested column is refused by name", async () => {
    await expect(readTable(bytes(parquetFiles.list), { name: "t.parquet" })).rejects.toThrow(
      /^t\.parquet, column "l": expected numbers, booleans or text, found dates, bytes or nested/,
    );
  });

  test("dates and times are the text that a CSV file would have", async () => {
    const table = await readTable(bytes(parquetFiles.times), { name: "t.parquet" });
    expect(columns(table)).toEqual({
      day: ["2024-09-14", "", "1969-12-31"],
      ms: ["2024-09-14", "2024-09-14 08:30:00", ""],
      us: ["2024-09-14 08:30:00.0005", "", "1969-12-31 23:59:59.25"],
      ns: ["2024-09-14 08:30:00.000000001", "", "1969-12-31 23:59:59.999999999"],
    });
    const old = await readTable(bytes(parquetFiles.oldTimes), { name: "t.parquet" });
    expect(columns(old)["ns"]).toEqual(columns(table)["ns"]);
  });

  test("a file cut short or of another kind is refused", async () => {
    const whole = bytes(parquetFiles.snappy);
    for (const length of [0, 3, 100, whole.length - 1]) {
      await expect(readTable(whole.subarray(0, length), { name: "t.parquet" })).rejects.toThrow(
        /^t\.parquet is not a Parquet file that can be read, or it is damaged/,
      );
    }
  });
});

describe("every type of NPY entry", () => {
  /** A file with one column, as the format's description says it is written. */
  function file(type: string, size: number, write: (view: DataView) => void): Uint8Array {
    const text = `{'descr': '${type}', 'fortran_order': False, 'shape': (1, 1), }\n`;
    const whole = new Uint8Array(10 + text.length + size);
    whole.set([0x93, ...new TextEncoder().encode("NUMPY"), 1, 0, text.length, 0]);
    whole.set(new TextEncoder().encode(text), 10);
    write(new DataView(whole.buffer, 10 + text.length));
    return whole;
  }

  const types: [string, number, (view: DataView) => void, number][] = [
    ["|i1", 1, (view) => view.setInt8(0, -5), -5],
    ["|u1", 1, (view) => view.setUint8(0, 200), 200],
    ["|b1", 1, (view) => view.setUint8(0, 1), 1],
    ["<i2", 2, (view) => view.setInt16(0, -300, true), -300],
    [">u2", 2, (view) => view.setUint16(0, 60_000), 60_000],
    ["<u4", 4, (view) => view.setUint32(0, 4e9, true), 4e9],
    [">i8", 8, (view) => view.setBigInt64(0, -(2n ** 50n)), -(2 ** 50)],
    ["<u8", 8, (view) => view.setBigUint64(0, 2n ** 50n, true), 2 ** 50],
    [">f8", 8, (view) => view.setFloat64(0, 0.1), 0.1],
    [">f4", 4, (view) => view.setFloat32(0, 0.5), 0.5],
  ];
  test.each(types)("%s", (type, size, write, value) => {
    const table = readNpy(file(type, size, write), { name: "t.npy" });
    expect([...table.numbers("c0")]).toEqual([value]);
  });

  test("a damaged header is refused", () => {
    const broken = file("<f8", 8, () => undefined);
    broken.fill(0x20, 12, 40);
    expect(() => readNpy(broken, { name: "t.npy" })).toThrow("t.npy: the NPY header is damaged.");
  });
});
