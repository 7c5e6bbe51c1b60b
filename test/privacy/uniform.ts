/**
 * Numbers spread evenly over an interval: fast-check's doubles are spread over bit patterns, nearly all close to 0.
 * @module
 */
import fc from "fast-check";

const STEPS = 2 ** 30;

/** Even on [min, max], ends included. */
export function uniform(min: number, max: number): fc.Arbitrary<number> {
  return fc.integer({ min: 0, max: STEPS }).map((k) => min + (max - min) * (k / STEPS));
}

/** 10^x with x even on [min, max]. */
export function powersOfTen(min: number, max: number): fc.Arbitrary<number> {
  return uniform(min, max).map((x) => 10 ** x);
}
