/**
 * Learning alone around a public model of labels as well as around zero, as a task's own rows say, so that one that is wrong
 * does little harm.
 * @module
 */
import type { LogisticState } from "../logistic-state.js";
import type { TaskPriors } from "../posterior/task-priors.js";

/** Priors of learning alone around zero, one for each hypothesis, with as many around the public model for half of their weight. */
export function aloneAroundCenterToo(
  state: Pick<LogisticState, "d" | "grid" | "centerAt">,
  given: TaskPriors,
): TaskPriors {
  const { d, grid } = state;
  const { priors, logWeights, shared } = given;
  const around = priors.slice(shared).flatMap(({ root }, h) => {
    const mean = state.centerAt(grid.scales.subarray(h * d, (h + 1) * d));
    return mean ? [{ mean, root }] : [];
  });
  if (around.length === 0) return given;
  const half = logWeights.slice(shared).map((weight) => weight - Math.LN2);
  return {
    ...given,
    priors: [...priors, ...around],
    logWeights: Float64Array.of(...logWeights.subarray(0, shared), ...half, ...half),
  };
}
