/**
 * Non-private learning with a relationship of the tasks that is given: fixed Omega, and tasks in known clusters.
 * @module
 */
import { array, integer } from "../../core/checks.js";
import { OptionError } from "../../core/index.js";
import type { TaskSet } from "../../data/index.js";
import { eigh, type Eigendecomposition } from "../../linalg/index.js";
import { solveFixedRelationship } from "../convex/fixed-relationship.js";
import { startOf } from "../convex/warm-start.js";
import { fittedModel, noGuarantee } from "../fitted/build-model.js";
import type { FittedModel } from "../fitted/fitted-model.js";
import {
  commonOptions,
  convergenceOptions,
  type ConvergenceOptions,
} from "../options/common-options.js";
import { ConfiguredEstimator } from "../options/configured-estimator.js";
import { aMatrix, aPositive } from "../options/kinds.js";
import { ANY_ROWS } from "../options/rows-taken.js";
import { logRange, type MethodDescriptor } from "../options/method.js";
import { option, required, type OptionsOf } from "../options/option.js";
import type { FitOptions } from "../round/estimator.js";
import type { CommonOptions } from "../tasks/common-options.js";
import { placeTasks } from "../tasks/resident-tasks.js";

const own = {
  /** Omega, [m, m], row-major, symmetric and positive definite, in the order of the tasks; see {@link clusterRelationship}. */
  relationship: required(aMatrix, {
    group: "model",
    flag: null,
    help: "Omega: how the tasks are related, positive definite.",
  }),
  /** lambda > 0, half of which weighs tr(W Omega^-1 W^T); default 0.1. */
  lambda: option(aPositive, {
    group: "model",
    help: "Twice the weight of tr(W Omega^-1 W^T).",
    default: 0.1,
  }),
};

/** Options of {@link FixedRelationship}. */
export interface FixedRelationshipOptions
  extends CommonOptions, ConvergenceOptions, OptionsOf<typeof own> {}

export const fixedRelationship: MethodDescriptor<FixedRelationshipOptions> = {
  name: "fixed-relationship",
  title: "Learning with a known task relationship, not private",
  recommendedFor: "one owner holds all data, and how tasks are related is known",
  inCodeOnly: true,
  options: { ...commonOptions, ...convergenceOptions, ...own },
  releases: "everything, without noise",
  privacy: null,
  ranges: { lambda: logRange(1, 1e-4, 5) },
  compared: [],
  takes: () => ANY_ROWS,
  make: (options) => new FixedRelationship(options as FixedRelationshipOptions),
};

/**
 * Omega of tasks in clusters that are known: 1 on the diagonal, `correlation` within a cluster, 0 across.
 *
 * @param clusters    each task's cluster, any values that tell clusters apart.
 * @param correlation in [0, 1); near 1 the models of a cluster are drawn together, at 0 every task is alone.
 * @returns [m, m], row-major, positive definite.
 * @throws RangeError for a correlation out of range.
 * @example clusterRelationship(["a", "a", "b"], 0.9) // [1, .9, 0, .9, 1, 0, 0, 0, 1]
 */
export function clusterRelationship(
  clusters: readonly (string | number)[],
  correlation: number,
): Float64Array {
  integer("clusters.length", array("clusters", clusters).length, 1);
  if (!(correlation >= 0 && correlation < 1)) {
    throw new RangeError(`correlation: expected at least 0 and below 1, got ${correlation}`);
  }
  return Float64Array.from(
    clusters.flatMap((a, i) => clusters.map((b, j) => (i === j ? 1 : a === b ? correlation : 0))),
  );
}

/** Smallest over largest eigenvalue at which Omega^-1 can still be computed with. */
const SMALLEST = 1e-12;

/**
 * min_W sum_i L_i(w_i) + (lambda/2) tr(W Omega^-1 W^T) with Omega given: how tasks are related is known beforehand and not learned.
 *
 * With Omega = I this is ridge regression of every task; with {@link clusterRelationship} it is mean-regularised learning within each
 * cluster, as (lambda/2) tr(W Omega^-1 W^T) weighs a cluster's distance from its mean by lambda / (2 (1 - rho)) and the mean of its n
 * tasks by n lambda / (2 (1 - rho + n rho)). `MeanRegularized` is its limit for one cluster, `TaskRelationship` learns Omega.
 * Every task's model depends on other tasks' data, unprotected. Where clusters are public, `Pmtl` run for each of them on its own is the
 * private counterpart: a task is in one run only, and its guarantee is that run's.
 *
 * @see Hu, Wu, Smith (2023), the remark on mean regularisation as a case of a fixed relationship; Evgeniou, Micchelli, Pontil (2005),
 *   "Learning multiple tasks with kernel methods".
 * @example
 * const relationship = clusterRelationship(["north", "north", "south"], 0.95);
 * const model = await new FixedRelationship({ relationship, lambda: 0.01 }).fit(train);
 */
export class FixedRelationship extends ConfiguredEstimator<FixedRelationshipOptions> {
  /** @throws OptionError naming every bad option. */
  constructor(
    options: Partial<FixedRelationshipOptions> & Pick<FixedRelationshipOptions, "relationship">,
  ) {
    super(fixedRelationship, options);
  }

  /**
   * Fits all tasks; `model.certificate` says how far from the optimum the result can be.
   * @throws OptionError if Omega is not of the tasks' number, symmetric and positive definite.
   */
  async fit(given: TaskSet, hooks: FitOptions = {}): Promise<FittedModel> {
    const data = this.rowsToFit(given, hooks);
    const relationship = spectrumOf(this.options.relationship, data.m);
    const placed = placeTasks(data, this.options);
    const start = startOf(this.method, data, hooks);
    const { lambda, tolerance, maxRounds } = this.options;
    const solution = await solveFixedRelationship({
      tasks: placed.tasks,
      relationship,
      lambda,
      start,
      tolerance,
      maxRounds,
      signal: hooks.signal,
      onRound: hooks.onRound,
    });
    return fittedModel(data, placed, solution, {
      method: this.method,
      options: this.options,
      guarantee: noGuarantee("fixed-relationship learns from all tasks' models without noise"),
      ledger: null,
      ...solution,
    });
  }
}

/** The eigenvectors of Omega, after checking it. */
function spectrumOf(relationship: Float64Array, m: number): Eigendecomposition {
  const refuse = (text: string): never => {
    throw new OptionError(`fixed-relationship: relationship: ${text}`);
  };
  if (relationship.length !== m * m) {
    refuse(`expected ${m} x ${m} = ${m * m} numbers, one row a task; got ${relationship.length}`);
  }
  for (let i = 0; i < m; i++) {
    for (let j = 0; j < i; j++) {
      if (relationship[i * m + j] !== relationship[j * m + i]) {
        refuse(`expected a symmetric matrix; entries (${i}, ${j}) and (${j}, ${i}) differ`);
      }
    }
  }
  const spectrum = eigh(relationship, m);
  const [largest, smallest] = [spectrum.values[0]!, spectrum.values[m - 1]!];
  if (!(smallest > SMALLEST * largest)) {
    refuse(
      "expected a positive definite matrix; its smallest eigenvalue is not clearly above 0. Add a little to the diagonal",
    );
  }
  return spectrum;
}
