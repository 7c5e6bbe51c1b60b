/**
 * Epsilon over rounds as a file with one chart.
 * @module
 */
import { CHART_STYLE, lineChart, lookOf, svgFile } from "../../charts/index.js";
import { decimalAbove } from "../../privacy/accounting/rounding.js";

/**
 * @param curve epsilon after a number of rounds; points without a finite epsilon are left out.
 * @param delta at which it holds, for the title.
 */
export function epsilonPlot(
  curve: readonly { round: number; epsilon: number }[],
  delta: number,
): string {
  const points = curve
    .filter(({ epsilon }) => Number.isFinite(epsilon))
    .map(({ round, epsilon }) => ({ x: round, y: epsilon }));
  const highest = Math.max(0, ...points.map(({ y }) => y)) || 1;
  const title = `epsilon at delta ${decimalAbove(delta, 3)}`;
  const drawing = lineChart(
    {
      x: { title: "rounds", whole: true },
      y: { title, range: [0, 1.05 * highest] },
      series: [{ name: title, ...lookOf(0), points }],
      height: 320,
    },
    560,
  );
  return svgFile(drawing, `Line chart of ${title} over rounds.`, CHART_STYLE);
}
