/** Votes on where a column's values lie: unit length, no negative entries, and found again as finely as the values lie together. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  cellOf,
  cellsOf,
  digitSizes,
  FINEST,
  LOCATION_BINS,
  locationVote,
} from "../../../../../src/learning/families/mixed/undeclared/location-code.js";
import { electedLocation } from "../../../../../src/learning/families/mixed/undeclared/location-election.js";
import {
  cellBelief,
  magnitudeBelief,
  spreadBelief,
} from "../../../../../src/learning/families/mixed/undeclared/scale-beliefs.js";
import { MAGNITUDE } from "../../../../../src/learning/votes/size-votes.js";
import { SPREAD } from "../../../../../src/learning/families/mixed/undeclared/scale-votes.js";
import { generator } from "../tasks.js";

const half = 3;

/** Rows of a task around a center. */
const around = (center: number, spread: number) =>
  Float64Array.from([-1, 1, -1, 1], (side) => center + side * spread * Math.sqrt(3 / 4));

describe("a vote", () => {
  test("has norm 1 and no negative entries, whatever the values", () => {
    const values = fc.array(fc.double({ min: -4, max: 4, noNaN: true }), {
      minLength: 1,
      maxLength: 5,
    });
    fc.assert(
      fc.property(values, (list) => {
        const vote = locationVote(Float64Array.from(list), half);
        const outside = Math.abs(list.reduce((a, b) => a + b) / list.length) > 1.125 * half + 1e-9;
        expect(vote === undefined).toBe(outside);
        if (!vote) return;
        expect(vote.every((x) => x >= 0)).toBe(true);
        expect(vote.reduce((sum, x) => sum + x * x, 0)).toBeCloseTo(1, 12);
      }),
      { seed: 3, numRuns: 300 },
    );
  });

  test("has as many digits as its values lie close together", () => {
    for (let level = 0; level <= FINEST; level++) {
      const vote = locationVote(around(0.7, 0.5 * cellOf(half, level)), half)!;
      expect(vote.findLastIndex((x) => x > 1e-6)).toBeLessThan(9 + 8 * level);
      expect(vote.findLastIndex((x) => x > 1e-6)).toBeGreaterThanOrEqual(1 + 8 * level);
      expect(digitSizes(level).reduce((sum, size) => sum + size * size, 0)).toBeCloseTo(1, 14);
    }
    expect(locationVote(Float64Array.of(0.7, 0.7), half)!.subarray(9)).toEqual(
      new Float64Array(LOCATION_BINS - 9),
    );
  });
});

describe("the place that tasks speak for", () => {
  test("is found to a bin of the level that they vote on, by any three of four noises", () => {
    const next = generator(5);
    let missed = 0;
    const asked = fc.record({
      center: fc.double({ min: -0.9 * half, max: 0.9 * half, noNaN: true }),
      level: fc.integer({ min: 0, max: FINEST }),
    });
    // 100 tasks, noise of an eighth of them: missed once in some hundred; at most 3 of 60 by the fixed seed.
    fc.assert(
      fc.property(asked, ({ center, level }) => {
        const spread = 0.4 * cellOf(half, level);
        const counts = new Float64Array(LOCATION_BINS);
        for (let i = 0; i < 100; i++) {
          const own = locationVote(around(center + 0.3 * spread * next(), spread), half)!;
          own.forEach((x, b) => (counts[b]! += x));
        }
        const noisy = counts.map((x) => x + 12 * next());
        const found = electedLocation({ counts: noisy, deviation: 12 }, half);
        if (Math.abs(found.center - center) > cellOf(half, level)) missed++;
        const exact = electedLocation({ counts, deviation: 0.1 }, half);
        expect(Math.abs(exact.center - center)).toBeLessThan(0.3 * cellOf(half, level));
      }),
      { seed: 4, numRuns: 60 },
    );
    expect(missed).toBeLessThanOrEqual(3);
  });

  test("is among calendar years where a column is of their size and votes are lost in noise", () => {
    const nothing = { counts: new Float64Array(LOCATION_BINS), deviation: 1 };
    expect(electedLocation(nothing, half).level).toBe(0);
    const years = electedLocation(nothing, 2400);
    expect(years.center).toBeGreaterThan(1940);
    expect(years.center).toBeLessThan(2040);
  });
});

describe("beliefs", () => {
  test("on places sum to 1 over the cells of all levels, or little less where years lie at the window's edge", () => {
    for (const [size, least] of [
      [half, 0.999],
      [2400, 0.99],
    ] as const) {
      // prettier-ignore
      let total = 0;
      for (let level = 0; level <= FINEST; level++) {
        for (let cell = 0; cell < cellsOf(level); cell++) {
          const value = (cell + 1 / 2) * cellOf(size, level) - size;
          total += Math.exp(cellBelief(level, size)(value));
        }
      }
      expect(total).toBeGreaterThan(least);
      expect(total).toBeLessThan(1.01);
    }
  });

  test("on magnitudes and spreads are finite at every position", () => {
    for (let position = 0; position < MAGNITUDE.bins; position += 1 / 8)
      expect(magnitudeBelief(position)).toBeGreaterThan(-20);
    for (let level = 0; level <= FINEST; level++)
      for (let position = 0; position < SPREAD.bins; position += 1 / 8)
        expect(spreadBelief(position, level)).toBeGreaterThan(-20);
  });
});
