/**
 * The sum of a task's rows' gradients, each held to a norm: what one record moves of it does not grow with the task.
 *
 * **Statement.** v = u sum_j b_j clip_C(gradient of row j's loss at w), with b_j in {0, 1}, w and u not depending on the rows, moves by
 * at most u C in l2 if one row adds nothing instead, and by at most 2 u C if it is replaced. Clipping v to a norm does not make
 * that more.
 *
 * **Proof.** Row j's gradient depends on w, x_j and y_j alone; every other term is the same in both worlds, and each is of norm at
 * most u C. The projection onto a ball moves no two points apart. In floating point a term is shorter than its bound by a part
 * in 2^40, which is more than its rounding; that of the sum is in the sensitivity of exact noise (`computed-statistic.ts`). QED
 *
 * The gradient is the outer product of the row and the slopes of its loss, so its norm is the product of theirs.
 * @see Abadi et al. (2016), "Deep learning with differential privacy"; Goodfellow (2015), "Efficient per-example gradient computations".
 * @module
 */
import { largestMagnitude } from "../../../../core/largest.js";
import { LEAST_FACTOR } from "../../../../linalg/norm.js";
import type { Pointer } from "../../../../core/index.js";
import type { LinearModel } from "../../../models/linear-model.js";
import { lossAndSlopes } from "../../../models/output-losses.js";
import { rowsOf } from "../../../models/resident-model.js";

/** How rows count. */
export interface ClippedGradientsOptions {
  /** C > 0, bound on the l2 norm of one row's gradient. */
  readonly clip: number;
  /** u > 0, factor of every row. */
  readonly factor: number;
}

/** Pays for the rounding of a row's factor, of its norm and of the product. */
const BELOW_ONE = 1 - 2 ** -40;
/** Slopes that bring a longer row to a norm have lost digits. */
const MOST_NORM = 1 / LEAST_FACTOR;

/** Descent directions of linear models, row by row clipped. */
export class ClippedGradients {
  readonly #model: LinearModel;
  readonly #options: ClippedGradientsOptions;
  /** ||x_j|| of every row, [N]. */
  readonly #norms: Float64Array;
  /** Outputs, then slopes, of a task's rows. */
  readonly #outputs: Pointer;

  constructor(model: LinearModel, options: ClippedGradientsOptions) {
    const { tasks, outputs } = model;
    const { core, rows, d, x } = tasks;
    this.#model = model;
    this.#options = options;
    this.#norms = Float64Array.from({ length: rows }, (_, row) =>
      scaledNorm(core.arena.view(x + 8 * row * d, d)),
    );
    this.#outputs = core.arena.f64(tasks.mostRows * outputs);
  }

  /**
   * out <- - u sum_j b_j clip_C(gradient of row j at `at`), [parameters].
   * @param marks b_j of the task's rows; absent: all 1. Who counts does not show in the time it takes.
   */
  descent(task: number, at: Pointer, out: Pointer, marks?: Uint8Array): void {
    const { tasks, outputs: k } = this.#model;
    const { core, loss, y } = tasks;
    const { arena } = core;
    const { clip, factor } = this.#options;
    const { from, n } = rowsOf(tasks, task);
    this.#model.predict(task, at, this.#outputs);
    const slopes = arena.view(this.#outputs, n * k);
    lossAndSlopes(loss, slopes, arena.view(y + 8 * from, n), k);
    for (let j = 0; j < n; j++) {
      const own = slopes.subarray(j * k, (j + 1) * k);
      const size = scaledNorm(own) * this.#norms[from + j]!;
      const held = factor * BELOW_ONE * Math.min(1, clip / size);
      // A row that overflows adds nothing, nor does one so large that what it is multiplied by has lost its digits.
      const isExact = size < Infinity && held >= LEAST_FACTOR && this.#norms[from + j]! < MOST_NORM;
      const counts = isExact && (marks?.[j] ?? 1) === 1;
      const part = counts ? -held : 0;
      for (let c = 0; c < k; c++) own[c] = counts ? own[c]! * part : 0;
    }
    this.#model.pullback(task, at, this.#outputs, out);
  }
}

/** ||v||_2, without overflow on the way. */
function scaledNorm(v: Float64Array): number {
  const largest = largestMagnitude(v);
  if (!(largest > 0) || largest === Infinity) return largest;
  return largest * Math.sqrt(v.reduce((sum, x) => sum + (x / largest) ** 2, 0));
}
