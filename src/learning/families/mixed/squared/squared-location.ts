/**
 * Fixed effects from noisy scores and information: a step of generalised least squares.
 *
 * In the coordinates in which the prior of a model is the identity, a task's score b = L^T X^T V^-1 r and its
 * information A = L^T X^T V^-1 X L satisfy 0 <= A <= I and, if the model holds, Cov(b) = A. A further change of
 * coordinates B makes the mean of the A about the identity, by what is predicted of it: natural scales, so that
 * clips need no tuning.
 *
 * Up to three releases. The sum of the scores, each of norm at most R: another task moves it by at most 2 R. Where it pays
 * (`squared-plan.ts`), the sum of the information matrices, positive semidefinite and of Frobenius norm at most G: by at most
 * sqrt(2) G, since the inner product of two such is not negative; elsewhere the prediction stays, times the weight that the
 * clip is thought to leave a score. The sum of the curvatures v^T A v along the step that these point to, held to
 * [0, c] and sent as 2 v^T A v / c - 1, from -1 to 1: by at most 2, which is c in the curvature's own unit.
 * @module
 */
import { allFinite } from "../../../../core/all-finite.js";
import { norm } from "../../../../linalg/norm.js";
import { packed, triangle, unpacked } from "../../../../linalg/packed-symmetric.js";
import { eigh } from "../../../../linalg/index.js";
import { congruence, product } from "../../../../linalg/kernel-products.js";
import {
  diagonal,
  invertLower,
  mirrorLower,
  multiply,
  quadratic,
  scaledColumns,
  transpose,
} from "../../../../linalg/small-matrices.js";
import { directionOf, estimateInformation, withCurvature } from "./location-filter.js";
import {
  informationNorm,
  locationParts,
  meanRank,
  type LocationPart,
  type LocationShape,
} from "./squared-plan.js";
import { INFORMATION, LEAST_EIGENVALUE, NOISE_MULTIPLES } from "./squared-settings.js";
import type { SquaredState } from "./squared-state.js";
import type { TaskSpectra } from "../spectra/task-spectra.js";
import type { TaskSpectrum } from "../spectra/task-spectrum.js";
import { UploadRoom } from "../upload-room.js";
import type { InformationEstimate } from "../believed.js";
import type { ReleasedInformation, StepCurvature } from "./kept-score.js";

/** What the tasks of a batch tell, held within the bounds, which are taken for 1. */
interface Told {
  /** [batch, d]. */
  readonly scores: Float64Array;
  /** [batch, d (d + 1) / 2]. */
  readonly information: Float64Array;
}

/** What one task tells, and where it is worked out: for one after the other. */
interface OwnRoom {
  /** [d] and [d, d]. */
  readonly score: Float64Array;
  readonly information: Float64Array;
  readonly inMetric: Float64Array;
  readonly weighted: Float64Array;
}

function roomFor(d: number): OwnRoom {
  const block = () => new Float64Array(d * d);
  return {
    score: new Float64Array(d),
    information: block(),
    inMetric: block(),
    weighted: block(),
  };
}

/** One location step: its uploads, and what follows from their sums. */
export class SquaredLocation {
  readonly #state: SquaredState;
  /** P = L L^T: of the tasks' models, and of what is not known of the fixed effects. */
  readonly #spread: Float64Array;
  readonly #root: Float64Array;
  /** B, and the inverse of L B: coordinates are w - a = L B x. */
  readonly #metric: Float64Array;
  readonly #toBasis: Float64Array;
  readonly #scoreBound: number;
  readonly #informationBound: number;
  readonly #curvatureBound: number;
  readonly #shape: LocationShape;
  /** Predicted trace of the summed information, over d. */
  readonly #predicted: number;
  #told: Told | undefined;
  #score = new Float64Array(0);
  #deviation = 0;
  #information: InformationEstimate | undefined;
  /** What was released beside the score. */
  #released: ReleasedInformation | undefined;
  #curvature: StepCurvature | undefined;

  constructor(state: SquaredState, shape: LocationShape) {
    const { sizes } = state;
    const { d } = sizes;
    this.#state = state;
    this.#spread = state.spread;
    this.#root = state.root;
    const predicted = state.meanInformation(this.#spread);
    const { values, vectors } = eigh(congruence(transpose(this.#root, d, d), predicted, d, d), d);
    const least = LEAST_EIGENVALUE * values[0]!;
    const scales = new Float64Array(d);
    for (let k = 0; k < d; k++) scales[k] = Math.sqrt(Math.max(values[k]!, least));
    this.#metric = vectors.slice();
    for (let at = 0; at < this.#metric.length; at++) this.#metric[at]! /= scales[at % d]!;
    const inverse = transpose(scaledColumns(vectors, scales), d, d);
    this.#toBasis = multiply(inverse, invertLower(this.#root, d), d, d, d);
    const weight = shape.information > 0 ? 1 : Math.min(1, shape.weight + shape.clip);
    this.#shape = shape;
    this.#predicted = weight * sizes.m;
    this.#scoreBound = shape.clip * Math.sqrt(d);
    this.#informationBound = informationNorm(sizes);
    this.#curvatureBound = weight * Math.max(3, d / meanRank(sizes));
  }

  /**
   * Uploads of a part: scores, packed information, or curvatures, [batch, length]; norms at most 1.
   * @param room where information stays until the last part.
   */
  upload(part: LocationPart, tasks: TaskSpectra, room = new UploadRoom()): Float64Array {
    const told = (this.#told ??= this.#ofTasks(tasks, room));
    if (part === "score") return told.scores;
    if (part === "information") return told.information;
    const { d } = this.#state.sizes;
    const along = directionOf(this.#information!.matrix, this.#score);
    const own = { matrix: new Float64Array(d * d), moved: new Float64Array(d) };
    const out = new Float64Array(tasks.m);
    for (let i = 0; i < out.length; i++) {
      const packedOwn = told.information.subarray(i * triangle(d), (i + 1) * triangle(d));
      const information = unpacked(packedOwn, d, own.matrix);
      const curvature = this.#informationBound * quadratic(information, along, own.moved);
      out[i] = 2 * Math.min(Math.max(curvature / this.#curvatureBound, 0), 1) - 1;
    }
    return out;
  }

  #ofTasks(tasks: TaskSpectra, room: UploadRoom): Told {
    const { d } = this.#state.sizes;
    const scores = new Float64Array(tasks.m * d);
    const information = room.take(tasks.m * triangle(d));
    const own = roomFor(d);
    const noises = NOISE_MULTIPLES.map((multiple) => this.#state.noise * multiple);
    for (let i = 0; i < tasks.m; i++) {
      this.#ofTask(tasks.of(i, this.#state.effects, this.#root), noises, own);
      const weight = Math.min(
        1,
        this.#scoreBound / Math.max(norm(own.score), 1e-12),
        this.#informationBound / Math.max(norm(own.information), 1e-12),
      );
      const finite = allFinite(own.score) && allFinite(own.information);
      if (!finite) continue;
      for (let c = 0; c < d; c++) scores[i * d + c] = (weight * own.score[c]!) / this.#scoreBound;
      const into = information.subarray(i * triangle(d), (i + 1) * triangle(d));
      packed(own.information, d, weight / this.#informationBound, into);
    }
    return { scores, information };
  }

  /** Writes a task's score and information in the coordinates of the step, under such noises. */
  #ofTask(task: TaskSpectrum, noises: readonly number[], into: OwnRoom): void {
    const { d } = this.#state.sizes;
    const { k, squares, observed, directions } = task;
    const { score, information } = into;
    const weights = this.#state.noiseWeights(task);
    const inMetric = product(directions, this.#metric, k, d, d, into.inMetric.subarray(0, k * d));
    score.fill(0);
    // Told times the directions, as columns.
    const weighted = into.weighted.subarray(0, d * k);
    for (let t = 0; t < k; t++) {
      const square = squares[t]!;
      let [pull, told] = [0, 0];
      for (let j = 0; j < noises.length; j++) {
        const v = noises[j]! + square;
        pull += (weights[j]! * Math.sqrt(square) * observed[t]!) / v;
        told += (weights[j]! * square) / v;
      }
      for (let c = 0; c < d; c++) {
        const w = inMetric[t * d + c]!;
        score[c]! += pull * w;
        weighted[c * k + t] = told * w;
      }
    }
    product(weighted, inMetric, d, k, d, information);
    mirrorLower(information, d);
  }

  /** Receives a noisy sum; after the last the fixed effects have moved. */
  receive(part: LocationPart, sum: Float64Array, deviation: number): void {
    const { m, d } = this.#state.sizes;
    if (part === "score") {
      this.#score = sum.map((x) => x * this.#scoreBound);
      this.#deviation = deviation * this.#scoreBound;
      const unsure = (INFORMATION.error * this.#predicted) ** 2;
      const matrix = diagonal(new Float64Array(d).fill(this.#predicted));
      this.#information = { matrix, variance: unsure };
    } else if (part === "information") {
      const bound = this.#informationBound;
      const matrix = unpacked(sum, d);
      for (let at = 0; at < matrix.length; at++) matrix[at]! *= bound;
      const noise = deviation * bound;
      this.#information = estimateInformation(matrix, this.#information!.matrix, noise);
      this.#released = { sum: matrix, noise };
    } else {
      const unit = this.#curvatureBound / 2;
      const along = directionOf(this.#information!.matrix, this.#score);
      const curvature = (sum[0]! + m) * unit;
      const noise = deviation * unit;
      const released = { curvature, noise, m: this.#predicted };
      this.#curvature = { along, value: curvature, noise };
      const { matrix, variance } = this.#information!;
      this.#information = { matrix: withCurvature(matrix, along, released), variance };
    }
    if (part === locationParts(this.#shape).at(-1)) this.#move(this.#information);
  }

  #move(information: InformationEstimate): void {
    const state = this.#state;
    const { filter, noise } = state;
    const [effects, spread] = [state.effects, this.#spread];
    const taken = { effects, toBasis: this.#toBasis, score: this.#score };
    filter.receive({ ...taken, information, deviation: this.#deviation }, spread, noise);
    const { mean, error, noise: around } = filter.located!;
    const released = { information: this.#released, curvature: this.#curvature };
    const told = filter.information.madeUp(spread, noise);
    state.unsureColumns.add(
      { ...taken, ...released, spread, told, bound: this.#scoreBound },
      around!,
    );
    state.effects.set(mean);
    state.error = error;
  }
}
