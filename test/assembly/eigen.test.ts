import { describe, expect, test } from "vitest";
import {
  diagonal,
  eigenResidual,
  generator,
  laplacian,
  largest,
  orthogonalityError,
  randomMatrix,
  randomSymmetric,
  symmetric,
  wilkinson,
  withSpectrum,
} from "./matrices.js";
import { someOf, thorough, thoroughTest } from "../thorough.js";
import { runEigh, runShrinkOrVectors } from "./run.js";

const EPS = 2 ** -52;

/** Residual and orthogonality, relative, in units of sqrt(n) eps: Frobenius norms of n columns. Of both kernels; returns values of the first. */
function check(a: Float64Array, n: number, allowed = 30): Float64Array {
  checkOf("rationalEigh", a, n, allowed);
  return checkOf("eigh", a, n, allowed);
}

function checkOf(
  kernel: "eigh" | "rationalEigh",
  a: Float64Array,
  n: number,
  allowed: number,
): Float64Array {
  const original = a.slice();
  const { code, values, alone, vectors } = runEigh(a, n, kernel);
  expect(code).toBe(0);
  const unit = Math.sqrt(n) * EPS;
  const size = Math.max(Math.abs(values[0]!), Math.abs(values[n - 1]!));
  const apart = alone.reduce((most, value, j) => Math.max(most, Math.abs(value - values[j]!)), 0);
  expect(apart).toBeLessThanOrEqual(allowed * unit * size);
  expect(eigenResidual(original, values, vectors, n) / unit).toBeLessThan(allowed);
  expect(orthogonalityError(vectors, n, n) / unit).toBeLessThan(allowed);
  for (let j = 1; j < n; j++) expect(values[j]).toBeLessThanOrEqual(values[j - 1]!);
  return values;
}

const lengths = [1, 2, 3, 4, 5, 8, 17, 24, 25, 30, 31, 49, 64, 65, 100, 128, 129, 160];

describe("eigh", () => {
  test.each(lengths)("a random matrix, n = %i", (n) => {
    check(randomSymmetric(n, n), n);
  });

  test.each(lengths)("the discrete Laplacian has its known spectrum, n = %i", (n) => {
    const { a, values } = laplacian(n);
    const got = check(a, n);
    for (let j = 0; j < n; j++) expect(Math.abs(got[j]! - values[j]!)).toBeLessThan(8 * n * EPS);
  });

  // A shift that was lost in the entry it is taken from went on without end, on one in 12,000 of such matrices.
  test("Gram matrices of few small integers, whose eigenvalues are often equal", () => {
    for (const [n, first] of [
      [5, [2, 0, 2, 0, -2, 0, 3, 0, 3, 0, 2, 0, 2, 0, -2, 0, 3, 0, 3, 0, -2, 0, -2, 0, 2]],
      [5, [2, 2, 2, 0, 2, 2, 4, 0, 2, 4, 2, 0, 5, -4, 1, 0, 2, -4, 6, 0, 2, 4, 1, 0, 5]],
    ] as const)
      check(Float64Array.from(first), n);
    const random = generator(19);
    const integer = () => Math.round(2 * random());
    for (let draw = 0; draw < (thorough ? 20_000 : 500); draw++) {
      const n = 3 + (draw % 4);
      const rows = Array.from({ length: n }, () => [integer(), integer(), integer()]);
      const gram = rows.flatMap((one) =>
        rows.map((other) => one.reduce((sum, value, c) => sum + value * other[c]!, 0)),
      );
      expect(runEigh(Float64Array.from(gram), n, "rationalEigh").code).toBe(0);
    }
  });

  test.each([21, 51, 101])("Wilkinson's matrix, n = %i", (n) => {
    check(wilkinson(n), n);
  });

  test.each(someOf([75, 2, 30, 140], 2))("repeated, clustered, deficient and graded spectra, n = %i", (n) => {
    const spectra: Record<string, (j: number) => number> = {
      identity: () => 1,
      "two values": (j) => (j % 2 === 0 ? 1 : -2),
      cluster: (j) => 1 + j * 1e-14,
      "one outlier": (j) => (j === 0 ? 1 : 1e-9),
      "rank two": (j) => (j < 2 ? 3 - j : 0),
      geometric: (j) => 10 ** (-j / 2),
      indefinite: (j) => (j % 2 === 0 ? 1 : -1) * 2 ** -j,
    };
    for (const [name, value] of Object.entries(spectra)) {
      const want = Float64Array.from({ length: n }, (_, j) => value(j))
        .sort()
        .reverse();
      const got = check(withSpectrum(want, n), n);
      const size = largest(want);
      for (let j = 0; j < n; j++) {
        expect(Math.abs(got[j]! - want[j]!) / size, name).toBeLessThan(16 * n * EPS);
      }
    }
  });

  test.each([1e-200, 1e200, 1e-308, 1e307])("entries of size %f", (size) => {
    for (const n of [1, 2, 30, 70, 140]) {
      const a = randomSymmetric(n, 3).map((x) => x * size);
      check(a, n);
    }
  });

  test.each([1, -1])("entries graded from 1e-150 to 1e150, direction %i", (sign) => {
    for (const n of [5, 30, 61]) {
      const power = (i: number) => 10 ** (sign * 150 * ((2 * i) / (n - 1) - 1));
      const noise = randomMatrix(n, n, 4);
      check(
        symmetric(n, (i, j) => Math.sqrt(power(i)) * Math.sqrt(power(j)) * noise[i * n + j]!),
        n,
      );
    }
  });

  test("the zero matrix, and diagonal ones", () => {
    expect([...check(new Float64Array(49), 7)]).toEqual(new Array(7).fill(0));
    const values = Float64Array.from({ length: 40 }, (_, j) => 20 - j);
    expect([...check(diagonal(values.toReversed()), 40)]).toEqual([...values]);
  });

  thoroughTest("n = 500", () => {
    check(randomSymmetric(500, 9), 500);
    check(withSpectrum(Float64Array.from({ length: 500 }, (_, j) => (j < 5 ? 5 - j : 0))), 500);
  }, 180_000);

  // Entries alike make a norm of n: the rounding of what should be zero is then far above half an ulp of the largest entry.
  test("products of rows that have a column of ones, few others, and repeats", () => {
    const next = generator(11);
    for (let draw = 0; draw < (thorough ? 300 : 20); draw++) {
      const n = 50 + (draw % 19);
      const rank = 2 + (draw % 3);
      const scales = Array.from({ length: rank }, (_, k) => 10 ** (-1.5 * (1 + next()) * k));
      const rows = Array.from({ length: n }, () => scales.map((s, k) => (k === 0 ? 1 : s * next())));
      for (let i = 1; i < n; i++) if (next() < -0.4) rows[i] = rows[i >> 1]!;
      const dot = (i: number, j: number) => rows[i]!.reduce((sum, x, k) => sum + x * rows[j]![k]!, 0);
      const values = check(symmetric(n, dot), n);
      for (const value of values.subarray(rank))
        expect(Math.abs(value)).toBeLessThan(16 * n * EPS * values[0]!);
    }
  });

  test("a rank-one update of a multiple of the identity keeps n - 1 equal values", () => {
    const n = 90;
    const v = randomMatrix(n, 1, 8);
    const square = v.reduce((sum, x) => sum + x * x, 0);
    const got = check(
      symmetric(n, (i, j) => v[i]! * v[j]! + (i === j ? 2 : 0)),
      n,
    );
    expect(Math.abs(got[0]! - (2 + square))).toBeLessThan(16 * n * EPS * square);
    for (const value of got.subarray(1))
      expect(Math.abs(value - 2)).toBeLessThan(16 * n * EPS * square);
  });
});

/** I - threshold A^{-1/2}, from eigenvectors. */
function shrunk(a: Float64Array, n: number, threshold: number): Float64Array {
  const { values, vectors } = runEigh(a, n);
  return symmetric(n, (i, j) => {
    let sum = 0;
    for (let k = 0; k < n; k++) {
      sum += (1 - threshold / Math.sqrt(values[k]!)) * vectors[i * n + k]! * vectors[j * n + k]!;
    }
    return sum;
  });
}

describe("shrinkOrValues", () => {
  /** Falling from `most` to 1, by the same ratio. */
  const falling = (n: number, most: number) =>
    Float64Array.from({ length: n }, (_, j) => most ** (1 - j / Math.max(n - 1, 1)));

  test.each(lengths.filter((n) => n <= 128))("a close spectrum, n = %i", (n) => {
    for (const most of someOf([60, 3, 20, 1], 2)) {
      for (const threshold of someOf([0.999, 0.01, 0], 2)) {
        const a = withSpectrum(falling(n, most), n);
        const { code, out } = runShrinkOrVectors(a, n, threshold);
        expect(code).toBe(2);
        const want = shrunk(a, n, threshold);
        const apart = out.reduce((worst, x, k) => Math.max(worst, Math.abs(x - want[k]!)), 0);
        expect(apart).toBeLessThan((8 + n + 64 * most * threshold) * EPS);
        const isSymmetric = out.every((x, k) => x === out[(k % n) * n + Math.floor(k / n)]);
        expect(isSymmetric).toBe(true);
      }
    }
  });

  test.each([1e-200, 1e-9, 1e200])("entries of size %f", (size) => {
    for (const n of [1, 2, 7, 30, 70]) {
      const a = withSpectrum(falling(n, 5), n);
      const scaled = a.map((x) => x * size);
      const { code, out } = runShrinkOrVectors(scaled, n, 0.5 * Math.sqrt(size));
      expect(code).toBe(2);
      const apart = shrunk(a, n, 0.5).map((x, k) => Math.abs(out[k]! - x));
      expect(largest(apart)).toBeLessThan(0.5e-13);
    }
  });

  test("diagonal matrices, whose tridiagonal form is in parts", () => {
    const { code, out } = runShrinkOrVectors(diagonal(Float64Array.of(4, 1, 9, 16, 4)), 5, 0.5);
    expect(code).toBe(2);
    [3 / 4, 1 / 2, 5 / 6, 7 / 8, 3 / 4].forEach((x, k) => expect(out[k * 6]).toBeCloseTo(x, 15));
  });

  test.each([
    ["the smallest is below it", 100, falling(100, 9), 1.1],
    ["they are far apart", 30, falling(30, 300), 0.1],
    ["one is zero", 30, falling(30, 9).map((x, j) => (j === 29 ? 0 : x)), 0.1],
    ["one is negative", 70, falling(70, 9).map((x, j) => (j === 3 ? -x : x)), 0.1],
    ["the order is above 128", 129, falling(129, 9), 0.1],
  ])("as eigh where %s", (_, n, spectrum, threshold) => {
    const a = withSpectrum(spectrum, n);
    const { code, values, vectors, out } = runShrinkOrVectors(a, n, threshold);
    const want = runEigh(a, n);
    expect(code).toBe(0);
    expect(values).toEqual(want.values);
    expect(vectors).toEqual(want.vectors);
    expect(out.every(Number.isNaN)).toBe(true);
  });

  test("what is not a number has no eigenvalues", () => {
    const a = randomSymmetric(30, 1);
    a[7] = a[7 * 30] = NaN;
    expect(runShrinkOrVectors(a, 30, 0.1).code).toBe(1);
  });
});

describe("largestVectors", () => {
  const counts = (n: number) => [...new Set([0, 1, 2, 5, Math.ceil(n / 3), n - 1, n])].filter((c) => c <= n);
  const spectra: readonly [string, (j: number, n: number) => number][] = [
    ["far apart", (j, n) => n - j],
    ["mostly zero", (j) => (j < 4 ? 9 - j : 0)],
    ["in groups of equal ones", (j) => Math.floor(j / 7)],
  ];

  test.each(spectra)("are the first columns of all, eigenvalues %s", (_, valueOf) => {
    for (const n of someOf([1, 2, 30, 68, 69, 90, 150], 2)) {
      const a = withSpectrum(
        Float64Array.from({ length: n }, (_, j) => valueOf(j, n)),
        n,
      );
      const all = runEigh(a, n);
      for (const count of counts(n)) {
        const { code, values, vectors } = runShrinkOrVectors(a, n, 0.5, count);
        if (code === 2) continue;
        expect(code).toBe(0);
        expect(values).toEqual(all.values);
        const first = Float64Array.from(
          { length: n * count },
          (_, k) => all.vectors[Math.floor(k / count) * n + (k % count)]!,
        );
        expect(vectors).toEqual(first);
      }
    }
  });
});
