/**
 * Slopes of the losses moved to where the tasks' gradients sum to zero, for the duality gap.
 *
 * The penalty does not feel a common move of all tasks, so its conjugate at -G is ||G||_F^2 / (4 lambda) where sum_i g_i = 0 and
 * infinite elsewhere. Slopes theta taken at W are moved to the nearest ones that satisfy it: theta_ij - s_ij x_ij . v with
 * (sum_i X_i^T S_i X_i) v = sum_i g_i, s_ij the weights of the rows (which are centred within tasks where there are free
 * intercepts, which keeps sum_j theta_ij = 0).
 * @module
 */
import type { Pointer } from "../../../core/index.js";
import { marginLoss } from "../../tasks/margin-losses.js";
import type { ResidentTasks } from "../../tasks/resident-tasks.js";
import type { TaskRows } from "./dense/task-rows.js";
import type { PlacedModels } from "../../tasks/local-models.js";

/** Moves them, and has their conjugates. */
export class MovedSlopes {
  readonly #tasks: ResidentTasks;
  readonly #rows: TaskRows;
  readonly #repeated: Pointer;
  readonly #correction: Pointer;
  readonly #ignored: Pointer;
  readonly #margins: Pointer;
  /** X W + b, while the moves take the room of the margins. */
  readonly #kept: Float64Array;

  constructor(tasks: ResidentTasks, rows: TaskRows) {
    const { arena } = tasks.core;
    const { m, d } = tasks;
    this.#tasks = tasks;
    this.#rows = rows;
    this.#repeated = arena.f64(m * d);
    this.#correction = arena.f64(m * d);
    this.#ignored = arena.f64(m);
    this.#margins = arena.f64(tasks.rows);
    this.#kept = new Float64Array(tasks.rows);
  }

  /**
   * Moves gradients[m, d] by X_i^T S_i X_i v, which is a squared loss's gradient with targets 0.
   * @param v [d].
   * @param models at which gradients and slopes were taken.
   * @returns sum_j c s L*(theta / (c s)) of every task at the moved slopes, [m]; Infinity where one leaves the domain.
   */
  move(v: Pointer, models: PlacedModels, gradients: Pointer): Float64Array {
    const { m, d, core } = this.#tasks;
    const { arena, kernels } = core;
    const [repeated, correction] = [this.#repeated, this.#correction];
    for (let i = 0; i < m; i++) arena.view(repeated + 8 * i * d, d).set(arena.view(v, d));
    kernels.taskGradients(this.#rows.record, repeated, 0, correction, 0, this.#ignored);
    kernels.axpy(-1, correction, gradients, m * d);
    return this.#conjugates(models);
  }

  #conjugates({ weights, intercepts }: PlacedModels): Float64Array {
    const { m, core, at, y, offsets, scales, loss, rows } = this.#tasks;
    const { arena, kernels } = core;
    const { slope: slopeOf, conjugate } = marginLoss(loss);
    kernels.taskPredict(at, weights, intercepts, this.#margins);
    const margins = this.#kept;
    margins.set(arena.view(this.#margins, rows));
    kernels.taskPredict(this.#rows.record, this.#repeated, 0, this.#margins);
    const moves = arena.view(this.#margins, rows);
    const targets = arena.view(y, rows);
    const ends = arena.words(offsets, m + 1);
    const own = this.#tasks.sampleWeights();
    return Float64Array.from(arena.view(scales, m), (c, i) => {
      let sum = 0;
      for (let row = ends[i]!; row < ends[i + 1]!; row++) {
        const slope = slopeOf(margins[row]!, targets[row]!) - moves[row]! / c;
        const weight = own?.[row] ?? 1;
        if (weight > 0) sum += weight * (c * conjugate(slope, targets[row]!));
      }
      return sum;
    });
  }
}
