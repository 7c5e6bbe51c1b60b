/**
 * Which rows the mixed model takes.
 * @module
 */
import { RECORDS_OF_ONE_WEIGHT, type RowsTaken } from "../../options/rows-taken.js";
import type { LossName } from "../../tasks/losses.js";

/** What decides it. */
interface Choices {
  readonly loss: LossName;
  readonly unit?: "task" | "record" | "both";
  readonly ownModel?: unknown;
}

export function mixedTakes({ loss, unit = "task", ownModel = "exact" }: Choices): RowsTaken {
  return {
    weights: weightsTaken(loss, unit !== "task" || ownModel === "noisy"),
    sparse: { madeDense: "every task works with the covariance of all models, d x d numbers" },
    moments: loss === "squared" && unit === "task" && ownModel === "exact",
  };
}

function weightsTaken(loss: LossName, records: boolean): true | string {
  if (records) return RECORDS_OF_ONE_WEIGHT;
  return (
    loss === "squared" || "with labels a row of it counts as one (the squared loss takes weights)"
  );
}
