/**
 * What the tasks of Algorithms 2, 3 and 4 select after the rounds: among checkpoints, and the fallback.
 * @module
 */
import { BroadcastLog } from "../../local-selection/broadcast-log.js";
import { comparesRatios } from "../../local-selection/fallback.js";
import { ready, replayOnFolds } from "../../local-selection/fold-replay.js";
import { averageModels, FoldSelection } from "../../local-selection/fold-selection.js";
import { modelsOfOwners, type FoldBatch } from "../../local-selection/folds.js";
import { fittedLosses, HeldOutRows } from "../../local-selection/held-out-rows.js";
import { LocalSelection, testsOf } from "../../local-selection/local-selection.js";
import { planSelection, type SelectionPlan } from "../../local-selection/selection-plan.js";
import type { SingleTaskModels } from "../../local-selection/single-task.js";
import type { FoldEntries } from "../../tasks/fold-entries.js";
import { placeTasks, type ResidentTasks } from "../../tasks/resident-tasks.js";
import type { ParticipantContext } from "../../round/halves.js";
import type { PartModels, ProximalGradient } from "../../steps/proximal-gradient.js";
import type { LossName } from "../../tasks/losses.js";
import { QuadraticReplay } from "./quadratic-replay.js";
import type { GradientMethodOptions } from "./options.js";
import type { ProjectedTasks } from "./projected-tasks.js";
import { placeModels, type LocalModels } from "../../tasks/local-models.js";

/** What tasks select among, and whether they choose together. */
export function selectionPlan(options: GradientMethodOptions): SelectionPlan {
  return planSelection(options, { fallback: options.safeguard });
}

/** A batch of tasks that step, and their models without the others. */
export interface SteppingTasks {
  readonly tasks: ResidentTasks;
  readonly steppers: ProjectedTasks;
  readonly participants: ProximalGradient;
  readonly initial: LocalModels;
  readonly singleTask: SingleTaskModels;
  readonly broadcastLength: number;
}

/** Puts a log around the participants, and selection after it. */
export function selectionOf(
  options: GradientMethodOptions,
  context: ParticipantContext,
  stepping: SteppingTasks,
): { log: BroadcastLog; selection: LocalSelection } {
  const { choice } = options;
  const { core, data } = context;
  const { tasks, steppers, participants, singleTask, broadcastLength } = stepping;
  const plan = selectionPlan(options);
  const checkpoints: PartModels[] = [];
  const order = steppers.keepsHalves(tasks) ? tasks.d : undefined;
  const log = new BroadcastLog(
    core,
    participants,
    broadcastLength,
    (round) => {
      if (choice !== "last" && models.candidates.some((candidate) => candidate.round === round)) {
        checkpoints.push(participants.copy());
      }
    },
    order,
  );
  const models = new FoldSelection({
    loss: tasks.loss,
    offsets: core.arena.words(tasks.offsets, tasks.m + 1).slice(),
    plan,
    choice,
    *replay(candidates) {
      steppers.prepareFolds(tasks);
      const entryBytes = steppers.entryBytes(tasks);
      const open = foldOpener(options, context, stepping);
      const errors = onlyFallback(options, tasks.loss);
      const fitted = () => fittedLosses(tasks, participants);
      const fallback = errors === undefined ? undefined : { errors, fitted };
      const losses = yield* replayOnFolds({
        core,
        data,
        log,
        candidates,
        fallback,
        entryBytes,
        open,
      });
      return { shared: losses.shared, singleTask: losses.singleTask[0]! };
    },
    average(_candidates, weights) {
      if (choice !== "last") participants.replace(averageParts(checkpoints, weights, tasks.m));
    },
    fallBack(which) {
      participants.replace(singleTaskParts(singleTask, participants), which);
    },
  });
  return { log, selection: new LocalSelection(core, models, testsOf(plan)) };
}

/** Makes of the tasks without the rows of a fold what the broadcasts are replayed on. */
function foldOpener(
  options: GradientMethodOptions,
  { core, classes, sizes }: ParticipantContext,
  { tasks, steppers, initial, singleTask }: SteppingTasks,
) {
  return (batch: FoldBatch) => {
    const held = new HeldOutRows(tasks, batch);
    const place = () => placeTasks(batch.data, options, { core, classes, sizes }).tasks;
    const own = singleTask.withoutFolds(batch, place);
    // Models given or zero were not learned from these rows.
    const start =
      options.initial === "single-task"
        ? own
        : placeModels(core.arena, modelsOfOwners(initial, batch.owners), tasks.intercept);
    const trained = steppers.withoutFolds(tasks, batch, place, start);
    const replay = trained instanceof QuadraticReplay ? trained : undefined;
    return {
      participants: trained,
      singleTask: () => ready([own]),
      candidate: () => ready(trained),
      score: held.score.bind(held),
      only:
        replay &&
        ((entries: Uint32Array, some: FoldEntries) => {
          replay.only(entries);
          return new HeldOutRows(tasks, some);
        }),
    };
  };
}

/** Standard errors of the fallback's test, where it is all that losses are for, and by ratios. */
function onlyFallback(options: GradientMethodOptions, loss: LossName): number | undefined {
  const { fallback, vote } = testsOf(selectionPlan(options));
  const alone = options.choice === "last" && !vote && fallback && comparesRatios(loss, fallback);
  return alone ? fallback.errors : undefined;
}

function averageParts(models: readonly PartModels[], weights: Float64Array, m: number): PartModels {
  const average = (part: (of: PartModels) => Float64Array | undefined) =>
    part(models[0]!) &&
    averageModels(
      models.map((of) => part(of)!),
      weights,
      m,
    );
  return {
    shared: average((of) => of.shared)!,
    local: average((of) => of.local),
    intercepts: average((of) => of.intercepts),
  };
}

/** A model that owes the others nothing is all local part, where there is one. */
function singleTaskParts(
  { weights, intercepts }: LocalModels,
  { localOutput, intercepts: at }: ProximalGradient,
): PartModels {
  return {
    shared: localOutput === 0 ? weights : new Float64Array(weights.length),
    local: localOutput === 0 ? undefined : weights,
    intercepts: at === 0 ? undefined : intercepts,
  };
}
