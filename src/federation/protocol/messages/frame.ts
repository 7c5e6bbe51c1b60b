/**
 * A header and a vector of float64s as bytes: what travels, and what the curator's log holds.
 *
 * Layout: the bytes `MPMF`, u32 length of the header, the header as JSON in UTF-8 padded with spaces
 * to a multiple of 8 bytes in all, then the vector, little-endian, then plain bytes if there are any.
 * Every float64 arrives as it was, bit for bit. A vector that begins with a symmetric matrix travels as its upper triangle, with a
 * diagonal one as the diagonal; the header's `values` says so.
 * @module
 */
import { bytes as checkBytes, object } from "../../../core/checks.js";
import { DataError } from "../../../core/index.js";
import { whyNotParse } from "./header-shape.js";

/** JSON, and the vector that goes with it. */
export interface Frame {
  /** The JSON. */
  readonly header: Readonly<Record<string, unknown>>;
  /** Empty where there is none. */
  readonly values: Float64Array;
  /** Empty where there are none. */
  readonly bytes: Uint8Array;
}

/** How the vector is laid out: `count` float64s, of which the first n x n may be packed. */
interface Layout {
  readonly count: number;
  readonly symmetric?: number;
  readonly diagonal?: number;
  /** Plain bytes after the vector. */
  readonly bytes?: number;
}

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { fatal: true });
const SPACE = 0x20;
const MAGIC = [0x4d, 0x50, 0x4d, 0x46];
const PREFIX = 8;
const WIDTH = 8;
/** Longest header accepted of others, of one's own records (about as long as a string can be), and most float64s. */
const HEADER_LIMIT = 2 ** 24;
export const OWN_HEADER_LIMIT = 2 ** 29;
const COUNT_LIMIT = 2 ** 29;

/**
 * Encodes a frame; `header` must not use the name `values`.
 * @param packed whether a symmetric matrix takes less room (default). Not for what its owner alone may know:
 *   the length would tell something about it.
 */
export function encodeFrame(
  header: object,
  values: Float64Array = new Float64Array(0),
  plain: Uint8Array = new Uint8Array(0),
  packed = true,
): Uint8Array<ArrayBuffer> {
  object("header", header);
  const shape = packed ? layoutOf(values) : { count: values.length };
  const layout = { ...shape, ...(plain.length > 0 ? { bytes: plain.length } : {}) };
  const text = encoder.encode(JSON.stringify({ ...header, values: layout }));
  const head = text.length + ((WIDTH - (text.length % WIDTH)) % WIDTH);
  const stored = pack(values, layout);
  const bytes = new Uint8Array(PREFIX + head + WIDTH * stored.length + plain.length);
  bytes.set(MAGIC);
  bytes.set(text, PREFIX);
  bytes.fill(SPACE, PREFIX + text.length, PREFIX + head);
  const view = new DataView(bytes.buffer);
  view.setUint32(4, head, true);
  let at = PREFIX + head;
  for (let i = 0; i < stored.length; i++, at += WIDTH) view.setFloat64(at, stored[i]!, true);
  bytes.set(plain, at);
  return bytes;
}

/**
 * Decodes a frame.
 * @param headerLimit bytes of the longest header accepted.
 * @param mayPack whether a matrix in it may be packed: few bytes of one become many.
 * @throws DataError if the bytes are not exactly one.
 */
export function decodeFrame(bytes: Uint8Array, headerLimit = HEADER_LIMIT, mayPack = true): Frame {
  checkBytes("bytes", bytes);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < PREFIX || MAGIC.some((byte, i) => bytes[i] !== byte)) {
    refuse("it does not begin like one");
  }
  const length = view.getUint32(4, true);
  if (length > headerLimit || PREFIX + length > bytes.length) refuse("its header is cut short");
  const text = bytes.subarray(PREFIX, PREFIX + length);
  const why = headerLimit === OWN_HEADER_LIMIT ? undefined : whyNotParse(text);
  if (why !== undefined) refuse(why);
  let parsed: unknown;
  try {
    parsed = JSON.parse(decoder.decode(text));
  } catch {
    refuse("its header is not JSON");
  }
  if (typeof parsed !== "object" || parsed === null || Array.isArray(parsed)) {
    refuse("its header is not an object");
  }
  const { values: layout, ...header } = parsed as Record<string, unknown>;
  const known = readLayout(layout);
  if (!mayPack && (known.symmetric ?? known.diagonal) !== undefined) {
    refuse("its vector is packed");
  }
  const stored = storedCount(known);
  const { bytes: extra = 0 } = known;
  if (bytes.length !== PREFIX + length + WIDTH * stored + extra) {
    refuse("its vector has another length");
  }
  const packed = new Float64Array(stored);
  let at = PREFIX + length;
  for (let i = 0; i < stored; i++, at += WIDTH) packed[i] = view.getFloat64(at, true);
  return { header, values: unpack(packed, known), bytes: bytes.slice(at) };
}

function refuse(what: string): never {
  throw new DataError(`frame: ${what}; nothing was taken from it.`);
}

/** Looks whether the vector begins with a diagonal or a symmetric matrix, bit for bit. */
function layoutOf(values: Float64Array): Layout {
  const count = values.length;
  const n = Math.floor(Math.sqrt(count));
  if (n < 3 || count > n * n + n) return { count };
  const bits = new Uint32Array(values.buffer, values.byteOffset, 2 * count);
  let diagonal = true;
  for (let i = 0; i < n; i++) {
    for (let j = i + 1; j < n; j++) {
      const [upper, lower] = [2 * (i * n + j), 2 * (j * n + i)];
      if (bits[upper] !== bits[lower] || bits[upper + 1] !== bits[lower + 1]) return { count };
      if (bits[upper] !== 0 || bits[upper + 1] !== 0) diagonal = false;
    }
  }
  return diagonal ? { count, diagonal: n } : { count, symmetric: n };
}

function readLayout(value: unknown): Layout {
  const layout = (value ?? {}) as Partial<Record<keyof Layout, unknown>>;
  const { count, symmetric, diagonal, bytes } = layout;
  const whole = (x: unknown): x is number => Number.isInteger(x) && (x as number) >= 0;
  const orders = [symmetric, diagonal].filter((order) => order !== undefined);
  if (!whole(count) || count > COUNT_LIMIT || orders.length > 1) refuse("its layout is unknown");
  if (orders.some((order) => !whole(order) || order * order > count))
    refuse("its layout is unknown");
  if (bytes !== undefined && !whole(bytes)) refuse("its layout is unknown");
  return { count, symmetric, diagonal, bytes } as Layout;
}

function storedCount({ count, symmetric, diagonal }: Layout): number {
  if (symmetric !== undefined) return count - (symmetric * (symmetric - 1)) / 2;
  return diagonal === undefined ? count : count - diagonal * (diagonal - 1);
}

function pack(values: Float64Array, layout: Layout): Float64Array {
  const n = layout.symmetric ?? layout.diagonal;
  if (n === undefined) return values;
  const packed = new Float64Array(storedCount(layout));
  let at = 0;
  for (let i = 0; i < n; i++) {
    const to = layout.symmetric === undefined ? i + 1 : n;
    for (let j = i; j < to; j++) packed[at++] = values[i * n + j]!;
  }
  packed.set(values.subarray(n * n), at);
  return packed;
}

function unpack(packed: Float64Array, layout: Layout): Float64Array {
  const n = layout.symmetric ?? layout.diagonal;
  if (n === undefined) return packed;
  const values = new Float64Array(layout.count);
  let at = 0;
  for (let i = 0; i < n; i++) {
    const to = layout.symmetric === undefined ? i + 1 : n;
    for (let j = i; j < to; j++) {
      values[i * n + j] = values[j * n + i] = packed[at++]!;
    }
  }
  values.set(packed.subarray(at), n * n);
  return values;
}
