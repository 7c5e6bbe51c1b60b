/**
 * The logistic function as a scale mixture of normal distribution functions, so that its mean under a Gaussian
 * and the derivatives of that mean have closed forms.
 * @see assembly/tasks/link-moments.ts, the same for fits: a change here is one there
 * @module
 */
import { exp, log, log1p } from "../../core/elementary.js";
import { erfcx } from "../../privacy/accounting/special/erfc.js";

/**
 * sigma(x) ~ sum_k WEIGHTS_k Phi(SCALES_k x): relative error below 8e-5 up to |x| = 15, 1.4e-2 at -20. Fitted by
 * non-negative least squares to the logistic function over [-25, 25] (Monahan and Stefanski 1992 is the idea).
 */
const WEIGHTS = [
  3.4999407507078241e-5, 8.6975808143936815e-4, 8.4149367694176646e-3, 3.6476182106595978e-2,
  9.5919565748811081e-2, 0.16400194708246529, 0.2248781611899168, 0.20569972534309316,
  0.1725835620653309, 6.124122481752764e-2, 2.9662302969456721e-2, 2.1763441843833012e-4,
] as const;
const SCALES = [
  0.2, 0.23781514227624634, 0.28278020947935645, 0.33624707875119952, 0.39982323436594353,
  0.47542009683042924, 0.56531048984357668, 0.67219697286202351, 0.79929309369422108,
  0.95042000398656135, 1.1301213423512735, 1.8999999999999999,
] as const;
const TERMS = WEIGHTS.length;
const INV_SQRT_2PI = 0.3989422804014327;

/** ln E sigma(x) over x ~ N(mean, variance), and what its derivatives in the mean are made of. */
export interface LinkMoments {
  logMean: number;
  /** First derivative of `logMean` in the mean. */
  slope: number;
  /** Minus its second derivative; never negative but for rounding. */
  curvature: number;
}

/**
 * Writes them into `out`.
 * @param variance >= 0.
 */
export function linkMoments(mean: number, variance: number, out: LinkMoments): LinkMoments {
  const tail = mean < 0;
  // Below zero everything is a multiple of the slowest tail, which is taken out of the sum.
  const first = SCALES[0] / Math.sqrt(1 + SCALES[0] ** 2 * variance);
  const shift = tail ? (first * mean) ** 2 / 2 : 0;
  let total = 0;
  let slope = 0;
  let bend = 0;
  for (let k = 0; k < TERMS; k++) {
    const scale = SCALES[k]!;
    const rate = scale / Math.sqrt(1 + scale * scale * variance);
    const t = rate * mean;
    const density = WEIGHTS[k]! * exp(shift - (t * t) / 2);
    const lower = 0.5 * density * erfcx(Math.abs(t) * Math.SQRT1_2);
    total += tail ? lower : WEIGHTS[k]! - lower;
    const step = INV_SQRT_2PI * density * rate;
    slope += step;
    bend += step * t * rate;
  }
  out.logMean = log(total) - shift;
  out.slope = slope / total;
  out.curvature = out.slope * out.slope + bend / total;
  return out;
}

const scratch: LinkMoments = { logMean: 0, slope: 0, curvature: 0 };

/**
 * ln E sigma(x) over x ~ N(mean, variance), also where the normal distribution functions fall off faster than the
 * logistic one. Of a mean below 0 it is never below ln sigma(mean), since sigma(mean + u) + sigma(mean - u) >= 2 sigma(mean)
 * there; of others never below E ln sigma(x) >= -(ln 2 + E max(0, -x)) (Jensen).
 */
export function logMeanProbability(mean: number, variance: number): number {
  const { logMean } = linkMoments(mean, variance, scratch);
  const least =
    mean < 0 ? mean - log1p(exp(mean)) : -(Math.LN2 + INV_SQRT_2PI * Math.sqrt(variance));
  return Math.max(logMean, least);
}
