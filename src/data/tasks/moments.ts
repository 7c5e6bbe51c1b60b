/**
 * Number, mean and scatter of rows: of some, of two lots together, and rows that have the same.
 * @see Chan, Golub and LeVeque (1983), "Algorithms for computing the sample variance", for joining two means and scatters.
 * @module
 */
import { mirrorLower } from "../../linalg/small-matrices.js";

/** Number, mean and scatter of some rows. */
export interface Moments {
  n: number;
  /** [d + 1]: of features and, last, target. */
  mean: Float64Array;
  /** [d + 1, d + 1], the lower triangle. */
  scatter: Float64Array;
}

/** Scatter left of a direction, of what it was, that counts as rounding. */
const ROUNDING = 1e-14;

/** Rows whose products are added in one go through the scatter, each row's after those of the one before. */
const BLOCK = 4;

/** The moments of rows z, [n, p], in two passes over them, so that nothing cancels. */
export function momentsOf(z: Float64Array, p: number): Moments {
  const n = z.length / p;
  const mean = new Float64Array(p);
  for (let row = 0; row < n; row++) {
    for (let c = 0; c < p; c++) mean[c]! += z[row * p + c]!;
  }
  for (let c = 0; c < p; c++) mean[c]! /= n;
  const scatter = new Float64Array(p * p);
  // By columns, so that the four of an entry are neighbours; what the last block lacks are zeros, which add nothing.
  const off = new Float64Array(BLOCK * p);
  for (let first = 0; first < n; first += BLOCK) {
    const rows = Math.min(BLOCK, n - first);
    if (rows < BLOCK) off.fill(0);
    for (let k = 0; k < rows; k++) {
      const from = (first + k) * p;
      for (let c = 0; c < p; c++) off[BLOCK * c + k] = z[from + c]! - mean[c]!;
    }
    addProducts(scatter, off, p);
  }
  return { n, mean, scatter };
}

function addProducts(scatter: Float64Array, off: Float64Array, p: number): void {
  for (let i = 0; i < p; i++) {
    const at = BLOCK * i;
    const [a, b, c, e] = [off[at]!, off[at + 1]!, off[at + 2]!, off[at + 3]!];
    for (let j = 0, to = i * p; j <= i; j++, to++) {
      const k = BLOCK * j;
      scatter[to] =
        scatter[to]! + a * off[k]! + b * off[k + 1]! + c * off[k + 2]! + e * off[k + 3]!;
    }
  }
}

/** Adds rows of other moments to those kept. */
export function join(kept: Moments, { n, mean, scatter }: Moments): void {
  const p = mean.length;
  const sum = kept.n + n;
  const off = mean.map((value, c) => value - kept.mean[c]!);
  const weight = (kept.n * n) / sum;
  for (let i = 0; i < p; i++) {
    for (let j = 0; j <= i; j++) {
      kept.scatter[i * p + j]! += scatter[i * p + j]! + weight * off[i]! * off[j]!;
    }
  }
  for (let c = 0; c < p; c++) kept.mean[c]! += (n / sum) * off[c]!;
  kept.n = sum;
}

/** 2 p rows of the same mean, and of the same scatter for each row that they stand for, [2 p, p]. */
export function rowsOf({ n, mean, scatter }: Moments, p: number): number[] {
  const columns = factorOf(scatter, p);
  const scale = Math.sqrt(p / n);
  const signed = (sign: number) =>
    Array.from({ length: p }, (_, j) =>
      Array.from(mean, (value, c) => value + sign * scale * columns[j * p + c]!),
    );
  return [...signed(1), ...signed(-1)].flat();
}

/**
 * Columns l_j, as rows of [p, p], with sum l_j l_j^T = S, for S positive semidefinite given by its lower triangle: Cholesky's
 * factor with the largest diagonal entry first; what is rounding counts as zero.
 */
function factorOf(lower: Float64Array, p: number): Float64Array {
  const left = mirrorLower(lower.slice(), p);
  const least = Float64Array.from({ length: p }, (_, i) => ROUNDING * p * left[i * p + i]!);
  const columns = new Float64Array(p * p);
  for (let k = 0; k < p; k++) {
    let pivot = -1;
    for (let i = 0; i < p; i++) {
      const own = left[i * p + i]!;
      if (own > least[i]! && (pivot < 0 || own > left[pivot * p + pivot]!)) pivot = i;
    }
    if (pivot < 0) break;
    const root = Math.sqrt(left[pivot * p + pivot]!);
    const column = columns.subarray(k * p, (k + 1) * p);
    for (let i = 0; i < p; i++) column[i] = left[i * p + pivot]! / root;
    for (let i = 0; i < p; i++) {
      for (let j = 0; j < p; j++) left[i * p + j]! -= column[i]! * column[j]!;
    }
    // Exactly: nothing is left of it.
    for (let i = 0; i < p; i++) left[i * p + pivot] = left[pivot * p + i] = 0;
  }
  return columns;
}
