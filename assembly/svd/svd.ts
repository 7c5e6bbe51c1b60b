/**
 * Thin singular value decomposition: eigenvectors of the smaller Gram matrix where those are good
 * enough, by way of a bidiagonal matrix otherwise.
 *
 * G is A or A^T, whichever has r = min(rows, cols) rows of length L. B = J G with J orthogonal and
 * the rows of B orthogonal gives G = J^T diag(s) W^T: s the row norms, W^T the unit rows.
 * J = Q^T from G G^T = Q diag Q^T makes them orthogonal to working accuracy where the condition of
 * G is at most five to eight. Inverse iteration with the Gram matrix's Cholesky factor, then its
 * eigenvalues and at last the inner products of the rows tell whether it is; if not, ./general.
 */
import { at } from "../address";
import { product, productWorkspace } from "../blas/gemm";
import { upperGram } from "../blas/gram";
import { NARROW } from "../blas/narrow-gram";
import { mirrorUpper, syrk, syrkWorkspace } from "../blas/symmetric";
import { OVERWRITE } from "../blas/tile";
import { transpose } from "../blas/transpose";
import { dot, maxAbs, scale, unitScale } from "../blas/vector";
import { cholesky, choleskySolve } from "../cholesky";
import { eigh, eighWorkspace } from "../eigen/eigh";
import { generalSvd, generalWorkspace } from "./general";

const EPS: f64 = 1.1102230246251565e-16; // 2^-53
/** Squared condition above which the Gram matrix's eigenvectors are never good enough. */
const CONDITION: f64 = 64;
/** Each gains a digit or more on the least eigenvalue. */
const INVERSE_ROUNDS: i32 = 3;
/** Above this order nearly square matrices are not tried: few are that well-conditioned, and the
 * other way takes hardly longer. */
const SMALL: i32 = 64;

/**
 * A[rows,cols] = U diag(s) V^T, r = min(rows, cols).
 *
 * a  f64[rows,cols], row-major, destroyed
 * u  f64[rows,r], s f64[r] descending, v f64[cols,r]; U and V have orthonormal columns also where
 *    s is zero. Values up to (10 + 2 sqrt(r)) 2^-53 s[0] are noise and returned as zero.
 * Returns 0, or 1 if an iteration did not converge.
 *
 * Cost: for a well-conditioned matrix 4 r^2 L + 10 r^3 flops, nearly all in matrix products; for
 * others that of `generalSvd`, a quarter of it in products with vectors.
 * Backward error: a small multiple of r 2^-53, normwise; orthogonality: of max(rows, cols) 2^-53.
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
  const left = wide ? u : v;
  const right = wide ? v : u;
  const factor = unitScale(maxAbs(a, rows * cols));
  if (factor != 1) scale(factor, a, rows * cols);
  const hopeless = r > SMALL && length < 2 * r;
  const code = hopeless ? UNFIT : byGramMatrix(a, wide, r, length, left, s, right, work);
  if (code == FAILED) return 1;
  if (code == UNFIT) {
    generalSvd(a, wide, r, length, left, s, right, work);
    const noise = EPS * (10 + 2 * sqrt(<f64>r)) * load<f64>(s);
    for (let i = 0; i < r; i++) if (load<f64>(at(s, i)) <= noise) store<f64>(at(s, i), 0);
  }
  for (let i = 0; i < r; i++) store<f64>(at(s, i), load<f64>(at(s, i)) / factor);
  return 0;
}

export function svdWorkspace(rows: i32, cols: i32): f64 {
  const r = min(rows, cols);
  const length = max(rows, cols);
  const square = <f64>r * <f64>r;
  const products = max(productWorkspace(r, length, length), syrkWorkspace(length, r));
  const stages = max(eighWorkspace(r), products);
  return max(8 * (<f64>r * <f64>length + square) + stages, generalWorkspace(r, length));
}

const DONE: i32 = 0;
/** An iteration did not converge. */
const FAILED: i32 = 1;
/** The matrix is too ill-conditioned; it is as it was. */
const UNFIT: i32 = 2;

function byGramMatrix(
  a: usize,
  wide: bool,
  r: i32,
  length: i32,
  left: usize,
  s: usize,
  right: usize,
  work: usize,
): i32 {
  const b = work; // r x length
  const gram = at(b, r * length); // r x r
  const rest = at(gram, r * r);
  const rowStep = wide ? length : 1;
  const colStep = wide ? 1 : r;
  if (wide) gramOfRows(a, r, length, gram, right, rest);
  else syrk(a, gram, length, r, rest);
  memory.copy(left, gram, (<usize>r * <usize>r) << 3);
  if (!isWellConditioned(left, r, s)) return UNFIT;
  if (eigh(gram, s, left, r, rest)) return FAILED;
  if (!(load<f64>(at(s, r - 1)) * CONDITION > load<f64>(s))) return UNFIT;
  product(left, 1, r, a, rowStep, colStep, b, length, r, r, length, OVERWRITE, false, rest);
  gramOfRows(b, r, length, gram, right, rest);
  if (!isDiagonal(gram, r, length)) return UNFIT;
  for (let i = 0; i < r; i++) store<f64>(at(s, i), sqrt(load<f64>(at(gram, i * (r + 1)))));
  for (let i = 0; i < r; i++) {
    const row = at(b, i * length);
    scale(1 / sqrt(dot(row, row, length)), row, length);
  }
  transpose(b, right, r, length);
  return DONE;
}

/**
 * Whether the squared condition may be below CONDITION; what is turned away is above it, but for
 * rounding. `gram` is destroyed, z f64[r] spare.
 */
function isWellConditioned(gram: usize, r: i32, z: usize): bool {
  let most: f64 = 0;
  for (let i = 0; i < r; i++) most = max(most, load<f64>(at(gram, i * (r + 1))));
  if (cholesky(gram, r) != 0) return false;
  let worst = 0;
  for (let i = 1; i < r; i++) {
    if (load<f64>(at(gram, i * (r + 1))) < load<f64>(at(gram, worst * (r + 1)))) worst = i;
  }
  // Inverse iteration from the least pivot: |z| / |G^-1 z| is never below the least eigenvalue.
  memory.fill(z, 0, (<usize>r) << 3);
  store<f64>(at(z, worst), 1);
  for (let round = 0; round < INVERSE_ROUNDS; round++) {
    choleskySolve(gram, z, r, 1);
    const size = sqrt(dot(z, z, r));
    // Written so that a NaN fails.
    if (!(size * most < CONDITION)) return false;
    scale(1 / size, z, r);
  }
  return true;
}

/** out[r,r] <- B B^T; `turned` f64[length,r] takes B^T where that has few columns: `syrk` is best at those. */
function gramOfRows(
  b: usize,
  r: i32,
  length: i32,
  gram: usize,
  turned: usize,
  work: usize,
): void {
  if (r > NARROW) {
    upperGram(b, 1, length, gram, length, r, work);
    mirrorUpper(gram, r);
    return;
  }
  transpose(b, turned, r, length);
  syrk(turned, gram, length, r, work);
}

/**
 * Whether the rows with these inner products are orthogonal and their norms descending.
 *
 * The eigenvectors of a Gram matrix leave cosines of a few units at condition 3, typically below
 * one; no less is asked than the rounding of a computed inner product of long rows.
 */
function isDiagonal(gram: usize, r: i32, length: i32): bool {
  const limit = 2.220446049250313e-16 * max(16, 0.25 * sqrt(<f64>length));
  for (let i = 0; i < r; i++) {
    const row = at(gram, i * r);
    const size = load<f64>(at(row, i));
    // Written so that a NaN fails.
    if (!(size > 0)) return false;
    if (i > 0 && load<f64>(at(gram, (i - 1) * (r + 1))) < size) return false;
    const square = limit * limit * size;
    for (let j = i + 1; j < r; j++) {
      const xy = load<f64>(at(row, j));
      if (xy * xy > square * load<f64>(at(gram, j * (r + 1)))) return false;
    }
  }
  return true;
}
