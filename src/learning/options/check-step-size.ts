/**
 * Step sizes with which rounds run away, as far as options alone tell it: refused before anything is charged. Shorter ones may be
 * too long for a task's rows, which only that task can know; "auto" never is.
 * @module
 */
import { OptionError } from "../../core/index.js";

/** So many times as long as rows as long as declared bear: with rows a thousandth as long a step would be as long as these bear. */
const FARTHEST = 1e6;

/**
 * Refuses a step size that no rows bear which come near the bound declared of them.
 * @param smoothness public bound on the curvature of a task's loss, of the least number of rows.
 * @throws OptionError saying what they bear.
 */
export function checkStepSize(
  method: string,
  { stepSize }: { readonly stepSize: number | "auto" | "own" },
  smoothness: number,
): void {
  if (typeof stepSize !== "number" || stepSize * smoothness <= FARTHEST) return;
  throw new OptionError(
    `${method}: stepSize: ${stepSize} is ${(stepSize * smoothness).toPrecision(3)} times 1/L, L being what featureBound and ` +
      `strongConvexity bound, and rows of that length bear 2: the budget would be spent on models that run away; expected at most ` +
      `${(FARTHEST / smoothness).toPrecision(3)}, "auto" (1/L), or "own" (by each task's own rows)`,
  );
}

/**
 * Why steps towards a shared model end farther from it than they began, whatever the rows are: a step multiplies the distance by
 * 1 - stepSize lambda.
 * @returns undefined if they do not.
 */
export function overshoots(stepSize: number | "auto", lambda: number): string | undefined {
  if (stepSize === "auto" || stepSize * lambda <= 2) return undefined;
  return (
    `stepSize: ${stepSize} with lambda ${lambda} multiplies a model's distance to the shared one by ${1 - stepSize * lambda} in every step, ` +
    `so that models run away whatever the rows are; expected at most 2 / lambda = ${2 / lambda}, or "auto"`
  );
}
