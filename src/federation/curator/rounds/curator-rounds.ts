/**
 * The curator's half at work on vectors that arrive one by one.
 * @module
 */
import { DataError, openCore, type Core, type Pointer } from "../../../core/index.js";
import type { HistoryEntry } from "../../../learning/index.js";
import { isSummed, type SumShape } from "../../../learning/round/statistic/any-order.js";
import type { RoundFigures } from "../../../learning/round/sharing-rule.js";
import type { CuratorHalf, CuratorStage, PublicSizes } from "../../../learning/round/halves.js";
import { reportedRounds, type ReleasePlan } from "../../../learning/round/release-plan.js";
import type { Guarantee, Ledger } from "../../../privacy/index.js";
import { isLonger } from "../../protocol/longer.js";
import { plannedMethod } from "../../protocol/plan/planned-method.js";
import { releasesDigest } from "../../protocol/plan/releases-digest.js";
import { RecordJournal, type CuratorRecord } from "../../protocol/records.js";
import { withTrustOf } from "../../protocol/run-statement.js";
import type { Plan } from "../../protocol/plan/plan-form.js";

/** What became of a vector. */
export type Reception = "kept" | "clipped" | "twice" | "wrong-length";

/** A round that was closed. */
export interface ClosedRound {
  /** M, to be published once `release` is kept. */
  readonly broadcast: Float64Array;
  /** undefined if the round was released by an earlier process of the curator. */
  readonly release: Extract<CuratorRecord, { type: "release" }> | undefined;
}

/**
 * Collects the vectors of a round, each held to the bound K, and closes it.
 *
 * A task that is absent counts as zero. That is what it would upload if its model were zero, so its
 * presence moves the sum by no more than the sensitivity the noise is calibrated to, under zero-out
 * and under replace, and even if whether it is absent depends on its data. The noise is not made
 * smaller for absent tasks, and how many there were is told to no participant.
 *
 * Where a sample is drawn all tasks answer, and the vectors of those that were not drawn are dropped here: when
 * a round closes depends on who answered, never on who was drawn.
 */
export class CuratorRounds {
  /** All rounds of the run, a pooled choice after the method's included. */
  readonly rounds: number;
  readonly history: HistoryEntry[] = [];
  /** What the run releases. */
  readonly releases: ReleasePlan;
  /** Digest of that, which participants compare with theirs. */
  readonly digest: string;
  readonly #core: Core;
  readonly #half: CuratorHalf;
  readonly #journal: RecordJournal;
  readonly #plan: Plan;
  readonly #m: number;
  /** By stage: the uploads, [m, d]; where relays add them up their sum; else nothing. */
  readonly #blocks: readonly { readonly at: Pointer; readonly length: number }[];
  readonly #seen: Uint8Array;
  #expected: Uint8Array;
  #answered = 0;
  #round = 0;

  /** @throws RangeError or BudgetExceededError if the plan's budget allows no noise. */
  constructor(plan: Plan, told: PublicSizes, records: readonly CuratorRecord[]) {
    const core = (this.#core = openCore());
    this.#journal = new RecordJournal(records);
    this.#plan = plan;
    const { estimator, outputs, releases, sizes } = plannedMethod(plan, told);
    this.#m = sizes.m;
    this.releases = releases;
    this.digest = releasesDigest(releases);
    const journal = this.#journal;
    const kind = plan.aggregation?.kind;
    this.#half = estimator.halves.curator({
      core,
      sizes,
      outputs,
      releases,
      journal,
      sums: kind === "relays" ? "any-order" : undefined,
    });
    const { stages } = this.#half;
    this.rounds = stages.reduce((sum, { rounds }) => sum + rounds, 0);
    this.#blocks = stages.map(({ d, curator }) => {
      const sum = kind === "relays" ? curator.statisticLength : 0;
      const length = kind === undefined ? sizes.m * d : sum;
      return { at: core.arena.f64(length, "the uploads"), length };
    });
    this.#seen = new Uint8Array(sizes.m);
    this.#expected = new Uint8Array(sizes.m);
  }

  /** Public parameters to start from, or null for zeros. */
  get start(): Float64Array | null {
    return this.#half.start;
  }

  /** The round that is open, 0 before the first. */
  get round(): number {
    return this.#round;
  }

  get ledger(): Ledger {
    return this.#half.ledger;
  }

  /** Releases kept by earlier processes: rounds up to this one are only repeated. */
  get released(): number {
    return this.#journal.releases;
  }

  /** Whether only a sample of the tasks takes part. */
  get sampled(): boolean {
    return this.#half.stages.some(({ sample }) => sample !== undefined);
  }

  /** How many tasks answer in every round, drawn or not: how many were drawn is told to nobody. */
  get tasks(): number {
    return this.#m;
  }

  /** Positions that have not answered in this round. */
  missing(): number[] {
    return this.#positions((i) => this.isMissing(i));
  }

  /** Whether the task at a position has not answered yet, drawn or not. */
  isMissing(position: number): boolean {
    return this.#seen[position] === 0;
  }

  /** Whether the task at a position takes part in this round. */
  isExpected(position: number): boolean {
    return this.#expected[position] === 1;
  }

  /** Positions that take part in this round. */
  expected(): number[] {
    return this.#positions((i) => this.isExpected(i));
  }

  /** Tasks that have answered, drawn or not. */
  get answered(): number {
    return this.#answered;
  }

  /**
   * Opens the next round and draws who takes part.
   * @param kept the sample that an earlier process drew for this round; it stands.
   */
  open(kept?: Iterable<number>): void {
    const stage = this.#stage(++this.#round);
    const { at, length } = this.#block();
    this.#core.arena.view(at, length).fill(0);
    this.forget();
    const marks = kept && marksOf(kept, this.#m);
    this.#expected = stage.sample?.(marks).slice() ?? marks ?? this.#expected.fill(1);
  }

  /**
   * Takes a task's vector; a second one in a round is not looked at. What is longer than K is clipped
   * here, whatever its owner did: the guarantee of the others' sum must not rest on good manners. A
   * vector that its owner clipped with the same kernel stays as it is, to the bit. Only one that nobody sends who keeps to the plan is
   * called clipped.
   */
  put(position: number, vector: Float64Array): Reception {
    const { d, clip } = this.#stage(this.#round);
    if (vector.length !== d) return "wrong-length";
    if (this.#seen[position] === 1) return "twice";
    const at = this.#block().at + 8 * position * d;
    const row = this.#core.arena.view(at, d);
    row.set(vector);
    this.#seen[position] = 1;
    this.#answered++;
    const reception = isLonger(vector, clip) ? "clipped" : "kept";
    this.#core.kernels.clipRows(at, at, 1, d, clip);
    if (!this.isExpected(position)) row.fill(0);
    return reception;
  }

  /** Notes that a task has answered, whose vector stays with others. */
  mark(position: number): void {
    if (this.#seen[position] === 1) return;
    this.#seen[position] = 1;
    this.#answered++;
  }

  /** All tasks are to answer again in the open round. */
  forget(): void {
    this.#seen.fill(0);
    this.#answered = 0;
  }

  /**
   * Closes the round: charge, noise, broadcast.
   * @param sum where vectors do not lie here: the statistic, noise included, or, of relays for plain sums, before noise; not
   *   needed for a kept release.
   */
  close(sum?: Float64Array): ClosedRound {
    const round = this.#round;
    const stage = this.#stage(round);
    const { curator } = stage;
    const figures = this.#figures(stage, round, sum);
    if (stage.label === undefined) {
      const rounds = reportedRounds(this.releases);
      this.history.push(this.#half.entry({ round, rounds, ...figures }));
    }
    const { broadcast, broadcastLength } = curator;
    return {
      broadcast: this.#core.arena.view(broadcast, broadcastLength).slice(),
      release: this.#journal.take(),
    };
  }

  #figures({ curator }: CuratorStage, round: number, sum: Float64Array | undefined): RoundFigures {
    const { at, length } = this.#block();
    const { aggregation } = this.#plan;
    if (!aggregation) return curator.round(at, round);
    if (aggregation.kind !== "relays") {
      return curator.release(sum ?? new Float64Array(curator.statisticLength), round);
    }
    if (sum) this.#core.arena.view(at, length).set(sum);
    return curator.roundOfSum(at, round);
  }

  /** What is added up in the open round. @throws TypeError for a statistic that is no sum. */
  get shape(): SumShape {
    const { statistic, m, d, clip } = this.releases.stages[this.#stageIndex(this.#round)]!;
    if (!isSummed(statistic)) throw new TypeError(`statistic: expected a sum, got ${statistic}`);
    return { statistic, m, d, clip };
  }

  /** Float64s of the open round's statistic. */
  get statisticLength(): number {
    return this.#stage(this.#round).curator.statisticLength;
  }

  /**
   * The statement after the last round. The curator computes no pooled figure of models. With secure
   * sums it says what holds against every number of colluders.
   */
  guarantee(): Guarantee {
    return withTrustOf(this.#plan, this.releases, this.#half.guarantee([]));
  }

  /** Wipes keys from memory. */
  dispose(): void {
    this.#half.close();
  }

  #stage(round: number): CuratorStage {
    return this.#half.stages[this.#stageIndex(round)]!;
  }

  #stageIndex(round: number): number {
    let last = 0;
    const found = this.#half.stages.findIndex(({ rounds }) => round <= (last += rounds));
    if (round < 1 || found < 0) throw new DataError(`round ${round}: the run has ${this.rounds}`);
    return found;
  }

  #block(): { readonly at: Pointer; readonly length: number } {
    return this.#blocks[this.#stageIndex(this.#round)]!;
  }

  #positions(which: (position: number) => boolean): number[] {
    return Array.from({ length: this.#m }, (_, i) => i).filter(which);
  }
}

function marksOf(positions: Iterable<number>, m: number): Uint8Array {
  const marks = new Uint8Array(m);
  for (const position of positions) marks[position] = 1;
  return marks;
}
