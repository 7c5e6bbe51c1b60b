/**
 * Systems with a Cholesky factor in JavaScript, for the small ones of sparse rows: four rows at a time, so that sums do not wait for
 * each other. Every number is subtracted in the order of one row after the other, so the bits are those.
 * @module
 */

/** Rows at a time. */
const ROWS = 4;

/** b <- (L L^T)^-1 b, for L[n, n] lower triangular and b[n]. */
export function solveBoth(l: Float64Array, b: Float64Array, n: number): void {
  forward(l, b, n);
  backward(l, b, n);
}

/** b <- L^-1 b. */
function forward(l: Float64Array, b: Float64Array, n: number): void {
  let i = 0;
  for (; i + ROWS <= n; i += ROWS) {
    const r0 = i * n;
    const r1 = r0 + n;
    const r2 = r1 + n;
    const r3 = r2 + n;
    let s0 = b[i]!;
    let s1 = b[i + 1]!;
    let s2 = b[i + 2]!;
    let s3 = b[i + 3]!;
    for (let j = 0; j < i; j++) {
      const value = b[j]!;
      s0 -= l[r0 + j]! * value;
      s1 -= l[r1 + j]! * value;
      s2 -= l[r2 + j]! * value;
      s3 -= l[r3 + j]! * value;
    }
    b[i] = s0;
    b[i + 1] = s1;
    b[i + 2] = s2;
    b[i + 3] = s3;
    for (let k = i; k < i + ROWS; k++) finish(l, b, n, k, i);
  }
  for (; i < n; i++) finish(l, b, n, i, 0);
}

/** b[i] once what rows before `from` say is taken off it. */
function finish(l: Float64Array, b: Float64Array, n: number, i: number, from: number): void {
  let sum = b[i]!;
  for (let j = from; j < i; j++) sum -= l[i * n + j]! * b[j]!;
  b[i] = sum / l[i * (n + 1)]!;
}

/** b <- L^-T b. */
function backward(l: Float64Array, b: Float64Array, n: number): void {
  let i = n - 1;
  for (; i + 1 >= ROWS; i -= ROWS) {
    const first = i - ROWS + 1;
    for (let k = i; k >= first; k--) settle(l, b, n, k, first);
    const r0 = i * n;
    const r1 = r0 - n;
    const r2 = r1 - n;
    const r3 = r2 - n;
    const v0 = b[i]!;
    const v1 = b[i - 1]!;
    const v2 = b[i - 2]!;
    const v3 = b[first]!;
    for (let j = 0; j < first; j++) {
      b[j] = b[j]! - l[r0 + j]! * v0 - l[r1 + j]! * v1 - l[r2 + j]! * v2 - l[r3 + j]! * v3;
    }
  }
  for (; i >= 0; i--) settle(l, b, n, i, 0);
}

/** b[i] itself, taken off the entries from `from` on. */
function settle(l: Float64Array, b: Float64Array, n: number, i: number, from: number): void {
  const value = (b[i]! /= l[i * (n + 1)]!);
  for (let j = from; j < i; j++) b[j]! -= l[i * n + j]! * value;
}
