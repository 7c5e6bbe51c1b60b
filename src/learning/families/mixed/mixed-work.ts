/**
 * About how many multiplications a mixed model takes, by which a fit decides on threads.
 * @module
 */
import type { PlanContext } from "../../round/halves.js";
import type { LossName } from "../../tasks/losses.js";

/**
 * The moments of the link (`assembly/tasks/link-moments.ts`) for one row of labels, over all hypotheses and turns: 0.25 ms of a processor, whatever
 * the number of features. Where features are few this is most of a fit.
 */
const LINK = 2.5e5;

/** Spectra of every task under each hypothesis; of labels posteriors in turns over the rows, for each class. */
export function mixedWork(
  loss: LossName,
  { sizes: { m, d, rows }, outputs }: Pick<PlanContext, "sizes" | "outputs">,
): number {
  const products = (d + 1) * (d + 1) * (rows + m * (d + 1));
  return loss === "squared" ? 60 * products : outputs * (40 * products + LINK * rows);
}
