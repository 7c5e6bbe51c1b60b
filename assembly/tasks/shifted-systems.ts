/**
 * Systems of one symmetric matrix with many shifts: (G + r I) z = b and log det(G + r I) for every r of a list, without
 * eigenvectors. With G = Q T Q^T each is T + r I = L D L^T, all shifts side by side, two to a vector.
 *
 * The product of sixteen pivots at a time has its logarithm taken: pivots between 1e-19 and 1e19 are far from what a
 * number does not hold.
 *
 * Rounding: both builds alike. Source: Golub and Van Loan, "Matrix Computations", section 4.3.6, for the recurrence.
 */
import { at } from "../address";
import { addScaled, dot } from "../blas/vector";
import { tridiagonalise, tridiagonaliseWorkspace } from "../eigen/tridiagonalise";

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
  /** G f64[k4, k4], the padding zero, for the caller to fill; then the reflectors of Q. */
  matrix: usize;
  /** b f64[k], for the caller to fill; then Q^T b. */
  right: usize;
  /** T and the reflectors' factors, f64[k] each. */
  diagonal: usize;
  off: usize;
  tau: usize;
  /** Q^T z of every shift, f64[k, count]. */
  solutions: usize;
  /** f64[count] each: log det(G + r I); b . z; and z . z_0, z_0 the first shift's. */
  logs: usize;
  products: usize;
  crosses: usize;
}

/** float64s of the parts of a record. */
function partsLength(k: i32, count: i32): f64 {
  const k4 = <f64>((k + 3) & ~3);
  return k4 * k4 + 4.0 * k4 + <f64>count * (<f64>k + 3.0);
}

/** Bytes of a record with its parts, a multiple of 16. */
export function shiftedSystemsBytes(k: i32, count: i32): f64 {
  return <f64>headerBytes() + 8.0 * partsLength(k, count);
}

@inline function headerBytes(): usize {
  return (offsetof<ShiftedSystems>() + 15) & ~15;
}

/** A record at `base`, aligned to 16 bytes, its matrix zero. */
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
  systems.solutions = at(systems.tau, k4);
  systems.logs = at(systems.solutions, k * count);
  systems.products = at(systems.logs, count);
  systems.crosses = at(systems.products, count);
  memory.fill(systems.matrix, 0, (<usize>k4 * <usize>k4) << 3);
  return systems;
}

/** Bytes of scratch that `solveSystems` needs, a multiple of 16. */
export function solveSystemsWorkspace(k: i32, count: i32): f64 {
  return Math.max(tridiagonaliseWorkspace(k), 8.0 * <f64>count * <f64>(k + 3));
}

/**
 * Solves for all shifts; false if G + r I is not positive definite, or not finite.
 * Cost: 4 k^3 / 3 flops, and 10 k a shift.
 */
export function solveSystems(systems: ShiftedSystems, work: usize): bool {
  const k = systems.k, k4 = systems.k4, count = systems.count;
  tridiagonalise(systems.matrix, k, k4, systems.diagonal, systems.off, systems.tau, work);
  for (let j = 0; j < k - 1; j++) reflect(systems, j, systems.right);
  const lefts = work, inverses = at(lefts, k * count), values = at(inverses, count);
  const pivots = at(values, count);
  for (let r = 0; r < count; r++) {
    store<f64>(at(pivots, r), 1.0);
    store<f64>(at(systems.logs, r), 0.0);
  }
  memory.fill(inverses, 0, (<usize>count) << 4);
  memory.fill(systems.products, 0, (<usize>count) << 4);
  let coupling = 0.0;
  for (let i = 0; i < k; i++) {
    // Written so that NaN is refused too.
    if (!(eliminate(systems, i, coupling, lefts, inverses, values, pivots) > 0.0)) return false;
    coupling = load<f64>(at(systems.off, i));
    if (i % LOG_EVERY == LOG_EVERY - 1 || i == k - 1) {
      for (let r = 0; r < count; r++) {
        const sum = load<f64>(at(systems.logs, r)) + Math.log(load<f64>(at(pivots, r)));
        store<f64>(at(systems.logs, r), sum);
        store<f64>(at(pivots, r), 1.0);
      }
    }
  }
  for (let i = k - 1; i >= 0; i--) substitute(systems, i, lefts);
  return true;
}

/**
 * Row i of L, D and D^-1 L^-1 Q^T b for every shift, and its part of b . z, which is a sum of squares; returns the least
 * pivot.
 */
function eliminate(
  systems: ShiftedSystems, i: i32, coupling: f64, lefts: usize, inverses: usize, values: usize, pivots: usize,
): f64 {
  const count = systems.count;
  const diagonal = load<f64>(at(systems.diagonal, i)), right = load<f64>(at(systems.right, i));
  const left = at(lefts, i * count), z = at(systems.solutions, i * count), products = systems.products;
  if (ASC_FEATURE_SIMD) {
    const c = f64x2.splat(coupling), d = f64x2.splat(diagonal), b = f64x2.splat(right);
    const one = f64x2.splat(1.0);
    let least = f64x2.splat(Infinity);
    for (let r = 0; r < count; r += 2) {
      const l = f64x2.mul(c, v128.load(at(inverses, r)));
      const pivot = f64x2.sub(f64x2.add(d, v128.load(at(systems.shifts, r))), f64x2.mul(l, c));
      const value = f64x2.sub(b, f64x2.mul(l, v128.load(at(values, r))));
      const inverse = f64x2.div(one, pivot);
      least = f64x2.min(least, pivot);
      v128.store(at(left, r), l);
      v128.store(at(inverses, r), inverse);
      v128.store(at(values, r), value);
      const quotient = f64x2.mul(value, inverse);
      v128.store(at(z, r), quotient);
      v128.store(at(products, r), f64x2.add(v128.load(at(products, r)), f64x2.mul(value, quotient)));
      v128.store(at(pivots, r), f64x2.mul(v128.load(at(pivots, r)), pivot));
    }
    return Math.min(f64x2.extract_lane(least, 0), f64x2.extract_lane(least, 1));
  }
  let least = Infinity;
  for (let r = 0; r < count; r++) {
    const l = coupling * load<f64>(at(inverses, r));
    const pivot = diagonal + load<f64>(at(systems.shifts, r)) - l * coupling;
    const value = right - l * load<f64>(at(values, r));
    const inverse = 1.0 / pivot;
    least = Math.min(least, pivot);
    store<f64>(at(left, r), l);
    store<f64>(at(inverses, r), inverse);
    store<f64>(at(values, r), value);
    const quotient = value * inverse;
    store<f64>(at(z, r), quotient);
    store<f64>(at(products, r), load<f64>(at(products, r)) + value * quotient);
    store<f64>(at(pivots, r), load<f64>(at(pivots, r)) * pivot);
  }
  return least;
}

/** Row i of z, from the last on, and its part of z . z_0. */
function substitute(systems: ShiftedSystems, i: i32, lefts: usize): void {
  const count = systems.count;
  const z = at(systems.solutions, i * count), crosses = systems.crosses;
  const last = i == systems.k - 1;
  const left = at(lefts, (i + 1) * count), next = at(z, count);
  const first = last ? load<f64>(z) : load<f64>(z) - load<f64>(left) * load<f64>(next);
  if (ASC_FEATURE_SIMD) {
    const f = f64x2.splat(first);
    for (let r = 0; r < count; r += 2) {
      let value = v128.load(at(z, r));
      if (!last) value = f64x2.sub(value, f64x2.mul(v128.load(at(left, r)), v128.load(at(next, r))));
      v128.store(at(z, r), value);
      v128.store(at(crosses, r), f64x2.add(v128.load(at(crosses, r)), f64x2.mul(f, value)));
    }
    return;
  }
  for (let r = 0; r < count; r++) {
    let value = load<f64>(at(z, r));
    if (!last) value -= load<f64>(at(left, r)) * load<f64>(at(next, r));
    store<f64>(at(z, r), value);
    store<f64>(at(crosses, r), load<f64>(at(crosses, r)) + first * value);
  }
}

/** out f64[k] <- the sum of the solutions z, shift r's taken weights[r] times. */
export function combineSolutions(systems: ShiftedSystems, weights: usize, out: usize): void {
  const k = systems.k, count = systems.count;
  for (let i = 0; i < k; i++) {
    store<f64>(at(out, i), dot(weights, at(systems.solutions, i * count), count));
  }
  for (let j = k - 2; j >= 0; j--) reflect(systems, j, out);
}

/** x f64[k] <- H_j x. */
function reflect(systems: ShiftedSystems, j: i32, x: usize): void {
  const v = at(systems.matrix, j * systems.k4 + j + 1), rest = systems.k - 1 - j;
  const to = at(x, j + 1);
  addScaled(-load<f64>(at(systems.tau, j)) * dot(v, to, rest), v, to, rest);
}
