/** What the packages that read Parquet take as it stands, and we look at before. */
import type { ColumnMetaData, SchemaTree } from "hyparquet";
import { beforeAll, describe, expect, test } from "vitest";
import { loadPackages } from "../../../../src/data/read/parquet/loaded.js";
import { unpackPage } from "../../../../src/data/read/parquet/codecs.js";
import { crc32 } from "../../../../src/data/read/parquet/crc32.js";
import { ParquetDamage } from "../../../../src/data/read/parquet/form/damage.js";
import { unpackLz4Block } from "../../../../src/data/read/parquet/lz4-block.js";
import { checkMeaning } from "../../../../src/data/read/parquet/form/logical-types.js";
import { checkDeltas, checkRuns } from "../../../../src/data/read/parquet/form/runs.js";
import { FILE, PAGE } from "../../../../src/data/read/parquet/form/description-forms.js";
import {
  checkSizeStatistics,
  levelsOf,
} from "../../../../src/data/read/parquet/form/size-statistics.js";
import { checkForm } from "../../../../src/data/read/parquet/form/thrift-form.js";

beforeAll(loadPackages);

const place = (...bytes: number[]) => ({
  view: new DataView(Uint8Array.from(bytes).buffer),
  offset: 0,
});
const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
const ascii = (what: string) => new TextEncoder().encode(what);

test("the checksum is that of RFC 1952", () => {
  // The check value of CRC-32/ISO-HDLC.
  expect(crc32(ascii("123456789")) >>> 0).toBe(0xcbf43926);
  expect(crc32(new Uint8Array())).toBe(0);
});

describe("zstd", () => {
  // A frame of one raw block with the checksum that `zstd` 1.5 writes for these bytes.
  const frame = Uint8Array.of(
    ...[0x28, 0xb5, 0x2f, 0xfd, 0x24, 11, 0x59, 0, 0],
    ...ascii("hello world"),
    ...[0x68, 0x69, 0x1e, 0xb2],
  );
  test("a frame is read, and refused when one of its bits is another", async () => {
    expect(text(await unpackPage("ZSTD", frame, 11))).toBe("hello world");
    for (let bit = 8 * 9; bit < 8 * frame.length; bit++) {
      const changed = Uint8Array.from(frame);
      changed[bit >> 3]! ^= 1 << (bit & 7);
      await expect(unpackPage("ZSTD", changed, 11), String(bit)).rejects.toThrow(ParquetDamage);
    }
  });

  test("a frame with something after it is refused, and one of another length", async () => {
    await expect(unpackPage("ZSTD", Uint8Array.of(...frame, 0), 11)).rejects.toThrow(ParquetDamage);
    await expect(unpackPage("ZSTD", frame, 10)).rejects.toThrow(ParquetDamage);
    await expect(unpackPage("ZSTD", frame, 2 ** 40)).rejects.toThrow("size is impossible");
  });
});

describe("LZ4", () => {
  // "abcabcabcabc" + "xyzzy": three literals, a match of nine at distance three, five literals.
  const block = Uint8Array.of(0x35, 97, 98, 99, 3, 0, 0x50, ...ascii("xyzzy"));
  test("a block as its description has it", () => {
    expect(text(unpackLz4Block(block, 17))).toBe("abcabcabcabcxyzzy");
  });

  test.each([
    ["cut short", block.subarray(0, 9), 17],
    ["holding less", block, 18],
    ["holding more", block, 16],
    ["with a match before its beginning", Uint8Array.of(0x15, 97, 3, 0, 0x10, 98), 11],
    ["with a match at no distance", Uint8Array.of(0x15, 97, 0, 0, 0x10, 98), 11],
    ["empty", new Uint8Array(), 0],
  ])("one %s is refused", (_, bytes, length) => {
    expect(() => unpackLz4Block(bytes, length)).toThrow(RangeError);
  });
});

describe("packed integers", () => {
  test("runs of equal values and groups of eight", () => {
    // Three ones, then five values of a group of eight.
    checkRuns(place(6, 1, 3, 0b10110), 4, 1, 8);
  });

  test.each([
    ["fewer values", [6, 1], 1, 4],
    ["a run past the end", [0xfe, 0xff, 0xff, 0xff, 0x0f, 1], 1, 4],
    ["a value with more bits", [8, 2], 1, 4],
    ["an empty run", [0, 1], 1, 4],
    ["an endless length", [0x80, 0x80, 0x80, 0x80, 0x80, 0x80], 1, 4],
    ["a width past the dictionary's", [8, 1, 1, 1, 1, 1], 40, 4],
  ])("%s", (_, bytes, width, count) => {
    expect(() => checkRuns(place(...bytes), bytes.length, width, count)).toThrow(ParquetDamage);
  });

  test.each([
    ["another count", [0x80, 1, 4, 5, 0, 0, 0, 0, 0, 0]],
    ["blocks of no values", [0, 4, 4, 0, 0, 0, 0, 0, 0]],
    ["no parts of blocks", [0x80, 1, 0, 4, 0, 0, 0, 0, 0]],
    ["a width past the type's", [0x80, 1, 4, 4, 0, 0, 33, 0, 0, 0]],
    ["fewer bytes", [0x80, 1, 4, 4, 0, 0, 8, 0, 0, 0, 1, 2, 3]],
  ])("differences with %s", (_, bytes) => {
    expect(() => checkDeltas(place(...bytes), 4, 32)).toThrow(ParquetDamage);
  });

  test("differences end where their last part does", () => {
    const bytes = [0x80, 1, 4, 4, 0, 0, 1, 0, 0, 0, 7, 0, 0, 0];
    expect(checkDeltas(place(...bytes), 4, 32)).toBe(bytes.length);
  });
});

describe("descriptions", () => {
  // A page header: type 0, 10 bytes unpacked, 9 packed.
  const header = [0x15, 0, 0x15, 20, 0x15, 18, 0];
  test("what must be there is, whatever else is there", () => {
    checkForm(place(...header), PAGE);
    // A field of a later version, 100, holding a list of two numbers.
    checkForm(place(...header.slice(0, -1), 0x09, 0xc8, 1, 0x25, 2, 4, 0), PAGE);
  });

  test.each([
    ["lacks a field", [0x15, 0, 0x15, 20, 0]],
    ["has one of another type", [0x16, 0, 0x15, 20, 0x15, 18, 0]],
    ["ends early", header.slice(0, -1)],
    ["has a number that does not end", [0x15, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1]],
    ["is nested without end", new Array<number>(64).fill(0x1c)],
    ["has an empty list of no known type", [...header.slice(0, -1), 0x19, 0x0e, 0]],
    ["has a list longer than the file", [...header.slice(0, -1), 0x29, 0xf5, 0xff, 0x7f, 0]],
  ])("one that %s is refused", (_, bytes) => {
    expect(() => checkForm(place(...bytes), PAGE)).toThrow(ParquetDamage);
  });

  /** A file of no groups with one column, whose element of the schema ends in `more`. */
  const file = (...more: number[]) =>
    place(...[0x15, 2, 0x19, 0x1c], ...[0x48, 1, 120], ...more, 0, ...[0x16, 0, 0x19, 0x0c, 0]);
  test("a column's meaning is one that is known", () => {
    checkForm(file(), FILE);
    // Field 6: the last of the converted types; field 10: a text, an integer of 8 bits.
    checkForm(file(0x25, 42), FILE);
    checkForm(file(0x6c, 0x1c, 0, 0), FILE);
    checkForm(file(0x6c, 0xac, 0x13, 8, 0x11, 0, 0), FILE);
  });
  test.each([
    ["of a number beyond the last", [0x25, 44]],
    ["of a negative number", [0x25, 1]],
    ["that names nothing", [0x6c, 0]],
    ["of a later version", [0x6c, 0x0c, 40, 0, 0]],
    ["that names two things", [0x6c, 0x1c, 0, 0x3c, 0, 0]],
    ["that lacks a part", [0x6c, 0xac, 0x13, 8, 0, 0]],
    ["that is no description", [0x65, 0]],
  ])("a column's meaning %s is refused", (_, bytes) => {
    expect(() => checkForm(file(...bytes), FILE)).toThrow(ParquetDamage);
  });

  test("a column's counts of levels are of those that it has", () => {
    const schema = (repetition: "REQUIRED" | "OPTIONAL" | "REPEATED", ...children: SchemaTree[]) =>
      ({ element: { name: "x", repetition_type: repetition }, children }) as unknown as SchemaTree;
    const root = schema(
      "REQUIRED",
      schema("REQUIRED"),
      schema("OPTIONAL"),
      schema("OPTIONAL", schema("REPEATED", schema("REQUIRED"), schema("OPTIONAL"))),
    );
    expect(levelsOf(root)).toEqual([
      { definition: 0, repetition: 0 },
      { definition: 1, repetition: 0 },
      { definition: 2, repetition: 1 },
      { definition: 3, repetition: 1 },
    ]);
    const check = (type: string, sizes: object) => () =>
      checkSizeStatistics({ type, size_statistics: sizes } as unknown as ColumnMetaData, {
        definition: 1,
        repetition: 0,
      });
    const counts = { repetition_level_histogram: [2n], definition_level_histogram: [1n, 1n] };
    check("BYTE_ARRAY", { ...counts, unencoded_byte_array_data_bytes: 3n })();
    check("INT32", {})();
    check("INT32", { definition_level_histogram: [] })();
    for (const [type, wrong] of [
      ["INT32", { ...counts, repetition_level_histogram: [1n, 1n] }],
      ["INT32", { ...counts, definition_level_histogram: [2n] }],
      ["INT32", { ...counts, unencoded_byte_array_data_bytes: 3n }],
    ] as const)
      expect(check(type, wrong)).toThrow(ParquetDamage);
  });

  test("a column's meaning must be one of its type", () => {
    const column = (type: "INT32" | "DOUBLE", converted?: "UTF8" | "INT_8" | "LIST") => ({
      name: "x",
      type,
      ...(converted && { converted_type: converted }),
    });
    checkMeaning(column("INT32", "INT_8"));
    checkMeaning(column("DOUBLE"));
    expect(() => checkMeaning(column("INT32", "UTF8"))).toThrow(ParquetDamage);
    expect(() => checkMeaning(column("DOUBLE", "INT_8"))).toThrow(ParquetDamage);
    expect(() => checkMeaning(column("INT32", "LIST"))).toThrow(ParquetDamage);
  });
});
