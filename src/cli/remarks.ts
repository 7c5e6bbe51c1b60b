/**
 * What a person should know of a fit beyond its figures: what the budget could buy, and what it did.
 * @module
 */
import { expectedShare, type FittedModel } from "../learning/index.js";
import { gaussianMu } from "../privacy/index.js";

/** From here on a guarantee leaves an attacker nearly sure. */
const LARGE_EPSILON = 10;

/** Mean weight of learning alone from which nothing that was shared had a say. */
const MOSTLY_ALONE = 0.9;

/** Remarks on a fitted model, each a sentence; pooled over tasks, for the curator. */
export function remarksOn(model: FittedModel): string[] {
  const { guarantee, components, m, d } = model;
  if (guarantee.kind === "none") {
    return model.choice ? ["nothing was shared; every task kept its own model"] : [];
  }
  const { epsilon, delta } = guarantee;
  const remarks: string[] = [];
  if (delta > 0) {
    const share = expectedShare({ mu: gaussianMu(epsilon, delta), m, d });
    const percent = Math.round(100 * share);
    remarks.push(
      `at ${m} tasks and ${d} features this budget is expected to buy about ${percent} % of what learning together ` +
        "without noise would gain on learning alone (a mixed model; simulations)",
    );
  }
  if (epsilon >= LARGE_EPSILON) {
    remarks.push(
      `epsilon ${LARGE_EPSILON} or more: an attacker may come to be nearly sure of a task; below 3 is usual`,
    );
  }
  const alone = components["alone"]?.data;
  if (alone && alone.reduce((sum, weight) => sum + weight, 0) > MOSTLY_ALONE * alone.length) {
    remarks.push("nothing stood out of the noise; every task kept its own model");
  }
  return remarks;
}
