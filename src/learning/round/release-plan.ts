/**
 * What a private run releases, as data: every stage's statistic, mechanism and budgets, and the ledger
 * that pays for all of them. Fixed by options and public sizes before anything is read or drawn.
 * @module
 */
import type {
  AccountantName,
  GroupBudget,
  LedgerOptions,
  Mechanism,
  NoiseSource,
  OwnBudget,
  PersonBound,
  PrivacyEvent,
  Sampling,
  Statistic,
} from "../../privacy/index.js";

/** Consecutive releases of one statistic. */
export interface PlannedStage {
  /** What the ledger calls its charges; undefined for the rounds of the method itself. */
  readonly label: string | undefined;
  /** Number of its first release, 1-based over the whole run. */
  readonly first: number;
  readonly rounds: number;
  readonly statistic: Statistic;
  /** Tasks, and float64s each uploads. */
  readonly m: number;
  readonly d: number;
  /** K, bound on the l2 norm of every upload, which the sensitivity rests on. */
  readonly clip: number;
  /** Float64s of a release. */
  readonly length: number;
  /** Who takes part in each release. */
  readonly sampling: Sampling;
  readonly mechanism: Mechanism;
  /** b_1..b_T: mu of a Gaussian mechanism, eps of a pure one. */
  readonly budgets: Float64Array;
  readonly events: readonly PrivacyEvent[];
  /** Added to the diagonal after the noise; "auto" is the mechanism's bound. */
  readonly shift: number | "auto";
}

/** The stage that every task makes for itself, on its own rows, and the budget of the whole with it. */
export interface OwnStage {
  readonly stage: PlannedStage;
  /** Of one record against whoever has its task's model. */
  readonly ledger: ReleasePlan["ledger"];
}

/** What releases that hide tasks cost one record, or a person. */
export interface RecordAccount extends GroupBudget {
  /** The plan's, with the sensitivity of a record. */
  readonly events: readonly PrivacyEvent[];
}

/** All releases of a run, in order, and their budget. */
export interface ReleasePlan {
  readonly stages: readonly PlannedStage[];
  /** The stage that gets what the others leave of the budget: its mechanism names the guarantee. */
  readonly main: PlannedStage;
  /** The budget, with the events of all stages in order as its plan. */
  readonly ledger: LedgerOptions & {
    readonly plan: readonly PrivacyEvent[];
    readonly accountant: AccountantName;
    readonly nominal: boolean;
    readonly noiseSource: NoiseSource;
  };
  /** What every task releases to its own model, beside. */
  readonly own?: OwnStage;
  /** Unit "task" that was accounted for one record too: what that has. */
  readonly recordOf?: RecordAccount;
  /** Where owners stated budgets of their own, at most the plan's: their accounts, by position. */
  readonly owners?: readonly OwnBudget[];
  /** What the budget is of. */
  readonly unit: "task" | "record";
  /** Where a record stands for a person who may have several: how many. */
  readonly person?: PersonBound;
  /** Such units in the run: tasks, or records. */
  readonly tasks: number;
  /** Where noise protects one record: the most rows of a task, to which the guarantee is lifted. */
  readonly groupSize: number | undefined;
}

/** Rounds of the stages without a label: what the method calls its rounds. */
export function reportedRounds({ stages }: ReleasePlan): number {
  return stages.reduce((sum, { label, rounds }) => sum + (label === undefined ? rounds : 0), 0);
}

/** Scale of the noise of a stage's round, 1-based within the stage: sigma, v or the Laplace scale. Public. */
export function noiseScaleAt(
  { mechanism, budgets }: Pick<PlannedStage, "mechanism" | "budgets">,
  round: number,
): number {
  return mechanism.noiseScale(budgets[round - 1]!);
}
