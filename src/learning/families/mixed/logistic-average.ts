/**
 * A task's own logistic model: its posteriors under several priors, weighted by their evidence, as a mixture of a few
 * normals.
 * @module
 */
import { packedTriangle, triangle } from "../../../linalg/packed-symmetric.js";
import { congruence, multiply } from "../../../linalg/small-matrices.js";
import { infer, type GaussianPrior, type SignedRows } from "./expectation-propagation.js";
import { softmax } from "./softmax.js";

/** A normal distribution of a task's model, and its part of a mixture. */
interface Normal {
  readonly weight: number;
  readonly mean: Float64Array;
  /** Lower triangle row by row. */
  readonly covariance: Float64Array;
}

export interface AveragedModel {
  /** Mean and covariance of the whole, of weight 1. */
  readonly whole: Normal;
  /** The mixture: COMPONENTS normals that have that mean and covariance together. */
  readonly components: readonly Normal[];
  /** Posterior probabilities of the priors. */
  readonly weights: Float64Array;
}

/** Normals that are kept of a task's mixture; the least likely are merged into one. */
export const COMPONENTS = 8;
/** Priors below this weight are not looked at. */
const NEGLIGIBLE = 1e-9;

/**
 * A task for which inference breaks down under some prior counts as one without rows.
 * @param known evidence of the first priors, where it is: most are then not inferred under, since few have any weight.
 */
export function averagedModel(
  task: SignedRows,
  priors: readonly GaussianPrior[],
  logWeights: Float64Array,
  known: Float64Array = new Float64Array(),
): AveragedModel {
  const found = priors.map((prior, k) => (k < known.length ? undefined : infer(task, prior)));
  const evidences = found.map((one, k) => (k < known.length ? known[k] : one?.evidence));
  const broken = evidences.some((one) => one === undefined);
  const weights = softmax(logWeights.map((weight, k) => weight + (broken ? 0 : evidences[k]!)));
  const posterior = (prior: GaussianPrior, k: number): Normal => {
    const { d } = task;
    const own = broken ? undefined : (found[k] ?? infer(task, prior)!);
    const u = own?.mean() ?? new Float64Array(d);
    const mean = multiply(prior.root, u, d, d, 1).map((value, j) => value + prior.mean[j]!);
    const spread = congruence(prior.root, own?.covariance() ?? identity(d), d, d);
    return { weight: weights[k]!, mean, covariance: packedTriangle(spread, d) };
  };
  const likely = [...priors.keys()]
    .filter((k) => weights[k]! >= NEGLIGIBLE)
    .sort((a, b) => weights[b]! - weights[a]! || a - b)
    .map((k) => posterior(priors[k]!, k));
  const kept = likely.slice(0, likely.length > COMPONENTS ? COMPONENTS - 1 : COMPONENTS);
  const rest = likely.slice(kept.length);
  const components = rest.length > 0 ? [...kept, merged(rest)] : kept;
  const whole = merged(components);
  while (components.length < COMPONENTS) components.push({ ...whole, weight: 0 });
  return { whole, components, weights };
}

/** The normal with the mean and covariance of a mixture, by the laws of total expectation and variance. */
function merged(normals: readonly Normal[]): Normal {
  const d = normals[0]!.mean.length;
  const weight = normals.reduce((sum, one) => sum + one.weight, 0);
  const mean = new Float64Array(d);
  for (const one of normals) {
    for (let j = 0; j < d; j++) mean[j]! += (one.weight / weight) * one.mean[j]!;
  }
  const covariance = new Float64Array(triangle(d));
  for (const one of normals) {
    const off = one.mean.map((value, j) => value - mean[j]!);
    let at = 0;
    for (let i = 0; i < d; i++) {
      for (let j = 0; j <= i; j++, at++) {
        covariance[at]! += (one.weight / weight) * (one.covariance[at]! + off[i]! * off[j]!);
      }
    }
  }
  return { weight, mean, covariance };
}

function identity(d: number): Float64Array {
  const out = new Float64Array(d * d);
  for (let i = 0; i < d; i++) out[i * d + i] = 1;
  return out;
}
