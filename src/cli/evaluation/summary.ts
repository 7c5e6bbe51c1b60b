/**
 * Means over replicates, and the paired gain on learning alone.
 * @module
 */
import { guaranteeWord } from "../../report/guarantee-word.js";
import { errorOf, meanAndError } from "../../learning/index.js";
import { ALONE } from "../../learning/methods.js";
import { alignedTable } from "../aligned-table.js";
import { short } from "../short.js";
import type { CellResult } from "./cell.js";

/** A method at an eps, over its replicates. */
export interface SummaryRow {
  readonly method: string;
  readonly epsilon: number | null;
  readonly replicates: number;
  /** The value of a sweep; null where there is none, or it means nothing to the method. */
  readonly variant: number | null;
  /** By metric: mean and standard error over replicates. */
  readonly metrics: Readonly<Record<string, { mean: number; standardError: number }>>;
  /** Error (nMSE, or a classifier's log-loss) of single-task minus that of the method, on the same replicates: > 0 is better. */
  readonly gainOnSingleTask: { mean: number; standardError: number } | null;
  readonly delta: number | null;
  readonly mechanism: string | null;
  /** Whether the guarantee would hold with secure noise; null where there is none. The runs are seeded. */
  readonly holds: boolean | null;
  /** How hyper-parameters were chosen. */
  readonly tuning: CellResult["tuning"];
}

const METRICS = ["nmse", "nmsePerTask", "auc", "accuracy", "logLoss"] as const;

/** Which runs saw the same data. */
const pairOf = ({ replicate, variant }: CellResult) => `${replicate} ${variant ?? "-"}`;

/** One row for each method and eps, in the order of the results. */
export function summarize(results: readonly CellResult[]): SummaryRow[] {
  const alone = new Map(
    results
      .filter(({ method }) => method === ALONE)
      .map((result) => [pairOf(result), errorOf(result.scores)]),
  );
  const groups = new Map<string, CellResult[]>();
  for (const result of results) {
    const key = `${result.method} ${result.epsilon ?? "-"} ${result.variant ?? "-"}`;
    groups.set(key, [...(groups.get(key) ?? []), result]);
  }
  return [...groups.values()].map((group) => {
    const [{ method, epsilon, variant = null, guarantee, tuning }] = group as [CellResult];
    const metrics: Record<string, { mean: number; standardError: number }> = {};
    for (const metric of METRICS) {
      const values = group
        .map(({ scores }) => scores[metric])
        .filter((value) => typeof value === "number");
      if (values.length > 0) metrics[metric] = meanAndError(values);
    }
    const differences = group.flatMap((result) => {
      const { replicate, scores } = result;
      // Learning alone may be the same for all values of a sweep.
      const single = alone.get(pairOf(result)) ?? alone.get(`${replicate} -`) ?? null;
      const own = errorOf(scores);
      return own === null || single === null ? [] : [single - own];
    });
    return {
      method,
      epsilon,
      variant,
      replicates: group.length,
      metrics,
      gainOnSingleTask: differences.length > 0 ? meanAndError(differences) : null,
      delta: guarantee?.delta ?? null,
      mechanism: guarantee?.mechanism ?? null,
      holds: guarantee?.sound ?? null,
      tuning,
    };
  });
}

/** One replicate has no standard error. */
const plusMinus = (
  value: { mean: number; standardError: number } | null | undefined,
  replicates: number,
) => {
  if (!value) return "-";
  if (replicates < 2) return short(value.mean);
  return `${short(value.mean)} ± ${short(Number(value.standardError.toPrecision(2)))}`;
};

/** The summary as an aligned table. */
export function summaryTable(rows: readonly SummaryRow[]): string {
  const metrics = METRICS.filter((metric) => rows.some((row) => row.metrics[metric]));
  const swept = rows.some(({ variant }) => variant !== null);
  return alignedTable([
    [
      "method",
      "eps",
      ...(swept ? ["value"] : []),
      ...metrics,
      "gain on alone",
      "guarantee",
      "tuned",
    ],
    ...rows.map((row) => [
      row.method,
      short(row.epsilon),
      ...(swept ? [short(row.variant)] : []),
      ...metrics.map((metric) => plusMinus(row.metrics[metric], row.replicates)),
      plusMinus(row.gainOnSingleTask, row.replicates),
      guaranteeWord(row.holds),
      row.tuning === "cv" && row.holds !== null ? "cv, not charged" : row.tuning,
    ]),
  ]);
}
