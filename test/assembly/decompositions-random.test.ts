import * as fc from "fast-check";
import { expect, test } from "vitest";
import {
  difference,
  eigenResidual,
  generator,
  largest,
  multiply,
  norm,
  orthogonalityError,
  symmetric,
  transposed,
} from "./matrices.js";
import { runEigh, runSvd } from "./run.js";

const EPS = 2 ** -52;

type Next = () => number;
const whole = (next: Next, from: number, to: number) =>
  from + Math.floor(((next() + 1) / 2) * (to - from + 1));

/** Structures that have broken eigensolvers: splits, repeats, grading, sparsity. */
const symmetricKinds: Record<string, (n: number, next: Next) => Float64Array> = {
  tridiagonal: (n, next) => symmetric(n, (i, j) => (j <= i + 1 ? next() : 0)),
  "tridiagonal with splits and tiny couplings": (n, next) =>
    symmetric(n, (i, j) => (j > i + 1 || next() < -0.4 ? 0 : next() * 10 ** whole(next, -18, 0))),
  "few diagonal values, couplings down to 1e-20": (n, next) =>
    symmetric(n, (i, j) =>
      i === j ? whole(next, 0, 3) : j === i + 1 ? 10 ** whole(next, -20, 0) : 0,
    ),
  "entries -1, 0, 1": (n, next) => symmetric(n, () => whole(next, -1, 1)),
  "blocks of ones": (n, next) => {
    const size = whole(next, 1, 8);
    return symmetric(n, (i, j) => (Math.floor(i / size) === Math.floor(j / size) ? 1 : 0));
  },
  sparse: (n, next) => symmetric(n, () => (Math.abs(next()) < 3 / n ? next() : 0)),
  "entries over 300 orders of magnitude": (n, next) =>
    symmetric(n, () => next() * 10 ** whole(next, -300, 0)),
  Hilbert: (n) => symmetric(n, (i, j) => 1 / (i + j + 1)),
};

const seeds = fc.integer({ min: 0, max: 2 ** 31 });
const scales = fc.constantFrom(1, 1, 1e-250, 1e250);

test("eigh on random structured matrices", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 110 }),
      fc.constantFrom(...Object.keys(symmetricKinds)),
      seeds,
      scales,
      (n, kind, seed, scale) => {
        const a = symmetricKinds[kind]!(n, generator(seed)).map((x) => x * scale);
        const { code, values, vectors } = runEigh(a, n);
        expect(code).toBe(0);
        const unit = Math.sqrt(n) * EPS;
        expect(eigenResidual(a, values, vectors, n) / unit).toBeLessThan(15);
        expect(orthogonalityError(vectors, n, n) / unit).toBeLessThan(40);
        expect(values.toSorted((x, y) => y - x)).toEqual(values);
      },
    ),
    { numRuns: 150, seed: 31 },
  );
});

const kinds: Record<string, (rows: number, cols: number, next: Next) => Float64Array> = {
  "low rank": (rows, cols, next) => {
    const rank = whole(next, 1, Math.min(rows, cols));
    const left = Float64Array.from({ length: rows * rank }, next);
    const right = Float64Array.from({ length: rank * cols }, next);
    return multiply(left, right, rows, rank, cols);
  },
  "entries -1, 0, 1": (rows, cols, next) =>
    Float64Array.from({ length: rows * cols }, () => whole(next, -1, 1)),
  "graded columns": (rows, cols, next) => {
    const orders = whole(next, 1, 300);
    return Float64Array.from(
      { length: rows * cols },
      (_, at) => next() * 10 ** ((-orders * (at % cols)) / cols),
    );
  },
  "graded rows": (rows, cols, next) => {
    const orders = whole(next, 1, 300);
    return Float64Array.from(
      { length: rows * cols },
      (_, at) => next() * 10 ** ((-orders * Math.floor(at / cols)) / rows),
    );
  },
  diagonal: (rows, cols, next) =>
    Float64Array.from({ length: rows * cols }, (_, at) =>
      at % cols === Math.floor(at / cols) ? 10 ** whole(next, -25, 0) : 0,
    ),
  sparse: (rows, cols, next) =>
    Float64Array.from({ length: rows * cols }, () => (Math.abs(next()) < 0.1 ? next() : 0)),
};

test("svd on random structured matrices", () => {
  const side = fc.integer({ min: 1, max: 70 });
  fc.assert(
    fc.property(
      side,
      side,
      fc.constantFrom(...Object.keys(kinds)),
      seeds,
      scales,
      (rows, cols, kind, seed, scale) => {
        const a = kinds[kind]!(rows, cols, generator(seed)).map((x) => x * scale);
        const r = Math.min(rows, cols);
        const { code, u, s, v } = runSvd(a, rows, cols);
        expect(code).toBe(0);
        const unit = Math.sqrt(r) * EPS;
        expect(orthogonalityError(u, rows, r) / unit).toBeLessThan(100);
        expect(orthogonalityError(v, cols, r) / unit).toBeLessThan(100);
        const size = largest(a) || 1;
        const product = multiply(
          u.map((x, at) => x * (s[at % r]! / size)),
          transposed(v, cols, r),
          rows,
          r,
          cols,
        );
        const want = a.map((x) => x / size);
        expect(norm(difference(product, want)) / (norm(want) || 1) / unit).toBeLessThan(25);
        expect(s.every((x) => x >= 0)).toBe(true);
        expect(s.toSorted((x, y) => y - x)).toEqual(s);
      },
    ),
    { numRuns: 150, seed: 32 },
  );
});
