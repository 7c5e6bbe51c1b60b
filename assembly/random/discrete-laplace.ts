/**
 * Discrete Laplace noise, sampled exactly by integers alone.
 *
 *   Lap_Z(t):  P(x) proportional to exp(-|x| / t) on the integers, t an integer.
 *
 * |x| = t k + u, 0 <= u < t: u is uniform and kept with probability exp(-u / t), k counts how often an event of
 * probability exp(-1) happens before it fails; the sign is fair and -0 is drawn again. An event of probability
 * exp(-a / t), 0 <= a <= t: with A_j independent of probability a / (t j), the first j for which A_j fails is odd with
 * probability sum_j (-a/t)^j / j! (Canonne, Kamath and Steinke 2020, Algorithms 1 and 2). Every A_j compares two
 * integers; nothing is rounded.
 */
import { next64 } from "./chacha";
import { toGrid } from "./grid";

/** Uniform on 0 .. bound - 1: words under the least mask, drawn again from the bound on. */
@inline function below(state: usize, bound: u64): u64 {
  const mask = bound == 1 ? 0 : <u64>-1 >> clz<u64>(bound - 1);
  while (true) {
    const x = next64(state) & mask;
    if (x < bound) return x;
  }
}

/** An event of probability exp(-a / t); 0 <= a <= t <= 2^46. j beyond 2^17 has probability below 1 / (2^17)!. */
function exponentialEvent(state: usize, a: u64, t: u64): bool {
  let j: u64 = 1;
  while (below(state, t * j) < a) {
    if (++j > 131072) unreachable();
  }
  return (j & 1) == 1;
}

/** One draw; k beyond 2^16 has probability below exp(-2^16). */
function draw(state: usize, t: u64): i64 {
  while (true) {
    const u = below(state, t);
    if (!exponentialEvent(state, u, t)) continue;
    let k: u64 = 0;
    while (exponentialEvent(state, 1, 1)) {
      if (++k > 65536) unreachable();
    }
    const size = <i64>(t * k + u);
    const negative = next64(state) & 1;
    if (size == 0 && negative) continue;
    return negative ? -size : size;
  }
}

/** out f64[n] <- independent draws of Lap_Z(t), to f64 exactly below 2^53; t integer, 1 <= t <= 2^46. */
export function discreteLaplace(state: usize, out: usize, n: u32, t: f64): void {
  for (let i: u32 = 0; i < n; i++) store<f64>(out + ((<usize>i) << 3), <f64>draw(state, <u64>t));
}

/**
 * v[i] <- step (round(v[i] / step) + Lap_Z(t)) for f64[n]; t as above. Rounding comes before the noise and moves each
 * entry of a difference by at most a step; the sum is exact in 64 bits, and its conversion to f64 post-processing.
 */
export function addDiscreteLaplace(state: usize, v: usize, n: u32, t: f64, step: f64): void {
  for (let i: u32 = 0; i < n; i++) {
    const at = v + ((<usize>i) << 3);
    const cells = toGrid(load<f64>(at), step) + draw(state, <u64>t);
    store<f64>(at, <f64>cells * step);
  }
}
