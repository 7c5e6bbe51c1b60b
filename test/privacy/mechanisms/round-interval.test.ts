/** Rounding by intervals: the cell of the exact number, however near to the border of two cells it lies. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { roundSum } from "../../../src/privacy/mechanisms/exact/round-interval.js";

const LENGTH = 400n;

/** floor(x + 1/2) of x = n / 2^bits. */
const rounded = (n: bigint, bits: bigint) => Number(((n << 1n) + (1n << bits)) >> (bits + 1n));

test("a sum of products of known numbers is rounded to its cell, ties included", () => {
  const bits = 7;
  const size = fc.bigInt({ min: 1n << (LENGTH - 3n), max: 1n << LENGTH });
  fc.assert(
    fc.property(
      fc.array(fc.tuple(size, fc.boolean()), { minLength: 1, maxLength: 5 }),
      fc.nat(60),
      fc.bigInt({ min: -3n, max: 3n }),
      fc.nat(Number(LENGTH) - 120),
      (terms, cell, units, at) => {
        // The last term brings the sum so near to the middle between two cells.
        const one = 1n << LENGTH;
        const given = terms.map(([left, negative]) => ({ left, right: one, negative }));
        const sum = given.reduce((all, { left, negative }) => all + (negative ? -left : left), 0n);
        const middle = (BigInt(2 * cell + 1) << LENGTH) >> BigInt(bits + 1);
        const wanted = middle + (units << BigInt(at));
        const last = wanted - sum;
        const all = [...given, { left: last < 0n ? -last : last, right: one, negative: last < 0n }];
        const cut = (x: bigint, precision: number) =>
          BigInt(precision) <= LENGTH
            ? x >> (LENGTH - BigInt(precision))
            : x << (BigInt(precision) - LENGTH);
        // A tie of cut numbers is never decided: their rests are not known to be zeros.
        fc.pre(units !== 0n);
        const found = roundSum(bits, (precision) =>
          all.map(({ left, right, negative }) => ({
            left: cut(left, precision),
            right: cut(right, precision),
            negative,
          })),
        );
        expect(found).toBe(rounded(wanted << BigInt(bits), LENGTH));
      },
    ),
    { numRuns: 200, seed: 81 },
  );
});
