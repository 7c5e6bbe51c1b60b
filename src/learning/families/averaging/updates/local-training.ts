/**
 * A batch of tasks of PMTL, FedAvg or FedProx with their model, ready for the rounds.
 * @module
 */
import { AdaptedModel } from "../../../models/adapted-model.js";
import {
  checkDifferentiableModel,
  type DifferentiableModel,
} from "../../../models/differentiable-model.js";
import { HiddenLayerNetwork } from "../../../models/hidden-layer-network.js";
import { LinearModel } from "../../../models/linear-model.js";
import { rowsOf, scaleOf, type ResidentModel } from "../../../models/resident-model.js";
import { withConstantColumn } from "../../../tasks/constant-column.js";
import type { AveragingTasks } from "./averaging-tasks.js";
import { LocalOffsets } from "./local-offsets.js";
import { LocalUpdates, type UpdateForm } from "./local-updates.js";
import { ProjectedModels, type ProjectedOutput } from "./projected-models.js";
import { finetuning } from "../selection/finetune.js";
import { MiniBatches } from "../../../steps/mini-batches.js";
import { outputsOf } from "../../../tasks/losses.js";
import type { RowOptions } from "../../../options/common-options.js";
import type { CommonOptions } from "../../../tasks/common-options.js";
import { plannedClip } from "../../../options/clip-option.js";
import type { Clip } from "../../../round/learned-clip/learned-clip.js";
import type { ParticipantContext } from "../../../round/halves.js";
import { placeTasks, type ResidentTasks } from "../../../tasks/resident-tasks.js";
import type { OwnRelease } from "../../../release/own-release.js";
import type { FederatedOptions } from "../options.js";
import { recordTasks } from "../records/record-tasks.js";
import type { RecordOptions } from "../records/record-options.js";
import type { PlacedModel } from "./placed-model.js";

/** What tells one such method from another. */
export interface AveragingMethod {
  /** The model that local steps start from and change: the task's own, or the shared one. */
  readonly start: "own" | "global";
  readonly lambda: number;
  readonly update: UpdateForm;
  /** Whether tasks with models of their own step once more after the last release; default true. */
  readonly lastSteps?: boolean;
  /** Set where tasks share gradients at the shared model plus an offset of their own, instead of updates: alpha, and eta. */
  readonly offsets?: { readonly personalization: number; readonly stepSize: number };
  /** Set where models stay in a ball of radius `clip` and are shared themselves. */
  readonly projected?: ProjectedOutput;
  /** Set where single records are hidden: tasks share clipped gradients of their rows. */
  readonly records?: RecordOptions;
  /** The bound on updates, where it is learned; else the option. */
  readonly clip?: Clip;
}

/** The options that say which model there is. */
export type ModelOptions = CommonOptions &
  Partial<RowOptions> &
  Pick<FederatedOptions, "intercept" | "batchSize" | "model" | "hiddenUnits" | "activation">;

/** Tasks at their start, and what they do after the last broadcast. */
export interface LocalTraining extends PlacedModel {
  readonly participants: AveragingTasks;
  /** What tasks release to their own models, where there is such a stage. */
  readonly own: OwnRelease | undefined;
  /**
   * Last steps and finetuning after the last broadcast; stops after each task.
   * @param strength factor of what holds tasks to the shared model there.
   */
  finish(strength?: number): Generator<void, void>;
  /** Wipes keys from memory. */
  close(): void;
}

/** Local step size of models whose smoothness is not known. */
const DEFAULT_STEP = 0.1;

/** Whether finetuning holds a task to the shared model. */
function isHeld({ finetune }: FederatedOptions): boolean {
  return finetune !== null && finetune.kind !== "vanilla" && finetune.strength > 0;
}

/** Whether a task's last objective has a strength to choose: of the finetuning, or PMTL's lambda. */
export function hasStrength(method: AveragingMethod, options: FederatedOptions): boolean {
  const { start, lambda, lastSteps = true } = method;
  return isHeld(options) || (start === "own" && lastSteps && lambda > 0);
}

/** The rows of a context as the model has them: with a column for the intercept, where there is one. */
function placeRows(options: ModelOptions, context: ParticipantContext): ResidentTasks {
  const { core, data, sizes, classes } = context;
  const { sparse } = data;
  // Of dense rows the column is written where they are placed: a copy of them all would be one too many.
  const rows = options.intercept && sparse ? withConstantColumn(data) : data;
  const constantColumn = options.intercept && !sparse;
  const form = { ...options, intercept: false, constantColumn };
  return placeTasks(rows, form, { core, classes, sizes }).tasks;
}

/** Puts the model on the tasks. @param placed their rows, where they are in the core. */
export function placeModel(
  options: ModelOptions,
  context: ParticipantContext,
  placed?: ResidentTasks,
): PlacedModel {
  const { classes, start } = context;
  const outputs = outputsOf(options.loss, classes);
  const tasks = placed ?? placeRows(options, context);
  const architecture = architectureOf(options, tasks.d, outputs);
  const batch = options.batchSize === "full" ? 1 : options.batchSize;
  const model: ResidentModel = architecture
    ? new AdaptedModel(tasks, architecture, batch)
    : new LinearModel(tasks, outputs);
  const initial = new Float64Array(model.parameters);
  if (start) initial.set(start);
  const shared = model.parameters - (options.intercept ? outputs : 0);
  return { model, shared, architecture, initial };
}

/** Makes a batch ready for the rounds. @param rows of its tasks, where they are in the core. */
export function localTraining(
  definition: AveragingMethod,
  options: FederatedOptions,
  context: ParticipantContext,
  rows?: ResidentTasks,
): LocalTraining {
  const { start, lambda, update, lastSteps = true, offsets, projected, records } = definition;
  const placed = placeModel(options, context, rows);
  const { model, shared, architecture, initial } = placed;
  const { tasks } = model;
  const { batchSize, random, rounds, localSteps, finetune, sampling } = options;
  const clip = definition.clip ?? plannedClip(options.clip);
  const makeBatches = () =>
    batchSize === "full" ? undefined : new MiniBatches(tasks, batchSize, random, context.positions);
  const batches = makeBatches();
  const hidden = context.hideSample && sampling.kind !== "all";
  const idle = hidden ? { batches: makeBatches() } : undefined;
  const common = { shared, batches, clip, initial, idle };
  const steps = stepRule(tasks, options, architecture !== null);
  const ahead = { rounds, sizes: context.sizes };
  const updates = { start, lambda, localSteps, steps, update, ahead, ...common };
  const all = { ...options, ...records! };
  const recorded = records && recordTasks({ placed, updates, options: all }, context);
  const participants = offsets
    ? new LocalOffsets(model, { ...common, ...offsets })
    : projected
      ? new ProjectedModels(model, updates, projected)
      : (recorded?.participants ?? new LocalUpdates(model, updates));
  const { models, global } = participants;
  function* finish(strength = 1) {
    const held = isHeld(options) ? strength : 1;
    if (start === "global" || lastSteps)
      yield* participants.conclude(isHeld(options) ? 1 : strength);
    if (!finetune) return;
    const finetuned = { ...finetune, strength: held * finetune.strength };
    yield* finetuning({ model, shared, models, global, options: finetuned });
  }
  return {
    participants,
    own: recorded?.own,
    finish,
    ...placed,
    close: () => {
      batches?.close();
      idle?.batches?.close();
      recorded?.close();
    },
  };
}

/** The network, or the caller's model, held to the data; null for the linear model. */
export function architectureOf(
  options: ModelOptions,
  features: number,
  outputs: number,
): DifferentiableModel | null {
  const { model, hiddenUnits, activation, loss } = options;
  if (model === "linear") return null;
  return model === "network"
    ? new HiddenLayerNetwork({ features, hiddenUnits, outputs, activation, loss })
    : checkDifferentiableModel(model, features, outputs);
}

/** eta_k of every task for a weight lambda: as given, or by its own smoothness. */
function stepRule(
  tasks: ResidentTasks,
  { stepSize, localSteps: local }: FederatedOptions,
  nonlinear: boolean,
): (lambda: number) => Float64Array {
  const steps = new Float64Array(tasks.m);
  if (stepSize !== "auto") return () => steps.fill(stepSize);
  if (local === "solve") return () => steps;
  if (nonlinear) {
    steps.forEach((_, i) => (steps[i] = DEFAULT_STEP / (scaleOf(tasks, i) * rowsOf(tasks, i).n)));
    return () => steps;
  }
  let smoothness: Float64Array | undefined;
  return (lambda) =>
    (smoothness ??= tasks.smoothness()).map((own) => (own + lambda > 0 ? 1 / (own + lambda) : 1));
}
