/**
 * Looks at the form of a Parquet file's descriptions (Thrift's compact protocol) before they are read: the reader takes
 * the types of fields as they stand, and does not miss what must be there.
 * https://github.com/apache/parquet-format/blob/master/src/main/thrift/parquet.thrift,
 * https://github.com/apache/thrift/blob/master/doc/specs/thrift-compact-protocol.md
 * @module
 */
import { damaged } from "./damage.js";
import type { Place } from "./runs.js";

/** Types as the protocol numbers them; 1 is a boolean whose value is true, 2 one that is false. */
const [I8, I16, I32, I64, DOUBLE, BINARY, LIST, SET, MAP, STRUCT, UUID] = [
  3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13,
];

/** Deepest nesting of descriptions. */
const MOST_DEPTH = 32;

type Kind = "bool" | "i32" | "i64" | "binary" | Form | readonly [Kind];
/** Fields by their number; others are passed over. */
interface Form {
  readonly must: Readonly<Record<number, Kind>>;
  readonly may?: Readonly<Record<number, Kind>>;
}

const statistics: Form = {
  must: {},
  may: {
    ...{ 1: "binary", 2: "binary", 3: "i64", 4: "i64", 5: "binary", 6: "binary" },
    ...{ 7: "bool", 8: "bool" },
  },
};
const keyValue: Form = { must: { 1: "binary" }, may: { 2: "binary" } };
const schemaElement: Form = {
  must: { 4: "binary" },
  may: {
    ...{ 1: "i32", 2: "i32", 3: "i32", 5: "i32", 6: "i32", 7: "i32", 8: "i32", 9: "i32" },
    10: { must: {} },
  },
};
const columnMetadata: Form = {
  must: {
    ...{ 1: "i32", 2: ["i32"], 3: ["binary"], 4: "i32", 5: "i64", 6: "i64", 7: "i64", 9: "i64" },
  },
  may: {
    ...{ 8: [keyValue], 10: "i64", 11: "i64", 12: statistics },
    13: [{ must: { 1: "i32", 2: "i32", 3: "i32" } }],
    ...{ 14: "i64", 15: "i32" },
  },
};
const column: Form = {
  must: { 2: "i64" },
  may: { 1: "binary", 3: columnMetadata, 4: "i64", 5: "i32", 6: "i64", 7: "i32" },
};
const rowGroup: Form = {
  must: { 1: [column], 2: "i64", 3: "i64" },
  may: { 4: [{ must: { 1: "i32", 2: "bool", 3: "bool" } }], 5: "i64", 6: "i64" },
};

/** FileMetaData. */
export const FILE: Form = {
  must: { 1: "i32", 2: [schemaElement], 3: "i64", 4: [rowGroup] },
  may: { 5: [keyValue], 6: "binary" },
};

/** PageHeader. */
export const PAGE: Form = {
  must: { 1: "i32", 2: "i32", 3: "i32" },
  may: {
    4: "i32",
    5: { must: { 1: "i32", 2: "i32", 3: "i32", 4: "i32" }, may: { 5: statistics } },
    7: { must: { 1: "i32", 2: "i32" }, may: { 3: "bool" } },
    8: {
      must: { 1: "i32", 2: "i32", 3: "i32", 4: "i32", 5: "i32", 6: "i32" },
      may: { 7: "bool", 8: statistics },
    },
  },
};

/**
 * @param start where the description begins; its view ends where it must have ended.
 * @throws ParquetDamage if it ends early, lacks a field, or has one of another type.
 */
export function checkForm(start: Place, form: Form): void {
  struct({ ...start }, form, 0);
}

function byteAt(place: Place): number {
  if (place.offset >= place.view.byteLength) damaged("a description ends early");
  return place.view.getUint8(place.offset++);
}

/** @param most bytes. */
function varint(place: Place, most: number): number {
  let value = 0;
  for (let i = 0; i < most; i++) {
    const byte = byteAt(place);
    value += (byte & 0x7f) * 2 ** (7 * i);
    if (byte < 0x80) return value;
  }
  return damaged("a description has an impossible number");
}

function pass(place: Place, bytes: number): void {
  if (bytes > place.view.byteLength - place.offset) damaged("a description ends early");
  place.offset += bytes;
}

function struct(place: Place, form: Form | undefined, depth: number): void {
  if (depth > MOST_DEPTH) damaged("a description is nested too deep");
  const missing = new Set(Object.keys(form?.must ?? {}));
  for (let field = 0; ;) {
    const header = byteAt(place);
    const type = header & 15;
    if (type === 0) break;
    const step = header >> 4;
    if (step > 0) field += step;
    else {
      const number = varint(place, 3);
      field = number % 2 === 0 ? number / 2 : -(number + 1) / 2;
    }
    const kind = form?.must[field] ?? form?.may?.[field];
    missing.delete(String(field));
    element(place, type, kind, depth, false);
  }
  if (missing.size > 0) damaged("a description lacks what it must have");
}

const typeOf = (kind: Kind): number =>
  kind === "i32" ? I32! : kind === "i64" ? I64! : kind === "binary" ? BINARY! : STRUCT!;

function element(
  place: Place,
  type: number,
  kind: Kind | undefined,
  depth: number,
  listed: boolean,
): void {
  if (kind !== undefined) {
    const right =
      kind === "bool" ? type <= 2 : Array.isArray(kind) ? type === LIST : type === typeOf(kind);
    if (!right) damaged("a description has a field of another type");
  }
  if (type <= 2) {
    // A field's value is its type; in a list it is a byte.
    if (listed) pass(place, 1);
  } else if (type === I8) pass(place, 1);
  else if (type === I16 || type === I32) varint(place, 5);
  else if (type === I64) varint(place, 10);
  else if (type === DOUBLE) pass(place, 8);
  else if (type === BINARY) pass(place, varint(place, 5));
  else if (type === UUID) pass(place, 16);
  else if (type === LIST || type === SET) {
    const header = byteAt(place);
    const size = header >> 4 === 15 ? varint(place, 5) : header >> 4;
    // An element takes a byte at least.
    if (size > place.view.byteLength - place.offset) damaged("a description ends early");
    const inner = Array.isArray(kind) ? (kind as readonly [Kind])[0] : undefined;
    for (let i = 0; i < size; i++) element(place, header & 15, inner, depth + 1, true);
  } else if (type === MAP) damaged("a description has a field of another type");
  else if (type === STRUCT) struct(place, kind as Form | undefined, depth + 1);
  else damaged("a description has a field of another type");
}
