/**
 * The two halves of a private method: what the owners of tasks run and what the curator runs.
 *
 * A local fit makes both from one data set and one core (`release/private-estimator.ts`); a federated run makes
 * each where it belongs, from the options, the public sizes and, for the participants, their own
 * tasks (`federation/`). Nothing pooled over tasks reaches a participant's half but broadcasts.
 * @module
 */
import type { Core } from "../../core/index.js";
import type { TaskSet } from "../../data/index.js";
import type { Guarantee, Ledger, Mechanism, MechanismFactory } from "../../privacy/index.js";
import type { Classes, FittedModelState, HistoryEntry } from "../fitted/model-state.js";
import type { BatchSize } from "../tasks/resident-size.js";
import type { RecordNoise } from "./record-noise.js";
import type { CommonWork } from "./common-work.js";
import type { Curator } from "./curator.js";
import type { SumOrder } from "./estimator.js";
import type { RoundObserver } from "./observer.js";
import type { Participants } from "./participants.js";
import type { ReleaseJournal } from "./release-journal.js";
import type { ReleasePlan } from "./release-plan.js";
import type { RoundReport } from "./run.js";

/** What anyone may know of the tasks (docs/PRIVACY.md, "Who sees what"): how many, and their sizes. */
export interface PublicSizes {
  /** Number of tasks. */
  readonly m: number;
  /** Number of features. */
  readonly d: number;
  /** N, rows of all tasks together. */
  readonly rows: number;
  /** Rows of the largest task. */
  readonly mostRows: number;
  /**
   * Positions of the features of numbers whose size nobody declared, d standing for a target of numbers; in a federated run
   * the plan says which. Absent where nobody knows: then none is learned.
   */
  readonly undeclared?: readonly number[];
  /** Where owners have budgets of their own. */
  readonly owners?: {
    /** Every task's rows, by position. */
    readonly rows: readonly number[];
    /** Every task's epsilon, by position. */
    readonly epsilons: readonly number[];
  };
}

/** What a participant of a federated run knows of it before it registers. */
export interface OwnFacts extends Pick<PublicSizes, "undeclared"> {
  /** The plan's labels, where it says them. */
  readonly classes?: Classes | null | undefined;
}

/** What a participants' half is made from, beside its options. */
export interface ParticipantContext {
  /** Where data and models will lie. */
  readonly core: Core;
  /** The batch's own tasks: all of a local fit, one participant's of a federated run. */
  readonly data: TaskSet;
  /** Sizes of the whole run, not of the batch. */
  readonly sizes: PublicSizes;
  /** Position of every task of the batch in the run's order, [batch]: which streams are its own. */
  readonly positions: readonly number[];
  /** The labels of a classifier, public; null for the squared loss. */
  readonly classes: Classes | null;
  /** The curator's public starting point, where its half has one. */
  readonly start: Float64Array | null;
  /** What the curator will release: the same for both, from options and public sizes. */
  readonly releases: ReleasePlan;
  /**
   * Whether the time of a round must not tell which tasks were drawn: those that were not then do the same
   * work on copies. Default false: a local fit, which nobody watches, spares itself that.
   */
  readonly hideSample?: boolean | undefined;
  /**
   * Whether the curator is on the same machine: of vectors that are 0 but in the task's own block it is handed the
   * blocks (`SharingRule.ownBlocks`). Both halves are told the same. Default false: a run over a network.
   */
  readonly onOneMachine?: boolean | undefined;
}

/** All models of a batch, copied out of the core. */
export type BatchModels = Pick<
  FittedModelState,
  "weights" | "intercepts" | "architecture" | "components"
>;

/** One or more tasks with their data, ready for the rounds. */
export interface ParticipantHalf {
  /** One for every stage of the curator's half. */
  readonly stages: readonly Participants[];
  /** Float64s of a broadcast of each stage, from public sizes: a broadcast of another length is refused. */
  readonly broadcastLengths: readonly number[];
  /** Rounds of every stage, the same as the curator's half has. */
  readonly rounds: readonly number[];
  /** Algorithm 5's noise, where the curator is not trusted: it is around the first stage. */
  readonly records?: RecordNoise | undefined;
  /** Whether models are functions of the releases alone, so that what these promise holds against whoever has models; default no. */
  readonly modelsAreReleased?: true;
  /** What tasks release to their own models only; local fits. */
  readonly own?: Pick<RecordNoise, "guarantee" | "ledger"> | undefined;
  /** What `finish` and `models` need that every batch would work out alike, as `Participants.common`: one after the other, until there is none. */
  common?(): CommonWork | undefined;
  /** What every task does alone after the last broadcast: choices and finetuning on its own rows. */
  finish?(signal?: AbortSignal): void | Promise<void>;
  /**
   * The models as they are now; those to keep once `finish` is done.
   * @param shared whether components that say the same in every batch are asked for, too (default true): all but `byTask`. Another batch of
   *   the run may say them.
   */
  models(shared?: boolean): BatchModels;
  /** Components with a row for each task of the batch; the others say the same in every batch. Absent: none. */
  readonly byTask?: readonly string[];
  /** Every task's loss, [batch]: for the curator of a local fit only. */
  losses(): Float64Array<ArrayBuffer>;
  /** Wipes keys from memory. */
  close(): void;
}

/** What a release plan is made from, beside the options. */
export interface PlanContext {
  readonly sizes: PublicSizes;
  /** Numbers predicted per row: C for softmax, else 1. */
  readonly outputs: number;
  /**
   * Mechanisms whose noise the participants add as noise shares, where the curator sees sums only; default
   * those of the options, whose noise the curator draws.
   */
  readonly noiseShares?: MechanismFactory | undefined;
}

/** What a curator's half is made from, beside its options. */
export interface CuratorContext {
  readonly core: Core;
  readonly sizes: PublicSizes;
  /** Numbers predicted per row: C for softmax, else 1. */
  readonly outputs: number;
  /** What it will release. */
  readonly releases: ReleasePlan;
  readonly journal?: ReleaseJournal | undefined;
  readonly observe?: RoundObserver | undefined;
  /** As the participants' half is told. */
  readonly onOneMachine?: boolean | undefined;
  /**
   * How the sums over tasks are added: "in-order" (default) of tasks, or so that every order, and every division among those who
   * add, gives the same bits ({@link FitOptions.sums}). Not told with `onOneMachine`.
   */
  readonly sums?: SumOrder | undefined;
}

/** Consecutive rounds in which tasks upload vectors of one length. */
export interface CuratorStage {
  readonly rounds: number;
  /** The ledger's name of its charges; stages without one are the method's rounds, and reported. */
  readonly label: string | undefined;
  /** Float64s each task uploads per round. */
  readonly d: number;
  /** Bound on the l2 norm of every upload, which the sensitivity rests on. */
  readonly clip: number;
  /** Of its releases. */
  readonly mechanism: Mechanism;
  readonly curator: Curator;
  /**
   * Draws who takes part in the next round, [m], 1 for yes; absent where everyone does. Called once
   * a round, in order; the answer is the curator's secret and each task's own.
   *
   * @param kept who took part, where the round was drawn by an earlier process.
   */
  readonly sample?: (kept?: Uint8Array) => Uint8Array;
}

/** The side that sees uploads, never data. */
export interface CuratorHalf {
  readonly stages: readonly CuratorStage[];
  readonly ledger: Ledger;
  /** Public parameters every task starts from, where zeros will not do. */
  readonly start: Float64Array | null;
  /** A line of the history for a round without a label; every number of it is covered by the budget. */
  entry(report: RoundReport): HistoryEntry;
  /** The statement after the last round. */
  guarantee(notCharged: readonly string[]): Guarantee;
  /** Wipes keys from memory. */
  close(): void;
}

/** Makes the halves of one configured method. */
export interface Halves {
  /**
   * What the method releases: pure, the same wherever it is called.
   * @throws RangeError if the budget allows no noise; OptionError for options that do not go together.
   */
  releases(context: PlanContext): ReleasePlan;
  /**
   * What must hold of all tasks together, where a batch of them would not show it; called before batches of a local fit
   * are placed on several threads.
   * @throws DataError if it does not.
   */
  requireAll?(data: TaskSet): void;
  /**
   * What must hold of the tasks of one participant of a federated run, which knows nothing of others': it finds out before it
   * registers. Absent where `participants` refuses nothing that needs no other's sizes.
   * @throws DataError or OptionError if it does not.
   */
  requireOwn?(data: TaskSet, known: OwnFacts): void;
  /**
   * About how many multiplications the tasks' half takes in all, by which the number of threads is chosen; absent where
   * its tasks cannot be spread over threads.
   */
  work?(context: PlanContext): number;
  /**
   * About how many bytes of a kernels' memory a batch of so many tasks takes, by which tasks are spread where one memory
   * cannot hold them all; absent where rows lie outside of it.
   */
  bytes?(batch: BatchSize): number;
  /** @throws DataError if the batch's own data does not suit the method. */
  participants(context: ParticipantContext): ParticipantHalf;
  /** @throws BudgetExceededError if the plan does not fit its budget. */
  curator(context: CuratorContext): CuratorHalf;
}
