/**
 * Thin singular value decomposition by one-sided Jacobi rotations.
 */
import { transpose } from "./blas/transpose";
import { addScaled, dot, maxAbs, rotate, scale, unitScale } from "./blas/vector";

/** Two rows count as orthogonal below this cosine, times the root of their length. */
const ORTHOGONAL: f64 = 2.220446049250313e-16; // 2^-52
/** Times the length and the largest norm: rows below are rounding errors of null vectors. */
const NULL: f64 = 1.1102230246251565e-16; // 2^-53
const SWEEPS: i32 = 60;

/**
 * A[rows,cols] = U diag(s) V^T, r = min(rows, cols).
 *
 * a  f64[rows,cols], row-major, destroyed
 * u  f64[rows,r], s f64[r] descending, v f64[cols,r]; U and V have orthonormal columns also where
 *    s is zero
 * Returns 0, or 1 if the rotations did not converge.
 *
 * Works on the r-row matrix G (A or A^T): rotations J of its rows make them orthogonal, J G =
 * diag(s) W^T. Hestenes (1958); de Rijk (1989).
 */
export function svd(
  a: usize,
  u: usize,
  s: usize,
  v: usize,
  rows: i32,
  cols: i32,
  work: usize,
): i32 {
  const wide = rows <= cols;
  const r = wide ? rows : cols;
  const length = wide ? cols : rows;
  const g = work; // r x length
  const j = g + ((<usize>r * <usize>length) << 3); // r x r
  const order = j + ((<usize>r * <usize>r) << 3);
  const factor = unitScale(maxAbs(a, rows * cols));
  if (factor != 1) scale(factor, a, rows * cols);
  if (wide) memory.copy(g, a, (<usize>r * <usize>length) << 3);
  else transpose(a, g, rows, cols);
  identity(j, r);
  if (orthogonaliseRows(g, r, length, j)) return 1;
  finish(g, r, length, j, s, order, wide ? u : v, wide ? v : u, 1 / factor);
  return 0;
}

export function svdWorkspace(rows: i32, cols: i32): f64 {
  const r = <f64>min(rows, cols);
  return 8 * (<f64>rows * <f64>cols + r * r + r + 2);
}

function identity(a: usize, n: i32): void {
  memory.fill(a, 0, (<usize>n * <usize>n) << 3);
  for (let i = 0; i < n; i++) store<f64>(a + ((<usize>i * <usize>(n + 1)) << 3), 1);
}

/** Rotates pairs of rows of G, and of J with them, until all are orthogonal. */
function orthogonaliseRows(g: usize, r: i32, length: i32, j: usize): i32 {
  const step = (<usize>length) << 3;
  const jStep = (<usize>r) << 3;
  let largest: f64 = 0;
  for (let p = 0; p < r; p++) {
    const row = g + <usize>p * step;
    largest = max(largest, dot(row, row, length));
  }
  const cutoff = NULL * <f64>length;
  const nullSquare = largest * cutoff * cutoff;
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    let rotated = false;
    for (let p = 0; p < r - 1; p++) {
      for (let q = p + 1; q < r; q++) {
        const x = g + <usize>p * step;
        const y = g + <usize>q * step;
        const jx = j + <usize>p * jStep;
        const jy = j + <usize>q * jStep;
        if (rotatePair(x, y, length, jx, jy, r, nullSquare)) rotated = true;
      }
    }
    if (!rotated) {
      clearNullRows(g, r, length, nullSquare);
      return 0;
    }
  }
  return 1;
}

function clearNullRows(g: usize, r: i32, length: i32, nullSquare: f64): void {
  const bytes = (<usize>length) << 3;
  for (let p = 0; p < r; p++) {
    const row = g + <usize>p * bytes;
    if (dot(row, row, length) <= nullSquare) memory.fill(row, 0, bytes);
  }
}

function rotatePair(
  x: usize,
  y: usize,
  length: i32,
  jx: usize,
  jy: usize,
  r: i32,
  nullSquare: f64,
): bool {
  const xx = dot(x, x, length);
  const yy = dot(y, y, length);
  const xy = dot(x, y, length);
  // The larger row goes first, which orders the singular values and speeds convergence.
  const orthogonal = abs(xy) <= ORTHOGONAL * sqrt(<f64>length) * sqrt(xx) * sqrt(yy);
  if (orthogonal || min(xx, yy) <= nullSquare) {
    if (xx >= yy) return false;
    rotate(x, y, 0, -1, length);
    rotate(jx, jy, 0, -1, r);
    return true;
  }
  const zeta = (yy - xx) / (2 * xy);
  let t = 1 / (abs(zeta) + sqrt(1 + zeta * zeta));
  if (zeta < 0) t = -t;
  let c = 1 / sqrt(1 + t * t);
  let sine = c * t;
  if (yy > xx) {
    // Exchange the two as well: (x', y') -> (y', -x').
    const cosine = c;
    c = sine;
    sine = -cosine;
  }
  rotate(x, y, c, sine, length);
  rotate(jx, jy, c, sine, r);
  return true;
}

/** Splits G = diag(s) W^T, sorts, completes W to an orthonormal set, writes J^T and W. */
function finish(
  g: usize,
  r: i32,
  length: i32,
  j: usize,
  s: usize,
  order: usize,
  left: usize,
  right: usize,
  factor: f64,
): void {
  const step = (<usize>length) << 3;
  for (let i = 0; i < r; i++) {
    const row = g + <usize>i * step;
    const square = dot(row, row, length);
    store<f64>(s + ((<usize>i) << 3), sqrt(square));
  }
  // The rows are in order up to rounding; equal neighbours may be swapped.
  sortOrder(s, order, r);
  for (let k = 0; k < r; k++) {
    const i = load<u32>(order + ((<usize>k) << 2));
    const row = g + <usize>i * step;
    const value = load<f64>(s + ((<usize>i) << 3));
    if (value > 0) scale(1 / value, row, length);
    else complete(g, order, k, length);
    scatterRow(row, right + ((<usize>k) << 3), r, length);
    scatterRow(j + ((<usize>i * <usize>r) << 3), left + ((<usize>k) << 3), r, r);
  }
  permuteValues(s, order, r, factor);
}

/** Row order[k] of G <- a unit vector orthogonal to rows order[0..k-1]. */
function complete(g: usize, order: usize, k: i32, length: i32): void {
  const step = (<usize>length) << 3;
  const row = g + <usize>load<u32>(order + ((<usize>k) << 2)) * step;
  for (let axis = 0; axis < length; axis++) {
    memory.fill(row, 0, step);
    store<f64>(row + ((<usize>axis) << 3), 1);
    for (let pass = 0; pass < 2; pass++) {
      for (let i = 0; i < k; i++) {
        const other = g + <usize>load<u32>(order + ((<usize>i) << 2)) * step;
        addScaled(-dot(other, row, length), other, row, length);
      }
    }
    const norm = sqrt(dot(row, row, length));
    // Some axis keeps at least sqrt((length - k) / length) of its length.
    if (norm * norm * <f64>length >= 0.5) {
      scale(1 / norm, row, length);
      return;
    }
  }
}

function sortOrder(s: usize, order: usize, n: i32): void {
  for (let i = 0; i < n; i++) {
    const value = load<f64>(s + ((<usize>i) << 3));
    let j = i;
    while (j > 0) {
      const before = load<u32>(order + ((<usize>(j - 1)) << 2));
      if (!(load<f64>(s + ((<usize>before) << 3)) < value)) break;
      store<u32>(order + ((<usize>j) << 2), before);
      j--;
    }
    store<u32>(order + ((<usize>j) << 2), i);
  }
}

/** s <- factor s[order]; `order` has room for the copy behind it. */
function permuteValues(s: usize, order: usize, n: i32, factor: f64): void {
  // A descending sort of nearly sorted values.
  for (let i = 0; i < n; i++) {
    const value = load<f64>(s + ((<usize>i) << 3));
    let j = i;
    while (j > 0 && load<f64>(s + ((<usize>(j - 1)) << 3)) < value) {
      store<f64>(s + ((<usize>j) << 3), load<f64>(s + ((<usize>(j - 1)) << 3)));
      j--;
    }
    store<f64>(s + ((<usize>j) << 3), value);
  }
  scale(factor, s, n);
}

function scatterRow(from: usize, to: usize, width: i32, n: i32): void {
  const step = (<usize>width) << 3;
  for (const end = from + ((<usize>n) << 3); from < end; from += 8) {
    store<f64>(to, load<f64>(from));
    to += step;
  }
}
