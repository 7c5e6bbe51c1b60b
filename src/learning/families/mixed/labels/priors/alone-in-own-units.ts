/**
 * Learning alone in units of the task's own rows, where columns' sizes were voted on: what a task of labels learns alone does not depend on
 * what noise made of a vote, nor does what it says of learning alone when tasks compare that with what all have in common.
 * @module
 */
import { multiply } from "../../../../../linalg/small-matrices.js";
import { ownUnits, type OwnUnits } from "../../units/own-units.js";
import type { TaskRows } from "../../spectra/task-spectrum.js";
import type { Units } from "../../units/units.js";
import type { GaussianPrior } from "../posterior/expectation-propagation.js";
import type { TaskPriors } from "../posterior/task-priors.js";

/**
 * How wide a slope's prior is for a deviation of the task's own rows, beside what it is for a voted size, which is twice a typical deviation. A task
 * alone may have steeper slopes than tasks have around what they have in common: a trend that tells all its labels, as of growth.
 */
const WIDER = 2;

/** Those of learning alone around zero, `count` after the shared ones, in units of each task's own, and last. */
export function aloneInOwn(
  count: number,
  { voted = [] }: Pick<Units, "voted">,
  given: TaskPriors,
): TaskPriors {
  if (voted.length === 0) return given;
  const { priors, logWeights, shared } = given;
  const end = shared + count;
  const own = priors.slice(shared, end).map(({ mean, root }): GaussianPrior => {
    const d = mean.length;
    const wider = root.slice();
    for (const c of voted) wider[c * (d + 1)]! *= WIDER;
    return { mean, root: wider };
  });
  return {
    ...given,
    priors: [...priors.slice(0, shared), ...priors.slice(end), ...own],
    logWeights: Float64Array.of(
      ...logWeights.subarray(0, shared),
      ...logWeights.subarray(end),
      ...logWeights.subarray(shared, end),
    ),
    inOwn: count,
  };
}

/** The units of the tasks in `rows`; undefined where none were voted on. */
export const unitsOfTasks = (
  rows: TaskRows,
  d: number,
  { voted = [] }: Pick<Units, "voted">,
): OwnUnits | undefined => (voted.length > 0 ? ownUnits(rows, d, voted) : undefined);

/** The same priors as a task has them whose units those are. */
export function inUnitsOf(given: TaskPriors, units: Float64Array | undefined): TaskPriors {
  const { priors, inOwn } = given;
  if (inOwn === 0 || !units) return given;
  const first = priors.length - inOwn;
  const inOwnUnits = ({ mean, root }: GaussianPrior): GaussianPrior => {
    const d = mean.length;
    return { mean, root: multiply(units, root, d, d, d) };
  };
  return {
    ...given,
    priors: priors.map((prior, k) => (k < first ? prior : inOwnUnits(prior))),
  };
}
