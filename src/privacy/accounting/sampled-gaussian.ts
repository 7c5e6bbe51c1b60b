/**
 * One round of the Poisson-subsampled Gaussian under zero-out: the pair
 * (1 - q) N(0, sigma^2) + q N(1, sigma^2) against N(0, sigma^2), in both directions, in closed form.
 * @module
 */
import * as math from "../../core/elementary.js";
import { gaussianProfile } from "./gdp.js";
import { erfcx, normalCdf } from "./special/erfc.js";

/** Sampling rate and noise multiplier sigma / sensitivity. */
export interface SampledGaussian {
  rate: number;
  sigma: number;
}

/** e^loss - (1 - q), in the form that does not cancel: 1 - q is exact for q > 1/2. */
const above = (loss: number, rate: number): number =>
  rate > 0.5 ? math.exp(loss) - (1 - rate) : math.expm1(loss) + rate;

/** x at which ln(density ratio mixture / N(0)) is `loss`; -Infinity if it is above everywhere. */
export function sampledThreshold({ rate, sigma }: SampledGaussian, loss: number): number {
  const ratio = above(loss, rate);
  if (ratio <= 0) return -Infinity;
  // A loss that overflows exp: e^loss dominates 1 - q.
  const log = loss > 700 ? loss - math.log(rate) : math.log(ratio / rate);
  return sigma * sigma * log + 0.5;
}

/** Mills ratio (1 - Phi(z)) / phi(z). */
function mills(z: number): number {
  return Math.sqrt(Math.PI / 2) * erfcx(z * Math.SQRT1_2);
}

function density(z: number): number {
  return math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI);
}

/**
 * Noise beyond which the closed forms subtract nearly equal tails, and {@link gaussianProfile} does not: their relative error is
 * 3e-14 for each unit of noise.
 */
const FAINT = 30;

/**
 * The two divergences from those of the unsampled Gaussian, H_a(M|Q) = q H_a'(P|Q) with a' - 1 = (a - 1)/q, and
 * H_a(Q|M) = c H_(aq/c)(Q|P) with c = 1 - a (1 - q) (Balle, Barthe, Gaboardi 2018, Theorem 2).
 */
function faintRemoveDelta({ rate, sigma }: SampledGaussian, epsilon: number): number {
  const amplified =
    epsilon < 700 ? math.log1p(math.expm1(epsilon) / rate) : epsilon - math.log(rate);
  return rate * gaussianProfile(amplified, 1 / sigma);
}

function faintAddDelta({ rate, sigma }: SampledGaussian, epsilon: number): number {
  const kept = rate - (1 - rate) * math.expm1(epsilon);
  if (!(kept > 0)) return 0;
  return kept * gaussianProfile(epsilon + math.log(rate / kept), 1 / sigma);
}

/** Hockey-stick divergence of the mixture (task present) against N(0): "remove". */
export function sampledRemoveDelta(law: SampledGaussian, epsilon: number): number {
  const { rate, sigma } = law;
  if (sigma > FAINT) return faintRemoveDelta(law, epsilon);
  const x = sampledThreshold(law, epsilon);
  if (x === -Infinity) return -math.expm1(epsilon);
  const [far, near] = [x / sigma, (x - 1) / sigma];
  if (near > -5) return rate * density(near) * (mills(near) - mills(far));
  // At the threshold both densities agree: (e^eps - 1 + q) phi(far) = q phi(near).
  return rate * (normalCdf(-near) - density(near) * mills(far));
}

/** Hockey-stick divergence of N(0) against the mixture: "add". */
export function sampledAddDelta(law: SampledGaussian, epsilon: number): number {
  const { rate, sigma } = law;
  if (sigma > FAINT) return faintAddDelta(law, epsilon);
  const x = sampledThreshold(law, -epsilon);
  if (x === -Infinity) return 0;
  const [far, near] = [x / sigma, (x - 1) / sigma];
  const factor = math.exp(Math.min(epsilon, 709)); // finite, for q = 1
  if (far < 5) return factor * rate * density(near) * (mills(-far) - mills(-near));
  return factor * (above(-epsilon, rate) * normalCdf(far) - rate * normalCdf(near));
}
