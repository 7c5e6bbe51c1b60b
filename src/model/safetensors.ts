/**
 * The safetensors container, F64 tensors only: an 8-byte little-endian header length, a JSON
 * header, then the raw little-endian data.
 * @module
 */
import { isObject } from "../core/is-object.js";
import { DataError } from "../core/index.js";

/** A named float64 tensor. */
export interface Tensor {
  readonly shape: readonly number[];
  readonly data: Float64Array;
}

/** Tensors and string metadata, as in a file. */
export interface TensorFile {
  readonly tensors: Readonly<Record<string, Tensor>>;
  readonly metadata: Readonly<Record<string, string>>;
}

const PREFIX = 8;
const WIDTH = 8;
/** The format's own limit on headers. */
const HEADER_LIMIT = 100_000_000;

/** Encodes tensors and metadata; the header is padded so that the data is 8-byte aligned. */
export function encodeSafetensors({ tensors, metadata }: TensorFile): Uint8Array<ArrayBuffer> {
  const header: Record<string, unknown> = { __metadata__: metadata };
  let offset = 0;
  for (const [name, { shape, data }] of Object.entries(tensors)) {
    const end = offset + data.length * WIDTH;
    header[name] = { dtype: "F64", shape, data_offsets: [offset, end] };
    offset = end;
  }
  let text = JSON.stringify(header);
  const encoder = new TextEncoder();
  text += " ".repeat((WIDTH - (encoder.encode(text).length % WIDTH)) % WIDTH);
  const head = encoder.encode(text);
  const bytes = new Uint8Array(PREFIX + head.length + offset);
  const view = new DataView(bytes.buffer);
  view.setBigUint64(0, BigInt(head.length), true);
  bytes.set(head, PREFIX);
  let at = PREFIX + head.length;
  for (const { data } of Object.values(tensors)) {
    for (const value of data) {
      view.setFloat64(at, value, true);
      at += WIDTH;
    }
  }
  return bytes;
}

function refuse(what: string): never {
  throw new DataError(`model file: ${what}; expected a safetensors file written by mp-mtl.`);
}

/**
 * Decodes a safetensors file of F64 tensors.
 * @throws DataError if the file is cut short, its header is not JSON, or a tensor does not fit it.
 */
export function decodeSafetensors(bytes: Uint8Array): TensorFile {
  if (bytes.length < PREFIX) refuse(`${bytes.length} bytes is too short`);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const headerLength = Number(view.getBigUint64(0, true));
  if (headerLength > HEADER_LIMIT || PREFIX + headerLength > bytes.length) {
    refuse("its header does not fit the file");
  }
  let header: Record<string, unknown>;
  try {
    const text = new TextDecoder("utf-8", { fatal: true });
    header = JSON.parse(text.decode(bytes.subarray(PREFIX, PREFIX + headerLength))) as never;
  } catch {
    refuse("its header is not JSON");
  }
  if (!isObject(header)) refuse("its header is not an object");
  const metadata = header["__metadata__"] ?? {};
  if (!isObject(metadata) || Object.values(metadata).some((text) => typeof text !== "string")) {
    refuse("its metadata is not text");
  }
  const start = PREFIX + headerLength;
  const places = Object.entries(header)
    .filter(([name]) => name !== "__metadata__")
    .map(([name, entry]) => placeOf(name, entry))
    .sort((a, b) => a.from - b.from || a.to - b.to);
  // As the format has it: one after the other, without gaps, to the end.
  let end = 0;
  for (const { name, from, to } of places) {
    if (from !== end)
      refuse(`tensor ${JSON.stringify(name)} does not begin where the one before ends`);
    end = to;
  }
  if (start + end !== view.byteLength) refuse("its tensors do not fill the file");
  const tensors = places.map(({ name, shape, from, to }) => {
    const data = new Float64Array((to - from) / WIDTH);
    for (let i = 0; i < data.length; i++) data[i] = view.getFloat64(start + from + i * WIDTH, true);
    return [name, { shape, data }] as const;
  });
  return { tensors: Object.fromEntries(tensors), metadata: metadata as Record<string, string> };
}

interface Place {
  name: string;
  shape: number[];
  from: number;
  to: number;
}

/** What the header says of a tensor. */
function placeOf(name: string, entry: unknown): Place {
  const quoted = JSON.stringify(name);
  const { dtype, shape, data_offsets: offsets } = isObject(entry) ? entry : {};
  if (dtype !== "F64" || !Array.isArray(shape) || !Array.isArray(offsets)) {
    refuse(`tensor ${quoted} is not F64`);
  }
  const isSize = (value: unknown) => Number.isSafeInteger(value) && (value as number) >= 0;
  const length = (shape as number[]).reduce((product, size) => product * size, 1);
  const [from, to] = offsets as [number, number];
  const sizes = [...(shape as unknown[]), from, to, length];
  if (offsets.length !== 2 || !sizes.every(isSize) || to - from !== length * WIDTH) {
    refuse(`tensor ${quoted} is not as long as its shape says`);
  }
  return { name, shape: shape as number[], from, to };
}
