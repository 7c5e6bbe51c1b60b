/**
 * Decompositions of matrices on which arithmetic is hard, in every build that the host runs, against arithmetic without rounding: errors of
 * Cholesky factors, solves and inverses entry by entry, eigenvalues and singular values by counting those below.
 */
import { describe, expect, test } from "vitest";
import { Arena } from "../../src/core/arena.js";
import { kernelBytes, type PackedBuild } from "../../src/core/builds/packed-bytes.js";
import type { Kernels } from "../../src/core/kernels.js";
import { eigenvaluesBelow, exact, magnitude, product, transpose, type Exact } from "./exact-matrices.js";
import { multiply, norm, randomMatrix, symmetric, transposed, wilkinson, withSpectrum } from "./matrices.js";
import { thorough } from "../thorough.js";

const builds = (["scalar", "simd", "relaxed"] as const).filter((build) =>
  WebAssembly.validate(kernelBytes(build)),
);

function instanceOf(build: PackedBuild) {
  const module = new WebAssembly.Module(kernelBytes(build));
  const kernels = new WebAssembly.Instance(module, {}).exports as unknown as Kernels;
  return { kernels, arena: new Arena(kernels.memory, kernels.heapBase()) };
}
const instances = new Map(builds.map((build) => [build, instanceOf(build)]));

/** X^T X for a random X[2 n, n], but for the order of sums. */
const gram = (n: number, seed: number) => {
  const x = randomMatrix(2 * n, n, seed);
  const whole = multiply(transposed(x, 2 * n, n), x, n, 2 * n, n);
  return symmetric(n, (i, j) => whole[i * n + j]!);
};

/** Symmetric matrices; `definite` those that have a Cholesky factor, whatever the order of sums. */
const hard: Record<string, { readonly definite: boolean; of(n: number): Float64Array }> = {
  "graded over 30 orders of magnitude": {
    definite: true,
    of: (n) => {
      const whole = gram(n, 1);
      return symmetric(n, (i, j) => whole[i * n + j]! * 10 ** ((-15 * (i + j)) / n));
    },
  },
  "graded the other way": {
    definite: true,
    of: (n) => {
      const whole = gram(n, 2);
      return symmetric(n, (i, j) => whole[i * n + j]! * 10 ** ((15 * (i + j - 2 * n)) / n));
    },
  },
  "eigenvalues that agree to 14 digits": {
    definite: true,
    of: (n) => withSpectrum(Array.from({ length: n }, (_, j) => 1 + 1e-14 * j), 3),
  },
  "two clusters, ten orders apart": {
    definite: true,
    of: (n) => withSpectrum(Array.from({ length: n }, (_, j) => (j % 2 ? 1e-10 : 1) * (1 + 1e-12 * j)), 4),
  },
  "eigenvalues down to 1e-17 of the largest": {
    definite: false,
    of: (n) => withSpectrum(Array.from({ length: n }, (_, j) => 10 ** ((-17 * j) / Math.max(n - 1, 1))), 5),
  },
  "rank two": {
    definite: false,
    of: (n) => {
      const x = randomMatrix(2, n, 6);
      return symmetric(n, (i, j) => x[i]! * x[j]! + x[n + i]! * x[n + j]!);
    },
  },
  "of size 2^1000": { definite: true, of: (n) => gram(n, 7).map((x) => x * 2 ** 1000) },
  "of size 2^-1000": { definite: true, of: (n) => gram(n, 8).map((x) => x * 2 ** -1000) },
  "Hilbert's": { definite: false, of: (n) => symmetric(n, (i, j) => 1 / (i + j + 1)) },
  "Wilkinson's": { definite: false, of: (n) => wilkinson(n) },
};
const names = Object.keys(hard);
const ORDERS = [1, 2, 5, 8, 17, 33];
const RIGHT = 3;

interface Outcome {
  readonly failed: number;
  readonly factor: Float64Array;
  readonly solution: Float64Array;
  readonly failedInverse: number;
  readonly root: Float64Array;
  readonly inverse: Float64Array;
}

/** Factor, solutions for RIGHT right sides, the factor's inverse and the matrix's. */
function decomposed(build: PackedBuild, a: Float64Array, b: Float64Array, n: number): Outcome {
  const { kernels, arena } = instances.get(build)!;
  const mark = arena.mark();
  const [l, x] = [arena.copyOf(a), arena.copyOf(b)];
  const failed = kernels.cholesky(l, n);
  if (failed === 0) kernels.choleskySolve(l, x, n, RIGHT);
  const [root, inverse] = [arena.zeros(n * n), arena.zeros(n * n)];
  const work = arena.bytes(kernels.definiteInverseWorkspace(n));
  const failedInverse = kernels.definiteInverse(arena.copyOf(a), n, root, inverse, work);
  const read = (at: number, length: number) => arena.view(at, length).slice();
  const out = { factor: read(l, n * n), solution: read(x, n * RIGHT), root: read(root, n * n), inverse: read(inverse, n * n) }; // prettier-ignore
  arena.release(mark);
  return { ...out, failed, failedInverse };
}

/**
 * |found - wanted| <= `most` 2^-53 sizes, and what gradual underflow takes. @param power of the products: units are 2^(-1074 power).
 */
function expectWithin(found: Exact, wanted: Exact, sizes: Exact, most: number, power: number): void {
  const underflow = BigInt(4 * most) << BigInt(1074 * (power - 1));
  const beyond = found.findIndex(
    (value, at) => magnitude(value - wanted[at]!) << 53n > BigInt(most) * sizes[at]! + (underflow << 53n),
  );
  expect(beyond).toBe(-1);
}

const scaledBy = (a: Exact, powers: number): Exact => a.map((value) => value << BigInt(1074 * powers));
const sizesOf = (a: Exact): Exact => a.map(magnitude);

// The scalar build has the bits of the SIMD build, as is tested below.
const unlike = builds.filter((build) => thorough || build !== "scalar");

describe.each(unlike)("hard matrices (%s)", (build) => {
  test.each(names)("factors, solves and inverses: %s", (name) => {
    const { of, definite } = hard[name]!;
    for (const n of ORDERS) {
      const a = of(n);
      const b = randomMatrix(n, RIGHT, 9).map((x) => x * Math.min(Math.max(norm(a), 1e-300), 1e300));
      const { failed, factor, solution, failedInverse, root, inverse } = decomposed(build, a, b, n);
      if (definite) expect([failed, failedInverse]).toEqual([0, 0]);
      const given = exact(a);
      if (failed === 0) {
        const l = exact(factor);
        const transposedL = transpose(l, n, n);
        // Higham (2002), theorems 10.3 and 10.4.
        const sizes = product(sizesOf(l), sizesOf(transposedL), n, n, n);
        expectWithin(product(l, transposedL, n, n, n), scaledBy(given, 1), sizes, n + 2, 2);
        const x = exact(solution);
        const reached = product(given, x, n, n, RIGHT);
        const most = product(sizes, sizesOf(x), n, n, RIGHT);
        expectWithin(scaledBy(reached, 1), scaledBy(exact(b), 2), most, 3 * n + 4, 3);
      }
      if (failedInverse === 0) {
        const r = exact(root);
        const found = product(transpose(r, n, n), r, n, n, n);
        const sizes = product(transpose(sizesOf(r), n, n), sizesOf(r), n, n, n);
        expectWithin(scaledBy(exact(inverse), 1), found, sizes, n + 2, 2);
      }
    }
  });

  test.each(
    names.flatMap((name) => [[name, "eigh"] as const, [name, "rationalEigh"] as const]),
  )("eigenvalues: %s (%s)", (name, kernel) => {
    const { kernels, arena } = instances.get(build)!;
    for (const n of [2, 5, 9]) {
      const a = hard[name]!.of(n);
      const mark = arena.mark();
      const [values, vectors] = [arena.f64(n), arena.f64(n * n)];
      const work = arena.bytes(kernels.eighWorkspace(n));
      expect(kernels[kernel](arena.copyOf(a), values, vectors, n, work)).toBe(0);
      const found = arena.view(values, n).slice();
      arena.release(mark);
      const most = 2 * n * 2 ** -53 * norm(a);
      // Descending: below the k-th lie n - k - 1 others, within the error.
      found.forEach((value, k) => {
        expect(eigenvaluesBelow(a, n, value - most)).toBeLessThanOrEqual(n - k - 1);
        expect(eigenvaluesBelow(a, n, value + most)).toBeGreaterThanOrEqual(n - k);
      });
    }
  });

  test.each(names)("singular values: %s", (name) => {
    const { kernels, arena } = instances.get(build)!;
    const [rows, cols] = [4, 5];
    const whole = hard[name]!.of(cols);
    const a = whole.subarray(0, rows * cols);
    const mark = arena.mark();
    const [u, s, v] = [arena.f64(rows * rows), arena.f64(rows), arena.f64(cols * rows)];
    const work = arena.bytes(kernels.svdWorkspace(rows, cols));
    expect(kernels.svd(arena.copyOf(a), u, s, v, rows, cols, work)).toBe(0);
    const found = arena.view(s, rows).slice();
    arena.release(mark);
    // Eigenvalues of [0 A; A^T 0]: plus and minus the singular values, and a zero.
    const n = rows + cols;
    const both = symmetric(n, (i, j) => (i < rows && j >= rows ? a[i * cols + j - rows]! : 0));
    const most = 4 * n * 2 ** -53 * norm(a);
    found.forEach((value, k) => {
      expect(eigenvaluesBelow(both, n, value - most)).toBeLessThanOrEqual(n - k - 1);
      expect(eigenvaluesBelow(both, n, value + most)).toBeGreaterThanOrEqual(n - k);
    });
  });
});

test.each(names)("the scalar build has the bits of the SIMD build: %s", (name) => {
  for (const n of ORDERS) {
    const a = hard[name]!.of(n);
    const b = randomMatrix(n, RIGHT, 9);
    expect(decomposed("scalar", a, b, n)).toEqual(decomposed("simd", a, b, n));
  }
});
