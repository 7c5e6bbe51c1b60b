/**
 * `shifted-systems.ts` in single precision, problems of the same order side by side (`blas/lanes.ts`), each with shifts of its own.
 *
 * Rounding moves G by some 2^-24 |G|, so that shifts must be well above that; how far is for who asks to say.
 */
import { exponentOf, logLanes, mantissaOf } from "../blas/lane-elementary";
import { add, addLanes, div, dotLanes, entryOf, every, mul, smaller, sub } from "../blas/lanes";
import { reflectBothLanes, reflectorLanes, tridiagonaliseLanes } from "../eigen/lane-tridiagonal";

/** The product of so many pivots has its exponent taken: pivots between 1e-9 and 1e9 are far from what a number does not hold. */
const EXPONENT_EVERY: i32 = 4;
const LN2: f64 = 0.6931471805599453;

/** Arrays are of T. */
@unmanaged
export class LaneSystems {
  /** Order of G, and rounded up to a multiple of four. */
  k: i32;
  k4: i32;
  /** Number of shifts, even: `combineLanes` takes them by twos. */
  count: i32;
  /** [count], > 0. */
  shifts: usize;
  /** G[k4, k4], its diagonal's blocks whole, the padding zero, for the caller to fill; then the reflectors of Q. */
  matrix: usize;
  /** b[k4], the padding zero, for the caller to fill; then the vector of Q's first reflector. */
  right: usize;
  /** [1] each: |b|, or less it; that reflector's factor; and the least pivot of all shifts: G + t I is positive definite where it is > 0. */
  size: usize;
  factor: usize;
  least: usize;
  /** T and the other reflectors' factors, [k4] each. */
  diagonal: usize;
  off: usize;
  tau: usize;
  /** U right of the diagonal, [k, count]. */
  uppers: usize;
  /** [count] each: D_0; log det(G + t I); and b . z. */
  pivots: usize;
  logs: usize;
  products: usize;
}

@inline function headerBytes(): usize {
  return (offsetof<LaneSystems>() + 15) & ~15;
}

/** Bytes of a record with its arrays, for entries of `size` bytes. */
export function laneSystemsBytes(k: i32, count: i32, size: f64): f64 {
  const k4 = <f64>((k + 3) & ~3);
  return <f64>headerBytes() + size * (k4 * k4 + 4.0 * k4 + 3.0 + <f64>count * (<f64>k + 3.0));
}

/** A record at `base`, aligned to 16 bytes, its matrix and right-hand side as they are. */
export function layOutLaneSystems<T>(base: usize, k: i32, shifts: usize, count: i32): LaneSystems {
  const systems = changetype<LaneSystems>(base);
  const k4 = (k + 3) & ~3;
  systems.k = k;
  systems.k4 = k4;
  systems.count = count;
  systems.shifts = shifts;
  systems.matrix = base + headerBytes();
  systems.right = entryOf<T>(systems.matrix, k4 * k4);
  systems.size = entryOf<T>(systems.right, k4);
  systems.factor = entryOf<T>(systems.size, 1);
  systems.least = entryOf<T>(systems.factor, 1);
  systems.diagonal = entryOf<T>(systems.least, 1);
  systems.off = entryOf<T>(systems.diagonal, k4);
  systems.tau = entryOf<T>(systems.off, k4);
  systems.uppers = entryOf<T>(systems.tau, k4);
  systems.pivots = entryOf<T>(systems.uppers, k * count);
  systems.logs = entryOf<T>(systems.pivots, count);
  systems.products = entryOf<T>(systems.logs, count);
  return systems;
}

/** Solves for all shifts. @param work [max(k4, count)]. */
export function solveLanes<T>(systems: LaneSystems, work: usize): void {
  const k = systems.k, k4 = systems.k4, count = systems.count, right = systems.right;
  store<T>(systems.size, reflectorLanes<T>(right, k, systems.factor));
  reflectBothLanes<T>(systems.matrix, k4, right, systems.factor, work, k4, 0);
  tridiagonaliseLanes<T>(systems.matrix, k, k4, systems.diagonal, systems.off, systems.tau, work);
  for (let r = 0; r < count; r++) {
    // Nothing lies below the last row.
    store<T>(entryOf<T>(systems.pivots, r), every<T>(Infinity));
    store<T>(entryOf<T>(work, r), every<T>(1.0));
    store<T>(entryOf<T>(systems.logs, r), every<T>(0.0));
  }
  let least = every<T>(Infinity);
  for (let i = k - 1; i >= 0; i--) {
    least = smaller<T>(least, eliminate<T>(systems, i, work));
    if (i % EXPONENT_EVERY == 0) takeExponents<T>(systems, work);
  }
  store<T>(systems.least, least);
  const size = load<T>(systems.size), square = mul<T>(size, size);
  for (let r = 0; r < count; r++) {
    const log = entryOf<T>(systems.logs, r);
    const whole = mul<T>(load<T>(log), every<T>(LN2));
    store<T>(log, add<T>(whole, logLanes<T>(load<T>(entryOf<T>(work, r)))));
    store<T>(entryOf<T>(systems.products, r), div<T>(square, load<T>(entryOf<T>(systems.pivots, r))));
  }
}

/** Row i of U and D for every shift, from those of the row below; returns the least pivot. */
function eliminate<T>(systems: LaneSystems, i: i32, products: usize): T {
  const d = load<T>(entryOf<T>(systems.diagonal, i)), c = load<T>(entryOf<T>(systems.off, i));
  let upper = entryOf<T>(systems.uppers, i * systems.count), pivot = systems.pivots, shift = systems.shifts;
  let least = every<T>(Infinity);
  for (const end = entryOf<T>(pivot, systems.count); pivot < end; pivot += sizeof<T>()) {
    const u = div<T>(c, load<T>(pivot));
    const own = sub<T>(add<T>(d, load<T>(shift)), mul<T>(u, c));
    // What is no number is passed over here: it stays in its shift's pivots.
    least = smaller<T>(least, own);
    store<T>(upper, u);
    store<T>(pivot, own);
    store<T>(products, mul<T>(load<T>(products), own));
    upper += sizeof<T>();
    shift += sizeof<T>();
    products += sizeof<T>();
  }
  return least;
}

/** The products' powers of two go into the logs. */
function takeExponents<T>(systems: LaneSystems, products: usize): void {
  let log = systems.logs;
  for (const end = entryOf<T>(log, systems.count); log < end; log += sizeof<T>()) {
    const product = load<T>(products);
    store<T>(log, add<T>(load<T>(log), exponentOf<T>(product)));
    store<T>(products, mantissaOf<T>(product));
    products += sizeof<T>();
  }
}

/** out[k] <- the sum of the solutions z, shift r's taken weights[r] times. @param work [count]. */
export function combineLanes<T>(systems: LaneSystems, weights: usize, out: usize, work: usize): void {
  const k = systems.k, size = load<T>(systems.size);
  for (let r = 0; r < systems.count; r++) {
    const first = div<T>(size, load<T>(entryOf<T>(systems.pivots, r)));
    store<T>(entryOf<T>(work, r), mul<T>(load<T>(entryOf<T>(weights, r)), first));
  }
  for (let i = 0; i < k; i++) {
    if (i > 0) nextLanes<T>(systems, i, work);
    let even = every<T>(0.0), odd = even;
    for (let r = 0; r < systems.count; r += 2) {
      even = add<T>(even, load<T>(entryOf<T>(work, r)));
      odd = add<T>(odd, load<T>(entryOf<T>(work, r + 1)));
    }
    store<T>(entryOf<T>(out, i), add<T>(even, odd));
  }
  for (let j = k - 2; j >= 0; j--) {
    const v = entryOf<T>(systems.matrix, j * systems.k4 + j + 1);
    reflect<T>(v, load<T>(entryOf<T>(systems.tau, j)), entryOf<T>(out, j + 1), k - 1 - j);
  }
  reflect<T>(systems.right, load<T>(systems.factor), out, k);
}

/** Entry i from entry i - 1. */
function nextLanes<T>(systems: LaneSystems, i: i32, z: usize): void {
  let upper = entryOf<T>(systems.uppers, (i - 1) * systems.count);
  for (const end = entryOf<T>(z, systems.count); z < end; z += sizeof<T>()) {
    store<T>(z, sub<T>(every<T>(0.0), mul<T>(load<T>(upper), load<T>(z))));
    upper += sizeof<T>();
  }
}

/** x[n] <- (I - tau v v^T) x. */
function reflect<T>(v: usize, tau: T, x: usize, n: i32): void {
  addLanes<T>(sub<T>(every<T>(0.0), mul<T>(tau, dotLanes<T>(v, x, n))), v, x, n);
}
