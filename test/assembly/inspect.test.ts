import fc from "fast-check";
import { expect, test } from "vitest";
import { describeBuilds } from "./builds.js";
import { randomMatrix } from "./matrices.js";

describeBuilds("firstNonFinite", ({ kernels, arena }) => {
  const first = (values: Float64Array) => {
    const mark = arena.mark();
    const at = kernels.firstNonFinite(arena.copyOf(values), values.length);
    arena.release(mark);
    return at;
  };

  test("the plain loop's answer, wherever the first is and whatever follows", () => {
    const bad = fc.constantFrom(NaN, Infinity, -Infinity);
    const place = fc.integer({ min: 0, max: 1299 });
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1300 }), fc.array(fc.tuple(place, bad)), (n, bads) => {
        const values = new Float64Array(1300).fill(1);
        for (const [at, value] of bads) values[at] = value;
        const plain = values.subarray(0, n).findIndex((value) => !Number.isFinite(value));
        expect(first(values.subarray(0, n))).toBe(plain < 0 ? n : plain);
      }),
    );
  });

  test("every finite extreme passes", () => {
    const extremes = [Number.MAX_VALUE, -Number.MAX_VALUE, 5e-324, -5e-324, 0, -0];
    expect(first(Float64Array.from({ length: 99 }, (_, i) => extremes[i % 6]!))).toBe(99);
  });

  test("a NaN with any payload is found", () => {
    const values = new Float64Array(8);
    new BigUint64Array(values.buffer)[5] = 0xfff0000000000001n;
    expect(first(values)).toBe(5);
  });
});

describeBuilds("firstLongRow", ({ kernels, arena }) => {
  const first = (rows: Float64Array, d: number, limit: number, unit = 1) => {
    const mark = arena.mark();
    const at = kernels.firstLongRow(arena.copyOf(rows), rows.length / d, d, unit, limit);
    arena.release(mark);
    return at;
  };

  test.each([1, 2, 3, 4, 5, 8, 11, 30])("finds the first of several long rows, d = %i", (d) => {
    const entry = fc.double({ min: -1, max: 1, noNaN: true });
    const row = fc.array(entry, { minLength: d, maxLength: d });
    fc.assert(
      fc.property(fc.array(row, { maxLength: 12 }), fc.double({ min: 0, max: 3 }), (rows, limit) => {
        const sums = rows.map((of) => of.reduce((sum, x) => sum + x * x, 0));
        // Sums in another order may differ in their last bits.
        fc.pre(sums.every((sum) => Math.abs(sum - limit) > 1e-12));
        const plain = sums.findIndex((sum) => sum > limit);
        const found = first(Float64Array.from(rows.flat()), d, limit);
        expect(found).toBe(plain < 0 ? rows.length : plain);
      }),
      { numRuns: 50 },
    );
  });

  test("every entry counts", () => {
    for (let d = 1; d < 14; d++) {
      for (let at = 0; at < 3 * d; at++) {
        const rows = new Float64Array(3 * d);
        rows[at] = 2;
        expect(first(rows, d, 3.9)).toBe(Math.floor(at / d));
        expect(first(rows, d, 4)).toBe(3);
      }
    }
  });

  test("lengths are told in units, in which no square is beyond the numbers; what is none is long", () => {
    for (const unit of [1e-300, 1e-160, 1e160, 1e300]) {
      const rows = Float64Array.of(0.6, 0.8, 0, 0, 0, 0.6, 0.8, 0, 0, 0.1).map((x) => x / unit);
      expect(first(rows, 5, 1.02, unit)).toBe(2);
      expect(first(rows, 5, 1 + 1e-9, unit)).toBe(1);
      expect(first(rows, 5, 1 - 1e-9, unit)).toBe(0);
    }
    expect(first(Float64Array.of(0, 0, NaN, 0), 2, 1)).toBe(1);
  });

  test("sums are of every fourth entry, then of the first two and the last two, to the bit", () => {
    const d = 30;
    for (let seed = 1; seed < 200; seed++) {
      const row = randomMatrix(1, d, seed);
      const part = [0, 0, 0, 0];
      row.forEach((x, j) => (part[j < 28 ? j % 4 : 0]! += x * x));
      const sum = part[0]! + part[1]! + (part[2]! + part[3]!);
      expect(first(row, d, sum)).toBe(1);
      expect(first(row, d, sum * (1 - 2 ** -53))).toBe(0);
    }
  });
});

describeBuilds("symmetrize", ({ kernels, arena }) => {
  const symmetrized = (a: Float64Array, n: number) => {
    const mark = arena.mark();
    const at = arena.copyOf(a);
    const apart = kernels.symmetrize(at, n);
    const out = arena.view(at, n * n).slice();
    arena.release(mark);
    return { apart, out };
  };

  test.each([1, 2, 15, 16, 17, 33, 70])("averages with the transpose, n = %i", (n) => {
    const a = randomMatrix(n, n, n);
    const { apart, out } = symmetrized(a, n);
    let furthest = 0;
    for (let i = 0; i < n; i++) {
      for (let j = 0; j < n; j++) {
        const [x, y] = [a[i * n + j]!, a[j * n + i]!];
        furthest = Math.max(furthest, Math.abs(x - y));
        expect(out[i * n + j]).toBe(x / 2 + y / 2);
      }
    }
    const largest = Math.max(...a.map(Math.abs));
    expect(apart).toBeCloseTo(furthest / largest, 14);
  });

  test("leaves a symmetric matrix as it is, also subnormal entries that cannot be halved", () => {
    const a = new Float64Array([5e-324, 1.5e-323, 1.5e-323, 1]);
    expect(symmetrized(a, 2)).toEqual({ apart: 0, out: a });
    expect(symmetrized(new Float64Array(9), 3)).toEqual({ apart: 0, out: new Float64Array(9) });
  });

  test("does not overflow", () => {
    const big = Number.MAX_VALUE;
    const { apart, out } = symmetrized(new Float64Array([0, big, -big, 0]), 2);
    expect(apart).toBe(2);
    expect([...out]).toEqual([0, 0, 0, 0]);
  });
});
