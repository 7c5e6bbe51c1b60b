/**
 * Baseline: task relationship learning with output perturbation.
 * @module
 */
import { RECORDS_OF_ONE_WEIGHT } from "../options/rows-taken.js";
import type { TaskSet } from "../../data/index.js";
import { eigh, syrk } from "../../linalg/index.js";
import { identity, over } from "../../linalg/small-matrices.js";
import type { ClippedTasks } from "../families/record-level/clipped-slopes.js";
import {
  checkSlopeBound,
  recordLevelOptions,
  type RecordLevelOptions,
} from "../families/record-level/options.js";
import { fitRecordLevel } from "../families/record-level/fit.js";
import type { PrivateModel } from "../fitted/private-model.js";
import { taskRelationship } from "../fitted/relationship.js";
import { aPositive, aPositiveInteger } from "../options/kinds.js";
import { logRange, type MethodDescriptor } from "../options/method.js";
import { option, type OptionsOf } from "../options/option.js";
import type { FitOptions } from "../round/estimator.js";
import type { Projection } from "../steps/projection.js";
import { ConfiguredEstimator } from "../options/configured-estimator.js";

const own = {
  /** Weight of (lambda2/2) tr(W Omega^-1 W^T), > 0; default 0.1. */
  lambda2: option(aPositive, {
    group: "model",
    help: "Twice the weight of tr(W Omega^-1 W^T).",
    default: 0.1,
  }),
  /** Outer iterations, each a release of all models; default 3. */
  rounds: option(aPositiveInteger, {
    group: "rounds",
    symbol: "T",
    help: "Outer iterations, each a release of all models.",
    unit: "rounds",
    default: 3,
  }),
};

/** Options of {@link DpTaskRelationship}. */
export interface DpTaskRelationshipOptions extends RecordLevelOptions, OptionsOf<typeof own> {}

export const dpTaskRelationship: MethodDescriptor<DpTaskRelationshipOptions> = {
  name: "dp-task-relationship",
  title: "DP-MTRL, relationships of models",
  recommendedFor: "a baseline that protects records",
  options: { ...recordLevelOptions, ...own },
  releases: "all models + noise",
  privacy: {
    unit: "record",
    statistics: ["vector"],
    budget: "equal",
  },
  ranges: {
    lambda: logRange(10, 0.1, 3),
    lambda2: logRange(1, 0.01, 3),
    rounds: [1],
  },
  compared: [],
  check: (options) => checkSlopeBound("dp-task-relationship", options),
  takes: () => ({ weights: RECORDS_OF_ONE_WEIGHT, sparse: true }),
  make: (options) => new DpTaskRelationship(options),
};

/**
 * DP-MTRL: alternates the models for a given relationship matrix Omega, released with noise, and
 * Omega from the noisy models, which costs nothing more.
 *
 * It protects one record; the guarantee of a task is the lift to its n records by group privacy. As
 * tr Omega = 1, Omega^-1 >= I and the problem is (lambda + lambda2)-strongly convex, so one changed
 * record moves W by at most 2 c_i G B / (lambda + lambda2) in the Frobenius norm. Iterations are
 * composed by the ledger.
 *
 * @see Gupta, Rana, Venkatesh (2016), "Differentially private multi-task learning"; Liang et al.,
 *   Proposition 3.
 * @example const model = await new DpTaskRelationship({ epsilon: 1, slopeBound: 20 }).fit(train);
 */
export class DpTaskRelationship extends ConfiguredEstimator<DpTaskRelationshipOptions> {
  /** @throws OptionError naming every bad option. */
  constructor(options?: Partial<DpTaskRelationshipOptions>) {
    super(dpTaskRelationship, options);
  }

  /**
   * Fits all tasks in `rounds` releases.
   * @throws DataError if a row is longer than `featureBound`.
   */
  fit(given: TaskSet, hooks: FitOptions = {}): Promise<PrivateModel> {
    const data = this.rowsToFit(given, hooks);
    const { method, options } = this;
    const { lambda, lambda2, rounds } = options;
    let omega = over(identity(data.m), data.m);
    return fitRecordLevel(
      {
        method,
        options,
        strongConvexity: lambda + lambda2,
        rounds,
        released: "models",
        coupling: (tasks) => {
          const relationship = omega;
          return (step) => couplingStep(tasks, relationship, step * lambda2);
        },
        see: (models, { m, d }) => {
          omega = taskRelationship(models, m, d).map(
            (value, k) => (1 - MIX) * value + (k % (m + 1) === 0 ? MIX / m : 0),
          );
        },
        components: () => ({ taskRelationship: { shape: [data.m, data.m], data: omega } }),
      },
      data,
      hooks,
    );
  }
}

/**
 * Share of I / m mixed into Omega: with more tasks than features Omega = (W^T W)^(1/2) / tr has a null
 * space, which no later W could leave.
 */
const MIX = 1e-3;

/**
 * prox of (t/2) tr(W (Omega^-1 - I) W^T): W Omega ((1 - t) Omega + t I)^-1, which needs no inverse
 * of Omega. The I that is taken off is counted as strong convexity of the losses.
 */
function couplingStep({ core, m, d }: ClippedTasks, omega: Float64Array, t: number): Projection {
  const { arena, kernels } = core;
  const { values, vectors } = eigh(omega, m);
  const roots = new Float64Array(m * m);
  for (let k = 0; k < m; k++) {
    const value = Math.min(1, Math.max(0, values[k]!));
    const scale = Math.sqrt(value / ((1 - t) * value + t));
    for (let i = 0; i < m; i++) roots[k * m + i] = scale * vectors[i * m + k]!;
  }
  const matrix = arena.copyOf(syrk(roots, m, m));
  const work = arena.bytes(kernels.gemmWorkspace(m, m, d));
  return (_broadcast, from, to) => kernels.gemm(matrix, from, to, m, m, d, work);
}
