/**
 * The priors under which a task compares what all have in common with learning alone, and makes its own model.
 * @module
 */
import { sameEntries } from "../../../../../linalg/same-entries.js";
import { diagonal, factor } from "../../../../../linalg/small-matrices.js";
import { mostOwnPart } from "../../own-part.js";
import { aloneAroundCenterToo } from "./alone-around-center.js";
import { aloneInOwn } from "./alone-in-own-units.js";
import type { GaussianPrior } from "../posterior/expectation-propagation.js";
import { attenuationRatio } from "../effects/logistic-attenuation.js";
import type { LogisticState } from "../logistic-state.js";
import type { TaskPriors } from "../posterior/task-priors.js";

/** The priors of every task's own model. */
export function taskPriors(state: LogisticState): TaskPriors {
  const shared = sharedPriors(state);
  const { voted, grid } = state;
  const alone = aloneAroundCenterToo(state, {
    priors: [...shared, ...alonePriors(state)],
    logWeights: state.logWeights(),
    shared: shared.length,
    inOwn: 0,
    ownPart: mostOwnPart(state.prior()),
  });
  return aloneInOwn(grid.count, { voted }, alone);
}

/** Priors of all hypotheses around the fixed effects, whose own error adds to the spread. */
export function sharedPriors(state: LogisticState): GaussianPrior[] {
  const { d, uncertainty, grid } = state;
  const mean = state.effects();
  return Array.from({ length: grid.count }, (_, h) => {
    const scales = grid.scales.subarray(h * d, (h + 1) * d);
    const ratio = attenuationRatio(scales, state.scales, state.squares);
    const covariance = uncertainty.map((value) => value * ratio ** 2);
    for (let j = 0; j < d; j++) covariance[j * d + j]! += scales[j]! ** 2;
    return { mean: mean.map((value) => value * ratio), root: factor(covariance, d) };
  });
}

/** Priors of all hypotheses around zero. */
function alonePriors({ d, grid }: LogisticState): GaussianPrior[] {
  return Array.from({ length: grid.count }, (_, h) => ({
    mean: new Float64Array(d),
    root: diagonal(grid.scales.subarray(h * d, (h + 1) * d)),
  }));
}

/** Whether priors are the same to the bit. */
export function areSamePriors(
  a: readonly GaussianPrior[],
  b: readonly GaussianPrior[] = [],
): boolean {
  const pairs = a.map((prior, h) => [prior, b[h]] as const);
  return pairs.every(([x, y]) => y && sameEntries(x.mean, y.mean) && sameEntries(x.root, y.root));
}
