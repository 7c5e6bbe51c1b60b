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
