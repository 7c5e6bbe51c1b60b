/**
 * Systems of one symmetric matrix with many shifts: (G + r I) z = b and log det(G + r I) for every r of a list, without
 * eigenvectors. With G = Q T Q^T each is T + r I = U D U^T, U of ones on the diagonal and of numbers right of it, all shifts
 * side by side, two to a vector.
 *
 * A first reflector makes Q^T b = |b| e_0, so that nothing is left to be eliminated from it: with the pivots taken from the
 * last row to the first, b . z = |b|^2 / D_0, and the entries of Q^T z are products, z_0 = |b| / D_0, z_i = -U_{i-1,i} z_{i-1}.
 *
 * The product of sixteen pivots at a time has its logarithm taken: pivots between 1e-19 and 1e19 are far from what a
 * number does not hold.
 *
 * Rounding: both builds alike. Source: Golub and Van Loan, "Matrix Computations", section 4.3.6, for the recurrence.
 */
import { at } from "../address";
import { addScaled, dot } from "../blas/vector";
import { reflector } from "../eigen/householder";
import { tridiagonalise, tridiagonaliseWorkspace } from "../eigen/tridiagonalise";
import { reflectBoth } from "../eigen/unblocked";

const LOG_EVERY: i32 = 16;

@unmanaged
export class ShiftedSystems {
  /** Order of G, and rounded up to a multiple of four. */
  k: i32;
  k4: i32;
  /** How many shifts, even. */
  count: i32;
  /** f64[count], >= 0. */
  shifts: usize;
  /** G f64[k4, k4], on and above the diagonal, the padding zero, for the caller to fill; then the reflectors of Q. */
  matrix: usize;
  /** b f64[k4], the padding zero, for the caller to fill; then the vector of Q's first reflector. */
  right: usize;
  /** |b|, or less it; and that reflector's factor. */
  size: f64;
  factor: f64;
  /** T and the other reflectors' factors, f64[k] each. */
  diagonal: usize;
  off: usize;
  tau: usize;
  /** U right of the diagonal, for every shift, f64[k, count]. */
  uppers: usize;
  /** f64[count] each: D_0; log det(G + r I); b . z; and z . z_0, z_0 the first shift's. */
  pivots: usize;
  logs: usize;
  products: usize;
  crosses: usize;
}

/** float64s of the parts of a record. */
function partsLength(k: i32, count: i32): f64 {
  const k4 = <f64>((k + 3) & ~3);
  return k4 * k4 + 4.0 * k4 + <f64>count * (<f64>k + 4.0);
}

/** Bytes of a record with its parts, a multiple of 16. */
export function shiftedSystemsBytes(k: i32, count: i32): f64 {
  return <f64>headerBytes() + 8.0 * partsLength(k, count);
}

@inline function headerBytes(): usize {
  return (offsetof<ShiftedSystems>() + 15) & ~15;
}

/** A record at `base`, aligned to 16 bytes, its matrix and right-hand side zero. */
export function layOutSystems(base: usize, k: i32, shifts: usize, count: i32): ShiftedSystems {
  const systems = changetype<ShiftedSystems>(base);
  const k4 = (k + 3) & ~3;
  systems.k = k;
  systems.k4 = k4;
  systems.count = count;
  systems.shifts = shifts;
  systems.matrix = base + headerBytes();
  systems.right = at(systems.matrix, k4 * k4);
  systems.diagonal = at(systems.right, k4);
  systems.off = at(systems.diagonal, k4);
  systems.tau = at(systems.off, k4);
  systems.uppers = at(systems.tau, k4);
  systems.pivots = at(systems.uppers, k * count);
  systems.logs = at(systems.pivots, count);
  systems.products = at(systems.logs, count);
  systems.crosses = at(systems.products, count);
  memory.fill(systems.matrix, 0, (<usize>(k4 + 1) * <usize>k4) << 3);
  return systems;
}

/** Bytes of scratch that `solveSystems` and `combineSolutions` need, a multiple of 16. */
export function solveSystemsWorkspace(k: i32, count: i32): f64 {
  return Math.max(tridiagonaliseWorkspace(k), 16.0 * <f64>count);
}

/**
 * Solves for all shifts; false if G + r I is not positive definite, or not finite.
 * Cost: 4 k^3 / 3 flops, and 7 k a shift.
 */
export function solveSystems(systems: ShiftedSystems, work: usize): bool {
  const k = systems.k, k4 = systems.k4, count = systems.count;
  const right = systems.right, factor = offsetof<ShiftedSystems>("factor") + changetype<usize>(systems);
  systems.size = reflector(right, k, factor);
  reflectBoth(systems.matrix, (<usize>k4) << 3, right, systems.factor, work, k4, 0);
  tridiagonalise(systems.matrix, k, k4, systems.diagonal, systems.off, systems.tau, work);
  const products = work;
  for (let r = 0; r < count; r++) {
    // Nothing lies below the last row.
    store<f64>(at(systems.pivots, r), Infinity);
    store<f64>(at(products, r), 1.0);
    store<f64>(at(systems.logs, r), 0.0);
  }
  for (let i = k - 1; i >= 0; i--) {
    // Written so that NaN is refused too.
    if (!(eliminate(systems, i, products) > 0.0)) return false;
    if (i % LOG_EVERY == 0) {
      for (let r = 0; r < count; r++) {
        const sum = load<f64>(at(systems.logs, r)) + Math.log(load<f64>(at(products, r)));
        store<f64>(at(systems.logs, r), sum);
        store<f64>(at(products, r), 1.0);
      }
    }
  }
  const square = systems.size * systems.size;
  for (let r = 0; r < count; r++) {
    store<f64>(at(systems.products, r), square / load<f64>(at(systems.pivots, r)));
  }
  return true;
}

/** Row i of U and D for every shift, from those of the row below; returns the least pivot. */
function eliminate(systems: ShiftedSystems, i: i32, products: usize): f64 {
  const count = systems.count, pivots = systems.pivots, shifts = systems.shifts;
  const diagonal = load<f64>(at(systems.diagonal, i)), coupling = load<f64>(at(systems.off, i));
  const upper = at(systems.uppers, i * count);
  if (ASC_FEATURE_SIMD) {
    const c = f64x2.splat(coupling), d = f64x2.splat(diagonal);
    let least = f64x2.splat(Infinity);
    for (let r = 0; r < count; r += 2) {
      const u = f64x2.div(c, v128.load(at(pivots, r)));
      const pivot = f64x2.sub(f64x2.add(d, v128.load(at(shifts, r))), f64x2.mul(u, c));
      least = f64x2.min(least, pivot);
      v128.store(at(upper, r), u);
      v128.store(at(pivots, r), pivot);
      v128.store(at(products, r), f64x2.mul(v128.load(at(products, r)), pivot));
    }
    return Math.min(f64x2.extract_lane(least, 0), f64x2.extract_lane(least, 1));
  }
  let least = Infinity;
  for (let r = 0; r < count; r++) {
    const u = coupling / load<f64>(at(pivots, r));
    const pivot = diagonal + load<f64>(at(shifts, r)) - u * coupling;
    least = Math.min(least, pivot);
    store<f64>(at(upper, r), u);
    store<f64>(at(pivots, r), pivot);
    store<f64>(at(products, r), load<f64>(at(products, r)) * pivot);
  }
  return least;
}

/** z . z_0 of every shift, and out f64[k] <- z_0. @param work f64[count]. */
export function crossSolutions(systems: ShiftedSystems, out: usize, work: usize): void {
  const count = systems.count, crosses = systems.crosses;
  startSolutions(systems, 0, work);
  memory.fill(crosses, 0, (<usize>count) << 3);
  for (let i = 0; i < systems.k; i++) {
    if (i > 0) nextSolutions(systems, i, work);
    store<f64>(at(out, i), load<f64>(work));
    addScaled(load<f64>(work), work, crosses, count);
  }
  turnBack(systems, out);
}

/** out f64[k] <- the sum of the solutions z, shift r's taken weights[r] times. @param work f64[count]. */
export function combineSolutions(systems: ShiftedSystems, weights: usize, out: usize, work: usize): void {
  const k = systems.k, count = systems.count;
  startSolutions(systems, weights, work);
  for (let i = 0; i < k; i++) {
    if (i > 0) nextSolutions(systems, i, work);
    store<f64>(at(out, i), sumOf(work, count));
  }
  turnBack(systems, out);
}

/** out f64[k] <- Q out. */
function turnBack(systems: ShiftedSystems, out: usize): void {
  const k = systems.k;
  for (let j = k - 2; j >= 0; j--) {
    reflect(at(systems.matrix, j * systems.k4 + j + 1), load<f64>(at(systems.tau, j)), at(out, j + 1), k - 1 - j);
  }
  reflect(systems.right, systems.factor, out, k);
}

/** z f64[count] <- entry 0 of Q^T z of every shift, weights[r] times where there are weights. */
@inline function startSolutions(systems: ShiftedSystems, weights: usize, z: usize): void {
  for (let r = 0; r < systems.count; r++) {
    const weight = weights ? load<f64>(at(weights, r)) : 1.0;
    store<f64>(at(z, r), (weight * systems.size) / load<f64>(at(systems.pivots, r)));
  }
}

/** Entry i from entry i - 1. */
@inline function nextSolutions(systems: ShiftedSystems, i: i32, z: usize): void {
  const count = systems.count, upper = at(systems.uppers, (i - 1) * count);
  if (ASC_FEATURE_SIMD) {
    for (let r = 0; r < count; r += 2) {
      v128.store(at(z, r), f64x2.neg(f64x2.mul(v128.load(at(upper, r)), v128.load(at(z, r)))));
    }
    return;
  }
  for (let r = 0; r < count; r++) store<f64>(at(z, r), -(load<f64>(at(upper, r)) * load<f64>(at(z, r))));
}

/** In two lanes. */
function sumOf(x: usize, count: i32): f64 {
  if (ASC_FEATURE_SIMD) {
    let sum = f64x2.splat(0);
    for (let r = 0; r < count; r += 2) sum = f64x2.add(sum, v128.load(at(x, r)));
    return f64x2.extract_lane(sum, 0) + f64x2.extract_lane(sum, 1);
  }
  let even = 0.0, odd = 0.0;
  for (let r = 0; r < count; r += 2) {
    even += load<f64>(at(x, r));
    odd += load<f64>(at(x, r), 8);
  }
  return even + odd;
}

/** x f64[n] <- (I - tau v v^T) x. */
function reflect(v: usize, tau: f64, x: usize, n: i32): void {
  addScaled(-tau * dot(v, x, n), v, x, n);
}
