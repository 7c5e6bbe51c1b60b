/**
 * What the page asks of its workers and what they answer. Types only: the page itself never loads
 * the library or its WebAssembly, the workers do.
 * @module
 */
import type { TaskArrays } from "../../../src/data/index.js";
import type {
  BudgetFacts,
  LossName,
  ModelSummary,
  NoGuarantee,
  Scores,
} from "../../../src/learning/index.js";
import type { Guarantee } from "../../../src/privacy/index.js";
import type { Statement } from "../../../src/report/index.js";
import type { Scaling, TableChoice, TableFile, TableSummary } from "./table-messages.js";

export type * from "./table-messages.js";

/** The data sets that the page brings along. */
export type BuiltInName = "low-rank" | "group-sparse" | "schools" | "clinics";

/** What of the training rows is public, by which it is reckoned what a budget can buy. */
export type DataSizes = Omit<BudgetFacts, "epsilon" | "delta">;

/** Tasks ready to be learned from; their encodings say how they came about and what that was learned from. */
export interface LoadedData {
  readonly train: TaskArrays;
  readonly test: TaskArrays;
  readonly loss: LossName;
  /** What is done to rows beyond declared ranges. */
  readonly scaling: Scaling;
  /** A public guess at the size of a model, for the methods that clip. */
  readonly clip: number;
  /** Rows left out because their target was missing. */
  readonly dropped: number;
  /** What reading the file took from all rows, for the guarantee's list; default nothing. */
  readonly notCharged?: readonly string[];
  /** Of `train`, as a method prepares it that learns the sizes of columns. */
  readonly sizes: DataSizes;
}

/** Tasks whose sizes nobody has counted yet. */
export type SplitData = Omit<LoadedData, "sizes">;

/** Data and a method with its options. */
export interface FitRequest {
  readonly data: SplitData;
  readonly method: string;
  readonly options: Readonly<Record<string, unknown>>;
}

/** What was shared in a round, as a picture. */
export interface Frame {
  readonly round: number;
  /** [m, width], row-major. */
  readonly values: Float32Array;
}

/** Size of the noise and of what it hides, in one release. */
export interface NoiseAndSignal {
  readonly round: number;
  /** What was released: a covariance, a mean, votes. */
  readonly statistic: string;
  readonly noise: number;
  readonly signal: number;
}

/** What left the curator in one round, and what it would have been without noise. */
export interface Release {
  readonly round: number;
  readonly statistic: string;
  /** Row-major; a square matrix, or one row for a diagonal or a mean. */
  readonly exact: Float32Array;
  readonly noisy: Float32Array;
  readonly columns: number;
}

/** A running fit. */
export interface FitProgress {
  readonly round: number;
  readonly rounds: number;
  readonly releases: readonly NoiseAndSignal[];
  readonly frame: Frame | null;
}

/** A finished fit. */
export interface FitOutcome {
  readonly method: string;
  /** Why `method` was taken, where that was left open. */
  readonly why: string | null;
  /** Coefficients over all tasks, where they are the fixed effects of a mixed model. */
  readonly summary: ModelSummary | null;
  readonly taskNames: readonly string[];
  readonly featureNames: readonly string[];
  /** Whether it says anything of owners that come later. */
  readonly later: boolean;
  /** [m, width], row-major: all tasks' models. */
  readonly weights: Float32Array;
  readonly width: number;
  readonly guarantee: Guarantee | NoGuarantee;
  readonly scores: Scores;
  readonly rounds: number;
  readonly seconds: number;
  readonly frames: readonly Frame[];
  readonly releases: readonly NoiseAndSignal[];
  /** The last round's, where it can be drawn. */
  readonly release: Release | null;
  /** eps spent after each release. */
  readonly spent: readonly number[];
  readonly budget: { readonly epsilon: number; readonly delta: number } | null;
  /** The model as a safetensors file, and its card as JSON. */
  readonly file: Uint8Array<ArrayBuffer>;
  readonly card: string;
}

/** A non-private fit to be made; `chosen` where its options were found on other rows. */
export interface ReferenceRequest {
  readonly data: LoadedData;
  readonly method: string;
  readonly chosen?: Readonly<Record<string, unknown>>;
}

/** A non-private fit to compare with. */
export interface ReferenceOutcome {
  readonly method: string;
  /** Held-out error in cross-validation, by which references are chosen; NaN where there was none. */
  readonly validation: number;
  /** What cross-validation chose. */
  readonly chosen: Readonly<Record<string, unknown>>;
  readonly scores: Scores;
}

/** What one round told about the outlying task, under one kind of protection. */
export interface LeakageOutcome {
  /** [m, d] each, row-major; one example. */
  readonly before: Float32Array;
  readonly after: Float32Array;
  readonly m: number;
  readonly d: number;
  /** Degrees between the other tasks' models and the outlier's: mean over tasks and examples. */
  readonly angleBefore: number;
  readonly angleAfter: number;
  /** Degrees by which the round turned the other tasks' models. */
  readonly turned: number;
  /** Share of the other tasks whose model now points within 5 degrees of the secret. */
  readonly found: number;
  readonly sound: boolean;
  readonly examples: number;
}

/** The first attack's success at one eps. */
export interface LeakagePoint {
  readonly epsilon: number;
  readonly found: number;
}

/** Kinds of protection in the demonstration. */
export type Protection = "none" | "paper" | "ours";

/** How often an attacker can be certain whether a task took part. */
export interface CertaintyOutcome {
  readonly epsilon: number;
  readonly trials: number;
  readonly confidence: number;
  readonly verdict: "violated" | "consistent";
  /** delta that is proven at the claimed eps. */
  readonly provenDelta: number;
  readonly claimedDelta: number;
}

/** Every kind of work: what is asked and what comes back. */
export interface Work {
  "built-in": { job: { name: BuiltInName; split: number }; result: LoadedData };
  "built-in-csv": { job: { name: BuiltInName }; result: string };
  inspect: { job: TableFile; result: TableSummary };
  table: { job: { file: TableFile; choice: TableChoice; split: number }; result: LoadedData };
  fit: { job: FitRequest; result: FitOutcome };
  score: { job: FitRequest; result: Scores };
  reference: { job: ReferenceRequest; result: ReferenceOutcome };
  leakage: {
    job: { epsilon: number; protection: Protection };
    result: LeakageOutcome;
  };
  "leakage-sweep": { job: { protection: Protection }; result: LeakagePoint[] };
  certainty: {
    job: { epsilon: number; protection: "paper" | "ours" };
    result: CertaintyOutcome;
  };
  report: { job: ReportRequest; result: string };
  predict: { job: PredictRequest; result: Predicted };
  later: { job: LaterRequest; result: LaterOutcome };
}

/** A fitted model's file, and the rows of owners that were not in the fit. */
export interface LaterRequest {
  readonly model: Uint8Array<ArrayBuffer>;
  /** "made-up": one more of the made-up schools. */
  readonly from: { readonly file: TableFile } | "made-up";
}

/** What is predicted of one row: a number, or the probability of the second class; ends of its interval, where there is one. */
export interface LaterRow {
  readonly prediction: number;
  readonly lower: number | null;
  readonly upper: number | null;
}

/** One owner's rows that its model was not fitted to. */
export interface LaterOwner {
  readonly name: string;
  /** Rows that its model was fitted to. */
  readonly learned: number;
  /** What the targets are, in their units; of classes the position, 0 or 1. */
  readonly actual: readonly number[];
  /** By its own model. */
  readonly withRows: readonly LaterRow[];
  /** By what all have in common alone; null where that says nothing of levels. */
  readonly without: readonly LaterRow[] | null;
}

/** Owners that come after a fit. */
export interface LaterOutcome {
  readonly owners: readonly LaterOwner[];
  /** Of the intervals; null where there are none. */
  readonly level: number | null;
  /** The two classes; null: numbers. */
  readonly classes: readonly string[] | null;
  /** Those that were in the fit after all. */
  readonly known: readonly string[];
  /** Rows left out because their target was missing. */
  readonly dropped: number;
}

/** A fitted model's file, and rows to predict. */
export interface PredictRequest {
  readonly model: Uint8Array<ArrayBuffer>;
  readonly file: TableFile;
}

/** Predictions as a file, and what is to be said of them. */
export interface Predicted {
  readonly csv: string;
  readonly rows: number;
  /** Tasks that the model was not fitted on, which are predicted by what all have in common. */
  readonly newTasks: number;
  /** Rows without a prediction, for want of a value. */
  readonly leftOut: number;
  /** Cells with values that training did not have, or beyond their range. */
  readonly unexpected: number;
}

/** What a report is made of. */
export interface ReportRequest {
  readonly outcome: FitOutcome;
  readonly dataTitle: string;
  /** The same fit as a program. */
  readonly code: string;
  /** What it comes down to. */
  readonly conclusion: readonly string[];
  /** The guarantee. */
  readonly words: readonly (string | Statement)[];
  readonly metric: string;
  /** Accuracy of this fit and of what it is compared with, and of the curve's fits. */
  readonly points: readonly {
    readonly series: string;
    readonly epsilon: number | null;
    readonly value: number;
  }[];
}

export type WorkName = keyof Work;

/** A job as it crosses to a worker. */
export type Job = { [K in WorkName]: { readonly kind: K } & Work[K]["job"] }[WorkName];

/** Sent by a worker while it works, beside the pool's replies. */
export interface ProgressMessage {
  readonly id: number;
  readonly progress: FitProgress;
}
