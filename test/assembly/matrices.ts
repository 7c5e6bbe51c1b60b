/**
 * Matrices for the kernels' tests, a fixed generator for them, and plain-loop arithmetic to judge
 * results with.
 */
import { signed as generator } from "../../bench/uniform-draws.js";

/** Numbers in [-1, 1): fixed, and good enough for tests. */
export { generator };

export function randomMatrix(rows: number, cols: number, seed = 1): Float64Array {
  return Float64Array.from({ length: rows * cols }, generator(seed));
}

/** Entry (i, j) = (j, i) = f(i, j), j >= i. */
export function symmetric(n: number, f: (i: number, j: number) => number): Float64Array {
  const a = new Float64Array(n * n);
  for (let i = 0; i < n; i++) for (let j = i; j < n; j++) a[i * n + j] = a[j * n + i] = f(i, j);
  return a;
}

export function randomSymmetric(n: number, seed = 1): Float64Array {
  const next = generator(seed);
  return symmetric(n, next);
}

export function diagonal(values: ArrayLike<number>): Float64Array {
  return symmetric(values.length, (i, j) => (i === j ? values[i]! : 0));
}

/** A B by plain loops. */
export function multiply(
  a: Float64Array,
  b: Float64Array,
  rows: number,
  inner: number,
  cols: number,
): Float64Array {
  const c = new Float64Array(rows * cols);
  for (let i = 0; i < rows; i++) {
    for (let k = 0; k < inner; k++) {
      const x = a[i * inner + k]!;
      for (let j = 0; j < cols; j++) c[i * cols + j]! += x * b[k * cols + j]!;
    }
  }
  return c;
}

export function transposed(a: Float64Array, rows: number, cols: number): Float64Array {
  const b = new Float64Array(a.length);
  for (let i = 0; i < rows; i++) for (let j = 0; j < cols; j++) b[j * rows + i] = a[i * cols + j]!;
  return b;
}

/** Largest |entry|. */
export function largest(a: Float64Array): number {
  return a.reduce((top, x) => Math.max(top, Math.abs(x)), 0);
}

/** Frobenius norm, safe for any scale. */
export function norm(a: Float64Array): number {
  const top = largest(a);
  return top === 0 ? 0 : top * Math.sqrt(a.reduce((sum, x) => sum + (x / top) ** 2, 0));
}

export function difference(a: Float64Array, b: Float64Array): Float64Array {
  return a.map((x, i) => x - b[i]!);
}

/** ||Q^T Q - I||_F for Q[rows, cols]. */
export function orthogonalityError(q: Float64Array, rows: number, cols: number): number {
  const gram = multiply(transposed(q, rows, cols), q, cols, rows, cols);
  for (let j = 0; j < cols; j++) gram[j * cols + j]! -= 1;
  return norm(gram);
}

/** ||A V - V diag(values)||_F / ||A||_F, free of overflow. */
export function eigenResidual(
  a: Float64Array,
  values: Float64Array,
  vectors: Float64Array,
  n: number,
): number {
  const size = largest(a);
  if (size === 0) return norm(values);
  const scaled = a.map((x) => x / size);
  const r = multiply(scaled, vectors, n, n, n);
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < n; j++) r[i * n + j]! -= vectors[i * n + j]! * (values[j]! / size);
  }
  return norm(r) / norm(scaled);
}

/** Q diag(values) Q^T with a random orthogonal Q (from n reflections). */
export function withSpectrum(values: ArrayLike<number>, seed = 1): Float64Array {
  const n = values.length;
  const a = diagonal(values);
  const next = generator(seed);
  for (let pass = 0; pass < 3; pass++) {
    const v = Float64Array.from({ length: n }, next);
    const t = 2 / v.reduce((sum, x) => sum + x * x, 0);
    reflect(a, v, t, n);
    const b = transposed(a, n, n);
    reflect(b, v, t, n);
    a.set(b);
  }
  return symmetric(n, (i, j) => (a[i * n + j]! + a[j * n + i]!) / 2);
}

/** Rows r <- r - t (r.v) v. */
function reflect(a: Float64Array, v: Float64Array, t: number, n: number): void {
  for (let i = 0; i < n; i++) {
    let s = 0;
    for (let j = 0; j < n; j++) s += a[i * n + j]! * v[j]!;
    for (let j = 0; j < n; j++) a[i * n + j]! -= t * s * v[j]!;
  }
}

/** Eigenvalues 2 - 2 cos(k pi / (n + 1)): the discrete Laplacian, descending. */
export function laplacian(n: number): { a: Float64Array; values: Float64Array } {
  return {
    a: symmetric(n, (i, j) => (i === j ? 2 : j === i + 1 ? -1 : 0)),
    values: Float64Array.from(
      { length: n },
      (_, k) => 2 - 2 * Math.cos(((n - k) * Math.PI) / (n + 1)),
    ),
  };
}

/** Wilkinson's W_n^+: pairs of eigenvalues agreeing to many digits. */
export function wilkinson(n: number): Float64Array {
  return symmetric(n, (i, j) => (i === j ? Math.abs(i - (n - 1) / 2) : j === i + 1 ? 1 : 0));
}
