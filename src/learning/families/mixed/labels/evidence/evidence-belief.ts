/**
 * The belief in the hypotheses on the tasks' spread that noisy sums of their log evidence leave.
 *
 * Two readings of a sum: as evidence, smoothed; and by which hypothesis' synthetic tasks would have said it. The first needs
 * no model of the rows and is right without noise, the second is the better one where noise is large.
 * @module
 */
import type { SurfaceShape } from "./evidence-shape.js";
import { smoothSurface, type SurfaceBelief } from "./evidence-surface.js";
import { posterior, syntheticLikelihood } from "./synthetic-likelihood.js";

/** What all rounds so far say. */
export interface EvidenceBelief {
  readonly surface: SurfaceBelief;
  /** Logarithms of the synthetic likelihood of every hypothesis. */
  readonly likelihood: Float64Array;
  /** Probabilities of the hypotheses. */
  readonly weights: Float64Array;
}

/** Signal of a sum, relative to the noise on an entry, where both readings count the same. */
const EVEN_SIGNAL = 2;

/** The belief after a sum over m tasks. @param deviation of the noise on each of its entries. */
export function evidenceBelief(
  sum: Float64Array,
  deviation: number,
  shape: SurfaceShape,
  logPrior: Float64Array,
  m: number,
  earlier?: EvidenceBelief,
): EvidenceBelief {
  const smoothed = smoothSurface(sum, deviation, shape, logPrior, m, earlier?.surface);
  const likened = posterior(
    syntheticLikelihood(sum, deviation, shape, m),
    logPrior,
    earlier?.likelihood,
  );
  const n = sum.length;
  const square = shape.kernel.reduce((total, value, i) => total + (i % (n + 1) ? 0 : value), 0);
  const noise = (EVEN_SIGNAL * deviation) ** 2;
  const part = noise > 0 ? noise / (noise + m * m * square) : 0;
  const weights = smoothed.weights.map(
    (value, h) => (1 - part) * value + part * likened.weights[h]!,
  );
  return { surface: smoothed.belief, likelihood: likened.likelihood, weights };
}
