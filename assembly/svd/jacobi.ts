/**
 * One-sided Jacobi rotations of rows, guided by their Gram matrix.
 */
import { dot, rotate } from "../blas/vector";

/**
 * The cosine below which two rows count as orthogonal. The eigenvectors of a Gram matrix leave a
 * few units at condition 3, typically below one; below 16 nothing is gained by turning on. Never
 * less than the rounding of a computed inner product of long rows.
 */
function tolerance(length: i32): f64 {
  return 2.220446049250313e-16 * max(16, 0.25 * sqrt(<f64>length));
}

/**
 * Whether the rows are orthogonal, none of them noise and their norms descending.
 *
 * gram    f64[r,r], inner products of the rows; both triangles
 * nothing squared norm up to which a row is noise
 */
export function isDiagonal(gram: usize, r: i32, length: i32, nothing: f64): bool {
  const step = (<usize>r) << 3;
  const limit = tolerance(length);
  for (let i = 0; i < r; i++) {
    const diagonal = gram + <usize>i * (step + 8);
    const size = load<f64>(diagonal);
    // Written so that a NaN fails.
    if (!(size > nothing)) return false;
    if (i > 0 && load<f64>(diagonal - step - 8) < size) return false;
    if (nextSteep(gram, r, i, i + 1, limit, nothing) < r) return false;
  }
  return true;
}

/** The first q >= from whose row is not orthogonal to row p and is no noise; r if there is none. */
function nextSteep(gram: usize, r: i32, p: i32, from: i32, limit: f64, nothing: f64): i32 {
  const step = (<usize>r) << 3;
  const row = gram + <usize>p * step;
  const square = limit * limit * load<f64>(row + ((<usize>p) << 3));
  let diagonal = gram + <usize>from * (step + 8);
  for (let q = from; q < r; q++) {
    const xy = load<f64>(row + ((<usize>q) << 3));
    const yy = load<f64>(diagonal);
    if (xy * xy > square * yy && yy > nothing) return q;
    diagonal += step + 8;
  }
  return r;
}

/**
 * Rotates every pair of rows of B whose entry in `gram` says that it is not orthogonal, and the
 * same rows of J. `gram`'s diagonal is kept up to date, the rest is not.
 * Returns whether any pair was turned; pairs are tested again when their turn comes, so that a
 * pass without a rotation proves that all rows are orthogonal.
 */
export function rotateRows(
  b: usize,
  j: usize,
  gram: usize,
  r: i32,
  length: i32,
  nothing: f64,
): bool {
  const limit = tolerance(length);
  let any = false;
  for (let p = 0; p < r - 1; p++) {
    if (load<f64>(gram + ((<usize>p * <usize>(r + 1)) << 3)) <= nothing) continue;
    let q = nextSteep(gram, r, p, p + 1, limit, nothing);
    while (q < r) {
      if (rotatePair(b, j, gram, r, length, p, q, limit)) any = true;
      q = nextSteep(gram, r, p, q + 1, limit, nothing);
    }
  }
  return any;
}

/**
 * Makes rows p and q orthogonal (Golub and Van Loan 2013, Section 8.6.3). Returns whether they
 * were not: the Gram matrix may be older than earlier rotations of this pass.
 */
function rotatePair(
  b: usize,
  j: usize,
  gram: usize,
  r: i32,
  length: i32,
  p: i32,
  q: i32,
  limit: f64,
): bool {
  const bytes = (<usize>length) << 3;
  const x = b + <usize>p * bytes;
  const y = b + <usize>q * bytes;
  const xxAt = gram + ((<usize>p * <usize>(r + 1)) << 3);
  const yyAt = gram + ((<usize>q * <usize>(r + 1)) << 3);
  const xy = dot(x, y, length);
  const xx = load<f64>(xxAt);
  const yy = load<f64>(yyAt);
  if (xy * xy <= limit * limit * xx * yy) return false;
  const zeta = (yy - xx) / (2 * xy);
  const t = copysign<f64>(1 / (abs(zeta) + sqrt(1 + zeta * zeta)), zeta);
  const c = 1 / sqrt(1 + t * t);
  const s = c * t;
  const step = (<usize>r) << 3;
  rotate(x, y, c, s, length);
  rotate(j + <usize>p * step, j + <usize>q * step, c, s, r);
  store<f64>(xxAt, xx - t * xy);
  store<f64>(yyAt, max(0, yy + t * xy));
  return true;
}
