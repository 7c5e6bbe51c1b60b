/**
 * What a task's rows say under a Gaussian prior, in the coordinates in which the prior is the identity and
 * the rows are uncoupled: everything else about the task follows from a few numbers per direction.
 *
 * With w = a + L z, z ~ N(0, I), and rows y = X w + e, the thin singular value decomposition X L = U S W^T
 * leaves independent observations U^T (y - X a) = S W^T z + e of the directions W^T z.
 * @module
 */
import { log } from "../../../../core/elementary.js";

/** A product of variances is not carried beyond these: one variance more, up to squares of 1e60, keeps it a number. */
const LARGE = 1e150;
const SMALL = 1e-150;

/** Rows of the tasks: X[N, d], the constant in the last column, and y[N]. */
export interface TaskRows {
  readonly x: Float64Array;
  readonly y: Float64Array;
  readonly offsets: ArrayLike<number>;
  /** How many rows those of each task stand for, where they have the moments of others. */
  readonly counts?: ArrayLike<number>;
  /** Of the tasks, for messages. */
  readonly names?: readonly string[] | undefined;
}

/** One task's rows under a prior. */
export class TaskSpectrum {
  /** A number of the task's rows, whatever the prior: where it begins among public draws. */
  place = 0;
  /** Rows, and directions: min(n, d). */
  n = 0;
  k = 0;
  /** Squared singular values, [k]. */
  readonly squares: Float64Array;
  /** Observations of the directions, [k]. */
  readonly observed: Float64Array;
  /** Sum of the squares of what no direction explains. */
  rest = 0;
  /** The directions as rows, [k, d]: W^T. */
  readonly directions: Float64Array;

  constructor(d: number) {
    this.squares = new Float64Array(d);
    this.observed = new Float64Array(d);
    this.directions = new Float64Array(d * d);
  }

  /**
   * Log marginal likelihood of the rows, up to a constant, with noise `noise` and the prior `spread` times as wide.
   */
  logLikelihood(spread: number, noise: number): number {
    const { n, k, squares, observed, rest } = this;
    let sum = (n - k) * log(noise) + rest / noise;
    // A logarithm takes ten times as long as a product.
    let product = 1;
    for (let j = 0; j < k; j++) {
      const v = noise + spread * squares[j]!;
      sum += observed[j]! ** 2 / v;
      product *= v;
      if (product > LARGE || product < SMALL) {
        sum += log(product);
        product = 1;
      }
    }
    return -(sum + log(product)) / 2;
  }

  /** Adds `weight` times the posterior mean of z, under the same, to `into`, [d]. */
  addMean(spread: number, noise: number, weight: number, into: Float64Array): void {
    const { k, squares, observed, directions } = this;
    const d = into.length;
    for (let j = 0; j < k; j++) {
      const s = Math.sqrt(squares[j]!);
      const factor = (weight * spread * s * observed[j]!) / (noise + spread * squares[j]!);
      for (let c = 0; c < d; c++) into[c]! += factor * directions[j * d + c]!;
    }
  }
}
