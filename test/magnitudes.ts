/**
 * Vectors of every magnitude that a number can have, for properties of norms.
 * @module
 */
import fc from "fast-check";

const times = (x: number, exponent: number) => {
  const half = Math.trunc(exponent / 2);
  return x * 2 ** half * 2 ** (exponent - half);
};

/** From 5e-324 to 1.7e308, most entries of a vector alike in size. */
export const vectorOf = (sizes: { minLength: number; maxLength: number }) =>
  fc
    .record({
      exponent: fc.oneof(
        fc.integer({ min: -1074, max: 1023 }),
        // Where squares lose digits, vanish and overflow, and where numbers end.
        fc.integer({ min: -560, max: -480 }),
        fc.integer({ min: 490, max: 530 }),
        fc.integer({ min: 990, max: 1023 }),
      ),
      entries: fc.array(
        fc.tuple(
          fc.double({ min: -1.9, max: 1.9, noNaN: true }),
          fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, fc.integer({ min: 0, max: 2000 })),
        ),
        sizes,
      ),
    })
    .map(({ exponent, entries }) =>
      Float64Array.from(entries, ([part, below]) => times(part, Math.max(exponent - below, -1074))),
    );

/** How much longer than a bound of d numbers a vector may be: what noise is calibrated to (`computed-statistic.ts`). */
export const rounding = (d: number) => 1 + (d + 4) * 2 ** -52;
