/**
 * What a task's rows say under a Gaussian prior, in the coordinates in which the prior is the identity and
 * the rows are uncoupled: everything else about the task follows from a few numbers per direction.
 *
 * With w = a + L z, z ~ N(0, I), and rows y = X w + e, the thin singular value decomposition X L = U S W^T
 * leaves independent observations U^T (y - X a) = S W^T z + e of the directions W^T z.
 * @module
 */
import { log } from "../../../core/elementary.js";
import { ConvergenceError, type Core, type Pointer } from "../../../core/index.js";

/** Rows of the tasks: X[N, d], the constant in the last column, and y[N]. */
export interface TaskRows {
  readonly x: Float64Array;
  readonly y: Float64Array;
  readonly offsets: ArrayLike<number>;
}

/** Squared singular values below this part of the largest are taken for zero. */
const NEGLIGIBLE = 1e-13;

/** One task's rows under a prior. Its arrays are overwritten by the next task. */
export class TaskSpectrum {
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
    for (let j = 0; j < k; j++) {
      const v = noise + spread * squares[j]!;
      sum += log(v) + observed[j]! ** 2 / v;
    }
    return -sum / 2;
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

/** Goes through tasks, one after the other. */
export class TaskSpectra {
  readonly m: number;
  readonly d: number;
  readonly #rows: TaskRows;
  readonly #core: Core;
  readonly #at: { gram: Pointer; values: Pointer; vectors: Pointer; work: Pointer };
  readonly #spectrum: TaskSpectrum;

  /** @param core where decompositions are made; its arena is used as long as this is. */
  constructor(core: Core, rows: TaskRows, d: number) {
    this.#core = core;
    this.#rows = rows;
    this.m = rows.offsets.length - 1;
    this.d = d;
    this.#spectrum = new TaskSpectrum(d);
    const { arena, kernels } = core;
    this.#at = {
      gram: arena.f64(d * d),
      values: arena.f64(d),
      vectors: arena.f64(d * d),
      work: arena.bytes(kernels.eighWorkspace(d)),
    };
  }

  /** Shows every task's spectrum under w = a + L z. */
  forEach(
    a: Float64Array,
    l: Float64Array,
    visit: (spectrum: TaskSpectrum, task: number) => void,
  ): void {
    for (let task = 0; task < this.m; task++) {
      this.#decompose(task, a, l);
      visit(this.#spectrum, task);
    }
  }

  #decompose(task: number, a: Float64Array, l: Float64Array): void {
    const { d } = this;
    const { x, y, offsets } = this.#rows;
    const from = offsets[task]!;
    const n = offsets[task + 1]! - from;
    const spectrum = this.#spectrum;
    const k = Math.min(n, d);
    spectrum.n = n;
    spectrum.k = k;
    const z = new Float64Array(n * d);
    const residual = new Float64Array(n);
    let total = 0;
    for (let row = 0; row < n; row++) {
      const at = (from + row) * d;
      let r = y[from + row]!;
      for (let c = 0; c < d; c++) {
        const value = x[at + c]!;
        r -= value * a[c]!;
        for (let j = 0; j <= c; j++) z[row * d + j]! += value * l[c * d + j]!;
      }
      residual[row] = r;
      total += r * r;
    }
    const wide = n < d;
    const gram = this.#gram(z, n, wide);
    const { values, vectors } = gram;
    const least = NEGLIGIBLE * Math.max(values[0] ?? 0, 0);
    let explained = 0;
    for (let j = 0; j < k; j++) {
      const square = values[j]! > least ? values[j]! : 0;
      spectrum.squares[j] = square;
      const s = Math.sqrt(square);
      let observed = 0;
      for (let c = 0; c < d; c++) spectrum.directions[j * d + c] = 0;
      if (s > 0 && wide) {
        for (let row = 0; row < n; row++) {
          const u = vectors[row * k + j]!;
          observed += u * residual[row]!;
          for (let c = 0; c < d; c++) spectrum.directions[j * d + c]! += (u * z[row * d + c]!) / s;
        }
      } else if (s > 0) {
        for (let c = 0; c < d; c++) spectrum.directions[j * d + c] = vectors[c * k + j]!;
        for (let row = 0; row < n; row++) {
          let projected = 0;
          for (let c = 0; c < d; c++) projected += z[row * d + c]! * vectors[c * k + j]!;
          observed += projected * residual[row]!;
        }
        observed /= s;
      }
      spectrum.observed[j] = observed;
      explained += observed * observed;
    }
    spectrum.rest = Math.max(total - explained, 0);
  }

  /** Eigenvalues, descending, and eigenvectors of Z Z^T (wide) or Z^T Z, of order min(n, d). */
  #gram(z: Float64Array, n: number, wide: boolean) {
    const { kernels, arena } = this.#core;
    const { gram, values, vectors, work } = this.#at;
    const { d } = this;
    const k = Math.min(n, d);
    const g = arena.view(gram, k * k);
    g.fill(0);
    if (wide) {
      for (let i = 0; i < n; i++) {
        for (let j = 0; j <= i; j++) {
          let sum = 0;
          for (let c = 0; c < d; c++) sum += z[i * d + c]! * z[j * d + c]!;
          g[i * k + j] = sum;
          g[j * k + i] = sum;
        }
      }
    } else {
      for (let row = 0; row < n; row++) {
        for (let i = 0; i < d; i++) {
          const factor = z[row * d + i]!;
          for (let j = 0; j <= i; j++) g[i * k + j]! += factor * z[row * d + j]!;
        }
      }
      for (let i = 0; i < k; i++) for (let j = 0; j < i; j++) g[j * k + i] = g[i * k + j]!;
    }
    if (k > 0 && kernels.eigh(gram, values, vectors, k, work) !== 0) {
      throw new ConvergenceError("mp-mixed: a task's decomposition did not converge");
    }
    return { values: arena.view(values, k), vectors: arena.view(vectors, k * k) };
  }
}
