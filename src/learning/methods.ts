/**
 * The methods by their names: for the command line, worker jobs and files.
 * @module
 */
import { OptionError } from "../core/index.js";
import type { Estimator } from "./round/estimator.js";
import { DpAggregation } from "./estimators/dp-aggregation.js";
import { DpTaskRelationship } from "./estimators/dp-task-relationship.js";
import { GroupSparse } from "./estimators/group-sparse.js";
import { LowRankSparse } from "./estimators/low-rank-sparse.js";
import { MeanRegularized } from "./estimators/mean-regularized.js";
import { MpFeatureLearning } from "./estimators/mp-feature-learning.js";
import { MpHierarchical } from "./estimators/mp-hierarchical.js";
import { MpGroupSparse } from "./estimators/mp-group-sparse.js";
import { MpLowRankSparse } from "./estimators/mp-low-rank-sparse.js";
import { MpLowRank } from "./estimators/mp-low-rank.js";
import { Pmtl } from "./estimators/pmtl.js";
import { PrivateFedAvg } from "./estimators/private-fedavg.js";
import { PrivateFedProx } from "./estimators/private-fedprox.js";
import { SingleTask } from "./estimators/single-task.js";
import { TaskRelationship } from "./estimators/task-relationship.js";
import { TraceNorm } from "./estimators/trace-norm.js";

/** Makes an estimator from options, which its constructor checks. */
export type MakeEstimator = (options: Record<string, unknown>) => Estimator;

const METHODS: Record<string, MakeEstimator> = {
  "single-task": (options) => new SingleTask(options),
  "trace-norm": (options) => new TraceNorm(options),
  "group-sparse": (options) => new GroupSparse(options),
  "low-rank-sparse": (options) => new LowRankSparse(options),
  "mean-regularized": (options) => new MeanRegularized(options),
  "task-relationship": (options) => new TaskRelationship(options),
  "mp-low-rank": (options) => new MpLowRank(options),
  "mp-group-sparse": (options) => new MpGroupSparse(options),
  "mp-low-rank-sparse": (options) => new MpLowRankSparse(options),
  "dp-aggregation": (options) => new DpAggregation(options),
  "dp-task-relationship": (options) => new DpTaskRelationship(options),
  "mp-feature-learning": (options) => new MpFeatureLearning(options),
  "mp-hierarchical": (options) => new MpHierarchical(options),
  pmtl: (options) => new Pmtl(options),
  "private-fedavg": (options) => new PrivateFedAvg(options),
  "private-fedprox": (options) => new PrivateFedProx(options),
};

/** Names, in the order the help lists them. */
export const METHOD_NAMES = Object.keys(METHODS);

/**
 * The estimator of that name; options that are undefined keep their defaults.
 * @throws OptionError for an unknown name or a bad option.
 */
export function makeEstimator(name: string, options: Record<string, unknown>): Estimator {
  if (!Object.hasOwn(METHODS, name)) {
    throw new OptionError(`method: expected one of ${METHOD_NAMES.join(", ")}, got "${name}"`);
  }
  const given = Object.entries(options).filter(([, value]) => value !== undefined);
  return METHODS[name]!(Object.fromEntries(given));
}

/** Whether the method draws noise under a budget. */
export function isPrivateMethod(name: string): boolean {
  return /^(mp-|dp-|private-|pmtl$)/.test(name);
}
