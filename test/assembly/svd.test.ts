import { describe, expect, test } from "vitest";
import {
  difference,
  largest,
  multiply,
  norm,
  orthogonalityError,
  randomMatrix,
  transposed,
  withSpectrum,
} from "./matrices.js";
import { runEigh, runSvd, runSyrk } from "./run.js";

const EPS = 2 ** -52;

function check(a: Float64Array, rows: number, cols: number, allowed = 100): Float64Array {
  const r = Math.min(rows, cols);
  const { code, u, s, v } = runSvd(a, rows, cols);
  expect(code).toBe(0);
  const unit = Math.sqrt(r) * EPS;
  expect(orthogonalityError(u, rows, r) / unit).toBeLessThan(allowed);
  expect(orthogonalityError(v, cols, r) / unit).toBeLessThan(allowed);
  for (let j = 0; j < r; j++) {
    expect(s[j]).toBeGreaterThanOrEqual(0);
    if (j > 0) expect(s[j]).toBeLessThanOrEqual(s[j - 1]!);
  }
  const size = largest(a) || 1;
  const scaled = u.map((x, i) => x * (s[i % r]! / size));
  const product = multiply(scaled, transposed(v, cols, r), rows, r, cols);
  const want = a.map((x) => x / size);
  expect(norm(difference(product, want)) / (unit * (norm(want) || 1))).toBeLessThan(allowed);
  return s;
}

const shapes = [
  [1, 1],
  [1, 7],
  [7, 1],
  [2, 2],
  [3, 5],
  [30, 30],
  [30, 64],
  [64, 30],
  [33, 131],
  [100, 60],
];

describe("svd", () => {
  test.each(shapes)("a random matrix, %i x %i", (rows, cols) => {
    const a = randomMatrix(rows, cols, rows + cols);
    const s = check(a, rows, cols);
    // Independent route to the values: eigenvalues of the smaller Gram matrix.
    const [tall, m, n] = rows >= cols ? [a, rows, cols] : [transposed(a, rows, cols), cols, rows];
    const squares = runEigh(runSyrk(tall, m, n), n).values;
    for (let j = 0; j < n; j++) {
      expect(Math.abs(s[j]! ** 2 - squares[j]!)).toBeLessThan(20 * m * EPS * squares[0]!);
    }
  });

  test.each(shapes)("low rank, %i x %i", (rows, cols) => {
    const rank = Math.max(1, Math.floor(Math.min(rows, cols) / 5));
    const a = multiply(randomMatrix(rows, rank, 1), randomMatrix(rank, cols, 2), rows, rank, cols);
    const s = check(a, rows, cols);
    for (const value of s.subarray(rank)) expect(value).toBeLessThan(100 * rows * EPS * s[0]!);
  });

  test("rank 5 of 100 x 100", () => {
    check(multiply(randomMatrix(100, 5, 1), randomMatrix(5, 100, 2), 100, 5, 100), 100, 100);
  });

  test.each(shapes)("the zero matrix, %i x %i", (rows, cols) => {
    expect(largest(check(new Float64Array(rows * cols), rows, cols))).toBe(0);
  });

  test.each([1e-200, 1e200])("entries of size %f", (size) => {
    check(
      randomMatrix(20, 31).map((x) => x * size),
      20,
      31,
    );
  });

  test("columns graded over 16, 100 and 300 orders of magnitude", () => {
    for (const orders of [16, 100, 300]) {
      for (const [rows, cols] of [
        [40, 40],
        [25, 70],
        [70, 25],
      ] as const) {
        const a = randomMatrix(rows, cols, orders).map(
          (x, i) => x * 10 ** (-orders * ((i % cols) / (cols - 1) - 0.5)),
        );
        check(a, rows, cols);
      }
    }
  });

  test("spectra on which Gram matrices alone fail", () => {
    const n = 90;
    const spectra: Record<string, (j: number) => number> = {
      "from 1 to 1e-8": (j) => 10 ** ((-8 * j) / n),
      "from 1 to 1e-20": (j) => 10 ** ((-20 * j) / n),
      "one and a cluster at 1e-10": (j) => (j === 0 ? 1 : 1e-10),
      "two clusters": (j) => (j < n / 2 ? 1 : 1e-9),
      "a cluster split in the tenth digit": (j) => 1 + j * 1e-10,
      "half of it zero": (j) => (j < n / 2 ? 1 + j : 0),
    };
    for (const [name, value] of Object.entries(spectra)) {
      const want = Float64Array.from({ length: n }, (_, j) => value(j));
      // Signs alternate: an indefinite matrix, whose left and right vectors differ.
      const a = withSpectrum(
        want.map((x, j) => (j % 2 === 0 ? x : -x)),
        5,
      );
      const s = check(a, n, n);
      const sorted = want.slice().sort().reverse();
      for (let j = 0; j < n; j++) {
        expect(Math.abs(s[j]! - sorted[j]!), name).toBeLessThan(4 * n * EPS * sorted[0]!);
      }
    }
  });

  test("singular values of the bidiagonal difference matrix: 2 cos(k pi / (2 n + 1))", () => {
    const n = 60;
    const a = new Float64Array(n * n);
    for (let i = 0; i < n; i++) {
      a[i * n + i] = 1;
      if (i > 0) a[i * n + i - 1] = -1;
    }
    const s = check(a, n, n);
    for (let k = 1; k <= n; k++) {
      expect(Math.abs(s[k - 1]! - 2 * Math.cos((k * Math.PI) / (2 * n + 1)))).toBeLessThan(
        10 * n * EPS,
      );
    }
  });
});
