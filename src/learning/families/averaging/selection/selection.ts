/**
 * What the tasks of PMTL, FedAvg and FedProx select after the rounds: among checkpoints and strengths of the
 * last objective, and the fallback.
 * @module
 */
import { relativeWeights } from "../../../../data/index.js";
import { rowLosses } from "../../../models/output-losses.js";
import { rowsOf, type ResidentModel } from "../../../models/resident-model.js";
import { BroadcastLog } from "../../../local-selection/broadcast-log.js";
import type { Candidate } from "../../../local-selection/candidates.js";
import { takeRows } from "../../../local-selection/fallback.js";
import { ready, replayOnFolds, type FoldTasks } from "../../../local-selection/fold-replay.js";
import { averageModels, FoldSelection } from "../../../local-selection/fold-selection.js";
import type { FoldBatch } from "../../../local-selection/folds.js";
import { heldOutOf } from "../../../local-selection/held-out-rows.js";
import { residentFolds } from "../../../tasks/resident-folds.js";
import { planSelection, type SelectionPlan } from "../../../local-selection/selection-plan.js";
import type { ParticipantContext } from "../../../round/halves.js";
import { inTurns } from "../../../round/run.js";
import { isGuarded, type FederatedOptions } from "../options.js";
import type { Checkpoint } from "../updates/averaging-tasks.js";
import {
  hasStrength,
  localTraining,
  placeModel,
  type AveragingMethod,
  type LocalTraining,
} from "../updates/local-training.js";
import { singleTaskOf, type SingleTask } from "./single-task.js";

/** What tasks select among, and whether they choose together. */
export function selectionPlan(method: AveragingMethod, options: FederatedOptions): SelectionPlan {
  const strengths = hasStrength(method, options);
  return planSelection(options, { strengths, fallback: isGuarded(options) });
}

/** Tasks, how they are configured, and what they do in the rounds. */
export interface TrainedTasks {
  readonly options: FederatedOptions;
  readonly context: ParticipantContext;
  readonly work: LocalTraining;
}

/** Tasks that log the broadcasts and look at them again when the rounds are over. */
export class SelectingTasks {
  /** Goes through the rounds. */
  readonly log: BroadcastLog;
  /** What there is to select. */
  readonly models: FoldSelection;
  readonly #method: AveragingMethod;
  readonly #tasks: TrainedTasks;
  /** Where the tasks stood after the rounds that candidates are from. */
  readonly #checkpoints = new Map<number, Checkpoint>();
  readonly #fallback: boolean;
  /** Made when the rounds are replayed, if there is a fallback. */
  #singleTask: SingleTask | undefined;

  constructor(method: AveragingMethod, tasks: TrainedTasks, plan: SelectionPlan) {
    const { options, context, work } = tasks;
    const { core, data } = context;
    this.#method = method;
    this.#tasks = tasks;
    this.#fallback = plan.fallback;
    this.models = new FoldSelection({
      loss: options.loss,
      offsets: Uint32Array.from(data.offsets),
      plan,
      choice: options.choice,
      averages: work.model.convex,
      replay: (candidates) => this.#replay(candidates),
      average: async (candidates, weights, signal) => {
        const models = await inTurns(this.#modelsOf(candidates), signal);
        this.#own().set(averageModels(models, weights, work.participants.m));
      },
      fallBack: async (which, signal) => {
        const models = await inTurns(this.#singleTask!.models(), signal);
        takeRows(this.#own(), models, which);
      },
    });
    this.log = new BroadcastLog(
      core,
      work.participants,
      work.participants.uploadLength,
      (round) => {
        if (this.models.candidates.some((candidate) => candidate.round === round)) {
          this.#checkpoints.set(round, work.participants.checkpoint());
        }
      },
    );
  }

  /** The tasks' models where they lie, [m, parameters]. */
  #own(): Float64Array {
    const { model, participants } = this.#tasks.work;
    const { m, core } = model.tasks;
    return core.arena.view(participants.models, m * model.parameters);
  }

  /** Models of every candidate, [m, parameters]; the shared model is then the last one again. */
  *#modelsOf(candidates: readonly Candidate[]): Generator<void, Float64Array[]> {
    const { work } = this.#tasks;
    const found: Float64Array[] = [];
    for (const { round, strength } of candidates) {
      work.participants.restore(this.#checkpoints.get(round)!);
      yield* work.finish(strength);
      found.push(work.participants.checkpoint().models);
    }
    return found;
  }

  *#replay(candidates: readonly Candidate[]) {
    const { options, context, work } = this.#tasks;
    const { core, data } = context;
    const own = (this.#singleTask = this.#fallback
      ? singleTaskOf(options, context, work.model.tasks)
      : undefined);
    const { shared, singleTask } = yield* replayOnFolds({
      core,
      data,
      log: this.log,
      candidates,
      tried: own?.tried ?? 0,
      open: (batch) => this.#open(batch, candidates),
    });
    own?.close();
    return { shared, singleTask: own?.settle(singleTask) ?? new Float64Array(data.size) };
  }

  /** Models are [entries, parameters]. */
  #open(batch: FoldBatch, candidates: readonly Candidate[]): FoldTasks<Float64Array> {
    const { options, context, work: whole } = this.#tasks;
    const positions = Array.from(batch.owners, (task) => context.positions[task]!);
    const fold: ParticipantContext = {
      ...context,
      positions,
      // Copied only where the rows in the core cannot be.
      get data() {
        return batch.data;
      },
    };
    const rowsOf = (which: "left" | "held out") => residentFolds(whole.model.tasks, batch, which);
    const held = heldOutOf(context.data, batch);
    const test = placeModel(
      options,
      {
        ...context,
        get data() {
          return held.data();
        },
      },
      rowsOf("held out"),
    ).model;
    const work = localTraining(this.#method, options, fold, rowsOf("left"));
    const { participants } = work;
    // Of mean 1 in the whole task, not in what a fold holds out of it.
    const weights = relativeWeights(context.data);
    return {
      participants,
      singleTask: () => this.#singleTask?.withoutFolds(batch, fold) ?? ready([]),
      *candidate(k) {
        const checkpoint = participants.checkpoint();
        yield* work.finish(candidates[k]!.strength);
        const { models } = participants.checkpoint();
        participants.restore(checkpoint);
        return models;
      },
      score: (models, into) => {
        const found = modelLosses(test, models);
        held.rows.forEach((row, j) => (into[row] = (weights?.[row] ?? 1) * found[j]!));
      },
      close: work.close,
    };
  }
}

/** Losses of all rows of the model's tasks, each by its own task's parameters. */
function modelLosses(model: ResidentModel, models: Float64Array): Float64Array {
  const { tasks, parameters, outputs } = model;
  const { core, m, rows, loss, y } = tasks;
  const { arena } = core;
  const losses = new Float64Array(rows);
  const mark = arena.mark();
  const at = arena.copyOf(models);
  const z = arena.f64(rows * outputs);
  for (let i = 0; i < m; i++) {
    const { from, n } = rowsOf(tasks, i);
    model.predict(i, at + 8 * i * parameters, z);
    const targets = arena.view(y + 8 * from, n);
    losses.set(rowLosses(loss, arena.view(z, n * outputs), targets, outputs), from);
  }
  arena.release(mark);
  return losses;
}
