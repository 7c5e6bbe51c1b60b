/**
 * Sums over the hypotheses of a root, each a normal posterior of a task's model: their weighted mean and covariance.
 * @module
 */
import { product } from "../../../../linalg/kernel-products.js";
import { apply, multiply, transpose } from "../../../../linalg/small-matrices.js";
import type { TaskSpectrum } from "../spectra/task-spectrum.js";
import type { Root } from "./hypotheses.js";

/** Weight of a hypothesis, and of a root, that is left out. */
const NEGLIGIBLE = { hypothesis: 1e-12, root: 1e-9 } as const;

/** Sums over the hypotheses of a root, weighted; d coordinates, k directions of the task. */
interface Posterior {
  readonly weight: number;
  readonly noise: number;
  /** Of the models' means, [d]. */
  readonly mean: Float64Array;
  /** Of the spread, and of what the rows take of it in each direction, [k]. */
  readonly spread: number;
  readonly told: Float64Array;
  /** Of the outer products of the means' way from the center in the directions, [k, k]. */
  readonly ways: Float64Array;
}

/** Sums for one task after the other, in room that is kept. */
export class RootPosteriors {
  readonly #d: number;
  /** Ways of the hypotheses that count, times the roots of their weights: [count, k], and transposed. */
  readonly #rows: Float64Array;
  readonly #columns: Float64Array;
  /** L L^T, by L, of roots that are the same for all tasks. */
  readonly #squares: ReadonlyMap<Float64Array, Float64Array>;

  /** @param roots all that are asked about, as they are before a task's own units. */
  constructor(roots: readonly Root[], d: number) {
    const most = Math.max(...roots.map(({ hypotheses }) => hypotheses.length));
    this.#d = d;
    this.#rows = new Float64Array(most * d);
    this.#columns = new Float64Array(d * most);
    const same = roots.filter(({ inOwnUnits }) => !inOwnUnits);
    this.#squares = new Map(same.map(({ l }) => [l, multiply(l, transpose(l, d, d), d, d, d)]));
  }

  /** @param weights of the root's hypotheses. */
  of({ hypotheses, center, l }: Root, task: TaskSpectrum, weights: Float64Array): Posterior {
    const d = this.#d;
    const { k, squares, observed, directions } = task;
    let [weight, noise, spread, row] = [0, 0, 0, 0];
    const [told, way] = [new Float64Array(k), new Float64Array(k)];
    const roots = squares.subarray(0, k).map(Math.sqrt);
    let count = 0;
    for (const w of weights) if (w >= NEGLIGIBLE.hypothesis) count++;
    const rows = this.#rows.subarray(0, count * k);
    const columns = this.#columns.subarray(0, k * count);
    hypotheses.forEach((h, at) => {
      const w = weights[at]!;
      if (w < NEGLIGIBLE.hypothesis) return;
      weight += w;
      noise += w * h.noise;
      spread += w * h.spread;
      const root = Math.sqrt(w);
      for (let j = 0; j < k; j++) {
        const part = h.spread / (h.noise + h.spread * squares[j]!);
        const to = part * roots[j]! * observed[j]!;
        rows[row * k + j] = columns[j * count + row] = root * to;
        told[j]! += w * h.spread * part * squares[j]!;
        way[j]! += w * to;
      }
      row++;
    });
    const ways = product(columns, rows, k, count, k);
    const moved = apply(l, multiply(way, directions, 1, k, d), d, d);
    const mean = center.map((value, c) => weight * value + moved[c]!);
    return { weight, noise, mean, spread, told, ways };
  }

  /**
   * Adds sum_h p_h (Cov_h + (mean_h - model)(mean_h - model)^T), lower triangle, for
   * Cov_h = L (spread I - sum_j told_j w_j w_j^T) L^T.
   */
  addCovariance(
    { center, l }: Root,
    { k, directions }: TaskSpectrum,
    { weight, mean, spread, told, ways }: Posterior,
    model: Float64Array,
    into: Float64Array,
  ): void {
    if (weight < NEGLIGIBLE.root) return;
    const d = this.#d;
    const lines = transpose(l, d, d);
    const square = this.#squares.get(l) ?? multiply(l, lines, d, d, d);
    // Rows L w_j, [k, d].
    const rows = product(directions, lines, k, d, d);
    const middle = ways.slice();
    for (let j = 0; j < k; j++) middle[j * (k + 1)]! -= told[j]!;
    const inner = product(transpose(rows, k, d), product(middle, rows, k, k, d), d, k, d);
    for (let c = 0, at = 0; c < d; at += ++c) {
      const off = center[c]! - model[c]!;
      const moved = mean[c]! - weight * center[c]!;
      for (let e = 0; e <= c; e++) {
        const offE = center[e]! - model[e]!;
        const between = weight * off * offE + off * (mean[e]! - weight * center[e]!) + moved * offE;
        into[at + e]! += between + spread * square[c * d + e]! + inner[c * d + e]!;
      }
    }
  }
}
