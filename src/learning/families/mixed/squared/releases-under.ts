/**
 * The likelihood of all releases of the fixed effects, where tasks tell such parts of each column: log evidence, and the normal that is left of
 * the effects. What a clip leaves is averaged over, release by release, by what the curvature and the information say of it.
 * @module
 */
import { log } from "../../../../core/elementary.js";
import { definiteInverse, inverseRoom } from "../../../../linalg/kernel-inverse.js";
import { product } from "../../../../linalg/kernel-products.js";
import { apply, scaledOnSides, symmetric, transpose } from "../../../../linalg/small-matrices.js";
import type { ClipWeight } from "./clip-weight.js";
import type { KeptScore } from "./kept-score.js";
import { quadratic } from "./location-filter.js";
import { TOLD_ERROR } from "./squared-settings.js";

/** A release, with what its clip is thought to leave. */
export type RoundTold = KeptScore & ClipWeight;

export interface Under {
  readonly evidence: number;
  /** [d], and [d, d]. */
  readonly mean: Float64Array;
  readonly error: Float64Array;
  /** What the last clip left. */
  readonly weight: number;
}

/** Of a round without released information, by the roots R of what is told: T E, and T E T, E = R M R, M the inverse of the metric. */
export interface RoundProducts {
  readonly half: Float64Array;
  readonly whole: Float64Array;
}

/** What rounds have alike under all kinds of one column: all else is of the order of a square. */
export function productsOf(
  { told, inverse, information }: RoundTold,
  root: Float64Array,
): RoundProducts | undefined {
  if (information) return undefined;
  const d = root.length;
  const half = product(told, scaledOnSides(inverse, root), d, d, d);
  return { half, whole: product(half, told, d, d, d) };
}

/** Adds R T E T R, times a factor, where only the root of coordinate c is another, `times` as large. */
function addUnder(
  precision: Float64Array,
  { told, inverse }: RoundTold,
  { half, whole }: RoundProducts,
  by: {
    readonly c: number;
    readonly times: number;
    readonly from: number;
    readonly roots: Float64Array;
    readonly factor: number;
  },
): void {
  const { c, roots } = by;
  const d = roots.length;
  const less = by.times - 1;
  const own = less * less * inverse[c * (d + 1)]! * by.from * by.from;
  for (let i = 0, at = 0; i < d; i++) {
    const [a, u] = [told[i * d + c]!, half[i * d + c]!];
    const scale = by.factor * roots[i]!;
    for (let j = 0; j < d; j++, at++) {
      const b = told[j * d + c]!;
      const added = less * (a * half[j * d + c]! + u * b) + own * a * b;
      precision[at]! += scale * roots[j]! * (whole[at]! + added);
    }
  }
}

/** R T R x, times a factor. */
function toldOf(
  told: Float64Array,
  root: Float64Array,
  factor: number,
  x: Float64Array,
): Float64Array {
  const d = root.length;
  const scaled = x.map((value, c) => value * root[c]!);
  return apply(told, scaled, d, d).map((value, c) => factor * root[c]! * value);
}

/** Roots of which those of one coordinate are others than in what was multiplied. */
export interface Changed {
  readonly c: number;
  readonly from: readonly Float64Array[];
  readonly products: readonly (RoundProducts | undefined)[];
}

/** @param widths variances of the effects before anything is known, [d]. @param m tasks. */
export function releasesUnder(
  rounds: readonly RoundTold[],
  roots: readonly Float64Array[],
  { widths, m }: { readonly widths: Float64Array; readonly m: number },
  changed?: Changed,
): Under {
  const d = widths.length;
  const precision = new Float64Array(d * d);
  const pull = new Float64Array(d);
  let [evidence, weight] = [0, 0];
  rounds.forEach((round, t) => {
    const left = clipLeft(round, roots[t]!);
    weight = left.weight;
    evidence += left.evidence;
    const products = changed?.products[t];
    const times = m * round.turned;
    const h = products
      ? undefined
      : informationAt(round, roots[t]!, weight).map((value) => value * times);
    const told = (x: Float64Array) =>
      h ? apply(h, x, d, d) : toldOf(round.told, roots[t]!, weight * times, x);
    const seen = told(round.effects).map((value, c) => value + round.score[c]!);
    const weighed = apply(round.inverse, seen, d, d).map((value) => value / round.noise);
    if (h) {
      const inner = product(round.inverse, h, d, d, d).map((value) => value / round.noise);
      product(transpose(h, d, d), inner, d, d, d).forEach((value, at) => (precision[at]! += value));
    } else {
      const { c } = changed!;
      const from = changed!.from[t]![c]!;
      addUnder(precision, round, products!, {
        ...{ c, from, times: roots[t]![c]! / from, roots: roots[t]! },
        factor: (weight * times) ** 2 / round.noise,
      });
    }
    told(weighed).forEach((value, c) => (pull[c]! += value));
    for (let c = 0; c < d; c++) evidence -= (seen[c]! * weighed[c]!) / 2;
  });
  symmetric(precision, d);
  for (let c = 0; c < d; c++) precision[c * (d + 1)]! += 1 / widths[c]!;
  const { root, inverse } = definiteInverse(precision, d, inverseRoom(d));
  const mean = apply(inverse, pull, d, d);
  for (let c = 0; c < d; c++) {
    evidence += (mean[c]! * pull[c]!) / 2 + log(root[c * (d + 1)]!) - log(widths[c]!) / 2;
  }
  return { evidence, mean, error: inverse, weight };
}

/** The weight that a clip leaves is normal around what is thought; information and curvature are that many times what they would be. */
function clipLeft(round: RoundTold, root: Float64Array): Pick<Under, "evidence" | "weight"> {
  const { weight: thought, told, metric, information, curvature } = round;
  const d = root.length;
  let precision = 1 / (TOLD_ERROR.weight * thought) ** 2;
  let pull = precision * thought;
  let evidence = log(precision) / 2 - (pull * thought) / 2;
  const take = (seen: number, whole: number, noise: number, error: number) => {
    const variance = noise ** 2 + (error * whole * thought) ** 2;
    precision += whole ** 2 / variance;
    pull += (whole * seen) / variance;
    evidence -= (seen ** 2 / variance + log(variance)) / 2;
  };
  if (curvature) {
    const step = curvature.along.map((value, c) => value * root[c]!);
    take(curvature.value, quadratic(told, step), curvature.noise, TOLD_ERROR.curvature);
  }
  if (information) {
    for (let c = 0, at = 0; c < d; c++, at += d + 1) {
      const own = told[at]!;
      const noise = (information.noise * metric[at]!) / own;
      take(information.sum[at]! / own, root[c]! ** 2, noise, TOLD_ERROR.information);
    }
  }
  evidence += pull ** 2 / precision / 2 - log(precision) / 2;
  return { evidence, weight: Math.max(pull / precision, TOLD_ERROR.least * thought) };
}

/** What one task tells, clipped: as made-up tasks do, and as was released, by the errors of both, [d, d]. */
function informationAt(
  { told, metric, information }: RoundTold,
  root: Float64Array,
  weight: number,
): Float64Array {
  const d = root.length;
  return told.map((value, at) => {
    const [c, e] = [Math.floor(at / d), at % d];
    const parts = weight * root[c]! * root[e]!;
    if (!information) return parts * value;
    const size = told[c * (d + 1)]! * told[e * (d + 1)]!;
    const error = (TOLD_ERROR.information * parts) ** 2 * size;
    const both = metric[c * (d + 1)]! * metric[e * (d + 1)]! + metric[at]! ** 2;
    const noise = (information.noise ** 2 * both) / 2;
    return (parts * value * noise + information.sum[at]! * error) / (noise + error);
  });
}
