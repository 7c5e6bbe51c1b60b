/**
 * The likelihood of all releases of the fixed effects, where tasks tell such parts of each column: log evidence, and the normal that is left of
 * the effects. What a clip leaves is averaged over, release by release, by what the curvature and the information say of it
 * (`left-of-clip.ts`).
 * @module
 */
import { log } from "../../../../../core/elementary.js";
import { definiteInverse, inverseRoom } from "../../../../../linalg/kernel-inverse.js";
import { product } from "../../../../../linalg/kernel-products.js";
import { apply, symmetric, transpose } from "../../../../../linalg/small-matrices.js";
import { leftOfClip, type RoundTold } from "./left-of-clip.js";
import { TOLD_ERROR } from "../squared-settings.js";

export interface Under {
  readonly evidence: number;
  /** [d], and [d, d]. */
  readonly mean: Float64Array;
  readonly error: Float64Array;
  /** What the last clip left. */
  readonly weight: number;
}

/** What is known beside releases: variances of the effects before anything is known, [d], and the number of tasks. */
export interface UnderGiven {
  readonly widths: Float64Array;
  readonly m: number;
}

/** @param roots of what is told of each coordinate, by release, [d] each. */
export function releasesUnder(
  rounds: readonly RoundTold[],
  roots: readonly Float64Array[],
  { widths, m }: UnderGiven,
): Under {
  const d = widths.length;
  const precision = new Float64Array(d * d);
  const pull = new Float64Array(d);
  let [evidence, weight] = [0, 0];
  rounds.forEach((round, t) => {
    const left = leftOfClip(round, roots[t]!);
    weight = left.weight;
    evidence += left.evidence - addRelease({ precision, pull }, round, roots[t]!, { weight, m });
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

/**
 * Adds what a release says of the effects to precision [d, d] and pull [d].
 * @returns half the square that the evidence loses by it.
 */
export function addRelease(
  { precision, pull }: { readonly precision: Float64Array; readonly pull: Float64Array },
  round: RoundTold,
  root: Float64Array,
  { weight, m }: { readonly weight: number; readonly m: number },
): number {
  const d = root.length;
  const h = informationAt(round, root, weight, m * round.turned);
  const seen = apply(h, round.effects, d, d);
  for (let c = 0; c < d; c++) seen[c]! += round.score[c]!;
  const weighed = apply(round.inverse, seen, d, d);
  for (let c = 0; c < d; c++) weighed[c]! /= round.noise;
  const squares = product(transpose(h, d, d), product(round.inverse, h, d, d, d), d, d, d);
  for (let at = 0; at < squares.length; at++) precision[at]! += squares[at]! / round.noise;
  const pulled = apply(h, weighed, d, d);
  let square = 0;
  for (let c = 0; c < d; c++) {
    pull[c]! += pulled[c]!;
    square += seen[c]! * weighed[c]!;
  }
  return square / 2;
}

/** What `times` tasks tell, clipped: as made-up tasks do, and as was released, by the errors of both, [d, d]. */
function informationAt(
  { told, metric, information }: RoundTold,
  root: Float64Array,
  weight: number,
  times: number,
): Float64Array {
  const d = root.length;
  const out = new Float64Array(d * d);
  for (let c = 0, at = 0; c < d; c++) {
    for (let e = 0; e < d; e++, at++) {
      const parts = weight * root[c]! * root[e]!;
      let own = parts * told[at]!;
      if (information) {
        const size = told[c * (d + 1)]! * told[e * (d + 1)]!;
        const error = (TOLD_ERROR.information * parts) ** 2 * size;
        const both = metric[c * (d + 1)]! * metric[e * (d + 1)]! + metric[at]! ** 2;
        const noise = (information.noise ** 2 * both) / 2;
        own = (own * noise + information.sum[at]! * error) / (noise + error);
      }
      out[at] = own * times;
    }
  }
  return out;
}
