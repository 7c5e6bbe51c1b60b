import { expect, test } from "vitest";
import { BatchRoom } from "../../../../../src/learning/tasks/own-models/sparse/batch-room.js";

/** Numbers of a block. */
const BLOCK = 2 ** 16;

test("arrays of a batch are zeros that do not overlap", () => {
  const room = new BatchRoom();
  const arrays = [3, 0, 5, BLOCK - 2, 7].map((n) => room.zeros(n));
  expect(arrays.map(({ length }) => length)).toEqual([3, 0, 5, BLOCK - 2, 7]);
  arrays.forEach((array, k) => array.fill(k + 1));
  arrays.forEach((array, k) => expect(array.every((value) => value === k + 1)).toBe(true));
  room.close();
});

test("the next batch has the blocks of the one that was closed, as zeros", () => {
  const one = new BatchRoom();
  const { buffer } = one.zeros(4).fill(7);
  one.close();
  const next = new BatchRoom();
  const array = next.zeros(9);
  expect(array.buffer).toBe(buffer);
  expect([...array]).toEqual(Array.from({ length: 9 }, () => 0));
  next.close();
});

test("batches at one time share no block, nor do arrays of a batch that was closed twice", () => {
  const [one, other] = [new BatchRoom(), new BatchRoom()];
  expect(one.zeros(4).buffer).not.toBe(other.zeros(4).buffer);
  one.close();
  one.close();
  const [third, fourth] = [new BatchRoom(), new BatchRoom()];
  expect(third.zeros(4).buffer).not.toBe(fourth.zeros(4).buffer);
  for (const room of [other, third, fourth]) room.close();
});

test("an array of more than a block is none of the blocks", () => {
  const room = new BatchRoom();
  expect(room.zeros(BLOCK + 1).buffer.byteLength).toBe(8 * (BLOCK + 1));
  room.close();
});
