/**
 * A task's own model, given what the releases say: the average of posterior means under w ~ N(0, s C_h) with noise of
 * variance s nu on its rows, over hypotheses h and a public grid of nu, each weighed by its evidence, s by its most likely
 * value.
 *
 * Among the hypotheses is w ~ N(0, s I), the task alone: one whose model lies outside of the subspace learns so from
 * its own rows.
 * @see MacKay (1992), "Bayesian interpolation"
 * @module
 */
import { log } from "../../../core/elementary.js";
import { addMultiple } from "../../../linalg/dot.js";
import { eighInto } from "../../../linalg/index.js";
import { congruence } from "../../../linalg/kernel-products.js";
import { Room } from "../../../linalg/room.js";
import { rowProducts } from "../../../linalg/row-products.js";
import { multiply } from "../../../linalg/small-matrices.js";
import { softmax } from "../../../linalg/softmax.js";
import type { Hypothesis } from "./hypotheses.js";
import type { OwnTask } from "./own-rows.js";
import { NOISE } from "./settings.js";

/** A model, and what its rows say for having it alone. */
export interface OwnFit {
  /** [d], of the scaled rows. */
  readonly model: Float64Array;
  /** Weight of w ~ N(0, s I), 0 to 1. */
  readonly alone: number;
}

/** Squared singular values below this part of the largest are taken for zero. */
const NEGLIGIBLE = 1e-13;

/** X C X^T, or what of it has the same eigenvalues, decomposed. */
interface Decomposed {
  readonly size: number;
  readonly values: Float64Array;
  readonly vectors: Float64Array;
  /** The right-hand side in the eigenvectors, [size]. */
  readonly observed: Float64Array;
}

/** The model of a task under hypotheses on its prior. @param room that is used for one task after the other. */
export function ownFit(
  task: OwnTask,
  hypotheses: readonly Hypothesis[],
  room = new Room(),
): OwnFit {
  const { d, y, freedom } = task;
  let square = 0;
  for (const value of y) square += value ** 2;
  const useful = freedom > 0 && square > 0 && square < Infinity;
  if (!useful) {
    return { model: new Float64Array(d), alone: hypotheses.some(({ shared }) => shared) ? 0 : 1 };
  }
  room.clear();
  const posterior = task.n <= d ? new RowPosterior(task, room) : new FeaturePosterior(task, room);
  const parts = hypotheses.map((hypothesis) => posterior.decompose(hypothesis));
  const weights = room.take(parts.length * NOISE.length);
  const of = (h: number) => weights.subarray(h * NOISE.length, (h + 1) * NOISE.length);
  parts.forEach((part, h) => evidences(part, { freedom, square }, of(h)));
  softmax(weights, weights);
  let alone = 0;
  parts.forEach((part, h) => {
    if (!hypotheses[h]!.shared) for (const weight of of(h)) alone += weight;
    posterior.add(hypotheses[h]!, averaged(part, of(h), room));
  });
  return { model: posterior.mean(), alone };
}

/** Log evidence of every variance of the noise, up to a constant. @param logs where it goes. */
function evidences(
  { size, values, observed }: Decomposed,
  { freedom, square }: { freedom: number; square: number },
  logs: Float64Array,
): void {
  NOISE.forEach((noise, at) => {
    let [determinant, form, explained] = [(freedom - size) * log(noise), 0, 0];
    for (let t = 0; t < size; t++) {
      const variance = Math.max(values[t]!, 0) + noise;
      determinant += log(variance);
      form += observed[t]! ** 2 / variance;
      explained += observed[t]! ** 2;
    }
    form += Math.max(square - explained, 0) / noise;
    logs[at] = -(freedom * log(form) + determinant) / 2;
  });
}

/** V diag(sum over noises of weight / (value + noise)) V^T times the right-hand side. */
function averaged(
  { size, values, vectors, observed }: Decomposed,
  weights: Float64Array,
  room: Room,
): Float64Array {
  const out = room.take(size);
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
  readonly #room: Room;
  /** X A X^T of every part A of the hypotheses, once. */
  readonly #products = new Map<Float64Array, Float64Array>();
  /** What X^T is to be multiplied with before A, by A's root. */
  readonly #sums = new Map<Float64Array, { readonly rank: number; readonly sum: Float64Array }>();

  constructor(task: OwnTask, room: Room) {
    this.#task = task;
    this.#room = room;
  }

  decompose({ parts }: Hypothesis): Decomposed {
    const { n: size, y } = this.#task;
    const room = this.#room;
    const gram = room.take(size * size);
    for (const { weight, root, rank } of parts) {
      addMultiple(gram, weight, this.#product(root, rank));
    }
    const { values, vectors } = eighInto({ values: room.take(size), vectors: gram }, gram, size);
    const observed = room.take(size);
    for (let row = 0; row < size; row++) {
      for (let t = 0; t < size; t++) observed[t]! += vectors[row * size + t]! * y[row]!;
    }
    return { size, values, vectors, observed };
  }

  /** Adds C X^T a, in parts that hypotheses share. */
  add({ parts }: Hypothesis, a: Float64Array): void {
    for (const { weight, root, rank } of parts) {
      const known = this.#sums.get(root) ?? { rank, sum: this.#room.take(a.length) };
      for (let row = 0; row < a.length; row++) known.sum[row]! += weight * a[row]!;
      this.#sums.set(root, known);
    }
  }

  mean(): Float64Array {
    const { n, d, x } = this.#task;
    const model = new Float64Array(d);
    for (const [root, { rank, sum }] of this.#sums) {
      const v = multiply(sum, x, 1, n, d);
      const along = multiply(v, root, 1, d, rank);
      const part = multiply(root, along, d, rank, 1);
      for (let j = 0; j < d; j++) model[j]! += part[j]!;
    }
    return model;
  }

  #product(root: Float64Array, rank: number): Float64Array {
    const known = this.#products.get(root);
    if (known) return known;
    const { n, d, x } = this.#task;
    const room = this.#room;
    const along = multiply(x, root, n, d, rank, room.take(n * rank));
    const made = rowProducts(along, n, rank, room.take(n * n));
    this.#products.set(root, made);
    return made;
  }
}

/** Solves in coordinates of the features: n > d. */
class FeaturePosterior {
  readonly #d: number;
  readonly #room: Room;
  /** X^T X, and X^T y. */
  readonly #all: Float64Array;
  readonly #moment: Float64Array;
  readonly #mean: Float64Array;

  constructor({ n, d, x, y }: OwnTask, room: Room) {
    this.#d = d;
    this.#room = room;
    this.#all = new Float64Array(d * d);
    this.#moment = new Float64Array(d);
    this.#mean = new Float64Array(d);
    for (let row = 0; row < n; row++) {
      for (let j = 0; j < d; j++) {
        const value = x[row * d + j]!;
        this.#moment[j]! += value * y[row]!;
        for (let c = 0; c <= j; c++) this.#all[j * d + c]! += value * x[row * d + c]!;
      }
    }
    for (let j = 0; j < d; j++) {
      for (let c = 0; c < j; c++) this.#all[c * d + j] = this.#all[j * d + c]!;
    }
  }

  decompose({ root }: Hypothesis): Decomposed {
    const size = this.#d;
    const room = this.#room;
    const vectors = congruence(root, this.#all, size, size);
    const { values } = eighInto({ values: room.take(size), vectors }, vectors, size);
    const moment = multiply(root, this.#moment, size, size, 1, room.take(size));
    const observed = room.take(size);
    const least = NEGLIGIBLE * Math.max(values[0]!, 0);
    const roots = values.map((value) => (value > least ? Math.sqrt(value) : 0));
    for (let t = 0; t < size; t++) {
      if (roots[t] === 0) continue;
      for (let j = 0; j < size; j++) observed[t]! += vectors[j * size + t]! * moment[j]!;
      observed[t]! /= roots[t]!;
    }
    for (let at = 0; at < vectors.length; at++) vectors[at]! *= roots[at % size]!;
    return { size, values, vectors, observed };
  }

  /** Adds L a: `observed` was divided by singular values, which the vectors were multiplied with. */
  add({ root }: Hypothesis, a: Float64Array): void {
    const part = multiply(root, a, this.#d, this.#d, 1, this.#room.take(this.#d));
    for (let j = 0; j < this.#d; j++) this.#mean[j]! += part[j]!;
  }

  mean(): Float64Array {
    return this.#mean;
  }
}
