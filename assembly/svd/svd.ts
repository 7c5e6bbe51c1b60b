/**
 * Thin singular value decomposition: eigenvectors of the smaller Gram matrix as a first guess,
 * made exact by one-sided Jacobi rotations where the guess is not orthogonal to working accuracy.
 *
 * G is A or A^T, whichever has r = min(rows, cols) rows of length L. B = J G with J orthogonal and
 * the rows of B orthogonal gives G = J^T diag(s) W^T: s the row norms, W^T the unit rows.
 * 1. J = Q^T from G G^T = Q diag Q^T. Well-conditioned matrices are done here.
 * 2. Rows much shorter than the longest come out of the Gram matrix as noise: the same again on
 *    them alone, which sees them at their own scale (after Drmac and Veselic 2008, who precondition
 *    by QR with pivoting).
 * 3. Jacobi rotations (Hestenes 1958) of the pairs of rows that fail the test for orthogonality.
 * 4. Rows that are zero to working accuracy are replaced by an orthonormal completion.
 */
import { product, productWorkspace } from "../blas/gemm";
import { upperGram } from "../blas/gram";
import { NARROW } from "../blas/narrow-gram";
import { mirrorUpper, syrk, syrkWorkspace } from "../blas/symmetric";
import { OVERWRITE } from "../blas/tile";
import { transpose } from "../blas/transpose";
import { dot, maxAbs, scale, unitScale } from "../blas/vector";
import { eigh, eighWorkspace } from "../eigen/eigh";
import { ascending } from "../eigen/order";
import { completeRows } from "./complete";
import { isDiagonal, rotateRows } from "./jacobi";

const EPS: f64 = 1.1102230246251565e-16; // 2^-53
/** Rows shorter than this part of the longest are taken up again by themselves. */
const SHORT: f64 = 7.62939453125e-6; // 2^-17
/** Passes of rotations; one to four are usual. */
const PASSES: i32 = 40;

/**
 * A[rows,cols] = U diag(s) V^T, r = min(rows, cols).
 *
 * a  f64[rows,cols], row-major, destroyed
 * u  f64[rows,r], s f64[r] descending, v f64[cols,r]; U and V have orthonormal columns also where
 *    s is zero. Values up to (10 + 2 sqrt(r)) 2^-53 s[0] are noise and returned as zero.
 * Returns 0, or 1 if an iteration did not converge.
 *
 * Cost: for a well-conditioned matrix 4 r^2 L + 10 r^3 flops, nearly all in matrix products.
 * Backward error and orthogonality: a small multiple of r 2^-53, normwise.
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
  const rowStep = wide ? cols : 1;
  const colStep = wide ? 1 : cols;
  const b = work; // r x length
  const gram = b + ((<usize>r * <usize>length) << 3); // r x r
  const rest = gram + ((<usize>r * <usize>r) << 3);

  const factor = unitScale(maxAbs(a, rows * cols));
  if (factor != 1) scale(factor, a, rows * cols);
  if (wide) gramOfRows(a, r, length, gram, right, rest);
  else syrk(a, gram, length, r, rest);
  if (eigh(gram, s, left, r, rest)) return 1;
  product(left, 1, r, a, rowStep, colStep, b, length, r, r, length, OVERWRITE, false, rest);
  gramOfRows(b, r, length, gram, right, rest);
  const cutoff = EPS * (10 + 2 * sqrt(<f64>r));
  const nothing = load<f64>(gram) * cutoff * cutoff;
  if (isDiagonal(gram, r, length, nothing)) {
    rootsOfDiagonal(gram, r, s);
    normaliseRows(b, r, length);
  } else if (polish(b, a, left, s, gram, r, length, nothing, rest)) {
    return 1;
  }
  transpose(b, right, r, length);
  for (let i = 0; i < r; i++) {
    const at = s + ((<usize>i) << 3);
    store<f64>(at, load<f64>(at) / factor);
  }
  return 0;
}

export function svdWorkspace(rows: i32, cols: i32): f64 {
  const r = min(rows, cols);
  const length = max(rows, cols);
  const square = <f64>r * <f64>r;
  const products = max(productWorkspace(r, length, length), syrkWorkspace(length, r));
  const stages = max(eighWorkspace(r), products);
  return 8 * (2 * <f64>r * <f64>length + 3 * square + 2 * <f64>r + 16) + stages;
}

/** out[r,r] <- B B^T. */
function rowGram(b: usize, r: i32, length: i32, out: usize, work: usize): void {
  upperGram(b, 1, length, out, length, r, work);
  mirrorUpper(out, r);
}

/** The same by way of B^T, `turned` f64[length,r], where that has few columns: `syrk` is best at those. */
function gramOfRows(
  b: usize,
  r: i32,
  length: i32,
  gram: usize,
  turned: usize,
  work: usize,
): void {
  if (r > NARROW) {
    rowGram(b, r, length, gram, work);
    return;
  }
  transpose(b, turned, r, length);
  syrk(turned, gram, length, r, work);
}

function rootsOfDiagonal(gram: usize, r: i32, s: usize): void {
  for (let i = 0; i < r; i++) {
    const at = gram + ((<usize>i * <usize>(r + 1)) << 3);
    store<f64>(s + ((<usize>i) << 3), sqrt(load<f64>(at)));
  }
}

/** Rows 0..rank-1 of B <- the rows divided by their lengths. */
function normaliseRows(b: usize, rank: i32, length: i32): void {
  for (let i = 0; i < rank; i++) {
    const row = b + ((<usize>i * <usize>length) << 3);
    scale(1 / sqrt(dot(row, row, length)), row, length);
  }
}

/**
 * Steps 2 to 4 above: leaves unit rows in B, J^T in `left`, values in s, all in descending order.
 *
 * j       f64[r,r], for J
 * nothing squared norm up to which a row is noise
 */
function polish(
  b: usize,
  j: usize,
  left: usize,
  s: usize,
  gram: usize,
  r: i32,
  length: i32,
  nothing: f64,
  work: usize,
): i32 {
  const square = (<usize>r * <usize>r) << 3;
  const first = work; // r x r
  const second = first + square; // r x r
  const spare = second + square; // r x length
  const order = spare + ((<usize>r * <usize>length) << 3);
  const rest = order + (((<usize>r) << 3) + 16);
  transpose(left, j, r, r);
  if (takeUpShortRows(b, j, gram, r, length, nothing, first, second, s, spare, rest)) return 1;
  let pass = 0;
  while (rotateRows(b, j, gram, r, length, nothing)) {
    if (++pass == PASSES) return 1;
    rowGram(b, r, length, gram, rest);
  }
  // Hundreds of rotations by the same angle stretch a row by as many roundings: undo that.
  for (let i = 0; i < r; i++) {
    const turned = j + ((<usize>i * <usize>r) << 3);
    const row = b + ((<usize>i * <usize>length) << 3);
    const stretch = sqrt(dot(turned, turned, r));
    scale(1 / stretch, turned, r);
    const size = dot(row, row, length);
    store<f64>(gram + ((<usize>i) << 3), size > nothing ? -sqrt(size) / stretch : 0);
  }
  ascending(gram, r, order);
  sortRows(b, (<usize>length) << 3, order, r, spare);
  sortRows(j, (<usize>r) << 3, order, r, spare);
  let rank = 0;
  for (let i = 0; i < r; i++) {
    const from = load<u32>(order + ((<usize>i) << 2));
    const value = -load<f64>(gram + ((<usize>from) << 3));
    store<f64>(s + ((<usize>i) << 3), value);
    if (value > 0) rank++;
  }
  normaliseRows(b, rank, length);
  transpose(j, left, r, r);
  if (rank == r) return 0;
  return completeRows(b, rank, r, length, gram, first, second, spare, rest);
}

/** Rows <- rows in the given order. */
function sortRows(rows: usize, bytes: usize, order: usize, n: i32, spare: usize): void {
  for (let i = 0; i < n; i++) {
    const from = load<u32>(order + ((<usize>i) << 2));
    memory.copy(spare + <usize>i * bytes, rows + <usize>from * bytes, bytes);
  }
  memory.copy(rows, spare, <usize>n * bytes);
}

/** Step 2: as long as a block of rows ends in much shorter ones, those become the next block. */
function takeUpShortRows(
  b: usize,
  j: usize,
  gram: usize,
  r: i32,
  length: i32,
  nothing: f64,
  part: usize,
  vectors: usize,
  values: usize,
  spare: usize,
  work: usize,
): i32 {
  const step = (<usize>r) << 3;
  let start = 0;
  while (true) {
    const limit = SHORT * SHORT * load<f64>(gram + <usize>start * (step + 8));
    let i = start + 1;
    while (i < r && load<f64>(gram + <usize>i * (step + 8)) >= limit) i++;
    if (i >= r || load<f64>(gram + <usize>i * (step + 8)) <= nothing) return 0;
    const n = r - i;
    const corner = gram + <usize>i * (step + 8);
    const bytes = (<usize>n) << 3;
    for (let k = 0; k < n; k++) {
      memory.copy(part + <usize>k * bytes, corner + <usize>k * step, bytes);
    }
    if (eigh(part, values, vectors, n, work)) return 1;
    turnRows(b + ((<usize>i * <usize>length) << 3), vectors, n, length, spare, work);
    turnRows(j + <usize>i * step, vectors, n, r, spare, work);
    rowGram(b, r, length, gram, work);
    start = i;
  }
}

/** Rows[n,length] <- Q^T Rows. */
function turnRows(rows: usize, q: usize, n: i32, length: i32, spare: usize, work: usize): void {
  product(q, 1, n, rows, length, 1, spare, length, n, n, length, OVERWRITE, false, work);
  memory.copy(rows, spare, (<usize>n * <usize>length) << 3);
}
