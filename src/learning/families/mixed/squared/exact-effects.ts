/**
 * What is stated of the fixed effects where nothing has to be hidden: one whole step of generalised least squares, without clips, and
 * standard errors that hold though variances or shapes of the model are wrong.
 *
 * In coordinates z of the fixed effects, a + L z with L L^T = C, tasks send their scores b and information A; the step is
 * (sum A)^-1 sum b. A task's noise may be any of several, whose weights follow its residuals: with weights p_j and scores b_j, the derivative
 * of b = sum p_j b_j is not -A but -D, D = A - sum p_j (b_j - b) (b_j - b)^T. So tasks send this, too, H = sum D, and then the outer
 * products of how far the step would go without them, (H - D)^-1 b with b after the step: the
 * jackknife over tasks, J, which takes their errors as they are and is right with uneven tasks, too. With few tasks it is made wider, as a
 * quantile of Student's t is beside that of a normal, and of what hardly more than one task tells it says nothing: there the model does,
 * H^-1. Which part h of a coordinate's variance this is says the sum of squares of the tasks' parts of its information: 1 / h is how many tell of it.
 *
 * Where a task's parts of all information leave enough of it in every direction, H - D is solved as it is; else by eigenvalues, the
 * largest of which are held.
 * @see Bell and McCaffrey (2002), "Bias reduction in standard errors for linear regression with multi-stage samples"; Cameron and
 * Miller (2015), "A practitioner's guide to cluster-robust inference"
 * @module
 */
import { pow } from "../../../../core/elementary.js";
import { eigh } from "../../../../linalg/index.js";
import { packed, triangle, unpacked } from "../../../../linalg/packed-symmetric.js";
import { congruence } from "../../../../linalg/kernel-products.js";
import {
  apply,
  factor,
  invertDefinite,
  invertLower,
  mirrorLower,
  scaledOnSides,
  symmetric,
  trace,
  transpose,
} from "../../../../linalg/small-matrices.js";
import { fromEigen } from "../spectra/from-eigen.js";
import { UploadRoom } from "../upload-room.js";
import type { TaskSpectra } from "../spectra/task-spectra.js";
import { exactLength, type ExactPart } from "./squared-plan.js";
import { EFFECTS, NOISE_MULTIPLES } from "./squared-settings.js";
import type { SquaredState } from "./squared-state.js";
import { TaskScore } from "./task-score.js";

/** Least part of the information on a direction that is left without a task, which bounds what it may be said to change. */
const LEAST_LEFT = 0.05;

/** Of the mean information on a direction, what each is taken to have: columns may depend on one another. */
const LEAST_TOLD = 1e-8;

/** Of the information at given weights, the least that their moving is said to leave of a direction. */
const LEAST_DERIVED = 0.25;

/** Fewer degrees of freedom make no difference any more. */
const LEAST_FREEDOM = 2;

export class ExactEffects {
  readonly #state: SquaredState;
  readonly #l: Float64Array;
  /** Of the widest prior of the effects, diagonal in their own coordinates: for directions that no row tells of. */
  readonly #ridge: Float64Array;
  #effects: Float64Array;
  /** h, [d]. */
  #ofOne: Float64Array = new Float64Array(0);
  /** K with K H K^T = I. */
  #whiten: Float64Array = new Float64Array(0);
  /** H, and its inverse. */
  #information: Float64Array = new Float64Array(0);
  #inverse: Float64Array = new Float64Array(0);
  /** Room for H - D, [d, d], and for what is solved with it, [d]. */
  readonly #left: Float64Array;
  readonly #pull: Float64Array;

  constructor(state: SquaredState) {
    const { d } = state.sizes;
    this.#state = state;
    this.#l = factor(state.covariance, d);
    this.#effects = state.effects.slice();
    this.#left = new Float64Array(d * d);
    this.#pull = new Float64Array(d);
    const { scales } = state.filter.located!;
    const sizes = (c: number) => (c === d - 1 ? EFFECTS.intercept : EFFECTS.slopes).sizes;
    const precisions = new Float64Array(d * d);
    scales.forEach((scale, c) => (precisions[c * (d + 1)] = 1 / (scale * Math.max(...sizes(c)))));
    this.#ridge = congruence(transpose(this.#l, d, d), precisions, d, d);
  }

  /** [batch, length]. @param room where they are left. */
  upload(part: ExactPart, tasks: TaskSpectra, room = new UploadRoom()): Float64Array {
    const { d } = this.#state.sizes;
    const length = exactLength(part, d);
    const out = room.take(tasks.m * length);
    const mark = tasks.core.arena.mark();
    const told = new TaskScore(tasks.core, d, NOISE_MULTIPLES.length);
    const noises = NOISE_MULTIPLES.map((multiple) => this.#state.noise * multiple);
    for (let i = 0; i < tasks.m; i++) {
      const task = tasks.of(i, this.#effects, this.#l);
      told.take(task, this.#state.noiseWeights(task), noises);
      const into = out.subarray(i * length, (i + 1) * length);
      if (part === "step") writeStep(told, into);
      else packedOuter(this.#without(told), into);
    }
    tasks.core.arena.release(mark);
    return out;
  }

  /** @returns after the last part what is stated. */
  receive(part: ExactPart, sum: Float64Array): SquaredState["stated"] {
    if (part === "errors") return this.#stated(sum);
    this.#step(sum);
    return undefined;
  }

  #step(sum: Float64Array): void {
    const { d } = this.#state.sizes;
    const packs = triangle(d);
    const told = unpacked(sum.subarray(0, packs), d);
    const derived = unpacked(sum.subarray(packs, 2 * packs), d);
    const score = sum.subarray(2 * packs, 2 * packs + d);
    const squares = sum.subarray(2 * packs + d);
    this.#ofOne = squares.map((square, c) => (square > 0 ? square / told[c * (d + 1)]! ** 2 : 1));
    const least = LEAST_TOLD * (trace(told, d) / d);
    const floor = this.#ridge.slice();
    for (let c = 0; c < d; c++) floor[c * (d + 1)]! += least;
    const [information, moving] = [told, derived];
    for (let at = 0; at < floor.length; at++) {
      information[at]! += floor[at]!;
      moving[at]! += floor[at]!;
    }
    this.#information = atLeast(LEAST_DERIVED, information, moving);
    this.#whiten = invertLower(factor(this.#information, d), d);
    this.#inverse = invertDefinite(this.#information, d);
    const moved = apply(this.#l, apply(invertDefinite(information, d), score, d, d), d, d);
    this.#effects = this.#effects.map((value, c) => value + moved[c]!);
  }

  #stated(sum: Float64Array): SquaredState["stated"] {
    const { m, d } = this.#state.sizes;
    const seen = unpacked(sum, d);
    const ofModel = this.#inverse;
    const jackknifed = this.#ofOne.map(
      (h) => studentFactor(Math.max(1 / h - 1, LEAST_FREEDOM)) * Math.sqrt(((1 - h) * (m - 1)) / m),
    );
    const believed = this.#ofOne.map(Math.sqrt);
    const covariance = scaledOnSides(seen, jackknifed);
    const modelled = scaledOnSides(ofModel, believed);
    for (let at = 0; at < covariance.length; at++) covariance[at]! += modelled[at]!;
    const fixedEffectsCovariance = congruence(this.#l, covariance, d, d);
    return { statedEffects: this.#effects, fixedEffectsCovariance };
  }

  /** How far the step would go the other way without a task, which is not said to have all that is told of a direction. */
  #without({ score, information, derived }: TaskScore): Float64Array {
    const d = score.length;
    // At least the largest part of any direction that the task has: D is no larger than A.
    const most = tracesProduct(this.#inverse, information, d);
    if (!(most <= 1 - LEAST_LEFT)) return this.#withLeast(score, derived);
    const [left, pull] = [this.#left, this.#pull];
    for (let at = 0; at < left.length; at++) left[at] = this.#information[at]! - derived[at]!;
    pull.set(score);
    return solveLower(factor(left, d, left), d, pull);
  }

  /** The same where the task may have nearly all. @param derived D, lower triangle. */
  #withLeast(score: Float64Array, derived: Float64Array): Float64Array {
    const d = score.length;
    const whiten = this.#whiten;
    const whole = mirrorLower(derived.slice(), d);
    const part = symmetric(congruence(whiten, whole, d, d), d);
    const { values, vectors } = eigh(part, d);
    const left = values.map((value) => 1 / Math.max(1 - value, LEAST_LEFT));
    const pull = apply(fromEigen(vectors, left, d), apply(whiten, score, d, d), d, d);
    return apply(transpose(whiten, d, d), pull, d, d);
  }
}

/** A and D, packed, b, and the squares of the diagonal of A. */
function writeStep({ score, information, derived }: TaskScore, into: Float64Array): void {
  const d = score.length;
  packed(information, d, 1, into.subarray(0, triangle(d)));
  packed(derived, d, 1, into.subarray(triangle(d), 2 * triangle(d)));
  const vectors = into.subarray(2 * triangle(d));
  vectors.set(score);
  for (let c = 0; c < d; c++) vectors[d + c] = information[c * (d + 1)]! ** 2;
}

/** B, raised where it is less than `part` of A, which is definite. */
function atLeast(part: number, a: Float64Array, b: Float64Array): Float64Array {
  const d = Math.sqrt(a.length);
  const l = factor(a, d);
  const { values, vectors } = eigh(symmetric(congruence(invertLower(l, d), b, d, d), d), d);
  const raised = fromEigen(vectors, values.map((value) => Math.max(value, part)), d); // prettier-ignore
  return congruence(l, raised, d, d);
}

/** The trace of A B for symmetric A and B, of the latter the lower triangle. */
function tracesProduct(a: Float64Array, b: Float64Array, d: number): number {
  let [own, beside] = [0, 0];
  for (let c = 0; c < d; c++) {
    own += a[c * (d + 1)]! * b[c * (d + 1)]!;
    for (let e = 0; e < c; e++) beside += a[c * d + e]! * b[c * d + e]!;
  }
  return own + 2 * beside;
}

/** Solves L L^T x = b in the place of b. */
function solveLower(l: Float64Array, d: number, b: Float64Array): Float64Array {
  for (let i = 0; i < d; i++) {
    let sum = b[i]!;
    for (let j = 0; j < i; j++) sum -= l[i * d + j]! * b[j]!;
    b[i] = sum / l[i * (d + 1)]!;
  }
  for (let i = d - 1; i >= 0; i--) {
    const solved = (b[i]! /= l[i * (d + 1)]!);
    for (let j = 0; j < i; j++) b[j]! -= l[i * d + j]! * solved;
  }
  return b;
}

/** v v^T, packed. */
function packedOuter(v: Float64Array, into: Float64Array): void {
  for (let c = 0, at = 0; c < v.length; c++) {
    const off = Math.SQRT2 * v[c]!;
    for (let e = 0; e < c; e++) into[at++] = off * v[e]!;
    into[at++] = v[c]! * v[c]!;
  }
}

/** How much wider the 95 % interval of a Student's t is than that of a normal (Cornish and Fisher). */
export function studentFactor(freedom: number): number {
  const z = 1.959964;
  const [z3, z5, z7] = [3, 5, 7].map((power) => pow(z, power)) as [number, number, number];
  const terms = [
    (z3 + z) / 4,
    (5 * z5 + 16 * z3 + 3 * z) / 96,
    (3 * z7 + 19 * z5 + 17 * z3 - 15 * z) / 384,
  ];
  return terms.reduce((sum, term, k) => sum + term / pow(freedom, k + 1), z) / z;
}
