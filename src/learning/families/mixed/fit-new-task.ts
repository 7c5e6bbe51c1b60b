/**
 * Models of tasks that come after a private fit: from their own rows and what the fit released.
 * @module
 */
import { DataError, openCore } from "../../../core/index.js";
import { refuseLabels, type TaskSet } from "../../../data/index.js";
import type { FittedModel } from "../../fitted/fitted-model.js";
import {
  laterModel,
  onlyComponents,
  requireSame,
  type SharedPrior,
} from "../../fitted/shared-prior.js";
import { withConstantColumn } from "../../tasks/constant-column.js";
import {
  batchModels,
  priorOfComponents,
  SHARED_COMPONENTS,
  sharedComponentsOf,
} from "./model-components.js";
import { ownUnits } from "./own-units.js";
import { rootedRows } from "./rooted-rows.js";
import { solveTasks } from "./squared-solve.js";
import { TaskSpectra } from "./task-spectra.js";
import { inUnits, modelsFromUnits, priorInUnits } from "./units.js";

/**
 * The part of a model that an owner who comes later needs, and may have: nothing of any task that was fitted.
 * @throws DataError if the model is not of `MpMixed` with the squared loss.
 */
export function sharedMixedPrior(model: SharedPrior): SharedPrior {
  requirePrior(model);
  return onlyComponents(model, sharedComponentsOf(model.components));
}

/** Models of tasks that were not in the fit, by the solve that every task of the fit did for itself. */
export function fitNewMixedTask(prior: SharedPrior, tasks: TaskSet): FittedModel {
  requirePrior(prior);
  refuseLabels(tasks);
  requireSame(prior, tasks);
  const { prior: given, units } = priorOfComponents(prior.components);
  const { x, y, offsets, d, m } = withConstantColumn(tasks);
  const own = priorInUnits(units, given);
  const rows = rootedRows(inUnits(units, { x, y, offsets }), tasks);
  const apart = { units: ownUnits(rows, d, units.voted ?? []) };
  const solved = solveTasks(own, new TaskSpectra(openCore(), rows, d), apart);
  const models = modelsFromUnits(units, { ...solved, prior: own });
  return laterModel(prior, tasks, batchModels({ ...models, prior: given }, units, m));
}

function requirePrior({ method, loss, components }: SharedPrior): void {
  const missing = SHARED_COMPONENTS.filter((name) => !components[name]);
  if (loss === "squared" && missing.length === 0) return;
  throw new DataError(
    `a model of ${method} with the ${loss} loss says nothing of tasks that it was not fitted on; ` +
      "expected one of mp-mixed with the squared loss, or of mp-subspace",
  );
}
