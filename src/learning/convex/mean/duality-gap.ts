/**
 * Duality gap of min_W sum_i L_i(w_i) + lambda ||W - w_bar 1^T||_F^2.
 *
 * The penalty does not feel a common move of all tasks, so its conjugate at -G is
 * ||G||_F^2 / (4 lambda) where sum_i g_i = 0 and infinite elsewhere. Slopes theta taken at W are
 * moved to the nearest ones that satisfy it: theta_ij - s_ij x_ij . v with (sum_i X_i^T S_i X_i) v =
 * sum_i g_i, s_ij the weights of the rows (which are centred within tasks where there are free intercepts, which keeps
 * sum_j theta_ij = 0). The dual value there, -sum L*(theta) - ||G||^2 / (4 lambda), is a lower
 * bound on the optimum that trusts nothing about how W was found.
 * @module
 */
import type { Pointer } from "../../../core/index.js";
import type { Gap } from "../certificates/duality-gap.js";
import { polishIntercepts } from "../certificates/intercepts.js";
import { LOSS_CODES } from "../../tasks/losses.js";
import { marginLoss } from "../../tasks/margin-losses.js";
import type { ResidentTasks } from "../../tasks/resident-tasks.js";
import { leastNormSolver, sumOfRows } from "./least-norm.js";

/** Evaluates gaps; the pooled Gram matrix is factored once. */
export class MeanGap {
  readonly #tasks: ResidentTasks;
  readonly #lambda: number;
  readonly #rows: Pointer;
  /** Those rows with targets 0, squared loss and scales 1: the kernels' record. */
  readonly #centred: Pointer;
  readonly #solve: (b: Float64Array) => Float64Array;
  readonly #blocks: Record<"gradient" | "correction" | "repeated", Pointer>;
  readonly #interceptGradient: Pointer;
  readonly #losses: Pointer;
  readonly #margins: Pointer;

  constructor(tasks: ResidentTasks, lambda: number) {
    const { m, d, rows, core } = tasks;
    const { arena, kernels } = core;
    this.#tasks = tasks;
    this.#lambda = lambda;
    this.#rows = tasks.intercept ? centredRows(tasks) : tasks.x;
    this.#centred = tasks.place({
      ...{ x: this.#rows, y: arena.zeros(rows), loss: LOSS_CODES.squared },
      scales: arena.copyOf(new Float64Array(m).fill(1)),
    });
    const block = () => arena.f64(m * d);
    this.#blocks = { gradient: block(), correction: block(), repeated: block() };
    this.#interceptGradient = tasks.intercept ? arena.f64(m) : 0;
    this.#losses = arena.f64(m);
    this.#margins = arena.f64(rows);
    const mark = arena.mark();
    const gram = arena.f64(d * d);
    const rooted = rootedRows(tasks, this.#rows);
    kernels.syrk(rooted, gram, rows, d, arena.bytes(kernels.syrkWorkspace(rows, d)));
    this.#solve = leastNormSolver(arena.view(gram, d * d).slice(), d);
    arena.release(mark);
  }

  /** @param intercepts moved to their minimisers given W; or 0. */
  at(weights: Pointer, intercepts: Pointer): Gap {
    const { m, d, core } = this.#tasks;
    const { arena, kernels } = core;
    const { gradient, correction, repeated } = this.#blocks;
    const evaluate = () => {
      this.#tasks.gradients(weights, intercepts, gradient, this.#interceptGradient, this.#losses);
    };
    evaluate();
    const interceptResidual =
      intercepts === 0
        ? 0
        : polishIntercepts(core, m, intercepts, this.#interceptGradient, evaluate);
    const loss = arena.view(this.#losses, m).reduce((sum, value) => sum + value, 0);
    const objective = loss + this.#lambda * spread(arena.view(weights, m * d), m, d);

    const v = this.#solve(sumOfRows(arena.view(gradient, m * d), m, d));
    for (let i = 0; i < m; i++) arena.view(repeated + 8 * i * d, d).set(v);
    this.#centredSquares(repeated, correction);
    kernels.axpy(-1, correction, gradient, m * d);
    const price = spread(arena.view(gradient, m * d), m, d) / (4 * this.#lambda);
    const bound = Math.max(0, -this.#conjugate(weights, intercepts, repeated) - price);
    const relative = objective === 0 ? 0 : Math.max(0, (objective - bound) / objective);
    return { objective, relative, interceptResidual };
  }

  /** out[m,d] <- X_i^T S_i X_i v_i with centred rows: a squared-loss gradient with targets 0. */
  #centredSquares(v: Pointer, out: Pointer): void {
    this.#tasks.core.kernels.taskGradients(this.#centred, v, 0, out, 0, this.#losses);
  }

  /** sum of c s L*(theta / (c s)) at the moved slopes; Infinity where one leaves the domain. */
  #conjugate(weights: Pointer, intercepts: Pointer, v: Pointer): number {
    const { m, core, at, y, offsets, rows, scales, loss } = this.#tasks;
    const { arena, kernels } = core;
    const facts = marginLoss(loss);
    kernels.taskPredict(at, weights, intercepts, this.#margins);
    const margins = arena.view(this.#margins, rows).slice();
    kernels.taskPredict(this.#centred, v, 0, this.#margins);
    const moves = arena.view(this.#margins, rows);
    const targets = arena.view(y, rows);
    const ends = arena.words(offsets, m + 1);
    const own = this.#tasks.sampleWeights();
    let sum = 0;
    for (let i = 0; i < m; i++) {
      const c = arena.view(scales, m)[i]!;
      for (let row = ends[i]!; row < ends[i + 1]!; row++) {
        const slope = facts.slope(margins[row]!, targets[row]!) - moves[row]! / c;
        const weight = own?.[row] ?? 1;
        if (weight > 0) sum += weight * (c * facts.conjugate(slope, targets[row]!));
      }
    }
    return sum;
  }
}

/** ||V - v_bar 1^T||_F^2 for V[m,d]. */
function spread(v: Float64Array, m: number, d: number): number {
  const mean = sumOfRows(v, m, d).map((value) => value / m);
  let sum = 0;
  for (let k = 0; k < m * d; k++) sum += (v[k]! - mean[k % d]!) ** 2;
  return sum;
}

/** A copy of X[N,d] with every task's mean row taken off. */
function centredRows(tasks: ResidentTasks): Pointer {
  const { core, m, d, rows, x, offsets } = tasks;
  const { arena } = core;
  const weights = tasks.sampleWeights();
  const at = arena.f64(rows * d);
  const out = arena.view(at, rows * d);
  out.set(arena.view(x, rows * d));
  const ends = arena.words(offsets, m + 1);
  for (let i = 0; i < m; i++) {
    const n = ends[i + 1]! - ends[i]!;
    const task = out.subarray(ends[i]! * d, ends[i + 1]! * d);
    const own = weights?.subarray(ends[i], ends[i + 1]);
    const mean = sumOfRows(own ? weighted(task, own, d) : task, n, d).map((value) => value / n);
    for (let k = 0; k < task.length; k++) task[k]! -= mean[k % d]!;
  }
  return at;
}

/** Rows times weights. */
function weighted(rows: Float64Array, weights: Float64Array, d: number): Float64Array {
  return rows.map((value, k) => value * weights[Math.floor(k / d)]!);
}

/** X[N,d] itself, or with weights a copy whose rows are those times the roots of the weights. */
function rootedRows(tasks: ResidentTasks, x: Pointer): Pointer {
  const weights = tasks.sampleWeights();
  if (!weights) return x;
  const { core, rows, d } = tasks;
  return core.arena.copyOf(weighted(core.arena.view(x, rows * d), weights.map(Math.sqrt), d));
}
