/**
 * The arrays of tasks as they cross to another thread: as buffers with a place in them. Of a view of memory that begins or
 * ends beyond 2 or 4 GiB V8 sends 32 bits of where it lies, so that it arrives as another one, or not at all.
 * @module
 */
import type { TaskArrays } from "../../data/index.js";

/** Numbers within a buffer. */
export interface Stretch {
  readonly buffer: ArrayBufferLike;
  readonly byteOffset: number;
  readonly length: number;
}

/** Task arrays whose long arrays are stretches. */
export interface CrossingArrays extends Omit<
  TaskArrays,
  "x" | "sparse" | "y" | "persons" | "sampleWeights"
> {
  readonly x: Stretch | undefined;
  readonly sparse: Readonly<Record<"starts" | "columns" | "values", Stretch>> | undefined;
  readonly y: Stretch;
  readonly persons: Stretch | undefined;
  readonly sampleWeights: Stretch | undefined;
}

/** Arrays to be sent, and what of them is to be transferred. */
export interface Parcel {
  readonly arrays: CrossingArrays;
  readonly transfer: readonly ArrayBuffer[];
}

/**
 * Packs arrays that are stretches of longer ones. What lies in shared memory stays where it is; of the rest copies go, so that
 * the message does not carry the rows of other tasks along.
 * @param memory gives shared memory of so many bytes for the copies; without any they are sent.
 */
export function packArrays(
  { x, sparse, y, persons, sampleWeights, ...rest }: TaskArrays,
  memory?: (bytes: number) => SharedArrayBuffer | undefined,
): Parcel {
  const long = [x, sparse?.starts, sparse?.columns, sparse?.values, y, persons, sampleWeights];
  const bytes = long.reduce((sum, array) => sum + (array ? bytesToCopy(array) : 0), 0);
  const shared = bytes > 0 ? memory?.(bytes) : undefined;
  const transfer: ArrayBuffer[] = [];
  let end = 0;
  const pack = (array: Float64Array | Uint32Array): Stretch => {
    const { buffer, byteOffset, length } = array;
    if (!(buffer instanceof ArrayBuffer)) return { buffer, byteOffset, length };
    if (shared) {
      const at = end;
      end += bytesToCopy(array);
      const place = { buffer: shared, byteOffset: at, length };
      if (array instanceof Float64Array) f64(place).set(array);
      else u32(place).set(array);
      return place;
    }
    const copy = array.slice().buffer as ArrayBuffer;
    transfer.push(copy);
    return { buffer: copy, byteOffset: 0, length };
  };
  const arrays = {
    ...rest,
    x: x && pack(x),
    sparse: sparse && {
      starts: pack(sparse.starts),
      columns: pack(sparse.columns),
      values: pack(sparse.values),
    },
    y: pack(y),
    persons: persons && pack(persons),
    sampleWeights: sampleWeights && pack(sampleWeights),
  };
  return { arrays, transfer };
}

/** Bytes of a copy, which the next may follow; none of what threads share. */
const bytesToCopy = ({ buffer, byteLength }: Float64Array | Uint32Array): number =>
  buffer instanceof ArrayBuffer ? 8 * Math.ceil(byteLength / 8) : 0;

const f64 = ({ buffer, byteOffset, length }: Stretch) =>
  new Float64Array(buffer, byteOffset, length);
const u32 = ({ buffer, byteOffset, length }: Stretch) =>
  new Uint32Array(buffer, byteOffset, length);

/** The arrays on the other side. */
export function unpackArrays({
  x,
  sparse,
  y,
  persons,
  sampleWeights,
  ...rest
}: CrossingArrays): TaskArrays {
  return {
    ...rest,
    x: x && f64(x),
    sparse: sparse && {
      starts: u32(sparse.starts),
      columns: u32(sparse.columns),
      values: f64(sparse.values),
    },
    y: f64(y),
    persons: persons && u32(persons),
    sampleWeights: sampleWeights && f64(sampleWeights),
  };
}
