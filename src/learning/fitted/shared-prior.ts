/**
 * What a private fit says of tasks in general, and models of later tasks made of it.
 * @module
 */
import { DataError } from "../../core/index.js";
import type { TaskSet } from "../../data/index.js";
import { FittedModel } from "./fitted-model.js";
import type { FittedModelState } from "./model-state.js";

/**
 * What the releases of a fit of `MpMixed` or `MpSubspace` say of tasks in general: its guarantee covers it, whoever has it. A
 * `FittedModel` is one; `sharedPrior` leaves out what it knows of its own tasks.
 */
export type SharedPrior = Pick<
  FittedModelState,
  "method" | "loss" | "lossScale" | "featureNames" | "options" | "guarantee" | "preprocessing"
> & { readonly components: NonNullable<FittedModelState["components"]> };

/** The prior with these of its components alone. */
export function onlyComponents(model: SharedPrior, names: readonly string[]): SharedPrior {
  const { method, loss, lossScale, featureNames, options, guarantee, preprocessing } = model;
  const components = Object.fromEntries(names.map((name) => [name, model.components[name]!]));
  return {
    ...{ method, loss, lossScale, featureNames, options, guarantee, components },
    ...(preprocessing ? { preprocessing } : {}),
  };
}

/** The fitted model of later tasks. */
export function laterModel(
  { method, loss, lossScale, featureNames, options, guarantee, preprocessing }: SharedPrior,
  tasks: TaskSet,
  models: Pick<FittedModelState, "weights" | "intercepts" | "architecture" | "components">,
): FittedModel {
  return new FittedModel({
    ...{ method, loss, lossScale, featureNames, options, guarantee },
    ...(preprocessing ? { preprocessing } : {}),
    ...models,
    ...{ classes: null, ledger: null, certificate: null, rounds: 0, history: [] },
    taskNames: tasks.names,
    objective: 0,
  });
}

/** @throws DataError if the tasks' columns are not those of the fit. */
export function requireSame({ featureNames, preprocessing }: SharedPrior, tasks: TaskSet): void {
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
