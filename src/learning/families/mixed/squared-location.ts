/**
 * Fixed effects from noisy scores and information: a step of generalised least squares, filtered for the
 * releases' noise.
 *
 * In the coordinates in which the prior of a model is the identity, a task's score b = L^T X^T V^-1 r and its
 * information A = L^T X^T V^-1 X L satisfy 0 <= A <= I and, if the model holds, Cov(b) = A: natural scales, so
 * that clips need no tuning. Sums of both, under noise, give the step; the error of the fixed effects that is
 * left stays in the prior of every task (a Kalman filter whose target is the estimate without noise).
 * @module
 */
import { eigh } from "../../../linalg/index.js";
import {
  apply,
  congruence,
  diagonal,
  invertDefinite,
  invertLower,
  multiply,
  symmetric,
  trace,
  transpose,
} from "../../../linalg/small-matrices.js";
import { informationScale, lineCap, type SquaredStep } from "./squared-plan.js";
import { DIAGONAL_ERROR, NOISE_MULTIPLES, SCORE_CLIPS } from "./squared-settings.js";
import { fromEigen, type SquaredState } from "./squared-state.js";
import type { TaskSpectra, TaskSpectrum } from "./task-spectrum.js";

type LocationStep = Extract<SquaredStep, { kind: "location" }>;

/** What has been heard of the step. */
interface Heard {
  score?: Float64Array;
  scoreDeviation: number;
  information?: Float64Array;
  informationDeviation: number;
}

/** One location step: its uploads, and what follows from their sums. */
export class SquaredLocation {
  readonly #state: SquaredState;
  readonly #step: LocationStep;
  /** L, and the metric B, in which uploads are made: coordinates are w - a = L B x. */
  readonly #root: Float64Array;
  readonly #metric: Float64Array;
  readonly #basis: Float64Array;
  readonly #toBasis: Float64Array;
  readonly #scoreClip: number;
  readonly #informationClip: number;
  readonly #trace: number;
  readonly #heard: Heard = { scoreDeviation: 0, informationDeviation: 0 };
  #estimate: Float64Array | undefined;

  constructor(state: SquaredState, step: LocationStep) {
    const { d } = state.sizes;
    this.#state = state;
    this.#step = step;
    this.#root = state.root;
    const { trace: expected, clip } = informationScale(state.sizes, step.round);
    this.#trace = expected;
    this.#informationClip = clip;
    const bound = SCORE_CLIPS[Math.min(step.round, SCORE_CLIPS.length - 1)]!;
    this.#scoreClip = bound * Math.sqrt(expected);
    const predicted = state.meanInformation(state.spread);
    const rootInverse = invertLower(this.#root, d);
    if (predicted) {
      const inCoordinates = congruence(transpose(this.#root, d, d), predicted, d, d);
      const { values, vectors } = eigh(inCoordinates, d);
      const mean = values.reduce((sum, value) => sum + value, 0) / d;
      const scales = values.map((value) => Math.sqrt(Math.max(value, 0.02 * mean)));
      this.#metric = vectors.map((value, k) => value / scales[k % d]!);
      const inverse = transpose(vectors, d, d).map(
        (value, k) => value * scales[Math.floor(k / d)]!,
      );
      this.#toBasis = multiply(inverse, rootInverse, d, d, d);
    } else {
      this.#metric = diagonal(new Float64Array(d).fill(1));
      this.#toBasis = rootInverse;
    }
    this.#basis = multiply(this.#root, this.#metric, d, d, d);
  }

  /** Uploads of a part: scores [batch, d], information, or curvatures along the step [batch, 1]; norms at most 1. */
  upload(part: "score" | "information" | "curvature", tasks: TaskSpectra): Float64Array {
    const { d } = this.#state.sizes;
    const { full } = this.#step;
    const length = part === "score" ? d : part === "curvature" ? 1 : full ? (d * (d + 1)) / 2 : d;
    const out = new Float64Array(tasks.m * length);
    const along = part === "curvature" ? this.#direction() : undefined;
    tasks.forEach(this.#state.effects, this.#root, (task, i) => {
      const { score, information, weight } = this.#ofTask(task);
      const into = out.subarray(i * length, (i + 1) * length);
      if (part === "score") into.set(score.map((x) => (weight * x) / this.#scoreClip));
      else if (along) {
        const cap = lineCap(this.#step.round);
        const curvature = quadratic(information, along);
        into[0] = (weight * Math.min(Math.max(curvature, 0), cap)) / cap;
      } else packed(information, d, full, weight / this.#informationClip, into);
      if (!into.every(Number.isFinite)) into.fill(0);
    });
    return out;
  }

  /** A task's score and information in the metric, and the weight that holds both within their clips. */
  #ofTask(task: TaskSpectrum) {
    const { d } = this.#state.sizes;
    const { k, squares, observed, directions } = task;
    const weights = this.#state.noiseWeights(task);
    const inMetric = multiply(directions, this.#metric, k, d, d);
    const score = new Float64Array(d);
    const information = new Float64Array(d * d);
    for (let t = 0; t < k; t++) {
      let [pull, told] = [0, 0];
      NOISE_MULTIPLES.forEach((multiple, j) => {
        const v = this.#state.noise * multiple + squares[t]!;
        pull += (weights[j]! * Math.sqrt(squares[t]!) * observed[t]!) / v;
        told += (weights[j]! * squares[t]!) / v;
      });
      for (let c = 0; c < d; c++) {
        const w = inMetric[t * d + c]!;
        score[c]! += pull * w;
        for (let e = 0; e <= c; e++) information[c * d + e]! += told * w * inMetric[t * d + e]!;
      }
    }
    for (let c = 0; c < d; c++) {
      for (let e = 0; e < c; e++) information[e * d + c] = information[c * d + e]!;
    }
    const size = this.#step.full ? norm(information) : norm(diagonalOf(information, d));
    const weight = Math.min(
      1,
      this.#scoreClip / Math.max(norm(score), 1e-12),
      this.#informationClip / Math.max(size, 1e-12),
    );
    return { score, information, weight };
  }

  /** Hears a noisy sum; after the last the fixed effects have moved. */
  hear(part: "score" | "information" | "curvature", sum: Float64Array, deviation: number): void {
    const heard = this.#heard;
    if (part === "score") {
      heard.score = sum.map((x) => x * this.#scoreClip);
      heard.scoreDeviation = deviation * this.#scoreClip;
    } else if (part === "information") {
      heard.information = sum.map((x) => x * this.#informationClip);
      heard.informationDeviation = deviation * this.#informationClip;
      this.#estimate = this.#estimateInformation();
      if (this.#step.full) this.#move(this.#estimate);
    } else {
      const along = this.#direction();
      const curvature = sum[0]! * lineCap(this.#step.round);
      const factor = Math.max(1, curvature / quadratic(this.#estimate!, along));
      this.#move(this.#estimate!.map((x) => x * factor));
    }
  }

  /** The released information, drawn towards a multiple of the identity as far as it is noise. */
  #estimateInformation(): Float64Array {
    const { d, m } = this.#state.sizes;
    const { information, informationDeviation: noise } = this.#heard;
    const { full } = this.#step;
    const matrix = full ? unpacked(information!, d) : diagonal(information!);
    const own = diagonalOf(matrix, d);
    const mean = Math.max(
      own.reduce((sum, x) => sum + x, 0) / d,
      (0.5 * noise) / Math.sqrt(d),
      (0.02 * m * this.#trace) / d,
    );
    const spread = Math.max(own.reduce((sum, x) => sum + (x - mean) ** 2, 0) / d - noise ** 2, 0);
    let beside = 0;
    for (let i = 0; i < d; i++)
      for (let j = 0; j < d; j++) if (i !== j) beside += matrix[i * d + j]! ** 2;
    const expected = (noise ** 2 / 2) * d * (d - 1);
    const kept = beside > 0 ? Math.max(0, 1 - expected / beside) : 0;
    const drawn = matrix.map((value, at) => {
      const [i, j] = [Math.floor(at / d), at % d];
      if (i !== j) return value * kept;
      const signal = spread / (spread + noise ** 2 + 1e-9);
      return Math.max(mean + signal * (value - mean), 0.1 * mean);
    });
    const { values, vectors } = eigh(symmetric(drawn, d), d);
    const least = Math.min(0.5 * noise, mean);
    return symmetric(
      fromEigen(
        vectors,
        values.map((x) => Math.max(x, least)),
        d,
      ),
      d,
    );
  }

  /** Where the step goes, of length 1. */
  #direction(): Float64Array {
    const { d } = this.#state.sizes;
    const step = apply(invertDefinite(this.#estimate!, d), this.#heard.score!, d, d);
    const length = norm(step);
    return step.map((x) => (length > 0 ? x / length : 0));
  }

  #move(curvature: Float64Array): void {
    const state = this.#state;
    const { d, m } = state.sizes;
    const { score, scoreDeviation, informationDeviation } = this.#heard;
    const estimate = this.#estimate!;
    const identity = diagonal(new Float64Array(d).fill(1));
    const error = congruence(this.#toBasis, state.error, d, d);
    const before = trace(error, d);
    const mean = trace(estimate, d) / d;
    const doubt = this.#step.full ? informationDeviation ** 2 / 2 : (DIAGONAL_ERROR * mean) ** 2;
    let size = before;
    let step = new Float64Array(d);
    let after = error;
    for (let pass = 0; pass < 3; pass++) {
      const noise = scoreDeviation ** 2 + doubt * size + 1e-9;
      const seen = multiply(error, curvature, d, d, d);
      const total = multiply(curvature, seen, d, d, d).map((x, k) => x + noise * identity[k]!);
      const gain = multiply(seen, invertDefinite(symmetric(total, d), d), d, d, d);
      step = apply(gain, score!, d, d) as Float64Array<ArrayBuffer>;
      const left = multiply(gain, estimate, d, d, d).map((x, k) => identity[k]! - x);
      const own = multiply(gain, transpose(gain, d, d), d, d, d);
      after = symmetric(
        congruence(left, error, d, d).map((x, k) => x + noise * own[k]!),
        d,
      );
      const moved = norm(step) ** 2;
      size = Math.min(before, moved + trace(after, d));
    }
    state.moveEffects(this.#basis, step);
    state.error = congruence(this.#basis, after, d, d);
    // The information in the coordinates of L, per task.
    const back = multiply(transpose(this.#root, d, d), transpose(this.#toBasis, d, d), d, d, d);
    state.learnInformation(
      congruence(back, estimate, d, d).map((x) => x / m),
      this.#root,
    );
  }
}

const norm = (v: Float64Array) => Math.sqrt(v.reduce((sum, x) => sum + x * x, 0));

const diagonalOf = (a: Float64Array, d: number) =>
  Float64Array.from({ length: d }, (_, i) => a[i * d + i]!);

function quadratic(a: Float64Array, v: Float64Array): number {
  const d = v.length;
  return apply(a, v, d, d).reduce((sum, x, i) => sum + x * v[i]!, 0);
}

/** A symmetric matrix as [A_ii, sqrt(2) A_ij], lower triangle row by row, whose norm is its Frobenius norm. */
export function packed(
  a: Float64Array,
  d: number,
  full: boolean,
  scale: number,
  into: Float64Array,
): void {
  let at = 0;
  for (let i = 0; i < d; i++) {
    for (let j = full ? 0 : i; j <= i; j++) {
      into[at++] = scale * a[i * d + j]! * (i === j ? 1 : Math.SQRT2);
    }
  }
}

/** The matrix that was packed whole. */
export function unpacked(v: Float64Array, d: number): Float64Array {
  const out = new Float64Array(d * d);
  let at = 0;
  for (let i = 0; i < d; i++) {
    for (let j = 0; j <= i; j++) {
      const value = v[at++]! * (i === j ? 1 : Math.SQRT1_2);
      out[i * d + j] = value;
      out[j * d + i] = value;
    }
  }
  return out;
}
