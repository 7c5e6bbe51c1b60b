/**
 * Models of tasks that come after a private fit: from their own rows and what the fit released.
 * @module
 */
import { DataError, openCore } from "../../../core/index.js";
import { refuseLabels, type TaskSet } from "../../../data/index.js";
import { FittedModel, type FittedModelState } from "../../fitted/fitted-model.js";
import { withConstantColumn } from "../../tasks/constant-column.js";
import { batchModels, priorOfComponents, SHARED_COMPONENTS } from "./model-components.js";
import { solveTasks } from "./squared-solve.js";
import { TaskSpectra } from "./task-spectra.js";
import { inUnits, modelsFromUnits, priorInUnits } from "./units.js";

/**
 * What the releases of a fit of `MpMixed` say of tasks in general: its guarantee covers it, whoever has it. A
 * `FittedModel` is one; {@link sharedPrior} leaves out what it knows of its own tasks.
 */
export type SharedPrior = Pick<
  FittedModelState,
  "method" | "loss" | "lossScale" | "featureNames" | "options" | "guarantee" | "preprocessing"
> & { readonly components: NonNullable<FittedModelState["components"]> };

/**
 * The part of a model that an owner who comes later needs, and may have: nothing of any task that was fitted.
 * @throws DataError if the model is not of `MpMixed` with the squared loss.
 */
export function sharedPrior(model: SharedPrior): SharedPrior {
  requirePrior(model);
  const { method, loss, lossScale, featureNames, options, guarantee, preprocessing } = model;
  const components = Object.fromEntries(
    SHARED_COMPONENTS.map((name) => [name, model.components[name]!]),
  );
  return {
    ...{ method, loss, lossScale, featureNames, options, guarantee, components },
    ...(preprocessing ? { preprocessing } : {}),
  };
}

/**
 * Models of tasks that were not in the fit, by their own rows: the same solve that every task of the fit did for
 * itself. Nothing is released and nothing spent; the guarantee stays that of the fit, which the new tasks were not in.
 *
 * @param prior a fitted `MpMixed` (squared loss), or its {@link sharedPrior}.
 * @param tasks prepared like the training rows: the same features in the same order and, where ranges of features or
 *   target were declared, scaled by them.
 * @returns a model of these tasks: predictions, intervals, components.
 * @throws DataError if the prior is of another method, or features or target do not fit.
 * @example const model = fitNewTask(fitted, TaskSet.from([{ name: "a later school", x, y }]));
 */
export function fitNewTask(prior: SharedPrior, tasks: TaskSet): FittedModel {
  requirePrior(prior);
  refuseLabels(tasks);
  requireSame(prior, tasks);
  const { prior: given, units } = priorOfComponents(prior.components);
  const { d, m, ...rows } = withConstantColumn(tasks);
  const own = priorInUnits(units, given);
  const spectra = new TaskSpectra(openCore(), inUnits(units, rows), d);
  const models = modelsFromUnits(units, { ...solveTasks(own, spectra), prior: own });
  const { method, loss, lossScale, featureNames, options, guarantee, preprocessing } = prior;
  return new FittedModel({
    ...{ method, loss, lossScale, featureNames, options, guarantee },
    ...(preprocessing ? { preprocessing } : {}),
    ...batchModels({ ...models, prior: given }, units, m),
    ...{ classes: null, ledger: null, certificate: null, rounds: 0, history: [] },
    taskNames: tasks.names,
    objective: 0,
  });
}

function requirePrior({ method, loss, components }: SharedPrior): void {
  const missing = SHARED_COMPONENTS.filter((name) => !components[name]);
  if (loss === "squared" && missing.length === 0) return;
  throw new DataError(
    `a model of ${method} with the ${loss} loss says nothing of tasks that it was not fitted on; ` +
      "expected one of mp-mixed with the squared loss",
  );
}

function requireSame({ featureNames, preprocessing }: SharedPrior, tasks: TaskSet): void {
  const other = tasks.featureNames.findIndex((name, c) => name !== featureNames[c]);
  if (other >= 0 || tasks.d !== featureNames.length) {
    throw new DataError(
      `the tasks' features are not those of the prior: expected ${featureNames.length}, ` +
        `${JSON.stringify(featureNames[Math.max(other, 0)])} first among those that differ`,
    );
  }
  const [one, two] = [preprocessing?.targetScale ?? null, tasks.encoding.target.scale];
  if (one?.center === two?.center && one?.halfWidth === two?.halfWidth) return;
  throw new DataError(
    "the target is not on the prior's scale: give it the range that was declared for the fit",
  );
}
