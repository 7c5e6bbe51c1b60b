/** Gamma, chi-square and exponential draws. */
import { normal } from "./normal";
import { uniform } from "./uniform";

/** One exponential draw with mean 1. */
function exponential(state: usize): f64 {
  return -Math.log(uniform(state));
}

/**
 * One Gamma(shape, 1) draw, shape > 0: Marsaglia and Tsang (2000), "A simple method for generating
 * gamma variables". Shapes below 1 use Gamma(a) = Gamma(a + 1) U^(1/a), in logarithms; a value
 * below the smallest double is 0.
 */
export function randomGamma(state: usize, shape: f64): f64 {
  if (shape < 1.0) {
    const above = randomGamma(state, shape + 1.0);
    return Math.exp(Math.log(above) - exponential(state) / shape);
  }
  const d = shape - 1.0 / 3.0;
  const c = 1.0 / Math.sqrt(9.0 * d);
  while (true) {
    const x = normal(state);
    const t = 1.0 + c * x;
    if (t <= 0.0) continue;
    const v = t * t * t;
    const u = uniform(state);
    const xx = x * x;
    if (u < 1.0 - 0.0331 * xx * xx) return d * v;
    if (Math.log(u) < 0.5 * xx + d * (1.0 - v + Math.log(v))) return d * v;
  }
}

/** One chi-square draw, real degrees of freedom > 0. */
export function randomChiSquare(state: usize, degreesOfFreedom: f64): f64 {
  return 2.0 * randomGamma(state, 0.5 * degreesOfFreedom);
}
