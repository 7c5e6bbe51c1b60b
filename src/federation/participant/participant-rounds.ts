/**
 * A participant's half at work on messages that arrive one by one.
 * @module
 */
import { DataError, openCore, type Core } from "../../core/index.js";
import { learnedBefore, type TaskSet } from "../../data/index.js";
import { modelOf } from "../../learning/fitted/build-model.js";
import { sumOfLosses } from "../../learning/fitted/linear-models.js";
import type { FittedModel } from "../../learning/index.js";
import type { ParticipantHalf, PublicSizes } from "../../learning/round/halves.js";
import type { Participants } from "../../learning/round/participants.js";
import { heldByHolders } from "../../learning/release/held-by-holders.js";
import { reportedRounds, type ReleasePlan } from "../../learning/round/release-plan.js";
import { ownLedger, type Guarantee, type Ledger, type OwnBudget } from "../../privacy/index.js";
import { believed } from "./statement.js";
import { collusionTable } from "../secure-aggregation/plan/collusion.js";
import { shareOptionsOf } from "../secure-aggregation/plan/planned.js";
import type { Drawn, Statement } from "../protocol/messages/messages.js";
import { plannedMethod, type PlannedMethod } from "../protocol/plan/planned-method.js";
import type { Plan } from "../protocol/plan/plan-form.js";

/** What the curator says when the run starts. */
export interface Terms {
  readonly sizes: PublicSizes;
  /** Where the participant's tasks stand in the run. */
  readonly positions: readonly number[];
  /** Public parameters to start from, or null for zeros. */
  readonly start: Float64Array | null;
}

/** What was shown in a round, where record noise makes it irrevocable. */
export interface Shown {
  readonly round: number;
  readonly values: Float64Array;
}

/**
 * The curator's statement with what was learned from the participant's own rows before, such as a range that they told: it is part of the
 * models' encoding, and of a shared prior that is made of them. The curator does not know of it. Labels are the plan's.
 */
function withLearned(guarantee: Guarantee, data: TaskSet): Guarantee {
  const learned = learnedBefore(data, false);
  return { ...guarantee, notCharged: [...new Set([...guarantee.notCharged, ...learned])] };
}

/** By number, where it first stands: a place that is told twice is one task. */
function firstPlaces(positions: readonly number[]): ReadonlyMap<number, number> {
  const places = new Map<number, number>();
  positions.forEach((position, i) => {
    if (!places.has(position)) places.set(position, i);
  });
  return places;
}

/**
 * The participant's models, which are a function of its data and the broadcasts so far (in a sampled
 * run, of who was drawn too): one that lost them, or missed rounds, gets the broadcasts it lacks and has
 * them again. Rounds it missed it goes through without showing anything. A task that is not drawn works
 * on a copy of its model, as long as it would have worked, and shows zeros.
 */
export class ParticipantRounds {
  /** Last round of every stage. */
  readonly #last: readonly number[];
  readonly #half: ParticipantHalf;
  readonly #core: Core;
  readonly #broadcasts: readonly number[];
  readonly #plan: Plan;
  readonly #data: TaskSet;
  readonly #positions: readonly number[];
  readonly #all: readonly number[];
  /** Where each place first stands in `#positions`, and in `#all`. */
  readonly #task: ReadonlyMap<number, number>;
  readonly #row: ReadonlyMap<number, number>;
  readonly #shown: ReadonlyMap<number, Float64Array>;
  readonly #method: PlannedMethod;
  #round = 1;
  #uploads: Float64Array | undefined;

  /**
   * @param shown what earlier processes of this participant showed under record noise.
   * @throws DataError if the data does not suit the plan.
   */
  constructor(
    plan: Plan,
    data: TaskSet,
    terms: Terms,
    shown: readonly Shown[] = [],
    core: Core = openCore(),
  ) {
    this.#core = core;
    const { positions, start } = terms;
    this.#plan = plan;
    this.#data = data;
    this.#positions = positions;
    this.#all = [...positions].sort((a, b) => a - b);
    this.#task = firstPlaces(positions);
    this.#row = firstPlaces(this.#all);
    const { estimator, releases, sizes } = (this.#method = plannedMethod(plan, terms.sizes));
    this.#half = estimator.halves.participants({
      hideSample: true,
      core,
      data,
      sizes,
      positions,
      classes: plan.classes,
      start,
      releases,
    });
    const { broadcastLengths, rounds, records } = this.#half;
    let last = 0;
    this.#last = rounds.map((count) => (last += count));
    this.#broadcasts = broadcastLengths.map((length) => core.arena.zeros(length));
    this.#shown = new Map(shown.map(({ round, values }) => [round, values]));
    for (const { round } of shown) records?.recall(round);
  }

  /** What the run releases. */
  get releases(): ReleasePlan {
    return this.#method.releases;
  }

  /** The round whose broadcast is awaited; one more than `rounds` after the last. */
  get round(): number {
    return this.#round;
  }

  /** Number of rounds of the run, that of a pooled choice included. */
  get rounds(): number {
    return this.#last.at(-1)!;
  }

  /** Whether only those that are drawn take part in a round. */
  get sampled(): boolean {
    const { sampling } = this.#plan.options as { sampling?: { kind: string } };
    return sampling !== undefined && sampling.kind !== "all";
  }

  /** Whether the vectors of the awaited round were computed. */
  get hasUploaded(): boolean {
    return this.#uploads !== undefined;
  }

  /** Why marks are none of this run's samples, one for each of the participant's tasks; undefined if they are. */
  whyNoSample(drawn: Drawn | undefined): string | undefined {
    const expected = this.sampled ? this.#all.length : undefined;
    return drawn?.length === expected ? undefined : "marks of another number of tasks";
  }

  /** Whether the task at that position of the run is the participant's own. */
  owns(position: number): boolean {
    return this.#task.has(position);
  }

  /** Whether what is shown carries record noise, so that it must be kept before it is sent. */
  get irrevocable(): boolean {
    return this.#half.records !== undefined;
  }

  /**
   * What the tasks show in the awaited round: computed once, the same when asked again.
   * @param drawn which tasks take part, by position; default all.
   * @returns a row for each task, by position; zeros for those that were not drawn.
   */
  upload(drawn?: Drawn): Float64Array {
    if (this.#uploads) return this.#uploads;
    const { participants } = this.#stage();
    const { m, uploadLength: d } = participants;
    const before = this.#shown.get(this.#round);
    if (before) {
      participants.upload(this.#round, new Uint8Array(m));
      return (this.#uploads = before);
    }
    const takesPart = (position: number) => !drawn || drawn[this.#row.get(position)!] === 1;
    const marks = Uint8Array.from(this.#positions, (at) => (takesPart(at) ? 1 : 0));
    const at = participants.upload(this.#round, marks);
    const rows = this.#core.arena.view(at, m * d);
    const values = (this.#uploads = new Float64Array(m * d));
    this.#all.forEach((position, k) => {
      const i = this.#task.get(position)!;
      if (marks[i] === 1) values.set(rows.subarray(i * d, (i + 1) * d), k * d);
    });
    return values;
  }

  /** Positions that the rows of `upload` belong to, ascending. */
  get positions(): readonly number[] {
    return this.#all;
  }

  /**
   * Takes the broadcast of the awaited round. A task that did not upload goes through the local
   * work all the same, as it would have, unless it was not drawn or would draw record noise for it.
   *
   * @param drawn in a sampled run, if nothing was uploaded: which of the tasks had been drawn.
   * @throws DataError if its length is not that of the plan.
   */
  receive(broadcast: Float64Array, drawn?: Drawn): void {
    const { participants, index } = this.#stage();
    const at = this.#broadcasts[index]!;
    const length = this.#half.broadcastLengths[index]!;
    if (broadcast.length !== length) {
      throw new DataError(
        `round ${this.#round}: expected a broadcast of ${length} numbers, got ${broadcast.length}`,
      );
    }
    this.upload(drawn ?? (this.irrevocable ? this.#all.map(() => 0) : undefined));
    this.#core.arena.view(at, length).set(broadcast);
    participants.receive(at, this.#round, this.#round === this.#last[index]);
    this.#uploads = undefined;
    this.#round++;
  }

  /** What the tasks do alone after the last broadcast. */
  async finish(signal: AbortSignal | undefined): Promise<void> {
    await this.#half.finish?.(signal);
  }

  /**
   * The participant's own models, with the curator's statement.
   * @throws DataError if that is of another budget than the plan's.
   */
  model(statement: Statement): FittedModel {
    const { records, modelsAreReleased } = this.#half;
    const { estimator, releases } = this.#method;
    const { method, options } = estimator;
    const { guarantee: stated, ledger } = believed(statement, this.#plan, releases, options);
    const guarantee = withLearned(stated, this.#data);
    const held = modelsAreReleased ? heldByHolders(guarantee) : null;
    const { components = {}, ...models } = this.#half.models();
    return modelOf(this.#data, this.#plan.classes, models, {
      method,
      options,
      guarantee,
      ledger,
      recordGuarantee: records?.guarantee(guarantee) ?? held,
      recordLedger: records?.ledger ?? (held && ledger),
      owners: this.#owners(ledger),
      certificate: null,
      rounds: reportedRounds(releases),
      history: [],
      objective: sumOfLosses(this.#half.losses()),
      components,
    });
  }

  /** The accounts of the participant's own tasks, where owners have budgets of their own. */
  #owners(ledger: Ledger): OwnBudget[] | null {
    const { owners } = this.#method.releases;
    if (!owners) return null;
    const { aggregation } = this.#plan;
    const own = this.#positions.map((at) => owners[at]!);
    if (aggregation?.kind !== "secure") return own;
    const { parties } = shareOptionsOf(aggregation);
    return own.map((budget) => ({
      ...budget,
      collusion: collusionTable(ownLedger(ledger, budget).plan!, parties, budget.delta),
    }));
  }

  /** Wipes keys from memory. */
  dispose(): void {
    this.#half.close();
  }

  #stage(): { participants: Participants; index: number } {
    const index = this.#last.findIndex((last) => this.#round <= last);
    if (index < 0) throw new DataError(`round ${this.#round}: the run has ${this.rounds}`);
    return { participants: this.#half.stages[index]!, index };
  }
}
