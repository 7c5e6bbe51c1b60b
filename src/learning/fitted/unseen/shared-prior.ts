/**
 * What a private fit says of tasks in general, and the models of later tasks that are made from it.
 * @module
 */
import { counted } from "../../../core/messages/counted.js";
import { DataError } from "../../../core/index.js";
import { someNames } from "../../../core/messages/some-names.js";
import { Pipeline, TableEncoding, type TaskSet } from "../../../data/index.js";
import { Ledger } from "../../../privacy/index.js";
import { asRead, jointStatementProblem } from "../../../privacy/guarantee/check-statement.js";
import { LATER_TASKS } from "../../../privacy/guarantee/guarantee-words.js";
import { FittedModel } from "../fitted-model.js";
import type { FittedModelState, Preprocessing } from "../model-state.js";

/**
 * What the releases of a fit of `MpMixed` or `MpSubspace` say of tasks in general: its guarantee covers it, whoever has it. A
 * `FittedModel` is one; `sharedPrior` leaves out what it knows of its own tasks.
 */
export type SharedPrior = Pick<
  FittedModelState,
  "method" | "loss" | "lossScale" | "featureNames" | "options" | "guarantee" | "preprocessing"
> & {
  /** What the fit learned of tasks in general, by name. */
  readonly components: NonNullable<FittedModelState["components"]>;
  /** The labels, by which those of later tasks are read; null or absent where targets are numbers. */
  readonly classes?: FittedModelState["classes"];
  /** What bears the guarantee out, or its JSON; absent where nothing was released. */
  readonly ledger?: Ledger | ReturnType<Ledger["toJSON"]> | null;
};

/** The one task of a table without a task column, in a prior: whoever reads such a table names its owner. */
const SOMEBODY = { name: "a later task" };

/**
 * How rows are prepared, without anything measured on the tasks' own rows (means that fill gaps, scales), and without the name of an owner
 * whose table had no task column.
 */
export function ofNoTask({ encoding, pipeline, ...rest }: Preprocessing): Preprocessing {
  const read = encoding && TableEncoding.fromJSON(encoding).forTask(null).toJSON();
  return {
    ...rest,
    encoding: read && typeof read.task !== "string" ? { ...read, task: SOMEBODY } : read,
    pipeline: pipeline && Pipeline.fromJSON(pipeline).forTask(null).toJSON(),
  };
}

const stored = (ledger: SharedPrior["ledger"]) =>
  ledger instanceof Ledger ? ledger.toJSON() : ledger;

/** The guarantee as a model of later tasks states it: whom it covers, and what was done with their rows. */
function ofLaterTasks(guarantee: SharedPrior["guarantee"]): SharedPrior["guarantee"] {
  const { rows, covers } = LATER_TASKS;
  return { ...guarantee, later: guarantee.kind === "none" ? rows : `${rows}; ${covers}` };
}

/** The guarantee as the fit stated it, also where the prior is taken from a model of later tasks. */
function ofTheFit({ later: _later, ...guarantee }: SharedPrior["guarantee"]) {
  return guarantee as SharedPrior["guarantee"];
}

/** The prior with only the components of these names. */
export function onlyComponents(model: SharedPrior, names: readonly string[]): SharedPrior {
  const { method, loss, lossScale, featureNames, classes, options, preprocessing } = model;
  const guarantee = ofTheFit(asRead(model.guarantee));
  const ledger = stored(model.ledger);
  const components = Object.fromEntries(names.map((name) => [name, model.components[name]!]));
  return {
    method,
    loss,
    lossScale,
    featureNames,
    options,
    guarantee,
    components,
    ...(classes ? { classes } : {}),
    ...(preprocessing ? { preprocessing: ofNoTask(preprocessing) } : {}),
    ...(ledger ? { ledger } : {}),
  };
}

/** The ledger of a prior. @throws DataError if its guarantee promises more than the ledger bears out. */
function bearingOut({ ledger, guarantee, options }: SharedPrior): Ledger | null {
  const found = ledger ? Ledger.fromJSON(stored(ledger)) : null;
  const problem = jointStatementProblem(guarantee, found, options);
  if (problem === undefined) return found;
  throw new DataError(`prior: its guarantee is damaged or was altered: ${problem}.`);
}

/** The fitted model of later tasks. */
export function laterModel(
  prior: SharedPrior,
  tasks: TaskSet,
  models: Pick<FittedModelState, "weights" | "intercepts" | "architecture" | "components">,
): FittedModel {
  const { method, loss, lossScale, featureNames, classes = null, options, preprocessing } = prior;
  const guarantee = ofLaterTasks(asRead(prior.guarantee));
  return new FittedModel({
    method,
    loss,
    lossScale,
    featureNames,
    options,
    guarantee,
    ...(preprocessing ? { preprocessing: ofNoTask(preprocessing) } : {}),
    ...models,
    // A file without the charges that its guarantee is about would be refused.
    ledger: bearingOut(prior),
    classes,
    certificate: null,
    rounds: 0,
    history: [],
    taskNames: tasks.names,
    objective: 0,
  });
}

/** @throws DataError if the tasks' columns are not those of the fit. */
export function requireSame({ featureNames, preprocessing }: SharedPrior, tasks: TaskSet): void {
  if (tasks.d !== featureNames.length) {
    throw new DataError(
      `the tasks have ${counted(tasks.d, "feature")}, the prior has ${featureNames.length}: ${someNames(featureNames)}.`,
    );
  }
  const other = tasks.featureNames.findIndex((name, c) => name !== featureNames[c]);
  if (other >= 0) {
    throw new DataError(
      `feature ${other} of the tasks is ${JSON.stringify(tasks.featureNames[other])}, that of the prior is ` +
        `${JSON.stringify(featureNames[other])}. If arrays have the same columns, name them so: TaskSet.from(tasks, { featureNames: prior.featureNames }).`,
    );
  }
  const [one, two] = [preprocessing?.targetScale ?? null, tasks.encoding.target.scale];
  if (one?.center === two?.center && one?.halfWidth === two?.halfWidth) return;
  throw new DataError(
    "the target is not on the prior's scale: give it the range that was declared for the fit (targetRange of TaskSet.from, or the schema)",
  );
}
