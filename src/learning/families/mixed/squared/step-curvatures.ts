/**
 * What the released curvatures along the steps of the fixed effects say of columns of which tasks tell less than is predicted.
 *
 * Along a step u that is mostly of a column that tells a part f, the curvature u' D A D u, D the identity but for the root of f, is far below
 * the u' A u that is predicted. Clips weigh all curvatures alike, by how much nobody knows, so the evidence is a mean over such weights.
 * Post-processing of releases.
 * @module
 */
import { log } from "../../../../core/elementary.js";
import { apply } from "../../../../linalg/small-matrices.js";
import { logSumExp } from "../softmax.js";
import { STEP_CURVATURE } from "./squared-settings.js";

/** A curvature as it was released, in the coordinates of its score. */
export interface StepCurvature {
  /** Unit vector, [d]. */
  readonly along: Float64Array;
  readonly value: number;
  /** Standard deviation of the noise on it. */
  readonly noise: number;
  /** What was predicted of the information before, [d, d]. */
  readonly information: Float64Array;
}

/** The same for the effects' own coordinates. */
interface SeenCurvature {
  readonly value: number;
  readonly noise: number;
  /** u, A u and the diagonal of A, [d]; and u' A u. */
  readonly step: Float64Array;
  readonly pull: Float64Array;
  readonly own: Float64Array;
  readonly predicted: number;
}

/** Curvatures of a fit, one after the other. */
export class StepCurvatures {
  readonly #seen: SeenCurvature[] = [];

  /**
   * @param information in the effects' coordinates, as predicted before the curvature, [d, d].
   * @param step u in these.
   */
  add(
    { value, noise }: Pick<StepCurvature, "value" | "noise">,
    information: Float64Array,
    step: Float64Array,
  ): void {
    const d = step.length;
    const pull = apply(information, step, d, d);
    const own = new Float64Array(d);
    let predicted = 0;
    for (let c = 0; c < d; c++) {
      own[c] = information[c * (d + 1)]!;
      predicted += step[c]! * pull[c]!;
    }
    this.#seen.push({ value, noise, step, pull, own, predicted });
  }

  /** Log evidence of their values, up to a constant, where column j tells such a part. */
  evidence(j: number, part: number): number {
    const less = Math.sqrt(part) - 1;
    const { weights, error } = STEP_CURVATURE;
    const costs = new Float64Array(weights.length);
    for (let k = 0; k < costs.length; k++) {
      for (const { value, noise, step, pull, own, predicted } of this.#seen) {
        const away = less * step[j]!;
        const curvature = weights[k]! * (predicted + away * (2 * pull[j]! + away * own[j]!));
        const variance = noise ** 2 + (error * curvature) ** 2;
        costs[k]! -= ((value - curvature) ** 2 / variance + log(variance)) / 2;
      }
    }
    return logSumExp(costs);
  }
}
