/**
 * The Hessian of F(a) = sum_i min_{w,b} L_i(w, b) + lambda ||w - a||^2, the losses with the tasks eliminated, and the squares of
 * all rows, as sums over tasks that do not depend on how these are spread.
 *
 * With H_i = Z_i^T Z_i the Hessian of L_i (the intercept eliminated: rows centred by their curvatures), task i adds the parallel
 * sum of H_i and 2 lambda I: 2 lambda (H_i + 2 lambda I)^-1 H_i = Z_i^T (I + Z_i Z_i^T / (2 lambda))^-1 Z_i, by the smaller
 * of the two systems. Its entries are at most the smaller of 2 lambda and the trace of H_i.
 * @module
 */
import type { Pointer } from "../../../core/index.js";
import type { ReproducibleSum } from "../../../linalg/reproducible-sum.js";
import type { ResidentTasks } from "../../tasks/resident-tasks.js";
import type { ScaledRows, TaskRows } from "./dense/task-rows.js";

/** Where the terms go; absent: not wanted. */
export interface MeanSums {
  /** The sum of the terms of the Hessian, [d, d]. */
  readonly curvature: ReproducibleSum | undefined;
  /** The sum of X_i^T S_i X_i, [d, d]. */
  readonly squares: ReproducibleSum | undefined;
}

/** Part of 2 lambda from which on a column's curvature loses at most six bits in 1 - (1 - x). */
const PLAIN = 2 ** -6;

/** Adds every task's terms, for its present model. */
export class MeanCurvature {
  readonly #tasks: ResidentTasks;
  readonly #rows: TaskRows;
  readonly #lambda: number;
  readonly #blocks: Record<"transposed" | "solved" | "system" | "gram" | "zeros" | "work", Pointer>;
  readonly #margins: Pointer;

  constructor(tasks: ResidentTasks, rows: TaskRows, lambda: number) {
    const { d, core, mostRows: most } = tasks;
    const { arena, kernels } = core;
    const { syrkWorkspace, gemmWorkspace, taskResolventsWorkspace } = kernels;
    this.#tasks = tasks;
    this.#rows = rows;
    this.#lambda = lambda;
    this.#margins = tasks.loss === "squared" ? 0 : arena.f64(tasks.rows);
    const side = Math.min(most, d);
    const products = [syrkWorkspace(most, d), syrkWorkspace(d, most), gemmWorkspace(d, most, d)];
    this.#blocks = {
      transposed: arena.f64(side * d),
      solved: arena.f64(d * d),
      system: arena.f64(d * d),
      gram: arena.f64(d * d),
      zeros: arena.zeros(d),
      work: arena.bytes(Math.max(taskResolventsWorkspace(d), ...products)),
    };
  }

  /** Bytes that it takes. */
  static bytes(rows: number, d: number): number {
    return 8 * (rows + 7 * d * d);
  }

  add(weights: Pointer, intercepts: Pointer, { curvature, squares }: MeanSums): void {
    const { m, d, core, rows, loss } = this.#tasks;
    const { gram } = this.#blocks;
    const isSquared = loss === "squared";
    if (curvature && !isSquared) this.#tasks.predict(weights, intercepts, this.#margins);
    const margins = core.arena.view(this.#margins, isSquared ? 0 : rows);
    for (let i = 0; i < m; i++) {
      const own = squares || isSquared ? this.#rows.ofTask(i) : undefined;
      if (squares) {
        this.#gram(own!);
        squares.add(1, core.arena.view(gram, d * d));
      }
      if (!curvature) continue;
      const curved = this.#rows.curved(i, margins);
      if (curved.n < d) this.#byRows(curved, curvature);
      else {
        if (!squares || !isSquared) this.#gram(curved);
        this.#byColumns(curved.factor, curvature);
      }
    }
  }

  #gram({ at, n }: ScaledRows): void {
    const { gram, work } = this.#blocks;
    this.#tasks.core.kernels.syrk(at, gram, n, this.#tasks.d, work);
  }

  /** With the d x d system of the squares that were formed last, times `factor`. */
  #byColumns(factor: number, sum: ReproducibleSum): void {
    const { d, core } = this.#tasks;
    const { arena, kernels } = core;
    const { gram, system, solved, zeros, work } = this.#blocks;
    const shift = 2 * this.#lambda;
    arena.view(solved, d * d).set(arena.view(gram, d * d));
    // As 2 lambda (I - R), R = 2 lambda (H_i + 2 lambda I)^-1, where I hides no column: an inverse takes a third of d solutions.
    if (leastSquare(arena.view(gram, d * d), d) >= (PLAIN * shift) / factor) {
      if (kernels.taskResolvents(solved, zeros, shift / factor, 1, d, work) === 0) {
        const inverse = arena.view(solved, d * d);
        addToDiagonal(inverse, d, -1);
        sum.add(-shift, inverse);
        return;
      }
      arena.view(solved, d * d).set(arena.view(gram, d * d));
    }
    // A multiple of H_i + 2 lambda I.
    arena.view(system, d * d).set(arena.view(gram, d * d));
    addToDiagonal(arena.view(system, d * d), d, shift / factor);
    kernels.cholesky(system, d);
    kernels.choleskySolve(system, solved, d, d);
    sum.add(shift, arena.view(solved, d * d));
  }

  /** With the n x n system of its rows. */
  #byRows({ at, n, factor }: ScaledRows, sum: ReproducibleSum): void {
    const { d, core } = this.#tasks;
    const { arena, kernels } = core;
    const { transposed, system, solved, gram, work } = this.#blocks;
    const shift = (2 * this.#lambda) / factor;
    kernels.transpose(at, transposed, n, d);
    kernels.syrk(transposed, system, d, n, work);
    addToDiagonal(arena.view(system, n * n), n, shift);
    kernels.cholesky(system, n);
    arena.view(solved, n * d).set(arena.view(at, n * d));
    kernels.choleskySolve(system, solved, n, d);
    kernels.gemm(transposed, solved, gram, d, n, d, work);
    sum.add(2 * this.#lambda, arena.view(gram, d * d));
  }
}

function addToDiagonal(a: Float64Array, n: number, shift: number): void {
  for (let k = 0; k < n * n; k += n + 1) a[k]! += shift;
}

/** Least entry on the diagonal. */
function leastSquare(a: Float64Array, n: number): number {
  let least = Infinity;
  for (let k = 0; k < n * n; k += n + 1) least = Math.min(least, a[k]!);
  return least;
}
