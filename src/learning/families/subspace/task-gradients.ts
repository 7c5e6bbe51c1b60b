/**
 * The gradient of every task's loss in the shared directions, its own coefficients fitted: rank one, g zh^T.
 *
 * A task with rows X, y and the basis U fits z = argmin |y - X U z|; with r = y - X U z the gradient of |r|^2 / 2 in U is
 * -X^T r z^T (variable projection, Golub and Pereyra 1973). Divided by |z|^2 and the rows that are left it does not depend
 * on the scale of y: g = (I - U U^T) X^T r / (|z| (n - k)), zh = z / |z|. For rows of unit covariance its expectation is the part
 * of the task's model outside of U, times zh^T / |z|.
 * @module
 */
import type { OwnRows, OwnTask } from "./own-rows.js";
import type { Subspace } from "./spectrum.js";

/** Columns shorter than this, relative to what they were, lie in the span of the others. */
const NEGLIGIBLE = 1e-10;

/** Gradients of a batch, each g zh^T. */
export interface TaskGradients {
  /** [m, d]. */
  readonly g: Float64Array;
  /** [m, k], of length 1. */
  readonly zh: Float64Array;
  /** |g|, [m]; -1 where a task has none: too few rows, or nothing that its coefficients explain. */
  readonly sizes: Float64Array;
}

/** Gradients at a subspace. */
export function taskGradients(rows: OwnRows, subspace: Subspace): TaskGradients {
  const { m, d } = rows;
  const { k, basis } = subspace;
  const found = {
    g: new Float64Array(m * d),
    zh: new Float64Array(m * k),
    sizes: new Float64Array(m).fill(-1),
  };
  const fit = new CoefficientFit(k);
  for (let i = 0; i < m; i++) {
    const task = rows.task(i);
    if (task.freedom <= k || !fit.solve(task, subspace)) continue;
    const g = found.g.subarray(i * d, (i + 1) * d);
    const factor = 1 / (fit.length * (task.freedom - k));
    for (let row = 0; row < task.n; row++) {
      const value = factor * fit.residuals[row]!;
      for (let j = 0; j < d; j++) g[j]! += value * task.x[row * d + j]!;
    }
    for (let a = 0; a < k; a++) {
      let dot = 0;
      for (let j = 0; j < d; j++) dot += g[j]! * basis[a * d + j]!;
      for (let j = 0; j < d; j++) g[j]! -= dot * basis[a * d + j]!;
      found.zh[i * k + a] = fit.z[a]! / fit.length;
    }
    let square = 0;
    for (let j = 0; j < d; j++) square += g[j]! * g[j]!;
    if (square < Infinity) found.sizes[i] = Math.sqrt(square);
  }
  return found;
}

/** Least squares of one task after the other in k coordinates, by Gram-Schmidt. */
class CoefficientFit {
  readonly z: Float64Array;
  /** |z|. */
  length = 0;
  residuals = new Float64Array(0);
  readonly #k: number;
  readonly #r: Float64Array;
  #q = new Float64Array(0);

  constructor(k: number) {
    this.#k = k;
    this.z = new Float64Array(k);
    this.#r = new Float64Array(k * k);
  }

  /** Whether the coefficients are determined and not all zero. */
  solve({ n, d, x, y }: OwnTask, { basis }: Subspace): boolean {
    const k = this.#k;
    if (this.residuals.length < n) {
      this.residuals = new Float64Array(n);
      this.#q = new Float64Array(n * k);
    }
    const [q, r, z, residuals] = [this.#q, this.#r, this.z, this.residuals];
    for (let a = 0; a < k; a++) {
      let whole = 0;
      for (let row = 0; row < n; row++) {
        let value = 0;
        for (let j = 0; j < d; j++) value += x[row * d + j]! * basis[a * d + j]!;
        q[a * n + row] = value;
        whole += value * value;
      }
      r.fill(0, a * k, a * k + a);
      for (let pass = 0; pass < 2; pass++) {
        for (let b = 0; b < a; b++) {
          let dot = 0;
          for (let row = 0; row < n; row++) dot += q[a * n + row]! * q[b * n + row]!;
          for (let row = 0; row < n; row++) q[a * n + row]! -= dot * q[b * n + row]!;
          r[a * k + b]! += dot;
        }
      }
      let square = 0;
      for (let row = 0; row < n; row++) square += q[a * n + row]! ** 2;
      if (!(square > NEGLIGIBLE ** 2 * whole)) return false;
      const root = Math.sqrt(square);
      r[a * k + a] = root;
      for (let row = 0; row < n; row++) q[a * n + row]! /= root;
    }
    for (let row = 0; row < n; row++) residuals[row] = y[row]!;
    for (let a = 0; a < k; a++) {
      let dot = 0;
      for (let row = 0; row < n; row++) dot += q[a * n + row]! * residuals[row]!;
      for (let row = 0; row < n; row++) residuals[row]! -= dot * q[a * n + row]!;
      z[a] = dot;
    }
    let square = 0;
    for (let a = k - 1; a >= 0; a--) {
      // r holds R^T: row a is column a of R.
      for (let b = a + 1; b < k; b++) z[a]! -= r[b * k + a]! * z[b]!;
      z[a]! /= r[a * k + a]!;
      square += z[a]! ** 2;
    }
    this.length = Math.sqrt(square);
    return square > 0 && square < Infinity;
  }
}
