/**
 * Models of tasks that come after a private fit: from their own rows and what the fit released.
 * @module
 */
import { DataError, openCore } from "../../../core/index.js";
import { refuseLabels, relativeWeights, type TaskSet } from "../../../data/index.js";
import type { FittedModel } from "../../fitted/fitted-model.js";
import {
  laterModel,
  onlyComponents,
  requireSame,
  type SharedPrior,
} from "../../fitted/unseen/shared-prior.js";
import { withConstantColumn } from "../../tasks/constant-column.js";
import { outputsOf } from "../../tasks/losses.js";
import type { MixedModels, MixedPrior } from "./exchange.js";
import { laterLabels, solveLabels } from "./labels/later-labels.js";
import {
  batchModels,
  neededComponents,
  priorOfComponents,
  sharedComponentsOf,
} from "./model-components.js";
import { rootedRows } from "./spectra/rooted-rows.js";
import { apartIn } from "./squared/solve/alone-roots.js";
import { solveTasks } from "./squared/solve/squared-solve.js";
import { TaskSpectra } from "./spectra/task-spectra.js";
import type { TaskRows } from "./spectra/task-spectrum.js";
import { deniedVotes } from "./undeclared/denied-votes.js";
import { differencesIn } from "./undeclared/differences.js";
import { inUnits, type Units } from "./units/units.js";
import { modelsFromUnits, priorInUnits } from "./units/change-units.js";

/**
 * The part of a model that an owner who comes later needs, and may have: nothing of any task that was fitted.
 * @throws DataError if the model has no such prior.
 */
export function sharedMixedPrior(model: SharedPrior): SharedPrior {
  requirePrior(model);
  return onlyComponents(model, sharedComponentsOf(model.loss, model.components));
}

/** Models of tasks that were not in the fit, by the solve that every task of the fit did for itself. */
export function fitNewMixedTask(prior: SharedPrior, tasks: TaskSet): FittedModel {
  requirePrior(prior);
  const { loss, components, classes = null } = prior;
  const y = targetsOfLater(prior, tasks);
  requireSame(prior, tasks);
  const { prior: known, units } = priorOfComponents(loss, components);
  const { x, offsets } = withConstantColumn(tasks);
  const solve = (rows: TaskRows) =>
    loss === "squared"
      ? solveNumbers(priorInUnits(units, known), rows, units)
      : solveLabels(known.ofTasks!, rows, outputsOf(loss, classes), units);
  const inData = (all: TaskRows) => modelsFromUnits(units, { ...solve(all), prior: known });
  const given = { x, y, offsets, names: tasks.names, weights: relativeWeights(tasks) };
  if (units.untold) requireWhole(tasks);
  const differences = units.untold && differencesIn(loss, given, units.untold);
  const rows = inUnits(units, differences?.rows ?? given);
  const learned = inData(differences?.weighted ? rows : rootedRows(rows, tasks));
  const found = { ...(differences ? differences.back(learned) : learned), prior: known };
  const models = loss === "squared" ? deniedVotes(found, units, tasks) : found;
  return laterModel(prior, tasks, batchModels(models, units, tasks));
}

/** Sums of rows do not tell how these differ. */
function requireWhole({ standFor }: TaskSet): void {
  if (!standFor) return;
  throw new DataError(
    "the prior is of differences within tasks, which sums of rows do not tell: read the rows themselves (without --stream)",
  );
}

function targetsOfLater(prior: SharedPrior, tasks: TaskSet): Float64Array {
  if (prior.loss !== "squared") return laterLabels(prior, tasks);
  refuseLabels(tasks);
  return tasks.y;
}

function solveNumbers(own: MixedPrior, rows: TaskRows, units: Units): Omit<MixedModels, "prior"> {
  const d = units.centers.length;
  return solveTasks(own, new TaskSpectra(openCore(), rows, d), apartIn(rows, d, units));
}

function requirePrior({ method, loss, components }: SharedPrior): void {
  const missing = neededComponents(loss, components).filter((name) => !components[name]);
  if (missing.length === 0) return;
  const saved = loss !== "squared" && components["fixedEffects"] !== undefined;
  throw new DataError(
    saved
      ? `this model of ${method} with the ${loss} loss was saved by a version that kept nothing for later tasks: fit it again`
      : `a model of ${method} with the ${loss} loss says nothing of tasks that it was not fitted on; expected one of ` +
          "mp-mixed, mixed-model or mp-subspace",
  );
}
