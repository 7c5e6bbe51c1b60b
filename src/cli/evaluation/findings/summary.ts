/**
 * Means over replicates, the paired gain on learning alone, and the share of the gain that a budget keeps.
 * @module
 */
import { METRICS } from "../../../learning/fitted/scores/metric-facts.js";
import { guaranteeWord } from "../../../report/guarantee-word.js";
import { ALONE } from "../../../learning/methods.js";
import { alignedTable } from "../../words/aligned-table.js";
import { short, shortPromise } from "../../words/short.js";
import type { CellResult } from "../cells/cell.js";
import type { Estimate } from "../../../report/index.js";
import { estimateOf } from "./estimate.js";
import { Paired, shareOf } from "./share.js";

/** A method at an eps, over its replicates. */
export interface SummaryRow {
  readonly method: string;
  readonly epsilon: number | null;
  readonly replicates: number;
  /** The value of a sweep; null where there is none, or it means nothing to the method. */
  readonly variant: number | null;
  /** By metric: mean and standard error over replicates. */
  readonly metrics: Readonly<Record<string, Estimate>>;
  /** Error (nMSE, or a classifier's log-loss) of single-task minus that of the method, on the same replicates: > 0 is better. */
  readonly gainOnSingleTask: Estimate | null;
  /**
   * Of a private method: the share of the way from single-task to `reference`, the best method here without privacy,
   * 1 for all of it; null where nothing here is clearly better than learning alone.
   */
  readonly share: Estimate | null;
  readonly reference: string | null;
  /** What epsilon is of; null where there is none. */
  readonly unit: NonNullable<CellResult["guarantee"]>["unit"] | null;
  readonly delta: number | null;
  readonly mechanism: string | null;
  /** Whether the guarantee would hold with secure noise; null where there is none. The runs are seeded. */
  readonly holds: boolean | null;
  /** True of a method of somebody's own, of whose privacy nothing is known. */
  readonly own?: boolean;
  /** How hyper-parameters were chosen. */
  readonly tuning: CellResult["tuning"];
}

/** One row for each method and eps, in the order of the results. */
export function summarize(results: readonly CellResult[]): SummaryRow[] {
  const alone = new Paired(results.filter(({ method }) => method === ALONE));
  const groups = new Map<string, CellResult[]>();
  for (const result of results) {
    const key = `${result.method} ${result.epsilon ?? "-"} ${result.variant ?? "-"}`;
    groups.set(key, [...(groups.get(key) ?? []), result]);
  }
  return [...groups.values()].map((group) => {
    const [{ method, epsilon, variant = null, guarantee, tuning, own }] = group as [CellResult];
    const metrics: Record<string, Estimate> = {};
    for (const { name: metric } of METRICS) {
      const values = group
        .map(({ scores }) => scores[metric])
        .filter((value) => typeof value === "number");
      if (values.length > 0) metrics[metric] = estimateOf(values);
    }
    const gains = alone.gains(group);
    const kept = shareOf(group, results, alone);
    return {
      method,
      epsilon,
      variant,
      replicates: group.length,
      metrics,
      gainOnSingleTask: gains.length > 0 ? estimateOf(gains) : null,
      share: kept?.share ?? null,
      reference: kept?.reference ?? null,
      unit: guarantee?.unit ?? null,
      delta: guarantee?.delta ?? null,
      mechanism: guarantee?.mechanism ?? null,
      holds: guarantee?.sound ?? null,
      ...(own ? { own } : {}),
      tuning,
    };
  });
}

const plusMinus = (value: Estimate | null | undefined) => {
  if (!value) return "-";
  if (value.standardError === null) return short(value.mean);
  return `${short(value.mean)} ± ${short(Number(value.standardError.toPrecision(2)))}`;
};

/** Hundredths of the way. */
const percentage = (share: Estimate | null) => {
  if (!share) return "-";
  // As far behind learning alone as the best is ahead of it, or farther: how far is in the error, not in a share.
  if (share.mean < -1) return "below -100 %";
  const of = (part: number) => Math.round(100 * part);
  const error = share.standardError === null ? "" : ` ± ${of(share.standardError)}`;
  return `${of(share.mean)}${error} %`;
};

/** The summary as an aligned table, each column by its name in the JSON document. */
export function summaryTable(rows: readonly SummaryRow[]): string {
  const metrics = METRICS.map(({ name }) => name).filter((metric) =>
    rows.some((row) => row.metrics[metric]),
  );
  const shared = rows.some(({ share }) => share !== null);
  const swept = rows.some(({ variant }) => variant !== null);
  return alignedTable([
    [
      "method",
      "epsilon",
      ...(swept ? ["variant"] : []),
      ...metrics,
      "gainOnSingleTask",
      ...(shared ? ["share"] : []),
      "holds",
      "tuning",
    ],
    ...rows.map((row) => [
      row.method,
      row.epsilon === null ? short(null) : shortPromise(row.epsilon),
      ...(swept ? [short(row.variant)] : []),
      ...metrics.map((metric) => plusMinus(row.metrics[metric])),
      plusMinus(row.gainOnSingleTask),
      ...(shared ? [percentage(row.share)] : []),
      guaranteeWord(row),
      row.tuning === "cv" && row.holds !== null ? "cv, not charged" : row.tuning,
    ]),
  ]);
}
