/**
 * How likely a noisy sum of clipped log evidence is under each hypothesis, by what its synthetic tasks would have uploaded.
 *
 * A clip turns surfaces of evidence to where many small ones point, and little of their height is left, so that where noise is
 * large the sum says more by its likeness to those of known tasks than as evidence.
 * @see Wood (2010), "Statistical inference for noisy nonlinear ecological dynamic systems": synthetic likelihood
 * @module
 */
import { log } from "../../../../../core/elementary.js";
import { factor, invertLower, multiply } from "../../../../../linalg/small-matrices.js";
import { CARRIED, type SurfaceShape } from "./evidence-shape.js";
import { logSumExp, softmax } from "../../../../../linalg/softmax.js";

/** Uploads of real tasks beside the synthetic ones', whose rows are spread out more, and how likely each is. */
const PARTS = [
  { part: 0.3, prior: 0.15 },
  { part: 0.6, prior: 0.3 },
  { part: 0.9, prior: 0.35 },
  { part: 1.2, prior: 0.2 },
] as const;

/** Logarithms up to a constant, [H]. @param deviation of the noise on each entry of the sum over m tasks. */
export function syntheticLikelihood(
  sum: Float64Array,
  deviation: number,
  { means, within, remainder }: SurfaceShape,
  m: number,
): Float64Array {
  const n = sum.length;
  const covariance = within.map((value, i) => m * value + m * m * remainder[i]!);
  // What keeps the matrix definite where there is no noise, and no task says anything.
  for (let h = 0; h < n; h++) covariance[h * (n + 1)]! += deviation ** 2 + 1e-9;
  const white = invertLower(factor(covariance, n), n);
  return Float64Array.from(means, (mean) =>
    logSumExp(
      Float64Array.from(PARTS, ({ part, prior }) => {
        const off = sum.map((value, h) => value - part * m * mean[h]!);
        const square = multiply(white, off, n, n, 1).reduce((total, x) => total + x * x, 0);
        return log(prior) - square / 2;
      }),
    ),
  );
}

/**
 * Probabilities of the hypotheses by all rounds. Later ones have another mean, so an earlier round holds for them as far
 * as it makes the later sum likelier: whole, by half, or not at all.
 * @returns also the logarithms of the likelihood of all that holds.
 */
export function posterior(
  likelihood: Float64Array,
  logPrior: Float64Array,
  earlier?: Float64Array,
): { readonly weights: Float64Array; readonly likelihood: Float64Array } {
  let best: { score: number; together: Float64Array } | undefined;
  for (const carried of earlier ? CARRIED : [0]) {
    const before = logPrior.map((value, h) => value + carried * (earlier?.[h] ?? 0));
    const after = before.map((value, h) => value + likelihood[h]!);
    const score = logSumExp(after) - logSumExp(before);
    if (!best || score > best.score) {
      const together = likelihood.map((value, h) => value + carried * (earlier?.[h] ?? 0));
      best = { score, together };
    }
  }
  const { together } = best!;
  return {
    weights: softmax(logPrior.map((value, h) => value + together[h]!)),
    likelihood: together,
  };
}
