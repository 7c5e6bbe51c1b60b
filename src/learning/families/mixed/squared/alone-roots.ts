/**
 * Priors that know nothing of other tasks: that of `single-task`, from its public grid of variances.
 * @module
 */
import { log } from "../../../../core/elementary.js";
import { diagonal, multiply } from "../../../../linalg/small-matrices.js";
import { evidenceGrid } from "../../../tasks/own-models/evidence-grid.js";
import { heldShift, hypothesis, type Hypothesis, type Root, shifted } from "./hypotheses.js";
import { ownDifferences, ownUnits, type OwnDifferences, type OwnUnits } from "../own-units.js";
import type { TaskRows } from "../spectra/task-spectrum.js";
import type { Units } from "../units.js";
import { softmax } from "../softmax.js";
import { OWN_NOISE_MULTIPLES } from "./squared-settings.js";

/** What tasks may learn alone around and in. */
export interface Apart {
  /** A model, [d], beside 0. */
  readonly zero?: Float64Array | undefined;
  /** Where sizes of columns were voted on: beside the units that were voted for. */
  readonly units?: OwnUnits | undefined;
  /** Where rows are differences within tasks: in the place of the units that were voted for. */
  readonly differences?: ((task: number) => OwnDifferences) | undefined;
}

/** What the tasks in `rows` learn alone in, by how the units of the rows came about. */
export const apartIn = (
  rows: TaskRows,
  d: number,
  { voted = [], untold }: Pick<Units, "voted" | "untold">,
): Apart =>
  untold ? { differences: ownDifferences(rows, d) } : { units: ownUnits(rows, d, voted) };

/** A root for each ratio of the intercept's variance to that of the slopes, centre and units; all weights of sum 1. */
export function aloneRoots(d: number, { zero, units, differences }: Apart = {}): Root[] {
  const { ratios, slopes, noise, priors } = evidenceGrid(!differences, !differences);
  const [spreads, noises] = [slopes, noise].map((both) => both.subarray(0, both.length / 2));
  const centers = [new Float64Array(d), ...(zero ? [zero] : [])];
  const kinds = differences ? [true] : units ? [false, true] : [false];
  const weights = softmax(priors);
  const among = centers.length * kinds.length;
  return [...ratios].flatMap((ratio, r) => {
    const hypotheses = Array.from(spreads!).flatMap((spread, s) =>
      Array.from(noises!, (own, k) => {
        const weight = weights[(r * spreads!.length + s) * noises!.length + k]! / among;
        return hypothesis(spread, own, OWN_NOISE_MULTIPLES.length + k, log(weight));
      }),
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

/** Roots as a task has them, in units of its own where there are any. */
export function rootsIn(
  roots: readonly Root[],
  units: Float64Array | undefined,
  differences: OwnDifferences | undefined,
): readonly Root[] {
  if (differences) {
    const shift = heldShift(differences.square);
    const own = (hypotheses: readonly Hypothesis[]) => hypotheses.map((h) => shifted(h, shift));
    return inUnits(roots, differences.units, own);
  }
  return units ? inUnits(roots, units, (hypotheses) => hypotheses) : roots;
}

function inUnits(
  roots: readonly Root[],
  units: Float64Array,
  own: (hypotheses: readonly Hypothesis[]) => readonly Hypothesis[],
): Root[] {
  return roots.map((root) => {
    const d = root.center.length;
    if (!root.inOwnUnits) return root;
    return { ...root, l: multiply(units, root.l, d, d, d), hypotheses: own(root.hypotheses) };
  });
}
