/**
 * The privacy-accuracy curve, with the slider's eps as a moving mark.
 * @module
 */
import type { ChartPoint } from "../../../../src/charts/index.js";
import { Figure } from "../../charts/figure.js";
import { LineChart, type Reference, type Series } from "../../charts/line-chart.js";
import {
  computeCurve,
  curve,
  SPLITS,
  stopCurve,
  type Curve as CurveState,
  type CurvePoint,
} from "../../state/curve.js";
import { dataSet } from "../../state/data.js";
import { references } from "../../state/references.js";
import { run, runs, type Run } from "../../state/run.js";
import { epsilon, LEAST_EPSILON, method, MOST_EPSILON } from "../../state/settings.js";
import { verdictOf } from "../../text/guarantee-words.js";
import { isPapers, titleOf } from "../../text/methods.js";
import { metricOf, type Metric } from "../../text/metrics.js";
import { short, shortPromise } from "../../text/numbers.js";
import { Problem } from "../parts/problem.js";

/** Mean and its standard error; null of a single value. */
function meanOf(values: readonly number[]): { mean: number; error: number | null } {
  const n = values.length;
  const mean = values.reduce((sum, value) => sum + value, 0) / n;
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return { mean, error: n > 1 ? Math.sqrt(squares / (n - 1) / n) : null };
}

export function Curve() {
  const metric = metricOf(dataSet.value!.data.loss);
  const found = curve.value;
  const points = (found?.points ?? []).map(({ epsilon, values }): ChartPoint => {
    const { mean, error } = meanOf(values);
    return {
      x: epsilon,
      y: mean,
      ...(error === null ? {} : { low: mean - error, high: mean + error }),
    };
  });
  const lines = referenceLines(metric);
  const series: Series[] = [
    ...(points.length > 0 ? [{ name: nameOf(found!), look: "ours" as const, points }] : []),
    {
      name: "your private fits",
      look: "past",
      scattered: true,
      points: runs.value
        .filter(({ outcome }) => verdictOf(outcome.guarantee) === "holds")
        .map((one) => ({
          x: one.settings.epsilon,
          y: metric.of(one.outcome.scores),
          // Fits of the curve's method lie where the reader looks for them.
          ...(one.settings.method === found?.settings.method ? {} : { label: fitName(one) }),
        })),
    },
  ];
  return (
    <section aria-labelledby="curve-title">
      <h2 id="curve-title">What privacy costs</h2>
      <Figure
        title={`Test ${metric.short} for every budget`}
        caption={
          <>
            {found
              ? `Means of ${SPLITS} fits, each with fresh noise on training and test rows of its own; bands are their standard error. `
              : "Every point is a fit of its own with fresh noise. "}
            Choosing epsilon by looking at this curve is itself a release of what everyone's data
            says: do it on data that may be shown.
          </>
        }
        numbers={{
          columns: ["fit", "epsilon", metric.short, "standard error"],
          rows: [
            ...lines.map(({ name, y, error }) => [name, null, y, error ?? null]),
            ...(found?.points ?? []).map((point) => curveRow(nameOf(found!), point)),
            ...runs.value.map((one) => [
              `your fit, ${fitName(one)}${verdictOf(one.outcome.guarantee) === "holds" ? "" : ", not private"}`,
              one.settings.epsilon,
              metric.of(one.outcome.scores),
              null,
            ]),
          ],
        }}
      >
        <LineChart
          alt={curveWords(metric, points, lines)}
          x={{
            title: "epsilon (more private to the left)",
            scale: "log",
            range: [LEAST_EPSILON, MOST_EPSILON],
          }}
          y={{ title: metric.short, scale: "linear" }}
          series={series}
          references={lines}
          mark={{ x: epsilon.value, label: `epsilon ${shortPromise(epsilon.value)}` }}
        />
      </Figure>
      <CurveButtons />
    </section>
  );
}

function CurveButtons() {
  const found = curve.value;
  const stale = found && found.settings.method !== method.value;
  return (
    <div class="buttons">
      {found?.working ? (
        <button type="button" onClick={stopCurve}>
          Stop
        </button>
      ) : (
        <button type="button" disabled={!run.value} onClick={() => void computeCurve()}>
          {found ? "Compute again" : "Compute the curve"}
        </button>
      )}
      <p class="state">
        {found?.working && (
          <>
            <progress aria-label="Fits" value={found.done} max={found.total} /> {found.done} of{" "}
            {found.total} fits
          </>
        )}
        {!found && `27 fits in the background, on ${SPLITS} splits into training and test rows.`}
        {stale && !found.working && "The curve is of another method than the one chosen now."}
      </p>
      <Problem text={found?.problem ?? null} />
    </div>
  );
}

/** On all splits where the curve has fitted them there, else on the first. */
function referenceLines(metric: Metric): Reference[] {
  const { alone, together } = references.value;
  const found = curve.value;
  const parts = [
    { name: "each task alone", look: "alone", one: alone, all: found?.alone },
    { name: "together, without privacy", look: "together", one: together, all: found?.together },
  ] as const;
  return parts.flatMap(({ name, look, one, all = [] }) => {
    if (!one) return [];
    const { mean, error } = meanOf(all.length > 0 ? all : [metric.of(one.scores)]);
    return [{ name, look, y: mean, ...(error === null ? {} : { error }) }];
  });
}

/** The method of a fit, the one that was taken where that was left open. */
function fitName({ settings: { method: chosen }, outcome }: Run): string {
  return chosen.method === outcome.method ? chosen.title : `automatic: ${titleOf(outcome.method)}`;
}

/** The method; the papers' noise is named for what it is. */
function nameOf({ settings: { method: chosen, options } }: CurveState): string {
  return `${chosen.title}${isPapers(options["mechanism"]) ? " (papers' noise: DOES NOT HOLD)" : ""}`;
}

function curveRow(title: string, { epsilon, values }: CurvePoint) {
  const { mean, error } = meanOf(values);
  return [title, epsilon, mean, error];
}

function curveWords(
  metric: Metric,
  points: readonly ChartPoint[],
  lines: readonly Reference[],
): string {
  const fixed = lines.map(({ name, y }) => `${name} ${short(y)}`).join(", ");
  const [first, last] = [points[0], points.at(-1)];
  const along =
    first && last
      ? ` The private ${metric.short} goes from ${short(first.y)} at epsilon ${shortPromise(first.x)} to ${short(last.y)} at epsilon ${shortPromise(last.x)}.`
      : "";
  return `Line chart of test ${metric.short} against epsilon. ${fixed}.${along}`;
}
