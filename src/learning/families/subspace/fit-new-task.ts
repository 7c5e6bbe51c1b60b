/**
 * Models of tasks that come after a fit of subspace learning.
 * @module
 */
import { refuseLabels, type TaskSet } from "../../../data/index.js";
import type { FittedModel } from "../../fitted/fitted-model.js";
import {
  laterModel,
  onlyComponents,
  requireSame,
  type SharedPrior,
} from "../../fitted/unseen/shared-prior.js";
import { sharedHypotheses } from "./hypotheses.js";
import { batchModels, releasedOf, SHARED_COMPONENTS } from "./model-components.js";
import type { SubspaceOptions } from "./options.js";
import { ownFit } from "./own-fit.js";
import { OwnRows } from "./own-rows.js";
import { solveTasks } from "./solve-tasks.js";

/** Whether it is of this method, whole. */
export const isSubspacePrior = ({ components }: SharedPrior) =>
  SHARED_COMPONENTS.every((name) => components[name] !== undefined);

/** What it says of tasks in general. */
export const sharedSubspacePrior = (model: SharedPrior) => onlyComponents(model, SHARED_COMPONENTS);

/** The own fit that every task of the fit did for itself, with later tasks' rows. */
export function fitNewSubspaceTask(prior: SharedPrior, tasks: TaskSet): FittedModel {
  refuseLabels(tasks);
  requireSame(prior, tasks);
  const { intercept } = prior.options as Pick<SubspaceOptions, "intercept">;
  const released = releasedOf(prior.components);
  const hypotheses = sharedHypotheses(released.subspace, released.covariance);
  const rows = new OwnRows(tasks, intercept);
  const work = solveTasks(rows, (i) => ownFit(rows.task(i), hypotheses));
  for (;;) {
    const { done, value } = work.next();
    if (done) return laterModel(prior, tasks, batchModels(value, released, intercept));
  }
}
