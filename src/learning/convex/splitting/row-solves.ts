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
import type { ResidentTasks } from "../../tasks/resident-tasks.js";
import type { BatchSize } from "../../tasks/resident-size.js";
import type { ExactSolves } from "./exact-solves.js";
import type { Quadratics } from "./quadratics.js";
import { RootedRows } from "./rooted-rows.js";

/** Bytes of rows of tasks that take their steps together: they are still in the cache when they are read again. */
const GROUP_BYTES = 2 ** 18;

/** Consecutive tasks that take their steps together. */
interface Group {
  readonly first: number;
  readonly count: number;
  /** The kernels' records of Z with targets 0, and with `left`. */
  readonly plain: Pointer;
  readonly solved: Pointer;
}

/** Z_i, t_i, and the Cholesky factors of Z_i Z_i^T + rho I. */
export class RowSolves implements ExactSolves {
  readonly #core: Core;
  readonly #m: number;
  readonly #d: number;
  readonly #rows: RootedRows;
  /** Rows before each task, [m + 1]. */
  readonly #offsets: Uint32Array;
  /** Float64s of factors before each task's, [m + 1]. */
  readonly #factorOffsets: Float64Array;
  readonly #factors: Pointer;
  readonly #transposed: Pointer;
  readonly #work: Pointer;
  /** Of every row, [N]: what is left of its target, then the solution; and zeros. */
  readonly #left: Pointer;
  readonly #zeros: Pointer;
  /** Of the tasks of a group, [count, d]. */
  readonly #steps: Pointer;
  readonly #groups: readonly Group[];

  constructor(quadratics: Quadratics) {
    const { tasks } = quadratics;
    const { core, m, d, rows, mostRows } = tasks;
    const { arena, kernels } = core;
    [this.#core, this.#m, this.#d] = [core, m, d];
    this.#rows = new RootedRows(quadratics);
    this.#offsets = arena.words(tasks.offsets, m + 1).slice();
    this.#factorOffsets = new Float64Array(m + 1);
    for (let i = 0; i < m; i++) {
      this.#factorOffsets[i + 1] =
        this.#factorOffsets[i]! + (this.#offsets[i + 1]! - this.#offsets[i]!) ** 2;
    }
    this.#factors = arena.f64(this.#factorOffsets[m]!, "the tasks' systems of rows");
    this.#transposed = arena.f64(mostRows * d);
    this.#work = arena.bytes(kernels.syrkWorkspace(d, mostRows));
    this.#left = arena.f64(rows);
    this.#zeros = arena.zeros(rows);
    this.#groups = this.#grouped(tasks);
    const most = this.#groups.reduce((largest, { count }) => Math.max(largest, count), 1);
    this.#steps = arena.f64(most * d);
  }

  #grouped(tasks: ResidentTasks): Group[] {
    const { m, d } = tasks;
    const scales = tasks.core.arena.copyOf(new Float64Array(m).fill(1));
    const plain = { x: this.#rows.at, weights: 0, loss: LOSS_CODES.squared };
    const groups: Group[] = [];
    for (let first = 0, count; first < m; first += count) {
      const most = this.#offsets[first]! + GROUP_BYTES / (8 * d);
      count = 1;
      while (first + count < m && this.#offsets[first + count + 1]! <= most) count++;
      const range = { offsets: tasks.offsets + 4 * first, scales: scales + 8 * first, m: count };
      groups.push({
        first,
        count,
        plain: tasks.place({ ...plain, ...range, y: this.#rows.targets }),
        solved: tasks.place({ ...plain, ...range, y: this.#left }),
      });
    }
    return groups;
  }

  /** Bytes that those of a batch take. */
  static bytes({ m, d, rows, mostRows }: BatchSize): number {
    return 8 * (rows * (d + 3 + mostRows) + m * (d + 2) + 2 * mostRows * d + d);
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
    const d = this.#d;
    for (const group of this.#groups) {
      const at = 8 * group.first * d;
      this.#stepOf(group, z + at, v + at, w + at, relaxation);
    }
  }

  /** Of a group whose z, v and w begin here. */
  #stepOf(group: Group, z: Pointer, v: Pointer, w: Pointer, relaxation: number): void {
    const { kernels } = this.#core;
    const { first, count, plain, solved } = group;
    const size = count * this.#d;
    kernels.extrapolate(z, v, w, size, 1);
    kernels.taskPredict(plain, w, 0, this.#left);
    const from = 8 * this.#offsets[first]!;
    const rows = this.#offsets[first + count]! - this.#offsets[first]!;
    kernels.axpy(-1, this.#rows.targets + from, this.#left + from, rows);
    for (let i = first; i < first + count; i++) {
      const { n, factor } = this.#task(i);
      kernels.choleskySolve(factor, this.#left + 8 * this.#offsets[i]!, n, 1);
    }
    // The gradient at zero of half the squared distance from `left` is -Z^T left.
    kernels.taskGradientsOfMargins(solved, this.#zeros, 0, this.#steps, 0, 0);
    kernels.axpy(1, this.#steps, w, size);
    kernels.axpy(relaxation, w, v, size);
    kernels.axpy(-relaxation, z, v, size);
  }

  #task(i: number): { readonly at: Pointer; readonly n: number; readonly factor: Pointer } {
    const from = this.#offsets[i]!;
    const at = this.#rows.at + 8 * from * this.#d;
    return {
      at,
      n: this.#offsets[i + 1]! - from,
      factor: this.#factors + 8 * this.#factorOffsets[i]!,
    };
  }
}
