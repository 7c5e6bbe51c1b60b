/**
 * A public logistic regression as what a fit of labels would say before its first release.
 * @module
 */
import type { DataEncoding } from "../../../../../data/index.js";
import type { MixedPrior } from "../../exchange.js";
import { LogisticState } from "../logistic-state.js";
import { syntheticColumns } from "../evidence/logistic-synthetic.js";
import { taskPriors } from "./hypothesis-priors.js";
import { packedPriors, unseenTask } from "../posterior/task-priors.js";

/** Enough synthetic rows for the columns' mean squares, by which effects of tasks and of a population differ. */
const SIZES = { m: 20, meanRows: 20 } as const;

/**
 * @param center the public model in the units of the exchange, [d].
 * @param classes of the target, where the model is of one against the rest.
 */
export function publicLabelPrior(
  center: Float64Array,
  encoding: DataEncoding,
  classes?: number,
): MixedPrior {
  const sizes = { ...SIZES, d: center.length, classes };
  const state = new LogisticState(sizes, 0, [], {
    columns: syntheticColumns(encoding),
    center,
  });
  const priors = taskPriors(state);
  return { ...state.prior(), unseen: unseenTask(priors), ofTasks: packedPriors(priors) };
}
