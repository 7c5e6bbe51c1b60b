/**
 * The priors of a task's own logistic model, and what they say of a task that was never seen.
 * @module
 */
import { lowerTriangle, packedTriangle, triangle } from "../../../../../linalg/packed-symmetric.js";
import { multiply, transpose } from "../../../../../linalg/small-matrices.js";
import type { MixedMixtures, PackedPriors } from "../../exchange.js";
import type { GaussianPrior } from "./expectation-propagation.js";
import { softmax } from "../../../../../linalg/softmax.js";

/** What every task's average is over: a function of releases and public sizes alone. */
export interface TaskPriors {
  /** Those around what tasks have in common, then those of learning alone. */
  readonly priors: readonly GaussianPrior[];
  /** Logarithms of their weights before a task's rows are seen, up to a constant. */
  readonly logWeights: Float64Array;
  /** How many are of the first kind. */
  readonly shared: number;
  /** How many of those of learning alone, the last, are in units of the task's own rows (`alone-in-own-units.ts`). */
  readonly inOwn: number;
  /** The part of a model that learns alone whatever a task's rows say, where these are many. */
  readonly ownPart: number;
}

/**
 * The model of a task without rows, by what tasks have in common: w ~ N(a, C_h + error of a), over the belief in the
 * hypotheses h. That tasks may have nothing in common is left out: of a task without rows it would say one half.
 */
export function unseenTask({ priors, logWeights, shared }: TaskPriors): MixedMixtures {
  const d = priors[0]!.mean.length;
  const means = new Float64Array(shared * d);
  const covariances = new Float64Array(shared * triangle(d));
  priors.slice(0, shared).forEach(({ mean, root }, h) => {
    means.set(mean, h * d);
    const covariance = multiply(root, transpose(root, d, d), d, d, d);
    covariances.set(packedTriangle(covariance, d), h * triangle(d));
  });
  return { weights: softmax(logWeights.subarray(0, shared)), means, covariances };
}

/** The priors as arrays. */
export function packedPriors({
  priors,
  logWeights,
  shared,
  inOwn,
  ownPart,
}: TaskPriors): PackedPriors {
  const d = priors[0]!.mean.length;
  const means = new Float64Array(priors.length * d);
  const roots = new Float64Array(priors.length * triangle(d));
  priors.forEach(({ mean, root }, k) => {
    means.set(mean, k * d);
    roots.set(packedTriangle(root, d), k * triangle(d));
  });
  const kinds = Float64Array.from(priors, (_, k) =>
    k < shared ? 0 : k < priors.length - inOwn ? 1 : 2,
  );
  return { logWeights, means, roots, kinds, ownParts: Float64Array.of(ownPart) };
}

/** The same priors to the bit, of models of d coordinates; of several classes those of class c. */
export function unpackedPriors(
  { logWeights, means, roots, kinds, ownParts }: PackedPriors,
  d: number,
  c = 0,
): TaskPriors {
  const count = kinds.length;
  const priors = Array.from({ length: count }, (_, k): GaussianPrior => {
    const at = c * count + k;
    return {
      mean: means.slice(at * d, (at + 1) * d),
      root: lowerTriangle(roots.subarray(at * triangle(d), (at + 1) * triangle(d)), d),
    };
  });
  return {
    priors,
    logWeights: logWeights.slice(c * count, (c + 1) * count),
    shared: kinds.filter((kind) => kind === 0).length,
    inOwn: kinds.filter((kind) => kind === 2).length,
    ownPart: ownParts[c]!,
  };
}
