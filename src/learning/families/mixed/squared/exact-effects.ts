/**
 * What is stated of the fixed effects where nothing has to be hidden: one whole step of generalised least squares, without clips, and
 * standard errors that hold though variances or shapes of the model are wrong.
 *
 * In coordinates z of the fixed effects, a + L z with L L^T = C, tasks send their scores b and information A; the step is
 * H^-1 sum b, H = sum A. Then they send the outer products of how far the step would go without them, (H - A)^-1 b with b after the step: the
 * jackknife over tasks, which takes their errors as they are and is right with few or uneven tasks, too. A direction that hardly more than one task
 * tells of is sure to look free of error so; no variance is therefore below that of the model, H^-1. Quantiles of a normal are taken of what is
 * stated, so that it is made wider as those of Student's t with m - 1 degrees of freedom are.
 * @see Bell and McCaffrey (2002), "Bias reduction in standard errors for linear regression with multi-stage samples"; Cameron and
 * Miller (2015), "A practitioner's guide to cluster-robust inference"
 * @module
 */
import { packed, triangle, unpacked } from "../../../../linalg/packed-symmetric.js";
import { congruence } from "../../../../linalg/kernel-products.js";
import { apply, factor, invertDefinite, transpose } from "../../../../linalg/small-matrices.js";
import type { TaskSpectra } from "../spectra/task-spectra.js";
import { exactLength, type ExactPart } from "./squared-plan.js";
import { EFFECTS, NOISE_MULTIPLES } from "./squared-settings.js";
import type { SquaredState } from "./squared-state.js";

/** Least part of the information on a direction that is left without a task, which bounds what it may be said to change. */
const LEAST_LEFT = 0.05;

export class ExactEffects {
  readonly #state: SquaredState;
  readonly #l: Float64Array;
  /** Of the widest prior of the effects, diagonal in their own coordinates: for directions that no row tells of. */
  readonly #ridge: Float64Array;
  #effects: Float64Array;
  /** H. */
  #information = new Float64Array(0);

  constructor(state: SquaredState) {
    const { d } = state.sizes;
    this.#state = state;
    this.#l = factor(state.covariance, d);
    this.#effects = state.effects.slice();
    const { scales } = state.filter.located!;
    const sizes = (c: number) => (c === d - 1 ? EFFECTS.intercept : EFFECTS.slopes).sizes;
    const precisions = new Float64Array(d * d);
    scales.forEach((scale, c) => (precisions[c * (d + 1)] = 1 / (scale * Math.max(...sizes(c)))));
    this.#ridge = congruence(transpose(this.#l, d, d), precisions, d, d);
  }

  /** [batch, length]. */
  upload(part: ExactPart, tasks: TaskSpectra): Float64Array {
    const { d } = this.#state.sizes;
    const length = exactLength(part, d);
    const out = new Float64Array(tasks.m * length);
    const [score, information] = [new Float64Array(d), new Float64Array(d * d)];
    for (let i = 0; i < tasks.m; i++) {
      this.#ofTask(tasks, i, score, information);
      const into = out.subarray(i * length, (i + 1) * length);
      if (part === "step") {
        packed(information, d, 1, into.subarray(0, triangle(d)));
        into.set(score, triangle(d));
      } else packed(outer(this.#without(score, information)), d, 1, into);
    }
    return out;
  }

  /** @returns after the last part what is stated. */
  receive(part: ExactPart, sum: Float64Array): SquaredState["stated"] {
    const { m, d } = this.#state.sizes;
    if (part === "step") {
      const told = unpacked(sum.subarray(0, triangle(d)), d);
      this.#information = told.map((value, at) => value + this.#ridge[at]!);
      const step = apply(invertDefinite(this.#information, d), sum.subarray(triangle(d)), d, d);
      const moved = apply(this.#l, step, d, d);
      this.#effects = this.#effects.map((value, c) => value + moved[c]!);
      return undefined;
    }
    const jackknife = unpacked(sum, d).map((value) => (value * (m - 1)) / m);
    const ofModel = congruence(this.#l, invertDefinite(this.#information, d), d, d);
    const seen = congruence(this.#l, jackknife, d, d);
    const wider = studentFactor(Math.max(m - 1, 1)) ** 2;
    const covariance = seen.map((value, at) =>
      at % (d + 1) === 0 ? wider * Math.max(value, ofModel[at]!) : wider * value,
    );
    return { statedEffects: this.#effects, fixedEffectsCovariance: covariance };
  }

  /** How far the step would go the other way without a task. */
  #without(score: Float64Array, information: Float64Array): Float64Array {
    const d = score.length;
    const left = this.#information.map((value, at) => value - (1 - LEAST_LEFT) * information[at]!);
    return apply(invertDefinite(left, d), score, d, d);
  }

  /** Writes task i's score and information, averaged over what noise its rows may have. */
  #ofTask(tasks: TaskSpectra, i: number, score: Float64Array, information: Float64Array): void {
    const { noise: common } = this.#state;
    const d = score.length;
    const task = tasks.of(i, this.#effects, this.#l);
    const weights = this.#state.noiseWeights(task);
    const { k, squares, observed, directions } = task;
    score.fill(0);
    information.fill(0);
    for (let t = 0; t < k; t++) {
      const square = squares[t]!;
      let [pull, told] = [0, 0];
      for (let j = 0; j < weights.length; j++) {
        const v = common * NOISE_MULTIPLES[j]! + square;
        pull += (weights[j]! * Math.sqrt(square) * observed[t]!) / v;
        told += (weights[j]! * square) / v;
      }
      for (let c = 0; c < d; c++) {
        const along = directions[t * d + c]!;
        score[c]! += pull * along;
        for (let e = 0; e < d; e++)
          information[c * d + e]! += told * along * directions[t * d + e]!;
      }
    }
  }
}

function outer(v: Float64Array): Float64Array {
  const d = v.length;
  return Float64Array.from({ length: d * d }, (_, at) => v[Math.floor(at / d)]! * v[at % d]!);
}

/** How much wider the 95 % interval of a Student's t is than that of a normal (Cornish and Fisher). */
export function studentFactor(freedom: number): number {
  const z = 1.959964;
  const terms = [
    (z ** 3 + z) / 4,
    (5 * z ** 5 + 16 * z ** 3 + 3 * z) / 96,
    (3 * z ** 7 + 19 * z ** 5 + 17 * z ** 3 - 15 * z) / 384,
  ];
  return terms.reduce((sum, term, k) => sum + term / freedom ** (k + 1), z) / z;
}
