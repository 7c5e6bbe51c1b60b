/**
 * Coefficients, standard errors and variances of a model, as a table.
 * @module
 */
import type { ModelSummary } from "../learning/index.js";
import { alignedTable } from "./aligned-table.js";
import { short } from "./short.js";

/** As many coefficients are printed as people read. */
const MOST = 40;

/** `npm run bench:standard-errors` measures it. */
const LABELS =
  "with labels, errors were about a fifth larger than these standard errors in simulations";

/** The table and what its columns mean. */
export function summaryLines(summary: ModelSummary): string[] {
  const { coefficients, residual, charged, units, loss } = summary;
  if (coefficients.length === 0) return ["the parameters of a network have no names"];
  const known = coefficients.some(({ standardError }) => standardError !== null);
  const rows = coefficients
    .slice(0, MOST)
    .map(({ name, estimate, standardError, betweenTasks }) => [
      ...[name, short(estimate)],
      ...(known ? [short(standardError)] : []),
      short(betweenTasks),
    ]);
  const header = ["", "estimate", ...(known ? ["std. error"] : []), "between tasks"];
  return [
    ...alignedTable([header, ...rows]).split("\n"),
    ...(coefficients.length > MOST ? [`and ${coefficients.length - MOST} more (--json)`] : []),
    ...(residual === null
      ? []
      : [`a row lies around its task's model with a standard deviation of ${short(residual)}`]),
    known
      ? "estimate: fixed effect; std. error: of it, any noise for privacy included; between tasks: standard deviation of the tasks' own"
      : "estimate: mean of the tasks' coefficients; between tasks: their standard deviation",
    ...(known && loss === "logistic" ? [LABELS] : []),
    ...(units === "prepared" ? ["of rows scaled to unit length, not of the table's units"] : []),
    ...(charged
      ? []
      : [
          known
            ? "no noise that holds hides whose rows these are made of: for the curator only"
            : "means over tasks are charged to no budget: for the curator only",
        ]),
  ];
}
