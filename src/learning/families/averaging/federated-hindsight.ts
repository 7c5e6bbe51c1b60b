/**
 * What tasks of PMTL, FedAvg and FedProx make of the rounds when they look back on folds of their own
 * rows: which model they keep, and whether they stay alone.
 * @module
 */
import { rowLosses } from "../../models/output-losses.js";
import { rowsOf, type ResidentModel } from "../../models/resident-model.js";
import { givenOf, ownPreference, type Candidate } from "../../local-selection/candidates.js";
import type { Standing } from "./federated-steps.js";
import type { HeldOut } from "../../local-selection/fold-replay.js";
import { HeldOutChoice, HeldOutVote } from "../../local-selection/held-out-choice.js";
import { KeptMessages } from "../../local-selection/kept-messages.js";
import { averageModels } from "../../local-selection/round-choice.js";
import { foldBatches, heldOutOf } from "../../tasks/task-folds.js";
import type { ParticipantContext } from "../../round/halves.js";
import { inTurns } from "../../round/run.js";
import { federatedAlone, type FederatedAlone } from "./federated-alone.js";
import { isGuarded, type FederatedOptions } from "./federated-options.js";
import { localWork, placeModel, type FederatedMethod, type LocalWork } from "./federated-work.js";

/** Features of the rows of a batch of folds. */
const BATCH_BYTES = 2 ** 20;

/** Tasks that keep the messages and look back at them when the rounds are over. */
export class FederatedHindsight {
  /** Goes through the rounds. */
  readonly kept: KeptMessages;
  /** The stage after them, where tasks choose together. */
  readonly vote: HeldOutVote | undefined;
  readonly #method: FederatedMethod;
  readonly #options: FederatedOptions;
  readonly #context: ParticipantContext;
  readonly #work: LocalWork;
  readonly #candidates: readonly Candidate[];
  readonly #choice: HeldOutChoice;
  /** Where the tasks stood after the rounds that candidates are from. */
  readonly #standings = new Map<number, Standing>();
  #alone: FederatedAlone | undefined;

  /**
   * @param candidates all that the method chooses among.
   * @param pooled     whether tasks vote.
   */
  constructor(
    method: FederatedMethod,
    { options, context, work }: FederatedTasks,
    { candidates, pooled }: { candidates: readonly Candidate[]; pooled: boolean },
  ) {
    const { core, data } = context;
    this.#method = method;
    this.#options = options;
    this.#context = context;
    this.#work = work;
    this.#candidates = options.choice === "last" ? [candidates[givenOf(candidates)]!] : candidates;
    this.kept = new KeptMessages(core, work.participants, work.shared, (round) => {
      if (this.#candidates.some((candidate) => candidate.round === round)) {
        this.#standings.set(round, work.participants.standing());
      }
    });
    this.#choice = new HeldOutChoice({
      loss: options.loss,
      offsets: Uint32Array.from(data.offsets),
      candidates: this.#candidates,
      replay: () => this.#replay(),
      averages: work.model.convex,
    });
    this.vote = pooled ? new HeldOutVote(core, this.#choice, isGuarded(options)) : undefined;
  }

  /** Puts what every task keeps in the place of its model. */
  async finish(signal?: AbortSignal): Promise<void> {
    const { model, participants } = this.#work;
    const { m, core } = model.tasks;
    const models = await inTurns(this.#models(), signal);
    await this.#choice.prepare(signal);
    const preferred =
      this.#options.choice === "last"
        ? undefined
        : (this.vote?.preference ?? ownPreference(this.#candidates));
    const weights = this.#choice.weights(preferred, givenOf(this.#candidates));
    const into = core.arena.view(participants.models, m * model.parameters);
    into.set(averageModels(models, weights, m));
    if (!isGuarded(this.#options)) return;
    const keep = this.#choice.keepAlone(weights, preferred);
    if (!keep.includes(1)) return;
    const alone = await inTurns(this.#alone!.models(), signal);
    const size = model.parameters;
    const own = core.arena.view(participants.models, m * size);
    for (let i = 0; i < m; i++) {
      if (keep[i] === 1) own.set(alone.subarray(i * size, (i + 1) * size), i * size);
    }
  }

  /** Models of every candidate, [m, parameters]; the shared model is then the last one again. */
  *#models(): Generator<void, Float64Array[]> {
    const { participants } = this.#work;
    const found: Float64Array[] = [];
    for (const [round, standing] of this.#standings) {
      for (const k of this.#from(round)) {
        participants.goBack(standing);
        yield* this.#work.finish(this.#candidates[k]!.strength);
        found[k] = participants.standing().models;
      }
    }
    return found;
  }

  /** Positions of the candidates of a round. */
  #from(round: number): number[] {
    return this.#candidates.flatMap((candidate, k) => (candidate.round === round ? [k] : []));
  }

  /** The rounds on every fold of the tasks' rows; stops after each task and round. */
  *#replay(): Generator<void, HeldOut> {
    const { core, data, positions } = this.#context;
    const losses = () => new Float64Array(data.size);
    const shared = this.#candidates.map(losses);
    const own = isGuarded(this.#options)
      ? (this.#alone = federatedAlone(this.#options, this.#context))
      : undefined;
    const alone = Array.from({ length: own?.tried ?? 0 }, losses);
    const stops = this.#candidates.map(({ round }) => round);
    const bytes = Math.max(BATCH_BYTES, 32 * this.kept.length);
    for (const batch of foldBatches(data, { bytes })) {
      const mark = core.arena.mark();
      const at = Array.from(batch.owners, (task) => positions[task]!);
      const fold = { ...this.#context, data: batch.data, positions: at };
      const held = heldOutOf(data, batch);
      const test = placeModel(this.#options, { ...fold, data: held.data }).model;
      const note = (models: Float64Array, into: Float64Array) => {
        const found = modelLosses(test, models);
        held.rows.forEach((row, j) => (into[row] = found[j]!));
      };
      const models = own ? yield* own.onFolds(batch, fold) : [];
      models.forEach((of, k) => note(of, alone[k]!));
      const work = localWork(this.#method, this.#options, fold);
      try {
        for (const round of this.kept.follow(work.participants, batch.owners, stops)) {
          const candidates = this.#from(round);
          const standing = candidates.length > 0 ? work.participants.standing() : undefined;
          for (const k of candidates) {
            yield* work.finish(this.#candidates[k]!.strength);
            note(work.participants.standing().models, shared[k]!);
            work.participants.goBack(standing!);
          }
          yield;
        }
      } finally {
        work.close();
      }
      core.arena.release(mark);
    }
    return { shared, alone: own?.settle(alone) ?? losses() };
  }
}

/** Tasks, how they are configured, and what they do in the rounds. */
export interface FederatedTasks {
  readonly options: FederatedOptions;
  readonly context: ParticipantContext;
  readonly work: LocalWork;
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
    const targets = arena.view(y + 8 * from, n).slice();
    losses.set(rowLosses(loss, arena.view(z, n * outputs).slice(), targets, outputs), from);
  }
  arena.release(mark);
  return losses;
}
