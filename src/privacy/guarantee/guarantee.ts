/**
 * The guarantee of a fit, in plain JSON: what is promised, by which theorem, against whom, and what
 * is not covered.
 * @module
 */
import type { AccountantName } from "../accounting/accountants/accountant.js";
import type { FilterName } from "../accounting/filter.js";
import type { AttackerGain, GaussianSummary } from "./gaussian-summary.js";
import type { GuaranteeWords, PersonBound } from "./guarantee-words.js";
import type { Spending } from "../ledger/ledger.js";
import type { SelectionRecord } from "../selection/selection-budget.js";
import type { MechanismName } from "../mechanisms/mechanism.js";
import type { Adjacency } from "../events/event-kinds.js";

/** A privacy statement. Everything in it may be shown to anyone. */
export interface Guarantee extends GuaranteeWords {
  /**
   * Joint differential privacy (billboard lemma): task i, or one record of it, is protected from all the other tasks together;
   * with secure sums from those that `colluding` says.
   */
  kind: "joint";
  /** How the two worlds differ that must look alike; `neighbours` says it in a sentence. */
  adjacency: Adjacency;
  /** The view of all other tasks is (epsilon, delta)-DP with respect to one `unit`. */
  epsilon: number;
  /** The delta that goes with `epsilon`. */
  delta: number;
  /** The same releases as Gaussian DP; absent where they have no mu. */
  gaussian?: GaussianSummary;
  /** What the best attack gains; absent where the run protects no one. */
  attacker?: AttackerGain;
  /** The accountant by whose theorem `epsilon` and `delta` hold, or the privacy filter's name. */
  accountant: AccountantName | FilterName;
  /** The noise law of the rounds. */
  mechanism: MechanismName;
  /** Whether the mechanism's own proof gives the (epsilon, delta) that was asked for. */
  sound: boolean;
  /** Why the mechanism is sound, or what is wrong with it, in a sentence. */
  why: string;
  /** Secure: ChaCha20 keyed by the platform. Seeded: reproducible, so it protects nothing. */
  noiseSource: "secure" | "seeded";
  /** Whether this run protects anyone: sound mechanism and secure noise. */
  private: boolean;
  /** What else is to be known, in clauses parted by semicolons; absent where there is nothing. */
  note?: string;
  /** Figures computed from several tasks' data that were not charged; for the curator's eyes. */
  notCharged: string[];
  /** What the releases made so far cost. */
  spent: Spending;
  /**
   * Secure sums only, where participants draw the noise: `epsilon` holds against the curator together
   * with that many participants, not against all the others.
   */
  colluding?: number;
  /** Secure sums only: epsilon at `delta` for other numbers of colluders, of whose noise nothing counts. */
  collusion?: readonly {
    /** Participants that collude with the curator. */
    readonly colluding: number;
    /** Shares of noise that are left to hide behind: those of the others. */
    readonly honest: number;
    /** What then holds, at `delta`. */
    readonly epsilon: number;
  }[];
  /** Unit "task" whose noise was also accounted for one record: what that has, against the same adversary. */
  recordOf?: {
    /** The record's epsilon. */
    epsilon: number;
    /** The delta that goes with it. */
    delta: number;
    /** How far one record moves each release, in order, from which the ledger bears the figures out. */
    sensitivities?: readonly number[];
    /** As the guarantee's `collusion`, for the record. */
    collusion?: Guarantee["collusion"];
  };
  /** Where a record's promise, `recordOf` or the whole, is one of all rows of a person: how many those may be. */
  person?: PersonBound;
  /** Methods that protect one record: of how many, the most that a task has, epsilon and delta are; those of the ledger are of one. */
  groupSize?: number;
  /** Methods that protect one record: what they give it, before the lift to `groupSize` records. */
  record?: {
    /** Epsilon of one record. */
    epsilon: number;
    /** The delta that goes with it. */
    delta: number;
    /** How many records it is then lifted to; the guarantee's `groupSize`. */
    groupSize: number;
  };
  /** Only of a model that `fitNewTask` made: that all of this is about the tasks of the fit, and what was done with its own rows. */
  later?: string;
  /** Where hyper-parameters were chosen under this budget: how. Eps and delta include it. */
  selection?: SelectionRecord;
  /** One-sided Wishart only: the smallest delta the releases have, at epsilon and above; of diagonals a bound on it. */
  trueDelta?: number;
  /** Where it is not sound: what the papers would print. */
  nominal?: {
    /** The epsilon that would be claimed, which does not hold. */
    epsilon: number;
    /** The delta that would be claimed with it. */
    delta: number;
  };
}

/**
 * With an untrusted curator: what each task's records are promised against the curator itself, on top
 * of the joint guarantee. Neighbours differ in one record of one task.
 */
export interface RecordGuarantee
  extends
    GuaranteeWords,
    Pick<
      Guarantee,
      | "attacker"
      | "adjacency"
      | "epsilon"
      | "delta"
      | "accountant"
      | "mechanism"
      | "sound"
      | "why"
      | "noiseSource"
      | "private"
      | "spent"
      | "colluding"
      | "collusion"
    > {
  kind: "record";
  /** From whom records are protected: the curator (absent in older files), or whoever is given their task's own model. */
  against?: "curator" | "own model";
}
