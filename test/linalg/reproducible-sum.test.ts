/** Sums that do not depend on the order of their terms: to the bit, and against exact sums of integers. */
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { ReproducibleSum, valueOfSum } from "../../src/linalg/reproducible-sum.js";

/** A double as an integer times 2^-1074, exactly. */
function exact(value: number): bigint {
  const bits = new DataView(new ArrayBuffer(8));
  bits.setFloat64(0, value);
  const word = bits.getBigUint64(0);
  const exponent = Number((word >> 52n) & 0x7ffn);
  const digits = word & ((1n << 52n) - 1n);
  const size = exponent === 0 ? digits : ((1n << 52n) | digits) << BigInt(exponent - 1);
  return word >> 63n ? -size : size;
}

const bound = 37;
const term = fc.oneof(
  fc.double({ min: -bound, max: bound, noNaN: true }),
  fc.double({ min: -1e-9, max: 1e-9, noNaN: true }),
  fc.constantFrom(bound, -bound, 0, 2 ** -60),
);
const terms = fc.array(fc.tuple(term, term), { minLength: 1, maxLength: 60 });

const partsOf = (rows: readonly (readonly number[])[], count: number) => {
  const sum = new ReproducibleSum(2, { bound, count });
  for (const row of rows) sum.add(1, Float64Array.from(row));
  return sum.parts;
};

test("another order and other parts give the same bits", () => {
  fc.assert(
    fc.property(terms, fc.nat(), fc.nat(), (rows, seed, at) => {
      const all = partsOf(rows, rows.length);
      const turned = rows.slice(seed % rows.length).concat(rows.slice(0, seed % rows.length));
      turned.reverse();
      const cut = at % rows.length;
      const [first, second] = [turned.slice(0, cut), turned.slice(cut)].map((part) =>
        partsOf(part, rows.length),
      );
      const joined = first!.map((value, k) => value + second![k]!);
      expect(joined).toEqual(all);
    }),
  );
});

test("the sum is the exact one, rounded once but for what is below the fine grid", () => {
  fc.assert(
    fc.property(terms, (rows) => {
      const n = rows.length;
      const sum = valueOfSum(partsOf(rows, n));
      for (const column of [0, 1] as const) {
        const truth = rows.reduce((total, row) => total + exact(row[column]), 0n);
        const apart = exact(sum[column]!) - truth;
        const lost = exact(n ** 3 * bound * 2 ** -100);
        const rounding = exact(Math.abs(sum[column]!) * 2 ** -52);
        expect(apart <= lost + rounding && -apart <= lost + rounding).toBe(true);
      }
    }),
  );
});

test("a plain sum does depend on the order, so that the property above means something", () => {
  const rows = [1, 2 ** -53, 2 ** -53];
  const plain = (values: number[]) => values.reduce((total, value) => total + value, 0);
  expect(plain(rows)).not.toBe(plain([...rows].reverse()));
});

test("zeros, and factors", () => {
  const nothing = new ReproducibleSum(2, { bound: 0, count: 3 });
  nothing.add(1, new Float64Array(2));
  expect(valueOfSum(nothing.parts)).toEqual(new Float64Array(2));
  const halves = new ReproducibleSum(1, { bound: 4, count: 2 });
  halves.add(0.5, Float64Array.of(3));
  halves.add(2, Float64Array.of(1.25));
  expect(valueOfSum(halves.parts)).toEqual(Float64Array.of(4));
});

test("of vectors that are 0 but in some entries: what they are whole", () => {
  fc.assert(
    fc.property(
      terms,
      fc.array(fc.uniqueArray(fc.nat(4), { minLength: 2, maxLength: 2 }), {
        minLength: 60,
        maxLength: 60,
      }),
      (rows, places) => {
        const [scattered, whole] = [0, 1].map(
          () => new ReproducibleSum(5, { bound, count: rows.length }),
        );
        rows.forEach((row, i) => {
          const vector = new Float64Array(5);
          places[i]!.forEach((entry, k) => (vector[entry] = row[k]!));
          scattered!.addScattered(Float64Array.from(row), Uint32Array.from(places[i]!));
          whole!.add(1, vector);
        });
        // A term 0 may leave a zero of the other sign.
        expect(scattered!.parts.map((value) => value + 0)).toEqual(
          whole!.parts.map((value) => value + 0),
        );
      },
    ),
  );
});

test("of terms whose sum no number holds there is no number, and an end", () => {
  // Between the largest power of two and the largest number, where a fit of `mean-regularized` never ended.
  for (const bound of [2 ** 1022 * 1.5, Number.MAX_VALUE, Infinity]) {
    const sum = new ReproducibleSum(1, { bound, count: 1 });
    sum.add(1, Float64Array.of(1));
    expect(valueOfSum(sum.parts)[0]).toBeNaN();
  }
});
