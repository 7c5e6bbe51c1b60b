/**
 * Looks at the form of a Parquet file's descriptions (Thrift's compact protocol) before they are read: the reader takes
 * the types of fields as they stand, and does not miss what must be there.
 * https://github.com/apache/thrift/blob/master/doc/specs/thrift-compact-protocol.md
 * @module
 */
import { damaged } from "./damage.js";
import type { Form, Kind, Enumeration } from "./description-forms.js";
import type { Place } from "./runs.js";

/** Types as the protocol numbers them; 1 is a boolean whose value is true, 2 one that is false. */
const TYPE = {
  I8: 3,
  I16: 4,
  I32: 5,
  I64: 6,
  DOUBLE: 7,
  BINARY: 8,
  LIST: 9,
  SET: 10,
  MAP: 11,
  STRUCT: 12,
  UUID: 13,
} as const;

/** Deepest nesting of descriptions. */
const MOST_DEPTH = 32;

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
  let fields = 0;
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
    fields++;
    if (form?.union && (kind === undefined || fields > 1))
      damaged("a column's meaning is none that is known");
    element(place, type, kind, depth, false);
  }
  if (form?.union && fields === 0) damaged("a column's meaning is none that is known");
  if (missing.size > 0) damaged("a description lacks what it must have");
}

const TYPE_OF = { i8: TYPE.I8, i32: TYPE.I32, i64: TYPE.I64, binary: TYPE.BINARY };

const isEnumeration = (kind: Kind | undefined): kind is Enumeration =>
  typeof kind === "object" && "names" in kind;

function typeOf(kind: Exclude<Kind, "bool">): number {
  if (typeof kind === "string") return TYPE_OF[kind];
  if (isEnumeration(kind)) return TYPE.I32;
  return Array.isArray(kind) ? TYPE.LIST : TYPE.STRUCT;
}

/** Numbers are written with their sign in the last bit. */
function checkName(written: number, { names }: Enumeration): void {
  if (written % 2 !== 0 || written / 2 >= names)
    damaged("a description has a name that is not known");
}

function element(
  place: Place,
  type: number,
  kind: Kind | undefined,
  depth: number,
  listed: boolean,
): void {
  if (kind !== undefined) {
    const right = kind === "bool" ? type <= 2 : type === typeOf(kind);
    if (!right) damaged("a description has a field of another type");
  }
  if (type <= 2) {
    // A field's value is its type; in a list it is a byte.
    if (listed) pass(place, 1);
  } else if (type === TYPE.I8) pass(place, 1);
  else if (type === TYPE.I16 || type === TYPE.I32) {
    const written = varint(place, 5);
    if (isEnumeration(kind)) checkName(written, kind);
  } else if (type === TYPE.I64) varint(place, 10);
  else if (type === TYPE.DOUBLE) pass(place, 8);
  else if (type === TYPE.BINARY) pass(place, varint(place, 5));
  else if (type === TYPE.UUID) pass(place, 16);
  else if (type === TYPE.LIST || type === TYPE.SET) {
    const header = byteAt(place);
    const size = header >> 4 === 15 ? varint(place, 5) : header >> 4;
    // An empty list names a type too.
    if ((header & 15) > TYPE.UUID) damaged("a description has a field of another type");
    // An element takes a byte at least.
    if (size > place.view.byteLength - place.offset) damaged("a description ends early");
    const inner = Array.isArray(kind) ? (kind as readonly [Kind])[0] : undefined;
    for (let i = 0; i < size; i++) element(place, header & 15, inner, depth + 1, true);
  } else if (type === TYPE.MAP) damaged("a description has a field of another type");
  else if (type === TYPE.STRUCT) struct(place, kind as Form | undefined, depth + 1);
  else damaged("a description has a field of another type");
}
