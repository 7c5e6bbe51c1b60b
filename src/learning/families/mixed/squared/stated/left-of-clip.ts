/**
 * What a clip leaves of the scores of one release, by what is thought of it and by what the curvature and the information say, which are that
 * many times what they would be: a normal, and its log evidence.
 * @module
 */
import { log } from "../../../../../core/elementary.js";
import { quadratic, scaledColumns } from "../../../../../linalg/small-matrices.js";
import type { ClipWeight } from "../clip-weight.js";
import type { KeptScore } from "../kept-score.js";
import { TOLD_ERROR } from "../squared-settings.js";

/** A release, with what its clip is thought to leave. */
export type RoundTold = KeptScore & ClipWeight;

export interface Left {
  readonly evidence: number;
  readonly weight: number;
}

/** @param root of what is told of each coordinate, [d]. */
export function leftOfClip(round: RoundTold, root: Float64Array): Left {
  return new LeftOfClip(round, root).under(0, root[0]!);
}

/** The same under other roots of one coordinate: the curvature then moves by that alone. */
export class LeftOfClip {
  readonly #round: RoundTold;
  readonly #root: Float64Array;
  /** T times the step as it is thought, [d], and the curvature along it. */
  readonly #moved: Float64Array;
  readonly #along: number;

  /** @param root of what is told of each coordinate, [d]. */
  constructor(round: RoundTold, root: Float64Array) {
    const { told, curvature } = round;
    this.#round = round;
    this.#root = root;
    this.#moved = new Float64Array(root.length);
    const step = curvature && scaledColumns(curvature.along, root);
    this.#along = step ? quadratic(told, step, this.#moved) : 0;
  }

  /** @param other the root of coordinate c. */
  under(c: number, other: number): Left {
    const { weight: thought, told, metric, information, curvature } = this.#round;
    const d = this.#root.length;
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
      const more = curvature.along[c]! * (other - this.#root[c]!);
      const whole = this.#along + more * (2 * this.#moved[c]! + more * told[c * (d + 1)]!);
      take(curvature.value, whole, curvature.noise, TOLD_ERROR.curvature);
    }
    if (information) {
      for (let e = 0, at = 0; e < d; e++, at += d + 1) {
        const own = told[at]!;
        const root = e === c ? other : this.#root[e]!;
        const noise = (information.noise * metric[at]!) / own;
        take(information.sum[at]! / own, root ** 2, noise, TOLD_ERROR.information);
      }
    }
    evidence += pull ** 2 / precision / 2 - log(precision) / 2;
    return { evidence, weight: Math.max(pull / precision, TOLD_ERROR.least * thought) };
  }
}
