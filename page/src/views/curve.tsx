/**
 * The privacy-accuracy curve, with the slider's eps as a moving mark.
 * @module
 */
import type { ChartPoint } from "../../../src/charts/index.js";
import { Figure } from "../charts/figure.js";
import { LineChart, type Reference, type Series } from "../charts/line-chart.js";
import {
  computeCurve,
  curve,
  stopCurve,
  type Curve as CurveState,
  type CurvePoint,
} from "../state/curve.js";
import { dataSet } from "../state/data.js";
import { references } from "../state/references.js";
import { run, runs } from "../state/run.js";
import { epsilon, LEAST_EPSILON, method, MOST_EPSILON } from "../state/settings.js";
import { verdictOf } from "../text/guarantee-words.js";
import { metricOf, type Metric } from "../text/metrics.js";
import { short } from "../text/numbers.js";
import { Problem } from "./problem.js";

const mean = (values: readonly number[]) =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

export function Curve() {
  const metric = metricOf(dataSet.value!.data.loss);
  const found = curve.value;
  const points = (found?.points ?? []).map(({ epsilon, values }): ChartPoint => ({
    ...{ x: epsilon, y: mean(values) },
    ...{ low: Math.min(...values), high: Math.max(...values) },
  }));
  const lines = referenceLines(metric);
  const series: Series[] = [
    ...(points.length > 0
      ? [{ name: `${nameOf(found!)}, mean and range of 3 fits`, look: "ours" as const, points }]
      : []),
    {
      name: "your private fits",
      look: "past",
      scattered: true,
      points: runs.value
        .filter(({ outcome }) => verdictOf(outcome.guarantee) === "holds")
        .map(({ settings, outcome }) => ({
          ...{ x: settings.epsilon, y: metric.of(outcome.scores) },
          // Fits of the curve's method lie where the reader looks for them.
          ...(settings.method === found?.settings.method ? {} : { label: settings.method.title }),
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
            Every point is a fit of its own with fresh noise. Choosing epsilon by looking at this
            curve is itself a release of what everyone's data says: do it on data that may be shown.
          </>
        }
        numbers={{
          columns: ["fit", "epsilon", metric.short, "lowest", "highest"],
          rows: [
            ...lines.map(({ name, y }) => [name, null, y, null, null]),
            ...(found?.points ?? []).map((point) => curveRow(nameOf(found!), point)),
            ...runs.value.map(({ settings, outcome }) => [
              `your fit, ${settings.method.title}${verdictOf(outcome.guarantee) === "holds" ? "" : ", not private"}`,
              settings.epsilon,
              metric.of(outcome.scores),
              null,
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
          mark={{ x: epsilon.value, label: `epsilon ${short(epsilon.value)}` }}
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
        {!found && "27 fits in the background."}
        {stale && !found.working && "The curve is of another method than the one chosen now."}
      </p>
      <Problem text={found?.problem ?? null} />
    </div>
  );
}

function referenceLines(metric: Metric): Reference[] {
  const { alone, together } = references.value;
  return [
    ...(alone
      ? [{ name: "each task alone", look: "alone" as const, y: metric.of(alone.scores) }]
      : []),
    ...(together
      ? [
          {
            name: "together, without privacy",
            look: "together" as const,
            y: metric.of(together.scores),
          },
        ]
      : []),
  ];
}

/** The method; the papers' noise is named for what it is. */
function nameOf({ settings: { method: chosen, options } }: CurveState): string {
  const unsound = options["mechanism"] === "wishart";
  return `${chosen.title}${unsound ? " (papers' noise: DOES NOT HOLD)" : ""}`;
}

function curveRow(title: string, { epsilon, values }: CurvePoint) {
  return [title, epsilon, mean(values), Math.min(...values), Math.max(...values)];
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
      ? ` The private ${metric.short} goes from ${short(first.y)} at epsilon ${short(first.x)} to ${short(last.y)} at epsilon ${short(last.x)}.`
      : "";
  return `Line chart of test ${metric.short} against epsilon. ${fixed}.${along}`;
}
