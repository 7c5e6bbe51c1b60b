/**
 * A task's own logistic model: its posteriors under several priors, weighted by their evidence, as a mixture of a few
 * normals.
 * @module
 */
import { triangularCongruence } from "../../../../../linalg/kernel-products.js";
import { triangle } from "../../../../../linalg/packed-symmetric.js";
import { identity, multiply } from "../../../../../linalg/small-matrices.js";
import {
  infer,
  inferEach,
  logEvidences,
  type Inference,
  type SignedRows,
} from "./expectation-propagation.js";
import { softmax } from "../../../../../linalg/softmax.js";
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
/** The same of models that are made once more: of all, or of an own part. */
const UNLIKELY = 0.01;
/** Rows with which a task has half of the own part that many have, and the part below which there is none. */
const OWN_PART = { rows: 4, negligible: 1e-3 } as const;

/** What a task's first average leaves for one of the same rows with other offsets. */
export interface FirstLook {
  /** Log evidence under each prior. */
  readonly evidences: Float64Array;
  /** Of the likeliest prior, [2, n]. */
  readonly sites: Float64Array;
}

/**
 * A task for which inference breaks down under some prior counts as one without rows.
 *
 * Of the own part predictions are those of its mean, as of `single-task`: an average over wide priors is unsure of
 * new rows even where all that a task has are of one class.
 * @param known evidence of the first priors, where it is: as `logEvidences` has it of the shared ones.
 * @param look  what is told for an average after this, unless inference breaks down.
 */
export function averagedModel(
  task: SignedRows,
  given: Omit<TaskPriors, "inOwn">,
  known: Float64Array = new Float64Array(),
  look?: (first: FirstLook) => void,
): AveragedModel {
  const { priors, logWeights, shared } = given;
  // Those of learning alone start anew, so that what is known of the others changes no bit of theirs.
  const together = known.length < shared ? logEvidences(task, priors.slice(0, shared)) : known;
  const apart = logEvidences(task, priors.slice(shared));
  const evidences = Float64Array.of(...together.subarray(0, shared), ...apart);
  evidences.set(known);
  const broken = evidences.some(Number.isNaN);
  const logs = logWeights.map((weight, k) => weight + (broken ? 0 : evidences[k]!));
  if (broken) return averaged(0, given, logs, () => undefined);
  const sites = look && new Float64Array(2 * task.n);
  // The likeliest is asked for first.
  let start = sites;
  const model = averaged(task.n, given, logs, (k) => {
    const own = infer(task, priors[k]!, start);
    start = undefined;
    return own;
  });
  look?.({ evidences, sites: sites! });
  return model;
}

/**
 * The same of a task to whose rows something is added since: over priors that its rows left likely without it. Each starts where the one before ended,
 * the likeliest where it did without, so that few turns are needed. Undefined where inference breaks down.
 */
export function averagedOnceMore(
  task: SignedRows,
  given: Omit<TaskPriors, "inOwn">,
  { evidences, sites }: FirstLook,
): AveragedModel | undefined {
  const { priors, logWeights, shared, ownPart } = given;
  const before = logWeights.map((weight, k) => weight + evidences[k]!);
  const all = softmax(before);
  const part = partOfOwn(ownPart, task.n);
  const alone = softmax(before.subarray(shared)).map((weight) => part * weight);
  const [leastOfAll, leastOfOwn] = [leastLikely(all), leastLikely(alone)];
  const likely = [...all.keys()].filter(
    (k) => all[k]! >= leastOfAll || (part > 0 && k >= shared && alone[k - shared]! >= leastOfOwn),
  );
  const falling = [...likely.keys()].sort((a, b) => all[likely[b]!]! - all[likely[a]!]! || a - b);
  const found: (Inference | undefined)[] = [];
  inferEach(
    task,
    falling.map((at) => priors[likely[at]!]!),
    sites.slice(),
  ).forEach((one, turn) => (found[falling[turn]!] = one));
  if (found.includes(undefined)) return undefined;
  const own = {
    priors: likely.map((k) => priors[k]!),
    logWeights: Float64Array.from(likely, (k) => logWeights[k]!),
    shared: likely.filter((k) => k < shared).length,
    ownPart,
  };
  const logs = own.logWeights.map((weight, at) => weight + found[at]!.evidence);
  return averaged(task.n, own, logs, (at) => found[at]);
}

/** The own part of a task of n rows. */
const partOfOwn = (most: number, n: number): number => most / (1 + (OWN_PART.rows / n) ** 2);

/** The weight from which one is looked at again: that of the likeliest, if none has more. */
const leastLikely = (weights: Float64Array): number => Math.min(UNLIKELY, Math.max(...weights));

/**
 * @param n    rows; 0 where inference breaks down.
 * @param logs logarithms of the priors' weights after the rows, up to a constant.
 * @param of   what the rows say under a prior, asked for once, of the likeliest first; undefined: nothing.
 */
function averaged(
  n: number,
  { priors, shared, ownPart }: Omit<TaskPriors, "inOwn">,
  logs: Float64Array,
  of: (k: number) => Inference | undefined,
): AveragedModel {
  const normals: Omit<Normal, "weight">[] = [];
  const posterior = (k: number) => {
    const prior = priors[k]!;
    const d = prior.mean.length;
    const own = of(k);
    const u = own?.mean ?? new Float64Array(d);
    const mean = multiply(prior.root, u, d, d, 1).map((value, j) => value + prior.mean[j]!);
    const covariance = triangularCongruence(prior.root, own?.covariance ?? identity(d), d);
    return { mean, covariance };
  };
  /** The likely ones of the priors from the first of these on, the likeliest first. */
  const mixture = (first: number): Normal[] => {
    const weights = softmax(logs.subarray(first));
    return [...weights.keys()]
      .filter((k) => weights[k]! >= NEGLIGIBLE)
      .sort((a, b) => weights[b]! - weights[a]! || a - b)
      .map((k) => ({ weight: weights[k]!, ...(normals[first + k] ??= posterior(first + k)) }));
  };
  const byEvidence = softmax(logs)
    .subarray(shared)
    .reduce((a, b) => a + b, 0);
  const part = partOfOwn(ownPart, n);
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
