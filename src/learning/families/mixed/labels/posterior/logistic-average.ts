/**
 * A task's own logistic model: its posteriors under several priors, weighted by their evidence, as a mixture of a few
 * normals.
 * @module
 */
import { packedTriangle, triangle } from "../../../../../linalg/packed-symmetric.js";
import { congruence } from "../../../../../linalg/kernel-products.js";
import { identity, multiply } from "../../../../../linalg/small-matrices.js";
import { infer, logEvidences, type Inference, type SignedRows } from "./expectation-propagation.js";
import { softmax } from "../../softmax.js";
import type { TaskPriors } from "./task-priors.js";

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
  /** COMPONENTS normals, what predictions average over: of that mean, and of that covariance but for the own part. */
  readonly components: readonly Normal[];
  /** How much of the model is learned alone. */
  readonly alone: number;
}

/** Normals that are kept of a task's mixture; the least likely are merged into one. */
export const COMPONENTS = 8;
/** Priors below this weight are not looked at. */
const NEGLIGIBLE = 1e-9;
/** Rows with which a task has half of the own part that many have, and the part below which there is none. */
const OWN_PART = { rows: 4, negligible: 1e-3 } as const;

/**
 * A task for which inference breaks down under some prior counts as one without rows.
 *
 * Of the own part predictions are those of its mean, as of `single-task`: an average over wide priors is unsure of
 * new rows even where all that a task has are of one class.
 * @param known evidence of the first priors, where it is: as `logEvidences` has it of the shared ones.
 */
export function averagedModel(
  task: SignedRows,
  { priors, logWeights, shared, ownPart }: Omit<TaskPriors, "inOwn">,
  known: Float64Array = new Float64Array(),
): AveragedModel {
  // Those of learning alone start anew, so that what is known of the others changes no bit of theirs.
  const together = known.length < shared ? logEvidences(task, priors.slice(0, shared)) : known;
  const apart = logEvidences(task, priors.slice(shared));
  const evidences = Float64Array.of(...together.subarray(0, shared), ...apart);
  evidences.set(known);
  const broken = evidences.some(Number.isNaN);
  const logs = logWeights.map((weight, k) => weight + (broken ? 0 : evidences[k]!));
  const found: (Inference | undefined)[] = [];
  const posterior = (weight: number, k: number): Normal => {
    const { d } = task;
    const prior = priors[k]!;
    const own = broken ? undefined : (found[k] ??= infer(task, prior));
    const u = own?.mean ?? new Float64Array(d);
    const mean = multiply(prior.root, u, d, d, 1).map((value, j) => value + prior.mean[j]!);
    const spread = congruence(prior.root, own?.covariance ?? identity(d), d, d);
    return { weight, mean, covariance: packedTriangle(spread, d) };
  };
  /** The likely ones of the priors from the first of these on, the likeliest first. */
  const mixture = (first: number): Normal[] => {
    const weights = softmax(logs.subarray(first));
    return [...weights.keys()]
      .filter((k) => weights[k]! >= NEGLIGIBLE)
      .sort((a, b) => weights[b]! - weights[a]! || a - b)
      .map((k) => posterior(weights[k]!, first + k));
  };
  const byEvidence = softmax(logs)
    .subarray(shared)
    .reduce((a, b) => a + b, 0);
  const part = broken ? 0 : ownPart / (1 + (OWN_PART.rows / task.n) ** 2);
  const pooled = part >= OWN_PART.negligible;
  const most = pooled ? COMPONENTS - 1 : COMPONENTS;
  const likely = mixture(0);
  const kept = likely.slice(0, likely.length > most ? most - 1 : most);
  const rest = likely.slice(kept.length);
  const components = rest.length > 0 ? [...kept, merged(rest)] : kept;
  if (!pooled)
    return { whole: merged(components), components: filled(components), alone: byEvidence };
  const others = components.map((one) => ({ ...one, weight: (1 - part) * one.weight }));
  const own = { ...merged(mixture(shared)), weight: part };
  return {
    whole: merged([own, ...others]),
    components: filled([
      { ...own, covariance: new Float64Array(own.covariance.length) },
      ...others,
    ]),
    alone: part + (1 - part) * byEvidence,
  };
}

/** With normals of weight 0 as many as there is room for. */
function filled(components: readonly Normal[]): Normal[] {
  const none = { ...components[0]!, weight: 0 };
  return Array.from({ length: COMPONENTS }, (_, k) => components[k] ?? none);
}

/** The normal with the mean and covariance of a mixture, by the laws of total expectation and variance. */
function merged(normals: readonly Normal[]): Normal {
  const d = normals[0]!.mean.length;
  const weight = normals.reduce((sum, one) => sum + one.weight, 0);
  const mean = new Float64Array(d);
  for (const one of normals) {
    const part = one.weight / weight;
    for (let j = 0; j < d; j++) mean[j]! += part * one.mean[j]!;
  }
  const covariance = new Float64Array(triangle(d));
  for (const one of normals) {
    const part = one.weight / weight;
    const off = one.mean.map((value, j) => value - mean[j]!);
    let at = 0;
    for (let i = 0; i < d; i++) {
      const across = off[i]!;
      for (let j = 0; j <= i; j++, at++) {
        covariance[at]! += part * (one.covariance[at]! + across * off[j]!);
      }
    }
  }
  return { weight, mean, covariance };
}
