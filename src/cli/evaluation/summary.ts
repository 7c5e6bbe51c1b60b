/**
 * Means over replicates, and the paired difference to learning alone.
 * @module
 */
import { errorOf, meanAndError } from "../../learning/index.js";
import { alignedTable } from "../aligned-table.js";
import { short } from "../fit-text.js";
import type { CellResult } from "./cell.js";

/** A method at an eps, over its replicates. */
export interface SummaryRow {
  readonly method: string;
  readonly epsilon: number | null;
  readonly replicates: number;
  /** By metric: mean and standard error over replicates. */
  readonly metrics: Readonly<Record<string, { mean: number; standardError: number }>>;
  /** Error (nMSE, 1 - aAUC or 1 - accuracy) minus single-task's on the same replicates. */
  readonly versusSingleTask: { mean: number; standardError: number } | null;
  readonly delta: number | null;
  readonly mechanism: string | null;
  /** Whether the guarantee holds; null where there is none. */
  readonly holds: boolean | null;
  /** How hyper-parameters were chosen. */
  readonly tuning: CellResult["tuning"];
}

const METRICS = ["nmse", "nmsePerTask", "auc", "accuracy"] as const;

/** One row for each method and eps, in the order of the results. */
export function summarize(results: readonly CellResult[]): SummaryRow[] {
  const alone = new Map(
    results
      .filter(({ method }) => method === "single-task")
      .map(({ replicate, scores }) => [replicate, errorOf(scores)]),
  );
  const groups = new Map<string, CellResult[]>();
  for (const result of results) {
    const key = `${result.method} ${result.epsilon ?? "-"}`;
    groups.set(key, [...(groups.get(key) ?? []), result]);
  }
  return [...groups.values()].map((group) => {
    const [{ method, epsilon, guarantee, tuning }] = group as [CellResult];
    const metrics: Record<string, { mean: number; standardError: number }> = {};
    for (const metric of METRICS) {
      const values = group
        .map(({ scores }) => scores[metric])
        .filter((value) => typeof value === "number");
      if (values.length > 0) metrics[metric] = meanAndError(values);
    }
    const differences = group.flatMap(({ replicate, scores }) => {
      const [own, single] = [errorOf(scores), alone.get(replicate) ?? null];
      return own === null || single === null ? [] : [own - single];
    });
    return {
      method,
      epsilon,
      replicates: group.length,
      metrics,
      versusSingleTask: differences.length > 0 ? meanAndError(differences) : null,
      delta: guarantee?.delta ?? null,
      mechanism: guarantee?.mechanism ?? null,
      holds: guarantee?.sound ?? null,
      tuning,
    };
  });
}

const plusMinus = (value: { mean: number; standardError: number } | null | undefined) =>
  value ? `${short(value.mean)} ± ${short(Number(value.standardError.toPrecision(2)))}` : "-";

/** The summary as an aligned table. */
export function summaryTable(rows: readonly SummaryRow[]): string {
  const metrics = METRICS.filter((metric) => rows.some((row) => row.metrics[metric]));
  return alignedTable([
    ["method", "eps", ...metrics, "against alone", "guarantee", "tuned"],
    ...rows.map((row) => [
      row.method,
      short(row.epsilon),
      ...metrics.map((metric) => plusMinus(row.metrics[metric])),
      plusMinus(row.versusSingleTask),
      row.holds === null ? "none" : row.holds ? "holds" : "DOES NOT HOLD",
      row.tuning === "cv" && row.holds !== null ? "cv, not charged" : row.tuning,
    ]),
  ]);
}
