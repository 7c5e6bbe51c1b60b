/**
 * A private mixed model as an exchange: tasks upload vectors of norm at most 1, everyone is told their noisy
 * sums, and everyone draws the same conclusions from them.
 *
 * The broadcast of a release is the noisy sum itself. What it means for the prior is worked out by whoever
 * receives it, from releases and public sizes only, so curator and tasks agree to the bit and nothing but the
 * releases leaves the curator.
 * @module
 */

import type { CommonWork } from "../../round/common-work.js";

/** One release, fixed by public sizes and the budget before anything is read. */
export interface MixedRelease {
  /** What it is of, for ledger and history. */
  readonly label: string;
  /** "moment": uploads whose inner products with one another are never negative, which halves their squared sensitivity. */
  readonly statistic: "vector" | "moment";
  /** Float64s of an upload. */
  readonly length: number;
  /** Part of mu^2 of the whole budget; those of a plan sum to 1. */
  readonly fraction: number;
}

/** What everyone knows beforehand. */
export interface MixedSizes {
  /** Tasks of the run. */
  readonly m: number;
  /** Coordinates of a model, the intercept last. */
  readonly d: number;
  /** Mean number of rows of a task. */
  readonly meanRows: number;
  /** C, of the softmax loss; absent: a task has one model. */
  readonly classes?: number | undefined;
  /** Coordinates whose columns are declared to be the same in all rows of a task, ascending; absent: none. */
  readonly perTask?: readonly number[] | undefined;
}

/** A batch of tasks in the exchange: all of a local fit, one participant's of a federated run. */
export interface MixedExchange {
  /**
   * The batch's uploads of a release, [batch, length], each of norm at most 1; they may be overwritten once a later release is asked for.
   * @param release 0-based; in order, each asked for once before its sum is received.
   */
  upload(release: number): Float64Array;
  /**
   * What `upload` of a release needs that every batch would work out alike, and `solve` for the number after the last
   * release: there one after the other. Asked once all before was received; absent or undefined: nothing, or nothing more.
   */
  common?(release: number): CommonWork | undefined;
  /**
   * Receives the noisy sum over all tasks of the run.
   * @param deviation standard deviation of the noise on each of its entries.
   */
  receive(release: number, sum: Float64Array, deviation: number): void;
  /**
   * Every task's own model, once all releases were received.
   * @param zero a model around which tasks may also learn alone, beside 0 itself; [d].
   */
  solve(zero?: Float64Array): MixedModels;
}

/** Posteriors of a batch's models as mixtures of K normals; of several classes [batch, C, ...]. */
export interface MixedMixtures {
  /** [batch, K]. */
  readonly weights: Float64Array;
  /** [batch, K, d]. */
  readonly means: Float64Array;
  /** Lower triangles row by row, [batch, K, d (d + 1) / 2]. */
  readonly covariances: Float64Array;
}

/** What the tasks of a batch end with; of several classes C models a task, [batch, C, ...], where the task has one, [batch, ...]. */
export interface MixedModels {
  /** Posterior means of the models, [batch, d]. */
  readonly models: Float64Array;
  /** Posterior covariances of the models, lower triangles row by row, [batch, d (d + 1) / 2]. */
  readonly covariances: Float64Array;
  /** Where predictions need more of the posteriors than mean and covariance. */
  readonly mixtures?: MixedMixtures;
  /** Mean variance of a row's noise, [batch]; 0 for the logistic loss. */
  readonly noise: Float64Array;
  /** The variances that it may have, [K], and their weights in each task, [batch, K]; of the squared loss. */
  readonly noises?: {
    readonly levels: Float64Array;
    readonly weights: Float64Array;
    /**
     * How wide the model's posterior is under each, relative to what it is on the whole, [batch, K]: on the task's
     * own rows; their weighted mean is 1.
     */
    readonly parts: Float64Array;
  };
  /** Weight of learning alone in each task's average, [batch]. */
  readonly alone: Float64Array;
  /** 1 of tasks whose rows deny the votes on columns (`undeclared/denied-votes.ts`), else 0, [batch]; absent where none may. */
  readonly denied?: Uint8Array;
  readonly prior: MixedPrior;
}

/** What is stated of the fixed effects; of several classes [C, ...] of each array. */
export interface StatedEffects {
  /**
   * Where that is something else than models use, less drawn to zero: of numbers by columns declared to be a task's own
   * (`squared/stated/statement.ts`), of labels (`labels/effects/stated-effects.ts`), [d].
   */
  readonly statedEffects?: Float64Array | undefined;
  /** Covariance of the error of what is stated, of tasks and of the releases' noise, [d, d]: its diagonal is of standard errors. */
  readonly fixedEffectsCovariance: Float64Array;
}

/** What the releases say of the tasks together: public, the same for everyone; of several classes [C, ...] of each array. */
export interface MixedPrior {
  /** Fixed effects a, around which the tasks' models are expected, [d]. */
  readonly fixedEffects: Float64Array;
  /**
   * What is stated of them, with its error: worked out when it is asked, since that may take as long as many tasks' own models, which do
   * not need it.
   */
  readonly stated: () => StatedEffects;
  /** What of it the releases' noise left: it widens every task's prior, [d, d]. */
  readonly releaseCovariance: Float64Array;
  /** Covariance C of the tasks' models around a, [d, d]. */
  readonly covariance: Float64Array;
  /** Variance of a row's noise; 0 for the logistic loss. */
  readonly noise: number;
  /**
   * How unsure the variances are: covariance of the error of the logarithms of those of slopes, intercept and noise, [3, 3].
   * Not given: taken as sure.
   */
  readonly unsure?: Float64Array | undefined;
  /** Of numbers: covariance around a of what is said of a task never seen, [d, d] (`squared/unseen-task.ts`); else C + `releaseCovariance`. */
  readonly unseenCovariance?: Float64Array | undefined;
  /** Of labels: the model of a task that was never seen, [K, ...]; of several classes [C, K, ...]. */
  readonly unseen?: MixedMixtures | undefined;
  /** Of labels: what every task's own model is made of with its rows. In the units of the exchange, whatever those of the rest. */
  readonly ofTasks?: PackedPriors | undefined;
}

/** Priors of a task's own model of labels, w = mean + root u with u ~ N(0, I); of several classes [C, ...] of all but `kinds`, and `ownParts` of each. */
export interface PackedPriors {
  /** Logarithms of their weights before a task's rows are seen, up to a constant, [K]. */
  readonly logWeights: Float64Array;
  /** [K, d]. */
  readonly means: Float64Array;
  /** Lower triangles row by row, [K, d (d + 1) / 2]. */
  readonly roots: Float64Array;
  /** 0 around what tasks have in common, 1 of learning alone, 2 of that in units of the task's own rows, [K], ascending. */
  readonly kinds: Float64Array;
  /** The part of a model that learns alone whatever a task's rows say, where these are many; of several classes [C]. */
  readonly ownParts: Float64Array;
}
