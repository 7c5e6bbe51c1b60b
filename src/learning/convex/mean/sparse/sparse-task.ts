/**
 * One task with sparse rows, eliminated: u and b of min L(a + u, b) + lambda ||u||^2 for a given mean a.
 *
 * u is 0 but in the columns that the task uses, and so are the gradient of that minimum in a, -2 lambda u, and its
 * Hessian, 2 lambda (H + 2 lambda I)^-1 H with H the Hessian of L, the intercept eliminated.
 * @module
 */
import { marginError, marginLoss } from "../../../tasks/margin-losses.js";
import type { LossName } from "../../../tasks/losses.js";
import {
  columnSquares,
  gathered,
  times,
  timesTransposed,
  type CompactRows,
} from "../../../tasks/own-models/sparse/compact-rows.js";
import type { Zeros } from "../../../tasks/own-models/sparse/batch-room.js";
import { BorderedSystem } from "../../../tasks/own-models/sparse/bordered-system.js";
import type { RowRoom } from "../../../tasks/own-models/sparse/row-room.js";
import { backtrack } from "../../../steps/line-search.js";
import { dot, sum } from "../../../../linalg/dot.js";
import { noUniqueMinimum } from "../../../tasks/solves/unsolved-task.js";
import { labelsApart } from "../labels-apart.js";

/** As the kernel of Newton's method has it. */
const TOLERANCE = 1e-14;
const MOST_ITERATIONS = 100;
const MOST_HALVINGS = 60;
const ROUNDING = 1e-14;
const LEAST_CURVATURE = 1e-13;
const MOST_POLISHES = 40;

/** A task as it is given. */
export interface SparseTask {
  readonly rows: CompactRows;
  /** The columns that it uses among all, ascending, [k]. */
  readonly used: Uint32Array;
  readonly y: Float64Array;
  /** c s_j, factors of the rows' losses, [n]. */
  readonly factors: Float64Array;
  readonly loss: LossName;
  readonly intercept: boolean;
  readonly lambda: number;
  /** How errors name it. */
  readonly name: string;
}

/** The task with its present model. */
export class EliminatedTask {
  readonly given: SparseTask;
  /** w - a in the columns that are used, [k]; 0 in the others. */
  readonly u: Float64Array;
  b = 0;
  /** X w + b, [n]. */
  readonly margins: Float64Array;
  readonly #system: BorderedSystem;
  readonly #room: RowRoom;
  /** Of the room, as much as this task has columns and rows. */
  readonly #gradient: Float64Array;
  readonly #slopes: Float64Array;
  /** How often the margins were moved: by then, and at most; when the system was factored, and D then. */
  #moves = 0;
  #mostMoves = 0;
  #factoredAt = -1;
  readonly #curvatures: Float64Array;

  /** @param zeros where what it keeps comes from. @param room of all tasks of the batch. */
  constructor(given: SparseTask, zeros: Zeros, room: RowRoom) {
    const { rows } = given;
    this.given = given;
    this.#room = room;
    this.u = zeros(rows.k);
    this.margins = zeros(rows.n);
    this.#curvatures = zeros(rows.n);
    this.#gradient = room.gathered.subarray(0, rows.k);
    this.#slopes = room.slopes.subarray(0, rows.n);
    this.#system = new BorderedSystem(rows, given.intercept, zeros);
  }

  /**
   * Moves u and b to the minimum.
   * @param a [d].
   * @returns L + lambda ||u||^2 there.
   * @throws RangeError naming the task if that needs more than doubles have.
   */
  minimise(a: Float64Array): number {
    const { rows, used, lambda, intercept } = this.given;
    const room = this.#room;
    const centred = times(rows, gathered(a, used, room.gathered), 0, room.centred);
    const moveMargins = () => {
      times(rows, this.u, this.b, this.margins);
      for (let row = 0; row < rows.n; row++) this.margins[row]! += centred[row]!;
      this.#moved();
    };
    moveMargins();
    let value = this.loss(this.margins) + lambda * dot(this.u, this.u);
    for (let iteration = 0; iteration < MOST_ITERATIONS; iteration++) {
      this.#factor();
      const slopes = this.slopes();
      const gradient = timesTransposed(rows, slopes, this.#gradient);
      for (let c = 0; c < rows.k; c++) gradient[c]! += 2 * lambda * this.u[c]!;
      const slope = intercept ? sum(slopes) : 0;
      const step = this.#system.solve(gradient, slope, room.columns);
      const decrement = dot(gradient, step.v) + slope * step.level;
      const done = !(decrement / 2 > TOLERANCE * (1 + value));
      const level = this.b;
      room.before.set(this.u);
      const found = backtrack(
        {
          value,
          slope: -decrement,
          step: 1,
          mostHalvings: done ? 0 : MOST_HALVINGS,
          rounding: ROUNDING * (1 + Math.abs(value)),
        },
        (t) => {
          for (let c = 0; c < rows.k; c++) this.u[c] = room.before[c]! - t * step.v[c]!;
          this.b = level - t * step.level;
          moveMargins();
          return this.loss(this.margins) + lambda * dot(this.u, this.u);
        },
      );
      if (done) return this.loss(this.margins) + lambda * dot(this.u, this.u);
      if (!found) break;
      value = found.value;
    }
    throw noUniqueMinimum(this.given.name);
  }

  /** How far a[d] tells the labels apart; 0 of numbers. */
  labelsApart(a: Float64Array): number {
    const { rows, used, loss } = this.given;
    if (loss !== "logistic") return 0;
    return labelsApart({ ...this.given, scores: times(rows, gathered(a, used), 0) });
  }

  /** L of these margins. */
  loss(margins: Float64Array): number {
    const { loss, y, factors } = this.given;
    const half = loss === "squared" ? 0.5 : 1;
    let all = 0;
    for (let j = 0; j < y.length; j++) {
      all += factors[j]! * (half * marginError(loss, margins[j]!, y[j]!));
    }
    return all;
  }

  /** dL / d margin, [n]: in an array that the next task's go into. */
  slopes(): Float64Array {
    const { loss, y, factors } = this.given;
    const { slope } = marginLoss(loss);
    const slopes = this.#slopes;
    for (let j = 0; j < y.length; j++) slopes[j] = factors[j]! * slope(this.margins[j]!, y[j]!);
    return slopes;
  }

  /** Moves b alone to where dL/db is 0 to rounding, by Newton's steps that bring it nearer; |dL/db| there. */
  polishIntercept(): number {
    if (!this.given.intercept) return 0;
    let left = sum(this.slopes());
    for (let k = 0; k < MOST_POLISHES && left !== 0; k++) {
      const [b, moves, margins, before] = [this.b, this.#moves, this.margins, this.#room.centred];
      const step = left / this.#writeCurvatures(this.#room.weighted);
      this.b = b - step;
      before.set(margins);
      for (let j = 0; j < margins.length; j++) margins[j]! -= step;
      this.#moved();
      const now = sum(this.slopes());
      if (!(Math.abs(now) < Math.abs(left))) {
        for (let j = 0; j < margins.length; j++) margins[j] = before[j]!;
        [this.b, this.#moves] = [b, moves];
        break;
      }
      left = now;
    }
    return Math.abs(left);
  }

  /** 2 lambda (H + 2 lambda I)^-1 H v, at the present model, [k], for v[d]: at the start of an array that the next task's goes into. */
  curvatureTimes(v: Float64Array): Float64Array {
    const { rows, used, lambda, intercept } = this.given;
    this.#factor();
    const curvatures = this.#curvatures;
    const room = this.#room;
    const along = times(rows, gathered(v, used, room.gathered), 0, room.rows);
    const mean = intercept ? dot(curvatures, along) / sum(curvatures) : 0;
    for (let j = 0; j < rows.n; j++) along[j] = curvatures[j]! * (along[j]! - mean);
    const right = timesTransposed(rows, along, room.gathered);
    const { v: solved } = this.#system.solve(right, 0, room.columns);
    for (let c = 0; c < rows.k; c++) solved[c]! *= 2 * lambda;
    return solved;
  }

  /** About the diagonal of that matrix, [k]: what it would be if no row had two entries; where `curvatureTimes` leaves its result. */
  curvatureSizes(): Float64Array {
    const { rows, lambda } = this.given;
    this.#factor();
    const sizes = columnSquares(rows, this.#curvatures, this.#room.columns);
    for (let c = 0; c < rows.k; c++) {
      sizes[c] = (2 * lambda * sizes[c]!) / (sizes[c]! + 2 * lambda);
    }
    return sizes;
  }

  /** D at the present margins. @returns its trace. */
  #writeCurvatures(out: Float64Array): number {
    const { loss, factors } = this.given;
    const { secondDerivative } = marginLoss(loss);
    let trace = 0;
    for (let j = 0; j < factors.length; j++) {
      out[j] = factors[j]! * Math.max(secondDerivative(this.margins[j]!), LEAST_CURVATURE);
      trace += out[j]!;
    }
    return trace;
  }

  #moved(): void {
    this.#moves = ++this.#mostMoves;
  }

  /** Factors X^T D X + 2 lambda I at the present margins; the squared loss has one D for all. */
  #factor(): void {
    const { lambda, loss, name } = this.given;
    if (this.#factoredAt >= 0 && (loss === "squared" || this.#factoredAt === this.#moves)) return;
    this.#factoredAt = this.#moves;
    this.#writeCurvatures(this.#curvatures);
    if (!this.#system.factor(this.#curvatures, 2 * lambda)) throw noUniqueMinimum(name);
  }
}
