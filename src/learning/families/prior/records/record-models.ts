/**
 * Models that one record moves little: what tasks share where single records are hidden.
 *
 * **Statement.** Let w(D) minimise F(w) = sum_j h_j(w) + (Lambda / 2) ||w||^2 over the rows j of D, each h_j convex, of gradients
 * of norm at most C, and a function of its own row alone. If one row adds nothing instead, w moves by at most C / Lambda; if it
 * is replaced, by at most 2 C / Lambda. What is returned lies within CLOSE C / Lambda of w(D), so it moves by at most
 * 2 CLOSE C / Lambda more.
 *
 * **Proof.** At the minima w and w' of F and F' = F - h + h' (h' = 0 where the row adds nothing) grad F'(w') = 0, so
 * grad F(w') = grad h(w') - grad h'(w'), of norm at most C, or 2 C. F is Lambda-strongly convex, so
 * Lambda ||w - w'|| <= ||grad F(w) - grad F(w')|| = ||grad F(w')||. In the same way a point is within ||grad F|| / Lambda of w; it is
 * returned where the gradient as computed is below CLOSE C / 2. That is a sum of n vectors of norm at most C and of Lambda w, no
 * longer than n C (1 + CLOSE), whose rounding is below n (n + 8) 2^-52 C. Each vector has a margin z . w of s terms, so far off
 * as (s + 2) 2^-52 ||z|| ||w||, and a slope that is off by no more, so all of them are by n (s + 2) 2^-52 ||z||^2 n C / Lambda. Sizes that
 * make the two CLOSE C / 4 are refused.
 *
 * h_j is the loss of row j with its slope held to C / ||z_j||. A nondecreasing function of the margin that is held between two
 * numbers is nondecreasing, so h_j is convex (for the squared loss Huber's), and its gradient is that slope times z_j. QED
 *
 * z = (x, 1), or x without intercept. Lambda and C are the same for all tasks, so what a record moves is as well.
 * @see Chaudhuri, Monteleoni, Sarwate (2011), Lemma 8; Nesterov (2018), "Lectures on convex optimization", 2.2, for the steps.
 * @module
 */
import { ConvergenceError, DataError } from "../../../../core/index.js";
import { norm } from "../../../../linalg/norm.js";
import { marginLoss } from "../../../tasks/margin-losses.js";
import type { LossName } from "../../../tasks/losses.js";
import { LONGEST } from "./record-settings.js";

/** How far from the minimum what is returned may lie, in units of C / Lambda. */
export const CLOSE = 1e-3;

/** Bound on the rounding of a gradient of n rows of s coordinates, in units of C. */
const rounding = (n: number, s: number, penalty: number) =>
  n * (n + 8 + (LONGEST * LONGEST * (s + 2) * n) / penalty) * 2 ** -52;

/** Steps for every root of the condition number: e^-200 of the distance is far below every tolerance. */
const STEPS = 200;

/** Rows of a batch of tasks. */
export interface BoundedRows {
  readonly x: Float64Array;
  /** Targets, or labels of -1 and 1. */
  readonly y: Float64Array;
  readonly offsets: ArrayLike<number>;
  readonly names: readonly string[];
  readonly d: number;
}

export interface RecordModelOptions {
  readonly loss: LossName;
  readonly intercept: boolean;
  /** C > 0. */
  readonly clip: number;
  /** Lambda > 0. */
  readonly penalty: number;
}

/** The models of a batch of tasks, [m, d], without their intercepts. */
export class RecordModels {
  readonly #rows: BoundedRows;
  readonly #options: RecordModelOptions;

  /** @throws DataError for a task of so many rows that the bound does not cover rounding. */
  constructor(rows: BoundedRows, options: RecordModelOptions) {
    const { offsets, names, d } = rows;
    const side = d + (options.intercept ? 1 : 0);
    for (let i = 0; i + 1 < offsets.length; i++) {
      const n = offsets[i + 1]! - offsets[i]!;
      if (rounding(n, side, options.penalty) > CLOSE / 4) {
        throw new DataError(
          `task ${JSON.stringify(names[i])}: ${n} rows of ${d} features are more than the bound on what one record moves covers in double ` +
            "precision; leave rows out, or use mp-mixed",
        );
      }
    }
    this.#rows = rows;
    this.#options = options;
  }

  /**
   * @param map T [d, d]: models z are of the features T x; default as they are.
   * @throws ConvergenceError naming a task whose model double precision does not tell.
   */
  solve(map?: Float64Array): Float64Array {
    const { x, y, offsets, names, d } = this.#rows;
    const m = offsets.length - 1;
    const models = new Float64Array(m * d);
    for (let i = 0; i < m; i++) {
      const [from, to] = [offsets[i]!, offsets[i + 1]!];
      const z = this.#coordinates(x.subarray(from * d, to * d), map);
      const found = this.#minimum(z, y.subarray(from, to));
      if (!found) {
        throw new ConvergenceError(
          `task ${JSON.stringify(names[i])}: the model that it shares was not found in double precision. Look for values in its ` +
            "rows that are far from all others, or declare the columns' ranges.",
        );
      }
      models.set(found.subarray(0, d), i * d);
    }
    return models;
  }

  /** Rows in the coordinates of the models, the constant last, shrunk to a norm; each by itself. */
  #coordinates(x: Float64Array, map: Float64Array | undefined): Float64Array {
    const { d } = this.#rows;
    const side = d + (this.#options.intercept ? 1 : 0);
    const n = x.length / d;
    const z = new Float64Array(n * side);
    for (let j = 0; j < n; j++) {
      const row = x.subarray(j * d, (j + 1) * d);
      const own = z.subarray(j * side, (j + 1) * side);
      for (let a = 0; a < d; a++) {
        if (map) for (let b = 0; b < d; b++) own[a]! += map[a * d + b]! * row[b]!;
        else own[a] = row[a]!;
      }
      if (side > d) own[d] = 1;
      const length = norm(own);
      if (!Number.isFinite(length)) own.fill(0);
      else if (length > LONGEST) for (let a = 0; a < side; a++) own[a]! *= LONGEST / length;
    }
    return z;
  }

  /** By accelerated gradient steps, to where the gradient says that the minimum is near; undefined if it never does. */
  #minimum(z: Float64Array, y: Float64Array): Float64Array | undefined {
    const { penalty, clip } = this.#options;
    const n = y.length;
    const side = this.#rows.d + (this.#options.intercept ? 1 : 0);
    const lengths = Float64Array.from({ length: n }, (_, j) =>
      norm(z.subarray(j * side, (j + 1) * side)),
    );
    // Slopes of both losses rise by at most 1 for one of the margin.
    const smoothness = lengths.reduce((sum, length) => sum + length * length, penalty);
    const root = Math.sqrt(smoothness / penalty);
    const momentum = (root - 1) / (root + 1);
    const at = new Float64Array(side);
    const gradient = new Float64Array(side);
    let last = new Float64Array(side);
    for (let step = 0; step <= 100 + STEPS * root; step++) {
      this.#gradient(z, y, lengths, at, gradient);
      if (norm(gradient) <= (CLOSE * clip) / 2) return at;
      const next = at.map((value, a) => value - gradient[a]! / smoothness);
      for (let a = 0; a < side; a++) at[a] = next[a]! + momentum * (next[a]! - last[a]!);
      last = next;
    }
    return undefined;
  }

  #gradient(
    z: Float64Array,
    y: Float64Array,
    lengths: Float64Array,
    at: Float64Array,
    out: Float64Array,
  ): void {
    const { penalty, clip, loss } = this.#options;
    const { slope } = marginLoss(loss);
    const side = at.length;
    for (let a = 0; a < side; a++) out[a] = penalty * at[a]!;
    for (let j = 0; j < y.length; j++) {
      if (lengths[j] === 0) continue;
      const row = z.subarray(j * side, (j + 1) * side);
      let margin = 0;
      for (let a = 0; a < side; a++) margin += row[a]! * at[a]!;
      const most = (clip / lengths[j]!) * BELOW_ONE;
      const held = Math.max(-most, Math.min(most, slope(margin, y[j]!)));
      for (let a = 0; a < side; a++) out[a]! += held * row[a]!;
    }
  }
}

/** Pays for the rounding of a row's norm and of its gradient. */
const BELOW_ONE = 1 - 2 ** -40;
