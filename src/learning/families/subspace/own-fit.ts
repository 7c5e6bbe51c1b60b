/**
 * A task's own model, given the subspace: the average of posterior means under w ~ N(0, s (U U^T + rho I)) with noise of
 * variance s nu on its rows, over public grids of rho and nu, each weighed by its evidence, s by its most likely value.
 *
 * Among the hypotheses is w ~ N(0, s I), the task alone: one whose model lies outside of the subspace learns so from
 * its own rows.
 * @see MacKay (1992), "Bayesian interpolation"
 * @module
 */
import { exp, log } from "../../../core/elementary.js";
import { eigh } from "../../../linalg/index.js";
import { multiply } from "../../../linalg/small-matrices.js";
import type { OwnTask } from "./own-rows.js";
import { NOISE, OUTSIDE } from "./settings.js";
import type { Subspace } from "./spectrum.js";

/** A model, and what its rows say for having it alone. */
export interface OwnFit {
  /** [d], of the scaled rows. */
  readonly model: Float64Array;
  /** Weight of w ~ N(0, s I), 0 to 1. */
  readonly alone: number;
}

/** w ~ N(0, s (inside U U^T + rho I)). */
interface Hypothesis {
  readonly inside: 0 | 1;
  readonly rho: number;
}

const ALONE: Hypothesis = { inside: 0, rho: 1 };
const SHARED: readonly Hypothesis[] = OUTSIDE.map((rho) => ({ inside: 1, rho }));

/** A A^T or A^T A decomposed, A = X L, L L^T the prior's covariance. */
interface Decomposed {
  readonly size: number;
  readonly values: Float64Array;
  readonly vectors: Float64Array;
  /** The right-hand side in the eigenvectors, [size]. */
  readonly observed: Float64Array;
}

/** The model of a task; without a subspace the task's alone. */
export function ownFit(task: OwnTask, subspace: Subspace | null): OwnFit {
  const { d, y, freedom } = task;
  const model = new Float64Array(d);
  let square = 0;
  for (const value of y) square += value ** 2;
  const useful = freedom > 0 && square > 0 && square < Infinity;
  if (!useful) return { model, alone: subspace ? 0 : 1 };
  const hypotheses = subspace ? [...SHARED, ALONE] : [ALONE];
  const posterior = task.n <= d ? new RowPosterior(task, subspace) : new FeaturePosterior(task, subspace); // prettier-ignore
  const parts = hypotheses.map((hypothesis) => posterior.decompose(hypothesis));
  const logs = parts.map((part) => evidences(part, { freedom, square }));
  const most = logs.reduce((a, of) => of.reduce((b, value) => Math.max(b, value), a), -Infinity);
  let [total, alone] = [0, 0];
  const weights = logs.map((of, h) =>
    of.map((value) => {
      const weight = exp(value - most);
      total += weight;
      if (hypotheses[h] === ALONE) alone += weight;
      return weight;
    }),
  );
  parts.forEach((part, h) => {
    const own = weights[h]!.map((weight) => weight / total);
    posterior.add(hypotheses[h]!, averaged(part, own), model);
  });
  return { model, alone: alone / total };
}

/** Log evidence of every variance of the noise, up to a constant. */
function evidences(
  { size, values, observed }: Decomposed,
  { freedom, square }: { freedom: number; square: number },
): Float64Array {
  return Float64Array.from(NOISE, (noise) => {
    let [determinant, form, explained] = [(freedom - size) * log(noise), 0, 0];
    for (let t = 0; t < size; t++) {
      const variance = Math.max(values[t]!, 0) + noise;
      determinant += log(variance);
      form += observed[t]! ** 2 / variance;
      explained += observed[t]! ** 2;
    }
    form += Math.max(square - explained, 0) / noise;
    return -(freedom * log(form) + determinant) / 2;
  });
}

/** V diag(sum over noises of weight / (value + noise)) V^T times the right-hand side. */
function averaged({ size, values, vectors, observed }: Decomposed, weights: Float64Array) {
  const out = new Float64Array(size);
  for (let t = 0; t < size; t++) {
    let factor = 0;
    for (let at = 0; at < NOISE.length; at++) {
      factor += weights[at]! / (Math.max(values[t]!, 0) + NOISE[at]!);
    }
    factor *= observed[t]!;
    for (let row = 0; row < size; row++) out[row]! += factor * vectors[row * size + t]!;
  }
  return out;
}

/** Solves in coordinates of the rows: n <= d. */
class RowPosterior {
  readonly #task: OwnTask;
  readonly #subspace: Subspace | null;
  /** X X^T, and X U U^T X^T. */
  readonly #all: Float64Array;
  readonly #inside: Float64Array;

  constructor(task: OwnTask, subspace: Subspace | null) {
    const { n, d, x } = task;
    this.#task = task;
    this.#subspace = subspace;
    this.#all = rowProducts(x, n, d);
    this.#inside = subspace
      ? rowProducts(coordinates(task, subspace), n, subspace.k)
      : new Float64Array(n * n);
  }

  decompose({ inside, rho }: Hypothesis): Decomposed {
    const { n: size, y } = this.#task;
    const gram = this.#all.map((value, at) => rho * value + inside * this.#inside[at]!);
    const { values, vectors } = eigh(gram, size);
    const observed = new Float64Array(size);
    for (let row = 0; row < size; row++) {
      for (let t = 0; t < size; t++) observed[t]! += vectors[row * size + t]! * y[row]!;
    }
    return { size, values, vectors, observed };
  }

  /** Adds (inside U U^T + rho I) X^T a. */
  add({ inside, rho }: Hypothesis, a: Float64Array, model: Float64Array): void {
    const { n, d, x } = this.#task;
    const v = new Float64Array(d);
    for (let row = 0; row < n; row++) {
      for (let j = 0; j < d; j++) v[j]! += a[row]! * x[row * d + j]!;
    }
    for (let j = 0; j < d; j++) model[j]! += rho * v[j]!;
    if (inside) addProjected(v, this.#subspace!, 1, model);
  }
}

/** Solves in coordinates of the features: n > d. */
class FeaturePosterior {
  readonly #d: number;
  readonly #subspace: Subspace | null;
  /** X^T X, and X^T y. */
  readonly #all: Float64Array;
  readonly #moment: Float64Array;

  constructor({ n, d, x, y }: OwnTask, subspace: Subspace | null) {
    this.#d = d;
    this.#subspace = subspace;
    this.#all = new Float64Array(d * d);
    this.#moment = new Float64Array(d);
    for (let row = 0; row < n; row++) {
      for (let j = 0; j < d; j++) {
        const value = x[row * d + j]!;
        this.#moment[j]! += value * y[row]!;
        for (let c = 0; c <= j; c++) this.#all[j * d + c]! += value * x[row * d + c]!;
      }
    }
    for (let j = 0; j < d; j++) for (let c = 0; c < j; c++) this.#all[c * d + j] = this.#all[j * d + c]!; // prettier-ignore
  }

  decompose(hypothesis: Hypothesis): Decomposed {
    const size = this.#d;
    const root = this.#root(hypothesis);
    const half = multiply(root, this.#all, size, size, size);
    const product = multiply(half, root, size, size, size);
    for (let j = 0; j < size; j++) {
      for (let c = 0; c < j; c++) {
        const mean = (product[j * size + c]! + product[c * size + j]!) / 2;
        product[j * size + c] = product[c * size + j] = mean;
      }
    }
    const { values, vectors } = eigh(product, size);
    const moment = multiply(root, this.#moment, size, size, 1);
    const observed = new Float64Array(size);
    const least = 1e-13 * Math.max(values[0]!, 0);
    for (let t = 0; t < size; t++) {
      if (!(values[t]! > least)) continue;
      for (let j = 0; j < size; j++) observed[t]! += vectors[j * size + t]! * moment[j]!;
      observed[t]! /= Math.sqrt(values[t]!);
    }
    return { size, values, vectors: byRoots(vectors, values, least), observed };
  }

  /** Adds L a: the right-hand side was divided by singular values, which the vectors were multiplied with. */
  add(hypothesis: Hypothesis, a: Float64Array, model: Float64Array): void {
    const size = this.#d;
    const part = multiply(this.#root(hypothesis), a, size, size, 1);
    for (let j = 0; j < size; j++) model[j]! += part[j]!;
  }

  /** The symmetric root L of inside U U^T + rho I. */
  #root({ inside, rho }: Hypothesis): Float64Array {
    const size = this.#d;
    const out = new Float64Array(size * size);
    const base = Math.sqrt(rho);
    for (let j = 0; j < size; j++) out[j * size + j] = base;
    if (!inside) return out;
    const { k, basis } = this.#subspace!;
    const factor = Math.sqrt(1 + rho) - base;
    for (let a = 0; a < k; a++) {
      for (let j = 0; j < size; j++) {
        const value = factor * basis[a * size + j]!;
        for (let c = 0; c < size; c++) out[j * size + c]! += value * basis[a * size + c]!;
      }
    }
    return out;
  }
}

/** Column t times the root of value t; 0 for values that are none. */
function byRoots(vectors: Float64Array, values: Float64Array, least: number): Float64Array {
  const size = values.length;
  const roots = values.map((value) => (value > least ? Math.sqrt(value) : 0));
  return vectors.map((value, at) => value * roots[at % size]!);
}

/** A A^T for A[n, q]. */
function rowProducts(a: Float64Array, n: number, q: number): Float64Array {
  const out = new Float64Array(n * n);
  for (let i = 0; i < n; i++) {
    for (let l = 0; l <= i; l++) {
      let sum = 0;
      for (let j = 0; j < q; j++) sum += a[i * q + j]! * a[l * q + j]!;
      out[i * n + l] = out[l * n + i] = sum;
    }
  }
  return out;
}

/** X U, [n, k]. */
function coordinates({ n, d, x }: OwnTask, { k, basis }: Subspace): Float64Array {
  const out = new Float64Array(n * k);
  for (let row = 0; row < n; row++) {
    for (let a = 0; a < k; a++) {
      let sum = 0;
      for (let j = 0; j < d; j++) sum += x[row * d + j]! * basis[a * d + j]!;
      out[row * k + a] = sum;
    }
  }
  return out;
}

/** Adds factor U U^T v. */
function addProjected(
  v: Float64Array,
  { k, d, basis }: Subspace,
  factor: number,
  into: Float64Array,
): void {
  for (let a = 0; a < k; a++) {
    let dot = 0;
    for (let j = 0; j < d; j++) dot += v[j]! * basis[a * d + j]!;
    for (let j = 0; j < d; j++) into[j]! += factor * dot * basis[a * d + j]!;
  }
}
