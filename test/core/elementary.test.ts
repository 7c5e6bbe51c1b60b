/**
 * The elementary functions against 180-bit integer arithmetic, and at the edges of their ranges.
 */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import * as math from "../../src/core/elementary.js";

const BITS = 180n;
const ONE = 1n << BITS;

/** A double as a fixed-point number of 180 fractional bits; |x| < 2^60. Exact for |x| >= 2^-127. */
function fixed(x: number): bigint {
  let value = x;
  let shift = 0n;
  while (!Number.isInteger(value)) {
    value *= 2;
    shift++;
  }
  return (BigInt(value) << BITS) >> shift;
}

/** e^x by Taylor's series at x / 2^20, squared 20 times. */
function exactExp(x: bigint): bigint {
  const small = x >> 20n;
  let term = ONE;
  let sum = ONE;
  for (let n = 1n; term !== 0n && n < 60n; n++) {
    term = (term * small) / (n << BITS);
    sum += term;
  }
  for (let i = 0; i < 20; i++) sum = (sum * sum) >> BITS;
  return sum;
}

/** The spacing of doubles at x, as a fixed-point number. */
function ulp(x: number): bigint {
  const exponent = Math.max(-1022, Math.floor(Math.log2(Math.abs(x))));
  const power = BITS + BigInt(exponent - 52);
  return power > 0n ? 1n << power : 1n;
}

const size = (x: bigint) => (x < 0n ? -x : x);
/** Error in hundredths of a unit in the last place. */
const hundredths = (got: number, want: bigint) =>
  Number((100n * size(fixed(got) - want)) / ulp(got));

const moderate = fc.double({ min: -30, max: 30, noNaN: true }).filter((x) => Math.abs(x) > 1e-9);

describe("against integer arithmetic", () => {
  test("exp within 1 ulp", () => {
    fc.assert(fc.property(moderate, (x) => hundredths(math.exp(x), exactExp(fixed(x))) <= 100));
  });

  test("expm1 within 2 ulp, near 0 too", () => {
    const small = fc.double({ min: -1, max: 1, noNaN: true }).filter((x) => Math.abs(x) > 1e-9);
    const check = (x: number) => hundredths(math.expm1(x), exactExp(fixed(x)) - ONE) <= 200;
    fc.assert(fc.property(moderate, check));
    fc.assert(fc.property(small, check));
  });

  test("log within 1 ulp: e^log(x) misses x by no more than that changes it", () => {
    const positive = fc.double({ min: 1e-8, max: 1e8, noNaN: true });
    fc.assert(
      fc.property(positive, (x) => {
        const y = math.log(x);
        // d e^y = x dy: compare in the logarithm, relative to its own spacing.
        const miss = ((exactExp(fixed(y)) - fixed(x)) << BITS) / fixed(x);
        return Number((100n * size(miss)) / ulp(y)) <= 100;
      }),
    );
  });

  test("log1p within 2 ulp, near 0 too", () => {
    const x = fc.double({ min: -0.9, max: 3, noNaN: true }).filter((v) => Math.abs(v) > 1e-9);
    fc.assert(
      fc.property(x, (v) => {
        const y = math.log1p(v);
        const miss = ((exactExp(fixed(y)) - ONE - fixed(v)) << BITS) / (ONE + fixed(v));
        return Number((100n * size(miss)) / ulp(y)) <= 200;
      }),
    );
  });

  test("tanh within 4 ulp", () => {
    fc.assert(
      fc.property(moderate, (x) => {
        const e = exactExp(-2n * fixed(Math.abs(x)));
        const want = ((ONE - e) << BITS) / (ONE + e);
        return hundredths(math.tanh(Math.abs(x)), want) <= 400 && math.tanh(-x) === -math.tanh(x);
      }),
    );
  });
});

test("roots of unity are on the circle, exact at the axes, and agree with the platform's", () => {
  for (const n of [8, 16, 1024]) {
    for (let k = 0; k < n; k++) {
      const { cos, sin } = math.unitRoot(k, n);
      expect(Math.abs(cos * cos + sin * sin - 1)).toBeLessThan(4e-16);
      // The platform's argument is rounded by up to 2^-51.
      expect(Math.abs(cos - Math.cos((2 * Math.PI * k) / n))).toBeLessThan(8e-16);
      expect(Math.abs(sin - Math.sin((2 * Math.PI * k) / n))).toBeLessThan(8e-16);
    }
    expect([0, 1, 2, 3].map((q) => math.unitRoot((q * n) / 4, n))).toEqual([
      { cos: 1, sin: 0 },
      { cos: -0, sin: 1 },
      { cos: -1, sin: -0 },
      { cos: 0, sin: -1 },
    ]);
  }
});

test("powers: integers by squaring, others within their bound", () => {
  expect(math.pow(3, 5)).toBe(243);
  expect(math.pow(10, -4)).toBe(1e-4);
  expect([math.pow(0, 0.4), math.pow(0, 0), math.pow(1, 0.37)]).toEqual([0, 1, 1]);
  const base = fc.double({ min: 1e-3, max: 1e3, noNaN: true });
  const exponent = fc.double({ min: -20, max: 20, noNaN: true });
  fc.assert(
    fc.property(base, exponent, (x, y) => {
      const want = x ** y;
      // A product of n factors has n - 1 roundings, and its inverse one more.
      const bound = Math.max(2 + Math.abs(y * Math.log(x)), Number.isInteger(y) ? Math.abs(y) : 0);
      return Math.abs(math.pow(x, y) - want) <= bound * 2 ** -52 * want;
    }),
    { seed: 1173316336, numRuns: 1000 },
  );
  // At which the bound of the others does not hold.
  const [x, y] = [0.9810580944416476, -20];
  expect(Math.abs(math.pow(x, y) / x ** y - 1)).toBeLessThan(20 * 2 ** -52);
});

test("the edges of the range", () => {
  expect([-Infinity, -746, -745, 0, 709.78, 709.79, 711, Infinity].map(math.exp)).toEqual([
    0,
    0,
    5e-324,
    1,
    Math.exp(709.78),
    Infinity,
    Infinity,
    Infinity,
  ]);
  expect([-Infinity, -1, -0, 0, Infinity].map(math.log)).toEqual([
    NaN,
    NaN,
    -Infinity,
    -Infinity,
    Infinity,
  ]);
  expect(math.log(5e-324)).toBeCloseTo(-744.4400719213812, 12);
  expect([-2, -1, -0, 0, 1e-300, Infinity].map(math.log1p)).toEqual([
    NaN,
    -Infinity,
    -0,
    0,
    1e-300,
    Infinity,
  ]);
  expect([-Infinity, -60, -0, 1e-300, 710, Infinity].map(math.expm1)).toEqual([
    -1,
    -1,
    -0,
    1e-300,
    Infinity,
    Infinity,
  ]);
  expect([math.tanh(0), math.tanh(400), math.tanh(-Infinity)]).toEqual([0, 1, -1]);
  for (const f of [math.exp, math.expm1, math.log, math.log1p, math.tanh, math.log10])
    expect(f(NaN)).toBeNaN();
});
