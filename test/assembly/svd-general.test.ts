/** Singular value decompositions that no Gram matrix can do, in every build that the host runs. */
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Arena } from "../../src/core/arena.js";
import { kernelBytes, type PackedBuild } from "../../src/core/builds/packed-bytes.js";
import type { Kernels } from "../../src/core/kernels.js";
import {
  difference,
  generator,
  largest,
  multiply,
  norm,
  orthogonalityError,
  randomMatrix,
  transposed,
} from "./matrices.js";
import { someOf, thorough } from "../thorough.js";

const EPS = 2 ** -52;
const builds = (["simd", "scalar", "relaxed"] as const).filter((build) =>
  WebAssembly.validate(kernelBytes(build)),
);

type Svd = (a: Float64Array, rows: number, cols: number) => Record<"u" | "s" | "v", Float64Array>;

/** The kernel of one build; what it may not read is NaN, what it may not write is looked at. */
function svdOf(build: PackedBuild): Svd {
  const module = new WebAssembly.Module(kernelBytes(build));
  const kernels = new WebAssembly.Instance(module, {}).exports as unknown as Kernels;
  const arena = new Arena(kernels.memory, kernels.heapBase());
  return (a, rows, cols) => {
    const mark = arena.mark();
    const r = Math.min(rows, cols);
    const at = arena.copyOf(a);
    const places = [rows * r, r, cols * r].map((length) => ({ at: arena.f64(length), length }));
    const [u, s, v] = places;
    const words = Math.ceil(kernels.svdWorkspace(rows, cols) / 8);
    const work = arena.f64(words + 1);
    for (const place of [...places, { at: work, length: words }]) {
      arena.view(place.at, place.length).fill(NaN);
    }
    arena.view(work, words + 1)[words] = 12345.5;
    expect(kernels.svd(at, u!.at, s!.at, v!.at, rows, cols, work)).toBe(0);
    expect(arena.view(work, words + 1)[words]).toBe(12345.5);
    const [first, values, second] = places.map(({ at, length }) => arena.view(at, length).slice());
    arena.release(mark);
    return { u: first!, s: values!, v: second! };
  };
}

/** Errors within small multiples of the rounding of a sum; values >= 0 and descending. Returns them. */
function check(svd: Svd, a: Float64Array, rows: number, cols: number): Float64Array {
  const r = Math.min(rows, cols);
  const { u, s, v } = svd(a, rows, cols);
  const unit = Math.sqrt(r) * EPS;
  // Equal entries round alike in sums along the longer side.
  const long = Math.sqrt(Math.max(rows, cols)) * EPS;
  expect(orthogonalityError(u, rows, r) / long).toBeLessThan(60);
  expect(orthogonalityError(v, cols, r) / long).toBeLessThan(60);
  expect(s.every((x) => x >= 0)).toBe(true);
  expect(s.toSorted((x, y) => y - x)).toEqual(s);
  const size = largest(a) || 1;
  const scaled = u.map((x, i) => x * (s[i % r]! / size));
  const product = multiply(scaled, transposed(v, cols, r), rows, r, cols);
  const want = a.map((x) => x / size);
  expect(norm(difference(product, want)) / (unit * (norm(want) || 1))).toBeLessThan(10);
  return s;
}

/** U diag(values) V^T with U and V products of three reflections each. */
function withValues(values: number[], rows: number, cols: number, seed: number): Float64Array {
  const next = generator(seed);
  let a: Float64Array = new Float64Array(rows * cols);
  values.forEach((value, i) => (a[i * cols + i] = value));
  const reflectRows = (b: Float64Array, m: number, n: number) => {
    for (let pass = 0; pass < 3; pass++) {
      const x = Float64Array.from({ length: m }, next);
      const t = 2 / x.reduce((sum, value) => sum + value * value, 0);
      const sums = multiply(x, b, 1, m, n);
      for (let i = 0; i < m; i++) for (let j = 0; j < n; j++) b[i * n + j]! -= t * x[i]! * sums[j]!;
    }
  };
  reflectRows(a, rows, cols);
  a = transposed(a, rows, cols);
  reflectRows(a, cols, rows);
  return transposed(a, cols, rows);
}

const spectra: Record<string, (j: number, r: number) => number> = {
  "from 1 to 1e-3": (j, r) => 10 ** ((-3 * j) / r),
  "from 1 to 1e-8": (j, r) => 10 ** ((-8 * j) / r),
  "from 1 to 1e-14": (j, r) => 10 ** ((-14 * j) / r),
  "from 1 to 1e-30": (j, r) => 10 ** ((-30 * j) / r),
  "one value and copies of a small one": (j) => (j === 0 ? 1 : 1e-9),
  "three values, many copies": (j) => [1, 0.5, 1e-6][j % 3]!,
  "pairs that differ in the last digits": (j) => 1 / (1 + (j >> 1)) + (j & 1) * 2e-16,
  "a third zero": (j, r) => (j < (2 * r) / 3 ? 1 + j : 0),
  "one large, the rest noise": (j) => (j === 0 ? 1e16 : 1),
};

/** What breaks reductions: zero rows and columns, splits, triangles, entries of all sizes. */
const structures: Record<string, (rows: number, cols: number, seed: number) => Float64Array> = {
  "zero columns": (rows, cols, seed) =>
    randomMatrix(rows, cols, seed).map((x, at) => ((at % cols) % 3 === 1 ? 0 : x)),
  "zero rows": (rows, cols, seed) =>
    randomMatrix(rows, cols, seed).map((x, at) => (Math.floor(at / cols) % 2 === 0 ? 0 : x)),
  "equal columns": (rows, cols, seed) => {
    const column = randomMatrix(rows, 1, seed);
    return Float64Array.from({ length: rows * cols }, (_, at) => column[Math.floor(at / cols)]!);
  },
  "lower bidiagonal, a third of it zero": (rows, cols, seed) => {
    const next = generator(seed);
    return randomMatrix(rows, cols, seed).map((x, at) => {
      const below = Math.floor(at / cols) - (at % cols);
      return (below === 0 || below === 1) && next() > -0.3 ? x : 0;
    });
  },
  "a Kahan triangle": (rows, cols) =>
    Float64Array.from({ length: rows * cols }, (_, at) => {
      const [i, j] = [Math.floor(at / cols), at % cols];
      return Math.sin(1.2) ** i * (i === j ? 1 : i < j ? -Math.cos(1.2) : 0);
    }),
  Hilbert: (rows, cols) =>
    Float64Array.from(
      { length: rows * cols },
      (_, at) => 1 / (Math.floor(at / cols) + (at % cols) + 1),
    ),
  "graded both ways": (rows, cols, seed) =>
    randomMatrix(rows, cols, seed).map(
      (x, at) => x * 10 ** (-200 * (Math.floor(at / cols) / rows + (at % cols) / cols)),
    ),
  "a permuted identity": (rows, cols) =>
    Float64Array.from({ length: rows * cols }, (_, at) =>
      (at % cols) + Math.floor(at / cols) === Math.min(rows, cols) - 1 ? 1 : 0,
    ),
};

const scales = fc.constantFrom(1, 1, 2 ** -1000, 2 ** 1000, 2 ** -1015);
const side = fc.integer({ min: 1, max: 75 });
const seeds = fc.integer({ min: 0, max: 2 ** 31 });

describe.each(builds)("svd of ill-conditioned matrices (%s)", (build) => {
  const svd = svdOf(build);

  // Around the reductions' panels of 32, and where halves of divide and conquer are uneven.
  test.each(someOf([2, 3, 31, 33, 32, 64, 65, 97], 3))("spectra, order %i", (n) => {
    for (const [name, value] of Object.entries(spectra)) {
      const want = Array.from({ length: n }, (_, j) => value(j, n)).sort((x, y) => y - x);
      for (const [rows, cols] of [
        [n, n],
        [n, 2 * n + 3],
        [n + 1, n],
      ] as const) {
        const s = check(svd, withValues(want, rows, cols, n), rows, cols);
        want.forEach((x, j) => {
          expect(Math.abs(s[j]! - x), name).toBeLessThan(4 * n * EPS * want[0]!);
        });
      }
    }
  });

  test("structures of any shape and scale", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...Object.keys(structures)),
        side,
        side,
        seeds,
        scales,
        (name, rows, cols, seed, scale) => {
          const a = structures[name]!(rows, cols, seed).map((x) => x * scale);
          check(svd, a, rows, cols);
        },
      ),
      { numRuns: thorough ? 200 : 80, seed: 33 },
    );
  });

  test("transposing swaps the sides; a factor of 2 scales the values to the bit", () => {
    fc.assert(
      fc.property(side, side, seeds, (rows, cols, seed) => {
        const r = Math.min(rows, cols);
        const values = Array.from({ length: r }, (_, j) => 10 ** ((-10 * j) / r));
        const a = withValues(values, rows, cols, seed);
        const { u, s, v } = svd(a, rows, cols);
        const turned = svd(transposed(a, rows, cols), cols, rows);
        if (rows !== cols) expect([turned.v, turned.u]).toEqual([u, v]);
        for (let j = 0; j < r; j++) {
          expect(Math.abs(turned.s[j]! - s[j]!)).toBeLessThan(10 * r * EPS * s[0]!);
        }
        const doubled = svd(
          a.map((x) => 2 * x),
          rows,
          cols,
        );
        expect(doubled).toEqual({ u, s: s.map((x) => 2 * x), v });
      }),
      { numRuns: thorough ? 40 : 8, seed: 34 },
    );
  });

  test("values that are noise come back as zero, with orthonormal vectors", () => {
    const s = check(svd, withValues([1, 0.5, 1e-15, 1e-17], 40, 70, 3), 40, 70);
    expect(Array.from(s.subarray(3), (x) => x)).toEqual(new Array(37).fill(0));
    expect(Array.from(check(svd, new Float64Array(99 * 120), 99, 120))).toEqual(
      new Array(99).fill(0),
    );
  });

  test("singular values of the difference matrix of order 201: 2 cos(k pi / (2 n + 1))", () => {
    const n = 201;
    const a = new Float64Array(n * n);
    for (let i = 0; i < n; i++) {
      a[i * n + i] = 1;
      if (i > 0) a[i * n + i - 1] = -1;
    }
    const s = check(svd, a, n, n);
    for (let k = 1; k <= n; k++) {
      const want = 2 * Math.cos((k * Math.PI) / (2 * n + 1));
      expect(Math.abs(s[k - 1]! - want)).toBeLessThan(2 * n * EPS);
    }
  });
});

test.each([
  [70, 70],
  [33, 140],
  [140, 33],
])("the SIMD and the scalar build agree to the bit, %i x %i", (rows, cols) => {
  const r = Math.min(rows, cols);
  const values = Array.from({ length: r }, (_, j) => 10 ** ((-12 * j) / r));
  const a = withValues(values, rows, cols, 7);
  expect(svdOf("scalar")(a, rows, cols)).toEqual(svdOf("simd")(a, rows, cols));
});

