/**
 * Systems of one task's sparse rows X with weights D and a free intercept beside the penalty p:
 *
 *     [ X^T D X + p I   X^T D 1 ] [ v     ]   [ right ]
 *     [ 1^T D X         1^T D 1 ] [ level ] = [ below ]
 *
 * for many D and p, by elimination of the level.
 * @module
 */
import { dot } from "../../../../linalg/dot.js";
import type { Zeros } from "./batch-room.js";
import { timesTransposed, type CompactRows } from "./compact-rows.js";
import { SparseSystem } from "./sparse-system.js";

/** A solution; the level is 0 without an intercept. */
export interface BorderedSolution {
  /** In the columns that the task uses, [k]. */
  readonly v: Float64Array;
  readonly level: number;
}

/** Without an intercept the border is not there. */
export class BorderedSystem {
  readonly #rows: CompactRows;
  readonly #intercept: boolean;
  readonly #system: SparseSystem;
  /** X^T D 1, what the system's inverse makes of it, and what it leaves of 1^T D 1. */
  readonly #cross: Float64Array;
  readonly #through: Float64Array;
  #rest = 0;

  /** @param zeros where its arrays come from. */
  constructor(rows: CompactRows, intercept: boolean, zeros: Zeros) {
    this.#rows = rows;
    this.#intercept = intercept;
    this.#system = new SparseSystem(rows, zeros);
    const k = intercept ? rows.k : 0;
    [this.#cross, this.#through] = [zeros(k), zeros(k)];
  }

  /**
   * Takes D = diag(weights), all > 0, and p > 0.
   * @returns whether there is one solution in double precision.
   */
  factor(weights: Float64Array, p: number): boolean {
    if (!this.#system.factor(weights, p)) return false;
    if (!this.#intercept) return true;
    timesTransposed(this.#rows, weights, this.#cross);
    this.#system.solve(this.#cross, this.#through);
    let mass = 0;
    for (let row = 0; row < this.#rows.n; row++) mass += weights[row]!;
    this.#rest = mass - dot(this.#cross, this.#through);
    return this.#rest > 0;
  }

  /** The solution for right[k] and below. @param room for v, or for more; not `right`. */
  solve(right: Float64Array, below: number, room: Float64Array): BorderedSolution {
    const v = this.#system.solve(right, room);
    if (!this.#intercept) return { v, level: 0 };
    const level = (below - dot(this.#cross, v)) / this.#rest;
    for (let c = 0; c < this.#cross.length; c++) v[c]! -= this.#through[c]! * level;
    return { v, level };
  }
}
