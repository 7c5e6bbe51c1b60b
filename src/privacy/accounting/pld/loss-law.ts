/**
 * The law of a privacy loss L = ln(P/Q), as tail probabilities under both worlds.
 * @module
 */

/** Which of two neighbours is P. Symmetric mechanisms have the same law both ways. */
export type Direction = "with-against-without" | "without-against-with";

/** Which bound on the cost is computed: the upper one may be claimed, the lower one shows how close that is. */
export type Bound = "upper" | "lower";

/** Tails at a loss l, each with relative accuracy: P(L > l), Q(L > l), P(L <= l), Q(L <= l). */
export interface Tails {
  pAbove: number;
  qAbove: number;
  pBelow: number;
  qBelow: number;
}

/** A loss of positive probability. */
export interface Atom {
  loss: number;
  p: number;
  q: number;
}

/** A privacy loss law. */
export interface LossLaw {
  /** Writes the tails at `loss` into `out`. P(L > l) includes the infinite loss. */
  tails(loss: number, out: Tails): void;
  /** P(L = infinity). */
  infinite: number;
  /** No finite loss is above it. */
  supremum: number;
  /** A slightly weaker law of the same kind with its atoms on the grid: a lower bound. */
  weakened?(step: number): LossLaw;
  /** Atoms with their masses under P and Q, ascending; the grid is laid through the last. */
  atoms: readonly Atom[];
  /** Whether there is nothing besides the atoms. */
  discrete: boolean;
  /** Ascending losses that resolve the law in its natural variable, first to last of its support. */
  nodes: Float64Array;
}

/** One kind of round in the composition. */
export interface Part {
  law: LossLaw;
  count: number;
}
