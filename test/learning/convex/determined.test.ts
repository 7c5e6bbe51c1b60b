/**
 * Whether a group-sparse minimiser is the only one, on data of which that is known.
 */
import { expect, test } from "vitest";
import { TaskSet } from "../../../src/data/index.js";
import { seededUniforms } from "../../../src/data/split/shuffle.js";
import { isDetermined } from "../../../src/learning/convex/splitting/determined.js";
import { initialize } from "../../../src/core/index.js";

const uniform = seededUniforms("determined", "rows");

/** Tasks of random rows, the first four columns of which may be two sets of dummies, constant within a task. */
function tasksOf(m: number, n: number, withDummies: boolean) {
  const dummies = (i: number) => [i % 2, 1 - (i % 2), Number(i % 3 > 0), Number(i % 3 === 0)];
  return TaskSet.from(
    Array.from({ length: m }, (_, i) => ({
      name: `t${i}`,
      x: Array.from({ length: n }, () => [
        ...(withDummies ? dummies(i) : Array.from({ length: 4 }, uniform)),
        uniform(),
        uniform(),
      ]),
      y: Array.from({ length: n }, uniform),
    })),
  );
}

/** Weights that are not zero, of dummies in proportion to their row's size, as at a minimiser: any size of either set does. */
const weightsOf = (m: number) =>
  Float64Array.from({ length: 6 * m }, (_, at) => (at % 6 < 4 ? 0.5 : 1 + uniform()));

test("tasks whose rows tell their features apart have one, though each has fewer rows than features", async () => {
  await initialize();
  const data = tasksOf(12, 2, false);
  expect(isDetermined(data, weightsOf(12), false)).toBe(true);
  expect(isDetermined(data, weightsOf(12), true)).toBe(true);
});

test("two sets of dummies that are constant within tasks trade their sizes, but for rows that are zero", async () => {
  await initialize();
  const data = tasksOf(12, 8, true);
  const weights = weightsOf(12);
  expect(isDetermined(data, weights, false)).toBe(false);
  const one = weights.map((value, at) => (at % 6 < 2 ? 0 : value));
  expect(isDetermined(data, one, false)).toBe(true);
  // Free intercepts take up what is constant, of which nothing is then told.
  expect(isDetermined(data, one, true)).toBe(false);
  expect(isDetermined(data, new Float64Array(weights.length), false)).toBe(true);
});
