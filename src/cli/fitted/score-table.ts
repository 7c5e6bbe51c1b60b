/**
 * Scores of a model on rows with a target: of tasks that it knows, and of new ones where it predicts for them.
 * @module
 */
import { DataError } from "../../core/index.js";
import { fromUnit, type TaskSet } from "../../data/index.js";
import { someNames } from "../../core/messages/some-names.js";
import {
  scorable,
  scorableNewTasks,
  scoreNewTasks,
  whyNoUnseenTasks,
  type FittedModel,
  type Scores,
} from "../../learning/index.js";

/** Of how many rows an interval should hold the target. */
const LEVEL = 0.9;

/** What the rows say, and what could not be scored. */
export interface TableScores {
  /** Of tasks that the model was fitted on; absent where there are none. */
  readonly test?: Scores;
  /** Of tasks that are new to it, predicted by what all tasks have in common. */
  readonly newTasks?: Scores & { readonly tasks: number; readonly rows: number };
  /** Of models that give intervals: the share of rows whose target lies within theirs. */
  readonly intervals?: { readonly level: number; readonly coverage: number };
  /** Rows of tasks that the model has nothing to say of, or with a label that training did not have. */
  readonly rowsNotScored: number;
}

/**
 * Scores what can be scored.
 * @param where names the rows in errors.
 * @throws DataError if that is nothing.
 */
export function scoreTable(model: FittedModel, held: TaskSet, where: string): TableScores {
  const { tasks: known, leftOut } = scorable(model, held);
  const fresh = model.predictNew && scorableNewTasks(model, held).tasks;
  const scores = fresh && scoreNewTasks(model, fresh);
  if (!known && !scores) {
    const trained = new Set(model.taskNames);
    const name = held.names.find((one) => !trained.has(one));
    throw new DataError(
      (name !== undefined && !model.predictNew
        ? `${where}: task ${JSON.stringify(name)} has no training data, and ${whyNoUnseenTasks(model)}`
        : `${where}: no row has a label that training had${labelsOf(model)}`) +
        ". Nothing is left to score.",
    );
  }
  return {
    ...(known ? { test: model.score(known) } : {}),
    ...(fresh && scores ? { newTasks: { tasks: fresh.m, rows: fresh.size, ...scores } } : {}),
    ...(model.predictInterval
      ? { intervals: { level: LEVEL, coverage: coverageOf(model, held) } }
      : {}),
    rowsNotScored: leftOut - (fresh?.size ?? 0),
  };
}

/** The model's labels; of many, the first. */
const labelsOf = ({ classes }: FittedModel): string =>
  classes ? `, which are ${someNames(classes.map(String))}` : "";

/** Share of the rows whose target lies within their interval. */
function coverageOf(model: FittedModel, tasks: TaskSet): number {
  const { scale } = tasks.encoding.target;
  const trained = new Set(model.taskNames);
  let inside = 0;
  for (const { name, x, y } of tasks) {
    const { lower, upper } = model.predictInterval!(trained.has(name) ? name : null, x, LEVEL);
    y.forEach((value, row) => {
      const raw = scale ? fromUnit(scale, value) : value;
      if (raw >= lower[row]! && raw <= upper[row]!) inside++;
    });
  }
  return inside / tasks.size;
}
