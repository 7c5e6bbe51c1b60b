/**
 * Priors that know nothing of other tasks: that of `single-task`, from its public grid of variances.
 * @module
 */
import { log } from "../../../../core/elementary.js";
import { diagonal, multiply } from "../../../../linalg/small-matrices.js";
import { evidenceGrid } from "../../../tasks/own-models/evidence-grid.js";
import type { Root } from "./hypotheses.js";
import type { OwnUnits } from "../own-units.js";
import { softmax } from "../softmax.js";
import { OWN_NOISE_MULTIPLES } from "./squared-settings.js";

/** What tasks may learn alone around and in. */
export interface Apart {
  /** A model, [d], beside 0. */
  readonly zero?: Float64Array | undefined;
  /** Where sizes of columns were voted on: beside the units that were voted for. */
  readonly units?: OwnUnits | undefined;
}

/** A root for each ratio of the intercept's variance to that of the slopes, centre and units; all weights of sum 1. */
export function aloneRoots(d: number, { zero, units }: Apart = {}): Root[] {
  const { ratios, slopes, noise, priors } = evidenceGrid(true, true);
  const [spreads, noises] = [slopes, noise].map((both) => both.subarray(0, both.length / 2));
  const centers = [new Float64Array(d), ...(zero ? [zero] : [])];
  const kinds = units ? [false, true] : [false];
  const weights = softmax(priors);
  const among = centers.length * kinds.length;
  return [...ratios].flatMap((ratio, r) => {
    const hypotheses = Array.from(spreads!).flatMap((spread, s) =>
      Array.from(noises!, (own, k) => ({
        ...{ spread, noise: own, level: OWN_NOISE_MULTIPLES.length + k },
        weight: log(weights[(r * spreads!.length + s) * noises!.length + k]! / among),
      })),
    );
    // All slopes together explain a variance of 1.
    const deviations = new Float64Array(d).fill(1 / Math.sqrt(Math.max(d - 1, 1)));
    deviations[d - 1] = Math.sqrt(ratio);
    const l = diagonal(deviations);
    return centers.flatMap((center) =>
      kinds.map((inOwnUnits): Root => ({ kind: "alone", center, l, hypotheses, inOwnUnits })),
    );
  });
}

/** Roots as a task has them whose units these are, [d, d]; absent: where no root is in any. */
export function rootsIn(roots: readonly Root[], units: Float64Array | undefined): readonly Root[] {
  if (!units) return roots;
  return roots.map((root) => {
    const d = root.center.length;
    return root.inOwnUnits ? { ...root, l: multiply(units, root.l, d, d, d) } : root;
  });
}
