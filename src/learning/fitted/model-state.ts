/**
 * Everything a fitted model consists of, as plain data: what `fit` fills in and files keep.
 * @module
 */
import type { Label, PipelineState, Scale, TableEncodingState } from "../../data/index.js";
import type { Guarantee, Ledger, OwnBudget, RecordGuarantee } from "../../privacy/index.js";
import type { DifferentiableModel } from "../models/differentiable-model.js";
import type { LossName, LossScale } from "../tasks/losses.js";
import type { Certificate } from "./certificate.js";

/** The labels that -1 and +1 stand for (logistic loss), or 0..C-1 (softmax loss), ascending. */
export type Classes = readonly Label[];

/** A method that gives no guarantee at all. */
export interface NoGuarantee {
  /** Nothing is promised. */
  readonly kind: "none";
  /** No noise protects anyone. */
  readonly private: false;
  /** Why nothing is promised, in a sentence. */
  readonly why: string;
  /** Only of a model that `fitNewTask` made: what was done with its rows. */
  readonly later?: string;
}

/** Figures over all tasks. After a private fit they are uncharged and for the curator's eyes. */
export interface PooledFigures {
  /** Value of the method's objective, or the sum of the losses where it has none. */
  readonly objective: number;
  /** Numerical rank of W. */
  readonly rank: number;
  /** Features whose weights over all tasks are not negligible beside those of the largest. */
  readonly nonzeroRows: number;
  /** Frobenius norm of W. */
  readonly weightsNorm: number;
}

/** What was done to a table's columns and rows before the fit, to be done again at predict. */
export interface Preprocessing {
  readonly encoding: TableEncodingState | null;
  readonly pipeline: PipelineState | null;
  /** The declared scale of the target, by which predictions return to raw units. */
  readonly targetScale?: Scale | null;
}

/**
 * One line of a fit's history. `epsilon`, where a line has it, is what all that the ledger holds by then costs: in a fit that goes on with a
 * journal, the rounds taken from that have what was charged before it went on.
 */
export type HistoryEntry = Readonly<Record<string, number>>;

/** A named array that a method learned beside the weights. */
export interface Component {
  /** Lengths of its axes. */
  readonly shape: readonly number[];
  /** Row-major. */
  readonly data: Float64Array;
}

/** How a method came to be taken where none was named. */
export interface ChoiceRecord {
  readonly asked: "auto";
  /** A plain clause that completes "because". */
  readonly why: string;
}

/** On how many threads a fit ran. */
export interface ThreadsUsed {
  /** Number of threads. */
  readonly used: number;
  /** A plain clause that completes "because". */
  readonly why: string;
}

/** Everything a fitted model consists of. */
export interface FittedModelState {
  /** The command line's name of the method. */
  readonly method: string;
  /** What was minimised. */
  readonly loss: LossName;
  /** Whether each task's loss was divided by its number of rows. */
  readonly lossScale: LossScale;
  /** The label values of a classifier, else null. */
  readonly classes: Classes | null;
  /** Names of the m tasks, in the order of the rows of `weights`. */
  readonly taskNames: readonly string[];
  /** Names of the d features, in the order of the columns of `weights`. */
  readonly featureNames: readonly string[];
  /**
   * W, row i is task i: [m, d]; for the softmax loss [m, d, C]; with an `architecture`
   * [m, parameters].
   */
  readonly weights: Float64Array;
  /** b[m], for the softmax loss [m, C], or null where the model has none. */
  readonly intercepts: Float64Array | null;
  /** How parameters become predictions; null (default) for the linear model. */
  readonly architecture?: DifferentiableModel | null;
  /** Options after defaults, as JSON; never a seed. */
  readonly options: Readonly<Record<string, unknown>>;
  /** What is promised to whom, or that nothing is. */
  readonly guarantee: Guarantee | NoGuarantee;
  /** What the releases were charged to; null where nothing was charged. */
  readonly ledger: Ledger | null;
  /** With an untrusted curator: what each record is promised. */
  readonly recordGuarantee?: RecordGuarantee | null;
  /** With an untrusted curator: one task's ledger of what it uploaded. */
  readonly recordLedger?: Ledger | null;
  /** Where owners have budgets of their own: every task's account, in their order. */
  readonly owners?: readonly OwnBudget[] | null;
  /** How near the optimum a fit without noise provably is; null where that is not known. */
  readonly certificate: Certificate | null;
  /** Rounds that were made, or iterations of a solver; 0 where tasks learn alone. */
  readonly rounds: number;
  /** In order: a line for every round, or every check of a solver; empty where there were none. */
  readonly history: readonly HistoryEntry[];
  /** Value of the method's objective, or the sum of the losses where it has none. */
  readonly objective: number;
  /**
   * What the method learned beside the weights, by name; like the weights for the curator only.
   * `shared` and `local`, shape [m, d]: the parts P and Q of low rank + sparse, weights = P + Q.
   * `taskRelationship`, shape [m, m]: Omega. `mixtureWeights`, `mixtureMeans` and `mixtureCovariances`: the posterior of
   * every task's parameters, over which a classifier's probabilities are averaged, a mixture of normals.
   */
  readonly components?: Readonly<Record<string, Component>>;
  /** null where the caller prepared the rows. */
  readonly preprocessing?: Preprocessing | null;
  /** Why this method, where `auto` took it; null where it was named. */
  readonly choice?: ChoiceRecord | null;
  /** On how many threads it was fitted, and why; null where that is not known: it is in no file, and changes no number. */
  readonly threads?: ThreadsUsed | null;
}
