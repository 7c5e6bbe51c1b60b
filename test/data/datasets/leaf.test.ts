/** LEAF's files: FEMNIST's lists of pixels and CelebA's names of images, in parts, and what is wrong with some. */
import { describe, expect, test } from "vitest";
import { leafTasks, parseLeaf, type LeafDocument } from "../../../src/data/index.js";

const pixels = (value: number) => Array.from({ length: 784 }, (_, k) => (k % 7 === 0 ? value : 1));
const femnist = (...writers: string[]): LeafDocument => ({
  users: writers,
  num_samples: writers.map((_, i) => 2 + i),
  user_data: Object.fromEntries(
    writers.map((writer, i) => [
      writer,
      {
        x: Array.from({ length: 2 + i }, (_, j) => pixels((i + j) / 10)),
        y: Array.from({ length: 2 + i }, (_, j) => 61 - i - j),
      },
    ]),
  ),
});

describe("FEMNIST", () => {
  test("one task a writer, 784 pixels, classes as they are, over several parts", () => {
    const text = JSON.stringify({ hierarchies: [], ...femnist("f0000_14", "f0001_41") });
    const tasks = leafTasks([parseLeaf(text), femnist("f2000_01")]);
    expect(tasks.names).toEqual(["f0000_14", "f0001_41", "f2000_01"]);
    expect([tasks.m, tasks.d, tasks.size]).toEqual([3, 784, 7]);
    const [, second] = [...tasks];
    expect(Array.from(second!.y)).toEqual([60, 59, 58]);
    expect(Array.from(second!.x.subarray(784, 784 + 8))).toEqual([0.2, 1, 1, 1, 1, 1, 1, 0.2]);
  });

  test("writers of few rows can be left out", () => {
    expect(leafTasks(femnist("a", "b", "c"), { leastRows: 3 }).names).toEqual(["b", "c"]);
    expect(() => leafTasks(femnist("a"), { leastRows: 3 })).toThrow("3 rows or more, found none");
  });
});

test("CelebA: names of images are read by the caller", () => {
  const document = parseLeaf(
    '{"users":["12"],"num_samples":[2],"user_data":{"12":{"x":["000001.jpg","000007.jpg"],"y":[1,0]}}}',
  );
  const image = (x: unknown) => new Float32Array([Number(String(x).slice(0, 6)) / 100, 0.5]);
  const [task] = [...leafTasks(document, { features: image })];
  expect(Array.from(task!.x)).toEqual([Math.fround(0.01), 0.5, Math.fround(0.07), 0.5]);
  expect(Array.from(task!.y)).toEqual([1, 0]);
  expect(() => leafTasks(document)).toThrow('user "12": row 0: expected x to be a list');
});

const row = (x: unknown, y: unknown, more: object = {}) => ({
  users: ["u"],
  user_data: { u: { x, y } },
  ...more,
});

test.each([
  [row([[1]], [1, 2]), "got 1 x, 2 y"],
  [row([[1]], [1], { num_samples: [3] }), "num_samples 3"],
  [row([[1], [1, 2]], [1, 2]), 'user "u": row 1: expected 1 features, got 2'],
  [row([[1], [null]], [1, 2]), "row 1: expected finite numbers"],
  [row([[1]], ["a"]), "row 0: expected a finite number as target"],
  [row([[1]], "a"), "lists x and y"],
  [{ users: ["toString"], user_data: {} }, "lists x and y"],
  [{ users: ["u", "u"], user_data: { u: { x: [[1]], y: [1] } } }, "found again"],
  [{ users: [1], user_data: {} }, "expected an object with users"],
  [null, "expected an object with users"],
])("refuses %j", (document, text) => {
  expect(() => leafTasks(document as LeafDocument)).toThrow(text);
});

test("refuses what is not JSON", () => {
  expect(() => parseLeaf('{"users": [')).toThrow("expected JSON");
});
