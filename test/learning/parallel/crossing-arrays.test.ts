/** Arrays on their way to another thread: what arrives, what is copied, and that none is sent as a view. */
import { expect, test } from "vitest";
import type { TaskArrays } from "../../../src/data/index.js";
import { packArrays, unpackArrays } from "../../../src/learning/parallel/crossing-arrays.js";

const shared = (values: readonly number[]) => {
  const array = new Float64Array(new SharedArrayBuffer(8 * values.length));
  array.set(values);
  return array;
};
const common = {
  names: ["a", "b"],
  featureNames: ["f", "g"],
  targetName: "y",
  offsets: Uint32Array.of(0, 1, 2),
  standFor: Float64Array.of(3, 4),
};
const whole = [9, 1, 2, 3, 4, 9];

test("dense rows arrive as they are, as copies that are transferred", () => {
  const arrays: TaskArrays = {
    ...common,
    x: Float64Array.from(whole).subarray(1, 5),
    y: Float64Array.of(5, 6),
    persons: Uint32Array.of(7, 7),
    sampleWeights: Float64Array.of(1, 2),
  };
  const { arrays: sent, transfer } = packArrays(arrays);
  expect(transfer.map(({ byteLength }) => byteLength)).toEqual([32, 16, 8, 16]);
  const moved = structuredClone(sent, { transfer: [...transfer] });
  expect(unpackArrays(moved)).toEqual({ ...arrays, sparse: undefined });
  // The caller's are still there.
  expect([...arrays.x!, ...arrays.y]).toEqual([1, 2, 3, 4, 5, 6]);
});

test("sparse rows arrive as they are", () => {
  const sparse = {
    starts: Uint32Array.of(0, 1, 2),
    columns: Uint32Array.of(1, 0),
    values: Float64Array.of(0.5, 0.25),
  };
  const arrays: TaskArrays = { ...common, sparse, y: Float64Array.of(5, 6) };
  const { arrays: sent, transfer } = packArrays(arrays);
  expect(unpackArrays(structuredClone(sent, { transfer: [...transfer] }))).toMatchObject(arrays);
});

test("copies go into shared memory that is given for them, behind one another", () => {
  const arrays: TaskArrays = {
    ...common,
    sparse: {
      starts: Uint32Array.of(0, 1, 3),
      columns: Uint32Array.of(1, 0, 1),
      values: Float64Array.of(0.5, 0.25, 0.125),
    },
    y: Float64Array.of(5, 6),
    persons: Uint32Array.of(7, 7),
    sampleWeights: shared([1, 2]),
  };
  const memory = new SharedArrayBuffer(128);
  const asked: number[] = [];
  const { arrays: sent, transfer } = packArrays(arrays, (bytes) => {
    asked.push(bytes);
    return memory;
  });
  // Each begins at a multiple of eight bytes; weights are shared already.
  expect(asked).toEqual([16 + 16 + 24 + 16 + 8]);
  expect(transfer).toEqual([]);
  expect(unpackArrays(sent)).toEqual({ ...arrays, x: undefined });
  expect([sent.y.buffer, sent.sparse!.columns.buffer]).toEqual([memory, memory]);
  expect(sent.sampleWeights!.buffer).toBe(arrays.sampleWeights!.buffer);
});

test("nothing is asked for where all is shared", () => {
  const memory = () => expect.unreachable();
  packArrays({ ...common, x: shared(whole).subarray(1, 5), y: shared([5, 6]) }, memory);
});

test("shared memory stays where it is, wherever in it a stretch begins", () => {
  const x = shared(whole);
  const arrays: TaskArrays = { ...common, x: x.subarray(1, 5), y: shared([5, 6]) };
  const { arrays: sent, transfer } = packArrays(arrays);
  expect(transfer).toEqual([]);
  const { x: there } = unpackArrays(sent);
  expect([...there!]).toEqual([1, 2, 3, 4]);
  x[1] = 8;
  expect(there![0]).toBe(8);
});

test("no view is sent: V8 keeps 32 bits of where one begins", () => {
  const { arrays } = packArrays({ ...common, x: shared(whole).subarray(1, 5), y: shared([5, 6]) });
  const long = [arrays.x, arrays.y];
  expect(long.some((array) => ArrayBuffer.isView(array))).toBe(false);
});
