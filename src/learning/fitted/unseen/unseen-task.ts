/**
 * The model of a task that was never seen, by what a fit released: of models that have one.
 * @module
 */
import { object } from "../../../core/checks.js";
import { outputsOf } from "../../tasks/losses.js";
import type { FittedModelState } from "../model-state.js";
import { hasIntervals } from "../posterior/posterior-interval.js";
import type { PosteriorMixture } from "../posterior/posterior-mixture.js";
import { UNTOLD } from "./untold.js";

type Known = Required<Pick<FittedModelState, "components" | "loss" | "classes">>;

/** What such a model consists of. */
export interface UnseenTask {
  /** [d]; of C classes [d, C]. */
  readonly weights: Float64Array;
  /** One for each output. */
  readonly intercepts: Float64Array;
  /** Of labels: what probabilities are averaged over; null: the weights are all. */
  readonly posterior: PosteriorMixture | null;
}

/** Whether a model predicts for tasks that it was not fitted on. */
export const knowsUnseenTasks = (model: Pick<Known, "components" | "loss">): boolean =>
  (hasIntervals(model) && !model.components[UNTOLD]) ||
  (model.loss !== "squared" && model.components["newTaskMeans"] !== undefined);

/** The fixed effects, and of labels the distribution around them, of a model that has them. */
export function unseenTaskOf({ components, loss, classes }: Known): UnseenTask {
  const { data } = components["fixedEffects"]!;
  const C = outputsOf(loss, classes);
  const n = data.length / C;
  const weights = new Float64Array((n - 1) * C);
  const intercepts = new Float64Array(C);
  for (let c = 0; c < C; c++) {
    for (let j = 0; j < n - 1; j++) weights[j * C + c] = data[c * n + j]!;
    intercepts[c] = data[c * n + n - 1]!;
  }
  return { weights, intercepts, posterior: loss === "squared" ? null : mixtureIn(components) };
}

function mixtureIn(components: Known["components"]): PosteriorMixture {
  const [weights, means, covariances] = [
    "newTaskWeights",
    "newTaskMeans",
    "newTaskCovariances",
  ].map((name) => components[name]!.data) as [Float64Array, Float64Array, Float64Array];
  return { weights, means, covariances };
}

/** What a model without fixed effects can do for a task that comes later all the same. */
const WITH_ROWS =
  ", and with rows of its own a task has a model by fitNewTask (fit --shared-prior)";

/** Why a model predicts for no tasks but its own, for whoever asked it to: a clause that follows "and". */
export function whyNoUnseenTasks(
  model: Pick<FittedModelState, "method" | "loss" | "components">,
): string {
  const { method, loss, components } = object("model", model);
  if (components?.[UNTOLD]) {
    return (
      "its fit learned how rows differ within tasks but no task's level, as ranges were not declared: declare them (--ranges)" +
      WITH_ROWS
    );
  }
  return loss !== "squared" && components?.["fixedEffects"]
    ? `this model of ${method} was saved by a version that kept nothing for others with the ${loss} loss: fit it again`
    : `a model of ${method} predicts for no others; mixed models (mp-mixed, mixed-model) do` +
        (method === "mp-subspace" ? WITH_ROWS : "");
}
