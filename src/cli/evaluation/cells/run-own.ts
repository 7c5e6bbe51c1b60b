/**
 * A cell of somebody's own method, fitted and scored as ours are. Nothing of it is tuned, and nothing is known of its privacy.
 * @module
 */
import { DataError } from "../../../core/index.js";
import { kindOf } from "../../../core/messages/kind-of.js";
import { binaryLabels, classLabels, type TaskSet } from "../../../data/index.js";
import { scorable, type LossName } from "../../../learning/index.js";
import type { Classes } from "../../../learning/fitted/model-state.js";
import { scoreOutputs } from "../../../learning/fitted/scores/score-outputs.js";
import type { Cell, CellResult } from "./cell.js";
import { taskErrors } from "./task-errors.js";
import {
  loadOwn,
  type OwnFile,
  type OwnMethod,
  type OwnModel,
  type OwnSetting,
} from "./own-method.js";

/** The labels in ascending order; null of numbers. @throws DataError where they do not suit the loss. */
function classesFor(loss: LossName, train: TaskSet): Classes | null {
  if (loss === "squared") return null;
  return loss === "softmax" ? classLabels(train).classes : binaryLabels(train).classes;
}

/** What the method's fit is told. */
function settingOf({ method, epsilon, replicate, seed, options }: Cell): OwnSetting {
  const { loss, delta, adjacency } = options as Pick<OwnSetting, "loss" | "delta" | "adjacency">;
  const budget = epsilon === null ? {} : { epsilon, delta: delta!, adjacency: adjacency! };
  return { loss, seed: `${seed}/noise/${method}/${epsilon}/${replicate}`, ...budget };
}

/** @throws TypeError where the method returns no model. */
async function fitted(own: OwnMethod, train: TaskSet, setting: OwnSetting): Promise<OwnModel> {
  const model = (await own.fit(train, setting)) as OwnModel | undefined;
  if (typeof model?.outputs === "function") return model;
  throw new TypeError(
    `fit: expected a fitted model or { outputs(tasks) { … } }, got ${kindOf(model)}`,
  );
}

/** @throws TypeError or DataError saying what `outputs` should have returned. */
function requireOutputs(found: unknown, tasks: TaskSet, perRow: number): Float64Array {
  if (!(found instanceof Float64Array)) {
    throw new TypeError(`outputs: expected a Float64Array, got ${kindOf(found)}`);
  }
  const expected = tasks.size * perRow;
  if (found.length !== expected) {
    const each = perRow === 1 ? "" : ` of ${perRow} labels`;
    throw new DataError(
      `outputs: expected ${expected} numbers, for ${tasks.size} rows${each}, got ${found.length}`,
    );
  }
  const bad = found.findIndex((value) => !Number.isFinite(value));
  if (bad < 0) return found;
  const row = Math.floor(bad / perRow);
  const task = tasks.offsets.findLastIndex((from) => from <= row);
  throw new DataError(
    `outputs: expected finite numbers, test row ${row - tasks.offsets[task]! + 1} of task ${JSON.stringify(tasks.names[task])} has another`,
  );
}

/**
 * Runs the cell on its split.
 * @throws OptionError if the module is not as planned; TypeError or DataError where what the method returns does not fit.
 */
export async function runOwn(
  cell: Cell,
  file: OwnFile,
  train: TaskSet,
  test: TaskSet,
): Promise<CellResult> {
  const { method, epsilon, replicate, variant, traced = false } = cell;
  const setting = settingOf(cell);
  const { loss } = setting;
  const classes = classesFor(loss, train);
  const model = await fitted(await loadOwn(file), train, setting);
  const { tasks: known, leftOut } = scorable({ taskNames: train.names, classes }, test);
  const result = {
    method,
    epsilon,
    replicate,
    own: true,
    ...(variant === undefined ? {} : { variant }),
    rowsLeftOut: leftOut,
    chosen: {},
    tuning: "none" as const,
    guarantee: null,
  };
  if (!known) return { ...result, scores: { tasksLeftOut: test.m } };
  const perRow = loss === "softmax" ? classes!.length : 1;
  const outputs = requireOutputs(await model.outputs(known), known, perRow);
  // Training and test rows have one scale, which is that of the outputs.
  const scored = { classes, loss, preprocessing: { targetScale: train.encoding.target.scale } };
  const scoreOf = (name: string, i: number) => {
    const [from, to] = [known.offsets[i]! * perRow, known.offsets[i + 1]! * perRow];
    return scoreOutputs(scored, outputs.slice(from, to), known.select([name]));
  };
  return {
    ...result,
    scores: scoreOutputs(scored, outputs, known),
    ...(traced ? { taskErrors: taskErrors(known, scoreOf) } : {}),
  };
}
