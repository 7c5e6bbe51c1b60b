/**
 * Eigenvalues and eigenvectors of a small symmetric tridiagonal matrix by the QL method without square roots on its way: in three quarters of
 * the time of `implicit-ql.ts`, where a rotation waits for a root and a quotient of the one before.
 *
 * After Reinsch (1973), "A stable, rational QL algorithm for the computation of the eigenvalues of an ordinary tridiagonal matrix"
 * (EISPACK tqlrat), which carries the squares of sines and cosines along, and the pivots of T - shift I. The rotations for vectors are
 * their roots, which wait for nothing; signs are those that make all of e positive, but for the first of a block.
 */
import { maxAbs } from "../blas/vector";
import { applySweep, SWEEPS } from "./implicit-ql";

/**
 * Part of the largest entry below which one beside the diagonal is nothing: below half of it a shift may be lost in the entry that it is taken from,
 * and sweeps would go on without end where eigenvalues are equal.
 */
const NEGLIGIBLE: f64 = 2.220446049250313e-16; // 2^-52

/** Of entries about 1, in place of a pivot of 0: far below rounding. */
const LEAST_PIVOT: f64 = 1e-60;

/**
 * T = S diag(d) S^T; Z <- S^T Z, as `implicitQl` has it; the rows of Z are of `cols` entries, a multiple of 4.
 *
 * d, e  f64[n], T, the largest entry about 1 or below; d becomes the eigenvalues, unordered
 * work  f64[2 n]
 * Returns 0, or 1 if a value needs more than 60 sweeps.
 * Backward error: a small multiple of n 2^-53 in norm, of entries about 1. Cost: about 3 n^2 rotations of rows.
 */
export function rationalQl(d: usize, e: usize, n: i32, z: usize, step: usize, cols: i32, work: usize): i32 {
  const norm = max(1, max(maxAbs(d, n), maxAbs(e, n)));
  makePositive(e, n, z, step, cols);
  const negligible = NEGLIGIBLE * norm * (NEGLIGIBLE * norm);
  for (let l = 0; l < n; l++) {
    const dl = d + ((<usize>l) << 3), el = e + ((<usize>l) << 3);
    let sweeps = 0, sign = 1.0;
    while (true) {
      let m = l;
      while (m < n - 1 && load<f64>(e + ((<usize>m) << 3)) > negligible) m++;
      store<f64>(e + ((<usize>m) << 3), 0);
      if (m == l) break;
      if (sweeps++ == SWEEPS) return 1;
      // Wilkinson's shift, from the 2 x 2 block at l.
      const own = load<f64>(dl), coupled = sqrt(load<f64>(el));
      const g = (load<f64>(dl, 8) - own) / (2 * coupled), r = sqrt(g * g + 1);
      sign = sweep(d, e, l, m, own - coupled / (g + (g < 0 ? -r : r)), sign, work);
      applySweep(z, step, cols, l, m, work);
    }
  }
  return 0;
}

/** e <- its squares; rows of Z change signs as T does, to have e positive. */
function makePositive(e: usize, n: i32, z: usize, step: usize, cols: i32): void {
  let turned = false;
  for (let i = 0; i < n - 1; i++) {
    const at = e + ((<usize>i) << 3), value = load<f64>(at);
    if (value < 0) turned = !turned;
    store<f64>(at, value * value);
    z += step;
    if (!turned) continue;
    for (let k = z, end = z + ((<usize>cols) << 3); k < end; k += 8) store<f64>(k, -load<f64>(k));
  }
  store<f64>(e + ((<usize>(n - 1)) << 3), 0);
}

/**
 * One sweep of the block l..m: rotation i (rows i, i + 1) goes to work[2 i], work[2 i + 1] as cosine, sine.
 * @param sign that of the entry at l, of whose square e has. @returns the sign it has then.
 */
function sweep(d: usize, e: usize, l: i32, m: i32, shift: f64, sign: f64, work: usize): f64 {
  const last = (<usize>m) << 3, first = (<usize>l) << 3;
  // The pivot, the square of the entry that is turned away, and their like of the row before.
  let pivot = nonZero(load<f64>(d + last) - shift), gamma = pivot, p = pivot * pivot;
  let sine = 0.0, way = copysign(1.0, pivot);
  for (let at = last - 8; ; at -= 8) {
    const square = load<f64>(e + at), own = load<f64>(d + at);
    const r = p + square;
    const next = nonZero(own - shift - square / pivot);
    const inverse = 1 / r;
    if (at < last - 8) store<f64>(e + at, sine * r, 8);
    const cosine = p * inverse;
    sine = square * inverse;
    const gone = next * cosine;
    store<f64>(d + at, gamma + (own - gone), 8);
    const rotation = work + (at << 1);
    store<f64>(rotation, way * sqrt(cosine));
    store<f64>(rotation, sqrt(sine), 8);
    p = next * next * p * inverse;
    way *= copysign(1.0, next);
    gamma = gone;
    pivot = next;
    if (at == first) break;
  }
  const rotation = work + (first << 1);
  store<f64>(rotation, sign * load<f64>(rotation, 8), 8);
  store<f64>(e + first, sine * p);
  store<f64>(d + first, gamma + shift);
  return sign * way;
}

@inline function nonZero(pivot: f64): f64 {
  return abs(pivot) < LEAST_PIVOT ? LEAST_PIVOT : pivot;
}
