import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { builds, coreOf, describeBuilds } from "./builds.js";
import type { Core } from "../../src/core/core.js";
import type { Pointer } from "../../src/core/index.js";

const entry = fc.double({ noNaN: true, min: -1e6, max: 1e6 });
const matrix = fc
  .tuple(fc.integer({ min: 1, max: 6 }), fc.integer({ min: 1, max: 11 }))
  .chain(([m, d]) =>
    fc.record({
      m: fc.constant(m),
      d: fc.constant(d),
      values: fc.array(entry, { minLength: m * d, maxLength: m * d }),
    }),
  );
const norm = (row: Iterable<number>) => Math.hypot(...row);

/** Runs a kernel from v to a separate block and in place; both must agree to the bit. */
function both(
  core: Core,
  values: ArrayLike<number>,
  kernel: (v: Pointer, out: Pointer) => void,
): number[] {
  const { arena } = core;
  const mark = arena.mark();
  const v = arena.copyOf(Float64Array.from(values));
  const out = arena.f64(values.length);
  kernel(v, out);
  const apart = Array.from(arena.view(out, values.length));
  expect(Array.from(arena.view(v, values.length))).toEqual(Array.from(values));
  kernel(v, v);
  expect(Array.from(arena.view(v, values.length))).toEqual(apart);
  arena.release(mark);
  return apart;
}

describeBuilds("proximal kernels", (core) => {
  const { kernels, arena } = core;

  test("clipRows: norms within the bound even after rounding, short rows kept, twice is once", () => {
    fc.assert(
      fc.property(matrix, fc.double({ min: 1e-3, max: 1e6, noNaN: true }), (v, bound) => {
        const out = both(core, v.values, (from, to) => {
          kernels.clipRows(from, to, v.m, v.d, bound);
        });
        for (let i = 0; i < v.m; i++) {
          const before = v.values.slice(i * v.d, (i + 1) * v.d);
          const after = out.slice(i * v.d, (i + 1) * v.d);
          expect(norm(after)).toBeLessThanOrEqual(bound);
          if (norm(before) < bound * (1 - 1e-13)) expect(after).toEqual(before);
          else expect(norm(after)).toBeGreaterThan(Math.min(bound, norm(before)) * (1 - 1e-13));
        }
        const at = arena.copyOf(Float64Array.from(out));
        expect(kernels.clipRows(at, at, v.m, v.d, bound)).toBe(0);
      }),
    );
  });

  test("clipRows: the bound holds where the factor would leave the normal range", () => {
    // 1.5e-15 / 1.7e308 is 8.8e-324, which rounds up to twice the smallest double.
    for (const bound of [1, 1e-3, 1.5e-15, 1e-60, 1e-140, 1e-280]) {
      for (const size of [1e280, 1e300, 1.7e308]) {
        const at = arena.copyOf(Float64Array.of(size, -size / 3, size / 1e5));
        expect(kernels.clipRows(at, at, 1, 3, bound)).toBe(1);
        const row = Array.from(arena.view(at, 3), (value) => value / bound);
        expect(norm(row)).toBeLessThanOrEqual(1);
        expect([0, 1]).toContain(Math.round(norm(row)));
      }
    }
  });

  test("clipRows: huge, tiny, infinite and NaN rows", () => {
    const rows = [3e200, 4e200, 3e-200, 4e-200, Infinity, 1, NaN, 1, 0, 0];
    const at = arena.copyOf(Float64Array.from(rows));
    expect(kernels.clipRows(at, at, 5, 2, 5)).toBe(3);
    const out = arena.view(at, 10);
    expect(out[0]).toBeCloseTo(3, 12);
    expect(out[1]).toBeCloseTo(4, 12);
    expect(Array.from(out.subarray(2))).toEqual([3e-200, 4e-200, 0, 0, 0, 0, 0, 0]);
    const tiny = arena.copyOf(Float64Array.of(3e-200, 4e-200));
    expect(kernels.clipRows(tiny, tiny, 1, 2, 1e-200)).toBe(1);
    expect(arena.view(tiny, 2)[0]! / 6e-201).toBeCloseTo(1, 12);
  });

  test("softThreshold is the proximal map of the l1 norm", () => {
    fc.assert(
      fc.property(matrix, fc.double({ min: 0, max: 1e6, noNaN: true }), (v, t) => {
        const out = both(core, v.values, (from, to) => {
          kernels.softThreshold(from, to, v.values.length, t);
        });
        v.values.forEach((x, k) => {
          expect(out[k]! + 0).toBe(Math.sign(x) * Math.max(0, Math.abs(x) - t) + 0);
        });
      }),
    );
  });

  test("shrinkRows is the proximal map of the sum of row norms", () => {
    fc.assert(
      fc.property(matrix, fc.double({ min: 0, max: 1e6, noNaN: true }), (v, t) => {
        const out = both(core, v.values, (from, to) => {
          kernels.shrinkRows(from, to, v.m, v.d, t);
        });
        for (let i = 0; i < v.m; i++) {
          const size = norm(v.values.slice(i * v.d, (i + 1) * v.d));
          const after = norm(out.slice(i * v.d, (i + 1) * v.d));
          expect(Math.abs(after - Math.max(0, size - t))).toBeLessThanOrEqual(1e-14 * (size + t) + 1e-300);
        }
      }),
    );
  });

  test("shrinkFactors: by hand, zero for squares that are not positive", () => {
    const out = both(core, [4, 1, 0.25, 0, -3], (from, to) => {
      kernels.shrinkFactors(from, to, 5, 1);
    });
    expect(out).toEqual([0.5, 0, 0, 0, 0]);
  });

  test("scaleColumns, extrapolate, axpy, gradientStep agree with plain loops", () => {
    fc.assert(
      fc.property(matrix, fc.array(entry, { minLength: 66, maxLength: 66 }), entry, (v, o, c) => {
        const { m, d, values } = v;
        const other = arena.copyOf(Float64Array.from(o));
        const size = m * d;
        expect(
          both(core, values, (from, to) => {
            kernels.scaleColumns(from, other, to, m, d);
          }),
        ).toEqual(values.map((x, k) => x * o[k % d]!));
        expect(
          both(core, values, (from, to) => {
            kernels.extrapolate(from, other, to, size, c);
          }),
        ).toEqual(values.map((x, k) => x + c * (x - o[k]!)));
        const steps = arena.copyOf(Float64Array.from({ length: m }, (_, i) => i - 1.5));
        expect(
          both(core, values, (from, to) => {
            kernels.gradientStep(from, other, steps, to, m, d);
          }),
        ).toEqual(values.map((x, k) => x - (Math.floor(k / d) - 1.5) * o[k]!));
        const y = arena.copyOf(Float64Array.from(values));
        kernels.axpy(c, other, y, size);
        expect(Array.from(arena.view(y, size))).toEqual(values.map((x, k) => x + c * o[k]!));
      }),
    );
  });

  test("dot within the bound of its order, across block borders", () => {
    for (const n of [0, 1, 7, 8, 9, 1023, 1024, 1025, 5000]) {
      const a = Float64Array.from({ length: n }, (_, i) => Math.sin(i + 1));
      const b = Float64Array.from({ length: n }, (_, i) => Math.cos(3 * i));
      const want = a.reduce((s, x, i) => s + x * b[i]!, 0);
      const bound = a.reduce((s, x, i) => s + Math.abs(x * b[i]!), 0);
      const got = kernels.dot(arena.copyOf(a), arena.copyOf(b), n);
      expect(Math.abs(got - want)).toBeLessThanOrEqual(2 * n * 2 ** -52 * bound);
    }
  });
});

describe("dot", () => {
  test("gives the same bits in both builds", () => {
    for (const n of [1, 5, 8, 21, 1500, 4097]) {
      const [simd, scalar] = builds.map((build) => {
        const { arena, kernels } = coreOf(build);
        const a = arena.copyOf(Float64Array.from({ length: n }, (_, i) => Math.sin(i + 1)));
        return kernels.dot(a, a, n);
      });
      expect(simd).toBe(scalar);
    }
  });
});
