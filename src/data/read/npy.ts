/**
 * Reads numpy's `.npy` files: a matrix of numbers, or a structured array with named fields.
 * @see numpy.lib.format, "Format Version 1.0" to "3.0".
 * @module
 */
import { DataError } from "../../core/errors.js";
import { Table, type Column } from "../table/table.js";
import { checkTableSize } from "./bytes/limits.js";

/** Reads one number at a byte. */
type Reader = (view: DataView, at: number, littleEndian: boolean) => number | bigint;

/** By numpy's kind and size: floats, integers, unsigned integers, booleans. */
const READERS: Record<string, Reader> = {
  f8: (view, at, le) => view.getFloat64(at, le),
  f4: (view, at, le) => view.getFloat32(at, le),
  i1: (view, at) => view.getInt8(at),
  i2: (view, at, le) => view.getInt16(at, le),
  i4: (view, at, le) => view.getInt32(at, le),
  i8: (view, at, le) => view.getBigInt64(at, le),
  u1: (view, at) => view.getUint8(at),
  u2: (view, at, le) => view.getUint16(at, le),
  u4: (view, at, le) => view.getUint32(at, le),
  u8: (view, at, le) => view.getBigUint64(at, le),
  b1: (view, at) => (view.getUint8(at) === 0 ? 0 : 1),
};

/** One number within an element. */
interface Field {
  name: string;
  read: Reader;
  littleEndian: boolean;
  /** Bytes from the element's beginning. */
  at: number;
}

interface Header {
  fields: Field[];
  /** Bytes of an element. */
  itemSize: number;
  structured: boolean;
  fortranOrder: boolean;
  shape: number[];
}

function fail(name: string, what: string): never {
  throw new DataError(`${name}: ${what}`);
}

/** `<f8` -> how to read it and its size. */
function parseType(descr: string, file: string): { read: Reader; le: boolean; size: number } {
  const [, order, type] = /^([<>|=])([a-z]\d+)$/.exec(descr) ?? [];
  const read = type === undefined ? undefined : READERS[type];
  if (!read || type === undefined) {
    return fail(file, "expected float32, float64, integer or boolean entries.");
  }
  return { read, le: order !== ">", size: Number(type.slice(1)) };
}

const FIELD = String.raw`\('([^'\\\p{Cc}]+)', ?'([^']*)'\)`;
const LENGTH = "(?:0|[1-9][0-9]*)";
/** A Python dictionary literal with these three keys, always written alike, and nothing but space behind it. */
const HEADER = new RegExp(
  String.raw`^\{'descr': ?('[^']*'|\[.*\]), ?'fortran_order': ?(True|False), ?` +
    String.raw`'shape': ?\((${LENGTH},|${LENGTH}(?:, ?${LENGTH})+,?|)\),? ?\}[ \n]*$`,
);
const FIELDS = new RegExp(String.raw`^\[${FIELD}(?:, ?${FIELD})*,?\]$`, "u");

function parseHeader(text: string, file: string): Header {
  const [, descr, order, shape] = HEADER.exec(text) ?? [];
  if (!descr || !order || shape === undefined) return fail(file, "the NPY header is damaged.");
  const structured = descr.startsWith("[");
  // A field with a shape, a title or fields of its own is of another form.
  if (structured && !FIELDS.test(descr)) {
    return fail(file, "expected fields that are single numbers.");
  }
  const types = structured
    ? [...descr.matchAll(new RegExp(FIELD, "gu"))].map((m) => [m[1]!, m[2]!])
    : [["", descr.slice(1, -1)]];
  let itemSize = 0;
  const fields = types.map(([name, type]) => {
    const { read, le, size } = parseType(type!, file);
    const field = { name: name!, read, littleEndian: le, at: itemSize };
    itemSize += size;
    return field;
  });
  return {
    fields,
    itemSize,
    structured,
    fortranOrder: order === "True",
    shape: shape.split(",").flatMap((part) => (part.trim() === "" ? [] : [Number(part)])),
  };
}

/** Latin-1 up to version 2, UTF-8 in version 3. */
function headerText(bytes: Uint8Array, version: number, file: string): string {
  if (version < 3) return Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return fail(file, "the NPY header is damaged.");
  }
}

function splitHeader(bytes: Uint8Array, file: string): { header: Header; data: DataView } {
  const magic = bytes[0] === 0x93 && new TextDecoder().decode(bytes.subarray(1, 6)) === "NUMPY";
  if (!magic || bytes.length < 12) return fail(file, "this is not an NPY file.");
  if (bytes[6]! < 1 || bytes[6]! > 3 || bytes[7] !== 0) {
    return fail(file, `expected an NPY file of version 1 to 3, got ${bytes[6]}.${bytes[7]}.`);
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const wide = bytes[6]! >= 2; // version 1 has a 16-bit length
  const start = wide ? 12 : 10;
  const end = start + (wide ? view.getUint32(8, true) : view.getUint16(8, true));
  if (end > bytes.length) return fail(file, "the file is cut short.");
  const header = parseHeader(headerText(bytes.subarray(start, end), bytes[6]!, file), file);
  const entries = header.shape.reduce((product, length) => product * length, 1);
  if (!Number.isSafeInteger(entries * header.itemSize))
    return fail(file, "the NPY header is damaged.");
  const found = bytes.length - end;
  if (found < entries * header.itemSize) {
    return fail(
      file,
      `the file is cut short: ${found} bytes of data, expected ${entries * header.itemSize}.`,
    );
  }
  return { header, data: new DataView(bytes.buffer, bytes.byteOffset + end, found) };
}

/**
 * A matrix of shape [rows, columns] becomes columns named `c0`, `c1`, …; a structured array of
 * shape [rows] columns named as its fields. NaN is a missing value. A column with integers beyond 2^53 is taken
 * as text, so that identifiers stay exact.
 *
 * @throws DataError if the bytes are no NPY file, are cut short, or hold anything else.
 */
export function readNpy(bytes: Uint8Array, { name }: { name: string }): Table {
  const { header, data } = splitHeader(bytes, name);
  const { fields, itemSize, structured, fortranOrder, shape } = header;
  if (shape.length !== (structured ? 1 : 2)) {
    return fail(
      name,
      `expected a matrix [rows, columns] or a structured array [rows], got shape [${shape.join(", ")}].`,
    );
  }
  const [rows = 0, width = 1] = shape;
  if (rows === 0) return fail(name, "it has no rows.");
  checkTableSize(name, rows, structured ? fields.length : width);
  const column = (named: string, { read, littleEndian, at }: Field, j: number): Column => {
    const entry = (i: number) => (fortranOrder ? j * rows + i : i * width + j);
    const value = (i: number) => read(data, entry(i) * itemSize + at, littleEndian);
    const values = new Float64Array(rows);
    for (let i = 0; i < rows; i++) {
      const found = value(i);
      values[i] = Number(found);
      // Rounding must not make one task of two whose numbers differ.
      if (typeof found === "bigint" && !Number.isSafeInteger(values[i])) {
        return { name: named, values: Array.from({ length: rows }, (_, k) => String(value(k))) };
      }
    }
    return { name: named, values };
  };
  const columns: Column[] = structured
    ? fields.map((field) => column(field.name, field, 0))
    : Array.from({ length: width }, (_, j) => column(`c${j}`, fields[0]!, j));
  return new Table(columns, { name });
}
