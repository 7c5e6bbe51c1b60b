/**
 * What is stated of the fixed effects where nothing has to be hidden: one whole step of generalised least squares, without clips, and
 * standard errors that hold though variances or shapes of the model are wrong.
 *
 * In coordinates z of the fixed effects, a + L z with L L^T = C, tasks send their scores b and information A; the step is
 * H^-1 sum b, H = sum A. Then they send the outer products of how far the step would go without them, (H - A)^-1 b with b after the step: the
 * jackknife over tasks, J, which takes their errors as they are and is right with uneven tasks, too. With few tasks it is made wider, as a
 * quantile of Student's t is beside that of a normal, and of what hardly more than one task tells it says nothing: there the model does,
 * H^-1. Which part h of a coordinate's variance this is says the sum of squares of the tasks' parts of its information: 1 / h is how many tell of it.
 *
 * Where the tasks' parts of all information on any direction leave enough of it, H - A is solved as it is; else by eigenvalues, the largest
 * of which are held.
 * @see Bell and McCaffrey (2002), "Bias reduction in standard errors for linear regression with multi-stage samples"; Cameron and
 * Miller (2015), "A practitioner's guide to cluster-robust inference"
 * @module
 */
import type { Core, Pointer } from "../../../../core/index.js";
import { pow } from "../../../../core/elementary.js";
import { eigh } from "../../../../linalg/index.js";
import { packed, triangle, unpacked } from "../../../../linalg/packed-symmetric.js";
import { congruence } from "../../../../linalg/kernel-products.js";
import {
  apply,
  factor,
  invertDefinite,
  invertLower,
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

/** Least part of the information on a direction that is left without a task, which bounds what it may be said to change. */
const LEAST_LEFT = 0.05;

/** Of the mean information on a direction, what each is taken to have: columns may depend on one another. */
const LEAST_TOLD = 1e-8;

/**
 * How much wider than the jackknife's standard errors are: the weights of noises follow the residuals, as they move with the effects, which
 * the information does not count. Found in the simulations of RESULTS-MIXED.md, "Standard errors of numbers without privacy".
 */
const WEIGHTS_MOVE = 1.07;

/** Fewer degrees of freedom make no difference any more. */
const LEAST_FREEDOM = 2;

export class ExactEffects {
  readonly #state: SquaredState;
  readonly #l: Float64Array;
  /** Of the widest prior of the effects, diagonal in their own coordinates: for directions that no row tells of. */
  readonly #ridge: Float64Array;
  #effects: Float64Array;
  /** h, [d]. */
  #ofOne = new Float64Array(0);
  /** K with K H K^T = I. */
  #whiten: Float64Array = new Float64Array(0);
  /** H, and its inverse. */
  #information = new Float64Array(0);
  #inverse: Float64Array = new Float64Array(0);

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

  /** [batch, length]. @param room where they are left. */
  upload(part: ExactPart, tasks: TaskSpectra, room = new UploadRoom()): Float64Array {
    const { d } = this.#state.sizes;
    const length = exactLength(part, d);
    const out = room.take(tasks.m * length);
    const mark = tasks.core.arena.mark();
    const own = roomFor(tasks.core, d);
    for (let i = 0; i < tasks.m; i++) {
      this.#ofTask(tasks, i, own);
      const into = out.subarray(i * length, (i + 1) * length);
      if (part === "step") {
        const { score, information } = own;
        packed(information, d, 1, into);
        into.set(score, triangle(d));
        for (let c = 0; c < d; c++) into[triangle(d) + d + c] = information[c * (d + 1)]! ** 2;
      } else packedOuter(this.#without(own), into);
    }
    tasks.core.arena.release(mark);
    return out;
  }

  /** @returns after the last part what is stated. */
  receive(part: ExactPart, sum: Float64Array): SquaredState["stated"] {
    const { m, d } = this.#state.sizes;
    if (part === "step") {
      const told = unpacked(sum.subarray(0, triangle(d)), d);
      const score = sum.subarray(triangle(d), triangle(d) + d);
      const squares = sum.subarray(triangle(d) + d);
      this.#ofOne = squares.map((square, c) => (square > 0 ? square / told[c * (d + 1)]! ** 2 : 1));
      const least = LEAST_TOLD * (trace(told, d) / d);
      this.#information = told.map(
        (value, at) => value + this.#ridge[at]! + (at % (d + 1) === 0 ? least : 0),
      );
      this.#whiten = invertLower(factor(this.#information, d), d);
      this.#inverse = invertDefinite(this.#information, d);
      const moved = apply(this.#l, apply(this.#inverse, score, d, d), d, d);
      this.#effects = this.#effects.map((value, c) => value + moved[c]!);
      return undefined;
    }
    const seen = unpacked(sum, d);
    const ofModel = this.#inverse;
    const jackknifed = this.#ofOne.map(
      (h) =>
        WEIGHTS_MOVE *
        studentFactor(Math.max(1 / h - 1, LEAST_FREEDOM)) *
        Math.sqrt(((1 - h) * (m - 1)) / m),
    );
    const believed = this.#ofOne.map(Math.sqrt);
    const covariance = seen.map((value, at) => {
      const [c, e] = [Math.floor(at / d), at % d];
      return jackknifed[c]! * value * jackknifed[e]! + believed[c]! * ofModel[at]! * believed[e]!;
    });
    const fixedEffectsCovariance = congruence(this.#l, covariance, d, d);
    return { statedEffects: this.#effects, fixedEffectsCovariance };
  }

  /** How far the step would go the other way without a task, which is not said to have all that is told of a direction. */
  #without({ score, information, left, pull }: OwnRoom): Float64Array {
    const d = score.length;
    // At least the largest part of any direction that the task has.
    const most = tracesProduct(this.#inverse, information, d);
    if (!(most <= 1 - LEAST_LEFT)) return this.#withLeast(score, information);
    for (let at = 0; at < left.length; at++) left[at] = this.#information[at]! - information[at]!;
    pull.set(score);
    return solveLower(factor(left, d, left), d, pull);
  }

  /** The same where the task may have nearly all. */
  #withLeast(score: Float64Array, information: Float64Array): Float64Array {
    const d = score.length;
    const whiten = this.#whiten;
    const whole = information.slice();
    for (let c = 0; c < d; c++) for (let e = 0; e < c; e++) whole[e * d + c] = whole[c * d + e]!;
    const part = symmetric(congruence(whiten, whole, d, d), d);
    const { values, vectors } = eigh(part, d);
    const left = values.map((value) => 1 / Math.max(1 - value, LEAST_LEFT));
    const pull = apply(fromEigen(vectors, left, d), apply(whiten, score, d, d), d, d);
    return apply(transpose(whiten, d, d), pull, d, d);
  }

  /** Writes task i's score and information, averaged over what noise its rows may have. */
  #ofTask(tasks: TaskSpectra, i: number, { score, information, at }: OwnRoom): void {
    const { noise: common } = this.#state;
    const { arena, kernels } = tasks.core;
    const d = score.length;
    const task = tasks.of(i, this.#effects, this.#l);
    const weights = this.#state.noiseWeights(task);
    const { k, squares, observed, directions } = task;
    const count = weights.length;
    const noises = arena.view(at.noises, count);
    for (let j = 0; j < count; j++) noises[j] = common * NOISE_MULTIPLES[j]!;
    score.fill(0);
    for (let t = 0; t < k; t++) {
      const square = squares[t]!;
      const size = Math.sqrt(square);
      let pull = 0;
      for (let j = 0; j < count; j++)
        pull += (weights[j]! * size * observed[t]!) / (noises[j]! + square);
      for (let c = 0, along = t * d; c < d; c++, along++) score[c]! += pull * directions[along]!;
    }
    arena.view(at.weights, count).set(weights);
    arena.view(at.squares, d).set(squares);
    arena.view(at.directions, d * d).set(directions);
    const sum = arena.view(at.information, d * d).fill(0);
    kernels.addInformation(
      at.squares,
      at.directions,
      k,
      d,
      at.noises,
      at.weights,
      count,
      at.information,
    );
    information.set(sum);
  }
}

/** What one task tells, and where it is worked out: for one after the other. */
interface OwnRoom {
  /** [d]. */
  readonly score: Float64Array;
  /** [d, d], lower triangle. */
  readonly information: Float64Array;
  /** Room for H - A, [d, d], and for what is solved with it, [d]. */
  readonly left: Float64Array;
  readonly pull: Float64Array;
  /** In the core's memory. */
  readonly at: Readonly<
    Record<"noises" | "weights" | "squares" | "directions" | "information", Pointer>
  >;
}

function roomFor({ arena }: Core, d: number): OwnRoom {
  const count = NOISE_MULTIPLES.length;
  return {
    ...{ score: new Float64Array(d), information: new Float64Array(d * d) },
    ...{ left: new Float64Array(d * d), pull: new Float64Array(d) },
    at: {
      ...{ noises: arena.f64(count), weights: arena.f64(count), squares: arena.f64(d) },
      ...{ directions: arena.f64(d * d), information: arena.f64(d * d) },
    },
  };
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
