/** Test error against epsilon, from the figures that docs/figures/accuracy.json keeps of a measured run. */
import { described } from "./drawing.mjs";

/** The methods drawn: the two ends of the scale, the paper's algorithm, and those beyond it. */
export const DRAWN = [
  "single-task",
  "trace-norm",
  "mp-low-rank",
  "mp-feature-learning",
  "mp-hierarchical",
];

/** What is kept of the JSON that `npm run paper` writes: how it was made, and the rows that are drawn. */
export function kept({ command, table: { columns, rows } }) {
  const missing = DRAWN.filter((name) => rows.every(([method]) => method !== name));
  if (missing.length > 0) throw new Error(`expected results of ${missing.join(", ")}, found none`);
  return { command, columns, rows: rows.filter(([method]) => DRAWN.includes(method)) };
}

const about = {
  name: "accuracy",
  title: "Test error against epsilon, low-rank data",
  description:
    "Line chart, both axes logarithmic. Learning alone and the trace norm without privacy are horizontal lines, far " +
    "apart. Feature learning and hierarchical learning start at learning alone at epsilon 0.1, are near the trace norm " +
    "at 1 and at it from 3 on. Algorithm 2 goes less than half of the way by epsilon 10.",
};

/**
 * @param data what {@link kept} gave.
 * @param report the module src/report of a build, or of the sources.
 */
export async function accuracy({ rows, command }, { curveFigure, renderSvg }) {
  const figure = curveFigure({
    ...about,
    caption: "",
    alt: about.title,
    command,
    x: { title: "epsilon (logarithmic)", scale: "log" },
    y: { title: "test nMSE (logarithmic; lower is better)", scale: "log" },
    points: rows.map(([series, x, y, error]) => ({ series, x, y, error })),
  });
  return described(await renderSvg(figure), about);
}
