import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  nothingKnown,
  surelyFallsBack,
} from "../../../src/learning/local-selection/early-fallback.js";
import { fallsBack } from "../../../src/learning/local-selection/fallback.js";
import { FALLBACK } from "../../../src/learning/local-selection/thresholds.js";

const { errors } = FALLBACK.rounds;

/** Sums of the first `known` rows' losses. */
function summary(shared: readonly number[], singleTask: readonly number[], known: number) {
  const of = nothingKnown(shared.length);
  singleTask.forEach((own, j) => {
    of.own += own;
    of.ownSquares += own * own;
    if (j >= known) return;
    of.sum += shared[j]!;
    of.squares += shared[j]! ** 2;
    of.products += shared[j]! * own;
  });
  return of;
}

const falls = (shared: readonly number[], singleTask: readonly number[]) =>
  fallsBack(
    {
      loss: "squared",
      offsets: Uint32Array.of(0, shared.length),
      shared: Float64Array.from(shared),
      singleTask: Float64Array.from(singleTask),
    },
    FALLBACK.rounds,
  )[0] === 1;

/** Losses of many sizes, 0 among them. */
const loss = fc.oneof(
  fc.constant(0),
  fc.double({ min: -8, max: 8, noNaN: true }).map((power) => 10 ** power),
  fc.double({ min: 0, max: 3, noNaN: true }),
);
const row = fc.record({ shared: loss, factor: fc.constantFrom(1, 3, 30), singleTask: loss });

describe("a task that falls back whatever its other rows say", () => {
  test("does so under losses of any size of these rows", () => {
    let sure = 0;
    fc.assert(
      fc.property(
        fc.array(row, { minLength: 2, maxLength: 24 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.array(loss, { minLength: 24, maxLength: 24 }),
        (rows, part, others) => {
          const known = Math.floor(part * (rows.length + 1));
          const singleTask = rows.map((of) => of.singleTask);
          const shared = rows.map((of) => of.factor * of.shared);
          if (!surelyFallsBack(summary(shared, singleTask, known), errors)) return;
          sure++;
          const completed = (rest: (j: number) => number) =>
            shared.map((of, j) => (j < known ? of : rest(j)));
          const total = shared.slice(0, known).reduce((a, b) => a + b, 0);
          expect(
            falls(
              completed(() => 0),
              singleTask,
            ),
          ).toBe(true);
          expect(
            falls(
              completed((j) => others[j]!),
              singleTask,
            ),
          ).toBe(true);
          // All that is left in one row, about as much as is known, less and more, and more than can be counted.
          for (const times of [0.01, 0.3, 1, 3, 30, 1e300, Infinity, NaN]) {
            const one = completed((j) => (j === known ? times * total : 0));
            expect(falls(one, singleTask)).toBe(true);
          }
        },
      ),
      { numRuns: 3000, seed: 4 },
    );
    expect(sure).toBeGreaterThan(100);
  });

  test("is told from rows that lose far more, and not from rows that might lose less", () => {
    const singleTask = Array.from({ length: 30 }, (_, j) => 1 + (j % 3));
    const far = singleTask.map((own) => 20 * own);
    expect(surelyFallsBack(summary(far, singleTask, 12), errors)).toBe(true);
    // Their sum is below that of the single-task model: with zeros on the rest, the task would keep the shared one.
    const near = singleTask.map((own) => 2 * own);
    expect(
      falls(
        near.map((of, j) => (j < 12 ? of : 0)),
        singleTask,
      ),
    ).toBe(false);
    expect(surelyFallsBack(summary(near, singleTask, 12), errors)).toBe(false);
  });

  test.each([0, Infinity, NaN])("is never told where losses are %d", (value) => {
    const ones = new Array<number>(10).fill(1);
    const odd = ones.map((one, j) => (j === 0 ? value : 1e6 * one));
    const all = new Array<number>(10).fill(value);
    expect(surelyFallsBack(summary(value === 0 ? all : odd, ones, 10), errors)).toBe(false);
    expect(surelyFallsBack(summary(odd, value === 0 ? all : odd, 10), errors)).toBe(false);
  });
});
