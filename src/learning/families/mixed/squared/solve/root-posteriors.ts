/**
 * Sums over the hypotheses of a root, each a normal posterior of a task's model: their weighted mean and covariance.
 * @module
 */
import { product } from "../../../../../linalg/kernel-products.js";
import { apply, multiply, transpose } from "../../../../../linalg/small-matrices.js";
import type { TaskSpectrum } from "../../spectra/task-spectrum.js";
import type { Root } from "./hypotheses.js";

/** Weight of a hypothesis, and of a root, that is left out. */
const NEGLIGIBLE = { hypothesis: 1e-12, root: 1e-9 } as const;

/** Sums over the hypotheses of a root, weighted; d coordinates, k directions of the task. For one task after the other. */
export class Posterior {
  weight = 0;
  noise = 0;
  /** Of the models' means, [d]. */
  readonly mean: Float64Array;
  /** Of the spread, and of what the rows take of it in each direction, [k]. */
  spread = 0;
  readonly told: Float64Array;
  /** Of the outer products of the means' way from the center in the directions, [k, k]. */
  readonly ways: Float64Array;

  constructor(d: number) {
    this.mean = new Float64Array(d);
    this.told = new Float64Array(d);
    this.ways = new Float64Array(d * d);
  }
}

/** What covariances take of a root's L: its transpose and L L^T. */
interface Squared {
  readonly lines: Float64Array;
  readonly square: Float64Array;
}

const squaredRoom = (d: number): Squared => ({
  lines: new Float64Array(d * d),
  square: new Float64Array(d * d),
});

function squared(l: Float64Array, d: number, room: Squared): Squared {
  transpose(l, d, d, room.lines);
  multiply(l, room.lines, d, d, d, room.square);
  return room;
}

/** Sums for one task after the other, in room that is kept. */
export class RootPosteriors {
  readonly #d: number;
  /** Ways of the hypotheses that count, times the roots of their weights: [count, k], and transposed. */
  readonly #rows: Float64Array;
  readonly #columns: Float64Array;
  /** Of one root's directions, [k]: their sizes, and the mean's way from the center along each; that way, [d]. */
  readonly #sizes: Float64Array;
  readonly #way: Float64Array;
  readonly #along: Float64Array;
  /** Of one root's covariance, [d, d] each. */
  readonly #lines: Float64Array;
  readonly #turned: Float64Array;
  readonly #middle: Float64Array;
  readonly #weighed: Float64Array;
  readonly #inner: Float64Array;
  /** By L, of roots that are the same for all tasks; and room for another's. */
  readonly #squared: ReadonlyMap<Float64Array, Squared>;
  readonly #other: Squared;

  /** @param roots all that are asked about, as they are before a task's own units. */
  constructor(roots: readonly Root[], d: number) {
    const most = Math.max(...roots.map(({ hypotheses }) => hypotheses.length));
    this.#d = d;
    this.#rows = new Float64Array(most * d);
    this.#columns = new Float64Array(d * most);
    this.#sizes = new Float64Array(d);
    this.#way = new Float64Array(d);
    this.#along = new Float64Array(d);
    const block = () => new Float64Array(d * d);
    [this.#lines, this.#turned, this.#middle] = [block(), block(), block()];
    [this.#weighed, this.#inner] = [block(), block()];
    const same = roots.filter(({ kind }) => kind !== "own");
    this.#squared = new Map(same.map(({ l }) => [l, squared(l, d, squaredRoom(d))]));
    this.#other = squaredRoom(d);
  }

  /** @param weights of the root's hypotheses. */
  of(
    { hypotheses, center, l }: Root,
    task: TaskSpectrum,
    weights: Float64Array,
    into: Posterior,
  ): void {
    const d = this.#d;
    const { k, squares, observed, directions } = task;
    const { told, mean } = into;
    const sizes = this.#sizes;
    const way = this.#way.subarray(0, k).fill(0);
    let [weight, noise, spread, row, count] = [0, 0, 0, 0, 0];
    told.fill(0);
    for (let j = 0; j < k; j++) sizes[j] = Math.sqrt(squares[j]!);
    for (const w of weights) if (w >= NEGLIGIBLE.hypothesis) count++;
    const rows = this.#rows.subarray(0, count * k);
    const columns = this.#columns.subarray(0, k * count);
    for (let at = 0; at < weights.length; at++) {
      const w = weights[at]!;
      if (w < NEGLIGIBLE.hypothesis) continue;
      const h = hypotheses[at]!;
      weight += w;
      noise += w * h.noise;
      spread += w * h.spread;
      const root = Math.sqrt(w);
      for (let j = 0; j < k; j++) {
        const part = h.spread / (h.noise + h.spread * squares[j]!);
        const to = part * sizes[j]! * observed[j]!;
        rows[row * k + j] = columns[j * count + row] = root * to;
        told[j]! += w * h.spread * part * squares[j]!;
        way[j]! += w * to;
      }
      row++;
    }
    product(columns, rows, k, count, k, into.ways.subarray(0, k * k));
    const along = multiply(way, directions, 1, k, d, this.#along);
    apply(l, along, d, d, mean);
    for (let c = 0; c < d; c++) mean[c] = weight * center[c]! + mean[c]!;
    into.weight = weight;
    into.noise = noise;
    into.spread = spread;
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
    const { lines, square } = this.#squared.get(l) ?? squared(l, d, this.#other);
    // Rows L w_j, [k, d].
    const rows = product(directions, lines, k, d, d, this.#lines.subarray(0, k * d));
    const middle = this.#middle.subarray(0, k * k);
    middle.set(ways.subarray(0, k * k));
    for (let j = 0; j < k; j++) middle[j * (k + 1)]! -= told[j]!;
    const columns = transpose(rows, k, d, this.#turned.subarray(0, d * k));
    const weighed = product(middle, rows, k, k, d, this.#weighed.subarray(0, k * d));
    const inner = product(columns, weighed, d, k, d, this.#inner);
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
