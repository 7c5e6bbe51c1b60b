/**
 * The safetensors container, F64 tensors only: an 8-byte little-endian header length, a JSON
 * header, then the raw little-endian data.
 * @module
 */
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

interface HeaderEntry {
  dtype: string;
  shape: number[];
  data_offsets: [number, number];
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
  const start = PREFIX + headerLength;
  const tensors: Record<string, Tensor> = {};
  for (const [name, entry] of Object.entries(header)) {
    if (name === "__metadata__") continue;
    tensors[name] = readTensor(name, entry as HeaderEntry, view, start);
  }
  return { tensors, metadata: (header["__metadata__"] ?? {}) as Record<string, string> };
}

function readTensor(name: string, entry: HeaderEntry, view: DataView, start: number): Tensor {
  const { dtype, shape, data_offsets: offsets } = entry;
  if (dtype !== "F64" || !Array.isArray(shape) || !Array.isArray(offsets)) {
    refuse(`tensor "${name}" is not F64`);
  }
  const length = shape.reduce((product, size) => product * size, 1);
  const [from, to] = offsets;
  if (!(from >= 0) || to - from !== length * WIDTH || start + to > view.byteLength) {
    refuse(`tensor "${name}" does not fit the file`);
  }
  const data = new Float64Array(length);
  for (let i = 0; i < length; i++) data[i] = view.getFloat64(start + from + i * WIDTH, true);
  return { shape, data };
}
