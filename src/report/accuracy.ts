/**
 * The privacy-accuracy curve and its table, from means over replicates.
 * @module
 */
import { METRICS } from "../learning/fitted/scores/metric-facts.js";
import { guaranteeWord } from "./guarantee-word.js";
import { curveFigure, type CurveAxis } from "./curves.js";
import type { Figure, FigureText } from "./figure.js";
import type { ReportTable } from "./html.js";

/** Mean and standard error over replicates. */
export interface Estimate {
  readonly mean: number;
  /** null with a single replicate. */
  readonly standardError: number | null;
}

/** A method at an eps (null: it has none), over its replicates. */
export interface AccuracyRow {
  readonly method: string;
  readonly epsilon: number | null;
  readonly replicates: number;
  /** The value of a sweep; null where there is none, or it means nothing to the method. */
  readonly variant?: number | null;
  /** By the name of a metric. */
  readonly metrics: Readonly<Record<string, Estimate>>;
  readonly gainOnSingleTask: Estimate | null;
  /** Of a private method: the share of the way from single-task to the best method without privacy. */
  readonly share?: Estimate | null;
  readonly reference?: string | null;
  readonly delta: number | null;
  readonly mechanism: string | null;
  /** Whether the guarantee would hold with secure noise; null where there is none. */
  readonly holds: boolean | null;
  /** True of a method of somebody's own. */
  readonly own?: boolean;
  /** How hyper-parameters were chosen: "cv" is not charged to eps, "private" is. */
  readonly tuning: "none" | "cv" | "private";
}

/** What readers know the metrics as, and whether less is better. */
const METRIC_TITLES = new Map<string, string>(
  METRICS.map(({ name, title, better }) => [name, `${title} (${better} is better)`]),
);

/** Metrics that some row has, in the order in which they are shown. */
export function metricsOf(rows: readonly AccuracyRow[]): string[] {
  return [...METRIC_TITLES.keys()].filter((metric) => rows.some((row) => row.metrics[metric]));
}

/** Ten times between best and worst is shown on a logarithmic axis. */
function scaleFor(metric: string, values: readonly number[]): "log" | "linear" {
  const least = Math.min(...values);
  const { ratio = false } = METRICS.find(({ name }) => name === metric) ?? {};
  return ratio && least > 0 && Math.max(...values) > 10 * least ? "log" : "linear";
}

/**
 * Accuracy against eps with bands of one standard error; methods without a budget are horizontal
 * lines.
 */
export function accuracyFigure(
  rows: readonly AccuracyRow[],
  metric: string,
  text: Omit<FigureText, "alt"> & { alt?: string },
): Figure {
  const points = rows.flatMap(({ method, epsilon, metrics }) => {
    const estimate = metrics[metric];
    return estimate
      ? [{ series: method, x: epsilon, y: estimate.mean, error: estimate.standardError }]
      : [];
  });
  const methods = [...new Set(points.map(({ series }) => series))];
  return curveFigure({
    alt: `Line chart of ${metric} against the privacy budget eps for ${methods.join(", ")}. The numbers are in the table below it.`,
    ...text,
    x: { title: "eps (logarithmic)", scale: "log" },
    y: {
      title: METRIC_TITLES.get(metric) ?? metric,
      scale: scaleFor(
        metric,
        points.map(({ y }) => y),
      ),
    },
    columns: { x: "epsilon", y: metric },
    points,
  });
}

/**
 * Accuracy against the value of a sweep (number of tasks, budget exponent), a line for each method and
 * eps; methods to which the value means nothing are horizontal lines.
 */
export function sweepFigure(
  rows: readonly AccuracyRow[],
  metric: string,
  { axis, ...text }: Omit<FigureText, "alt"> & { axis: CurveAxis },
): Figure {
  const budgets = new Set(rows.flatMap(({ epsilon }) => (epsilon === null ? [] : [epsilon])));
  const points = rows.flatMap(({ method, epsilon, variant = null, metrics }) => {
    const estimate = metrics[metric];
    const series = epsilon === null || budgets.size < 2 ? method : `${method}, eps ${epsilon}`;
    return estimate
      ? [{ series, x: variant, y: estimate.mean, error: estimate.standardError }]
      : [];
  });
  const series = [...new Set(points.map((point) => point.series))];
  return curveFigure({
    ...text,
    alt: `Line chart of ${metric} against ${axis.title} for ${series.join("; ")}. The numbers are in the table below it.`,
    x: axis,
    y: {
      title: METRIC_TITLES.get(metric) ?? metric,
      scale: scaleFor(
        metric,
        points.map(({ y }) => y),
      ),
    },
    columns: { x: "variant", y: metric },
    points,
  });
}

/** The comparison as a table of numbers, a row for each method, budget and value of a sweep. */
export function accuracyTable(rows: readonly AccuracyRow[]): ReportTable {
  const metrics = metricsOf(rows);
  const swept = rows.some(({ variant }) => variant != null);
  const shared = rows.some(({ share }) => share != null);
  const pair = (estimate: Estimate | null | undefined) =>
    estimate ? [estimate.mean, estimate.standardError] : [null, null];
  return {
    name: "results",
    title: "Results",
    caption:
      "Means over replicates with their standard errors (se). gainOnSingleTask: error (nMSE or log-loss) of " +
      "single-task on the same replicates, minus its own; positive where sharing helped. share: the part of the way from " +
      "single-task to the best method here without privacy, the reference; 1 is all of it. Of labels, the last row is what who " +
      "looks at no feature reaches: each label's share in the test rows as its probability, the most frequent one as the answer.",
    columns: [
      "method",
      "epsilon",
      ...(swept ? ["variant"] : []),
      "delta",
      "replicates",
      ...metrics.flatMap((metric) => [metric, `${metric} se`]),
      "gainOnSingleTask",
      "gainOnSingleTask se",
      ...(shared ? ["share", "share se", "reference"] : []),
      "mechanism",
      "holds",
      "tuning",
    ],
    rows: rows.map((row) => [
      row.method,
      row.epsilon,
      ...(swept ? [row.variant ?? null] : []),
      row.delta,
      row.replicates,
      ...metrics.flatMap((metric) => pair(row.metrics[metric])),
      ...pair(row.gainOnSingleTask),
      ...(shared ? [...pair(row.share), row.reference ?? null] : []),
      row.mechanism ?? "none",
      guaranteeWord(row),
      row.tuning === "cv" && row.holds !== null ? "cv, not charged" : row.tuning,
    ]),
  };
}
