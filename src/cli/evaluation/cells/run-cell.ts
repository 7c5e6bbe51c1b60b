/**
 * Runs one cell of an evaluation, from split to score.
 * @module
 */
import { fileURLToPath } from "node:url";
import { OptionError } from "../../../core/index.js";
import { fillGaps, Pipeline, simulate, TaskSet } from "../../../data/index.js";
import { seededUniforms, shuffledRows } from "../../../data/split/shuffle.js";
import {
  crossValidate,
  isPrivateMethod,
  makeEstimator,
  scorable,
  selectPrivately,
  type Candidate,
  type CrossValidationOptions,
  type FittedModel,
} from "../../../learning/index.js";
import { learnedOf } from "../../../learning/fitted/uncharged-figures.js";
import { isOfRealNumbersOnly } from "../../../privacy/mechanisms/mechanism.js";
import { openFitPool } from "../../../node/index.js";
import { runOwn } from "./run-own.js";
import type { Cell, CellResult } from "./cell.js";
import { taskErrors } from "./task-errors.js";
import { sketchOf, Tracer } from "./trace.js";

/**
 * Runs a cell. Noise is seeded, so that an evaluation can be repeated: its models protect no one.
 * @param threads on which the fits of its cross-validation are made; default 1, this one. The result does not depend on it.
 */
export async function runCell(cell: Cell, threads = 1): Promise<CellResult> {
  const { train, test } = prepare(cell);
  try {
    return await (cell.own
      ? runOwn(cell, cell.own, train, test)
      : fitAndScore(cell, train, test, threads));
  } catch (error) {
    nameMethod(error, cell);
    throw error;
  }
}

/** One method that fails ends the evaluation of all, so the message says which, and how to go on. */
function nameMethod(error: unknown, { method, epsilon, replicate, own }: Cell): void {
  if (!(error instanceof Error)) return;
  const at = epsilon === null ? "" : ` at eps ${epsilon}`;
  // Flags of `fit` are none of `evaluate`, where each method has options of its own.
  const advice = own
    ? `It stands in ${fileURLToPath(own.url)}. The other methods can be compared without it, with another --out.`
    : `Options of ${method} stand in a file: --settings FILE with { "${method}": { "options": { … } } }.\n` +
      `The other methods can be compared without ${method}: name them with --methods, and another --out.`;
  error.message = `${method}${at}, replicate ${replicate}: ${error.message}\n${advice}`;
}

async function fitAndScore(
  cell: Cell,
  train: TaskSet,
  test: TaskSet,
  threads: number,
): Promise<CellResult> {
  const { method, epsilon, replicate, variant, seed, traced = false, notCharged = [] } = cell;
  const noise = isPrivateMethod(method)
    ? {
        epsilon,
        random: { mode: "seeded", seed: `${seed}/noise/${method}/${epsilon}/${replicate}` },
      }
    : {};
  const options = { ...cell.options, ...noise };
  const tuning = canBeTuned(train, cell) ? cell.tuning : ({ kind: "none" } as const);
  const by = { method, options, seed: `${seed}/folds/${replicate}` };
  let chosen: Candidate = {};
  const tracer = new Tracer();
  let model: FittedModel;
  if (tuning.kind === "private") {
    const { kind: _, ...search } = tuning;
    ({ model, chosen } = await selectPrivately(train, { ...by, ...search, notCharged }));
  } else {
    if (tuning.kind === "cv") {
      const { kind: _, ...search } = tuning;
      chosen = await chosenOn(threads, train, { ...by, ...search });
    }
    const hooks = { notCharged, ...(traced ? { observe: tracer.observe } : {}) };
    model = await makeEstimator(method, { ...options, ...chosen }).fit(train, hooks);
  }
  const { tasks: known, leftOut } = scorable(model, test);
  const { guarantee } = model;
  return {
    method,
    epsilon,
    replicate,
    ...(variant === undefined ? {} : { variant }),
    scores: known ? model.score(known) : { tasksLeftOut: test.m },
    rowsLeftOut: leftOut,
    ...(model.choice ? { taken: { method: model.method, why: model.choice.why } } : {}),
    chosen,
    tuning: tuning.kind,
    guarantee:
      guarantee.kind === "none"
        ? null
        : {
            unit: guarantee.unit,
            adjacency: guarantee.adjacency,
            epsilon: guarantee.epsilon,
            delta: guarantee.delta,
            mechanism: guarantee.mechanism,
            sound: guarantee.sound,
            learned: learnedOf(guarantee.notCharged),
            floats: isOfRealNumbersOnly(guarantee),
            unseen: (guarantee.selection?.repetitions ?? "all") !== "all",
          },
    ...(traced ? { trace: tracer.trace(model), sketch: sketchOf(model) } : {}),
    ...(traced && known
      ? { taskErrors: taskErrors(known, (name) => model.score(known.select([name]))) }
      : {}),
  };
}

/** What cross-validation chooses, on so many threads. */
async function chosenOn(
  threads: number,
  train: TaskSet,
  search: CrossValidationOptions,
): Promise<Candidate> {
  const pool = threads > 1 ? openFitPool(threads) : undefined;
  try {
    return (await crossValidate(train, { ...search, pool })).chosen;
  } finally {
    pool?.close();
  }
}

/** Whether anything can be held out and compared: two rows in some task, a target that varies. */
function canBeTuned({ taskSizes, y }: TaskSet, { options }: Cell): boolean {
  const varied = options["loss"] !== "squared" || y.some((value) => value !== y[0]);
  return varied && taskSizes.some((size) => size > 1);
}

/** The first of a seeded order of the tasks: fewer are among more. */
function someTasks(tasks: TaskSet, take: number | undefined, seed: string): TaskSet {
  if (take === undefined || take === tasks.m) return tasks;
  if (take > tasks.m) {
    throw new OptionError(`--sweep tasks: ${take} asked for, the data has ${tasks.m} tasks.`);
  }
  const order = shuffledRows(tasks.m, seededUniforms(seed, "tasks"));
  return tasks.select(Array.from(order.subarray(0, take), (i) => tasks.names[i]!));
}

function prepare({ data, seed, replicate, normalize }: Cell): { train: TaskSet; test: TaskSet } {
  const replicateSeed = `${seed}/data/${replicate}`;
  const { train, test } =
    data.kind === "simulation"
      ? simulate({ ...data.options, seed: replicateSeed })
      : fillGaps(
          someTasks(TaskSet.adopt(data.tasks), data.take, replicateSeed).split({
            trainFraction: data.trainFraction,
            seed: replicateSeed,
          }),
        );
  if (normalize === "none") return { train, test };
  const pipeline = Pipeline.fit(train, [{ kind: "unit-rows" }]);
  return { train: pipeline.apply(train), test: pipeline.apply(test) };
}
