/**
 * Exact proximal steps of tasks with far fewer rows than features, by systems of their rows.
 *
 * With H = Z^T Z and h = Z^T t, Z the rows (centred where a free intercept is minimised over) times the roots of their weights,
 * argmin (1/2) ||Z w - t||^2 + (rho/2) ||w - p||^2 = p + Z^T (Z Z^T + rho I)^-1 (t - Z p), by Woodbury's identity: n x n systems
 * instead of d x d.
 * @module
 */
import type { Core, Pointer } from "../../../core/index.js";
import { LOSS_CODES } from "../../tasks/losses.js";
import type { BatchSize } from "../../tasks/resident-size.js";
import type { ExactSolves } from "./exact-solves.js";
import type { Quadratics } from "./quadratics.js";
import { RootedRows } from "./rooted-rows.js";

/** Z_i, t_i, and the Cholesky factors of Z_i Z_i^T + rho I. */
export class RowSolves implements ExactSolves {
  readonly #core: Core;
  readonly #m: number;
  readonly #d: number;
  readonly #rows: RootedRows;
  /** First rows of the tasks, and where their factors begin, in numbers; [m + 1]. */
  readonly #ends: Uint32Array;
  readonly #squares: Float64Array;
  readonly #factors: Pointer;
  readonly #transposed: Pointer;
  readonly #work: Pointer;
  /** Of every row, [N]: its margin; and what is left of its target, then the solution. */
  readonly #margins: Pointer;
  readonly #left: Pointer;
  readonly #zeros: Pointer;
  readonly #steps: Pointer;
  readonly #ignored: Pointer;
  /** The kernels' records of Z with targets 0, and with `left`. */
  readonly #plain: Pointer;
  readonly #solved: Pointer;

  constructor(quadratics: Quadratics) {
    const { tasks } = quadratics;
    const { core, m, d, rows, mostRows } = tasks;
    const { arena, kernels } = core;
    [this.#core, this.#m, this.#d] = [core, m, d];
    this.#rows = new RootedRows(quadratics);
    this.#ends = arena.words(tasks.offsets, m + 1).slice();
    this.#squares = new Float64Array(m + 1);
    for (let i = 0; i < m; i++) {
      this.#squares[i + 1] = this.#squares[i]! + (this.#ends[i + 1]! - this.#ends[i]!) ** 2;
    }
    this.#factors = arena.f64(this.#squares[m]!, "the tasks' systems of rows");
    this.#transposed = arena.f64(mostRows * d);
    this.#work = arena.bytes(kernels.syrkWorkspace(d, mostRows));
    this.#margins = arena.f64(rows);
    this.#left = arena.f64(rows);
    this.#zeros = arena.zeros(m * d);
    this.#steps = arena.f64(m * d);
    this.#ignored = arena.f64(m);
    const ones = arena.copyOf(new Float64Array(m).fill(1));
    const plain = { x: this.#rows.at, scales: ones, weights: 0, loss: LOSS_CODES.squared };
    this.#plain = tasks.place({ ...plain, y: this.#rows.targets });
    this.#solved = tasks.place({ ...plain, y: this.#left });
  }

  /** Bytes that those of a batch take. */
  static bytes({ m, d, rows, mostRows }: BatchSize): number {
    return 8 * (rows * (d + 3 + mostRows) + m * (2 * d + 2) + 2 * mostRows * d + d);
  }

  curvatures(): Float64Array {
    const { kernels } = this.#core;
    this.#rows.write();
    return Float64Array.from({ length: this.#m }, (_, i) => {
      const { at, n } = this.#task(i);
      return kernels.dot(at, at, n * this.#d) / this.#d;
    });
  }

  prepare(rho: number): number {
    const { arena, kernels } = this.#core;
    const d = this.#d;
    this.#rows.write();
    for (let i = 0; i < this.#m; i++) {
      const { at, n, factor } = this.#task(i);
      kernels.transpose(at, this.#transposed, n, d);
      kernels.syrk(this.#transposed, factor, d, n, this.#work);
      const system = arena.view(factor, n * n);
      let trace = 0;
      for (let k = 0; k < n * n; k += n + 1) {
        trace += system[k]!;
        system[k]! += rho;
      }
      if (!(trace < Infinity) || kernels.cholesky(factor, n) !== 0) return i + 1;
    }
    return 0;
  }

  step(z: Pointer, v: Pointer, w: Pointer, relaxation: number): void {
    const { arena, kernels } = this.#core;
    const size = this.#m * this.#d;
    const rows = this.#ends[this.#m]!;
    kernels.extrapolate(z, v, w, size, 1);
    kernels.taskPredict(this.#plain, w, 0, this.#margins);
    arena.view(this.#left, rows).set(arena.view(this.#margins, rows));
    kernels.axpy(-1, this.#rows.targets, this.#left, rows);
    for (let i = 0; i < this.#m; i++) {
      const { n, factor } = this.#task(i);
      kernels.choleskySolve(factor, this.#left + 8 * this.#ends[i]!, n, 1);
    }
    // The gradient at zero of half the squared distance from `left` is -Z^T left.
    kernels.taskGradients(this.#solved, this.#zeros, 0, this.#steps, 0, this.#ignored);
    kernels.axpy(1, this.#steps, w, size);
    kernels.axpy(relaxation, w, v, size);
    kernels.axpy(-relaxation, z, v, size);
  }

  #task(i: number): { readonly at: Pointer; readonly n: number; readonly factor: Pointer } {
    const from = this.#ends[i]!;
    const at = this.#rows.at + 8 * from * this.#d;
    return { at, n: this.#ends[i + 1]! - from, factor: this.#factors + 8 * this.#squares[i]! };
  }
}
