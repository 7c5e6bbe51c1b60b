/**
 * What a cell of an evaluation is, a method at an eps on one replicate, and what comes out of it.
 * @module
 */
import type { SimulateOptions, TaskArrays } from "../../../data/index.js";
import type { Candidate, Scores } from "../../../learning/index.js";
import type { Adjacency, GuaranteeWords, Repetitions } from "../../../privacy/index.js";
import type { OwnFile } from "./own-method.js";
import type { Sketch, Trace } from "./trace.js";

/** Where a replicate's data comes from: a table that is split anew, or a simulation drawn anew. */
export type CellData =
  | {
      readonly kind: "table";
      /** NaN where the mean of a task's training rows is to fill a gap. */
      readonly tasks: TaskArrays;
      readonly trainFraction: number;
      /** So many tasks, drawn anew for every replicate; all where it is left out. */
      readonly take?: number;
    }
  | { readonly kind: "simulation"; readonly options: Omit<SimulateOptions, "seed"> };

/** How a cell's hyper-parameters are chosen. */
export type Tuning =
  | { readonly kind: "none" }
  | {
      readonly kind: "cv";
      readonly candidates: readonly Candidate[];
      readonly folds: number;
      readonly oneStandardError: boolean;
    }
  | {
      readonly kind: "private";
      readonly candidates: readonly Candidate[];
      readonly folds: number;
      readonly repetitions: Repetitions | "all" | "auto";
      readonly scoreShare: number;
    };

/** What identifies a cell among those of an evaluation. */
export interface CellKey {
  readonly method: string;
  /** null for methods without a budget. */
  readonly epsilon: number | null;
  readonly replicate: number;
  /** The value of a sweep; null or absent where there is none. */
  readonly variant?: number | null;
}

/** A cell as a worker is sent it; it determines the result to the last bit. */
export interface Cell extends CellKey {
  readonly data: CellData;
  readonly seed: string;
  readonly normalize: "rows" | "none";
  readonly options: Candidate;
  readonly tuning: Tuning;
  /** Decisions by all tasks' rows that the task set does not know of, for the guarantee's list. */
  readonly notCharged?: readonly string[];
  /** Where the method is somebody's own. */
  readonly own?: OwnFile;
  /** Whether to keep what a report shows of single runs; default false. */
  readonly traced?: boolean;
}

/** What came out of a cell; nothing in it depends on the clock or on the number of workers. */
export interface CellResult extends CellKey {
  /** True of a method of somebody's own, of whose privacy nothing is known. */
  readonly own?: boolean;
  readonly scores: Scores;
  /** Test rows whose label does not occur in training. */
  readonly rowsLeftOut: number;
  /** Of auto: which method it took, and why. */
  readonly taken?: { readonly method: string; readonly why: string };
  /** What was chosen; empty where there was nothing to choose. */
  readonly chosen: Candidate;
  /** How: by nothing, cross-validation (not charged) or private selection (charged). */
  readonly tuning: Tuning["kind"];
  /** null where there is none, or none is known. */
  readonly guarantee: {
    /** What epsilon is of. */
    readonly unit: GuaranteeWords["unit"];
    /** Absent in older results. */
    readonly adjacency?: Adjacency;
    readonly epsilon: number;
    readonly delta: number;
    readonly mechanism: string;
    readonly sound: boolean;
    /** What was learned from several tasks' rows before, and charged to no budget. Absent in older results. */
    readonly learned?: readonly string[];
    /** Whether it holds only while nobody sees the runs of a private selection that were not chosen. Absent in older results. */
    readonly unseen?: boolean;
    /** Whether it is proven for real numbers only, the noise being drawn in floating point. Absent in older results. */
    readonly floats?: boolean;
  } | null;
  /** Over the releases of a traced private fit; null where there were none or selection hid them. */
  readonly trace?: Trace | null;
  /** Some weights of a traced fit. */
  readonly sketch?: Sketch;
  /** Error (nMSE or log-loss) of each task of the test rows, of a traced fit; null where it is not defined. */
  readonly taskErrors?: readonly (number | null)[];
}
