/**
 * How series are told apart: by colour (Okabe and Ito's, which colour-blind readers can tell
 * apart), dash and mark at once, so that a print in grey still can be read.
 * @module
 */
import { METHOD_NAMES } from "../learning/index.js";

/** Okabe and Ito (2008) without yellow, which is too pale on white. */
export const COLOURS = [
  "#0072B2",
  "#D55E00",
  "#009E73",
  "#CC79A7",
  "#000000",
  "#E69F00",
  "#56B4E9",
] as const;

const DASHES = [
  [1, 0],
  [7, 3],
  [2, 2],
  [9, 3, 2, 3],
  [12, 4],
] as const;
const SHAPES = ["circle", "square", "triangle-up", "diamond", "cross", "triangle-down"] as const;

/** How one series is drawn. */
export interface SeriesStyle {
  readonly colour: string;
  readonly dash: readonly number[];
  readonly shape: string;
}

/**
 * A style for each series. The names of methods get the same style in every figure; other series
 * are styled in order. Up to 35 series differ in colour or dash.
 */
export function seriesStyles(series: readonly string[]): SeriesStyle[] {
  const known = series.every((name) => METHOD_NAMES.includes(name));
  return series.map((name, i) => {
    const k = known ? METHOD_NAMES.indexOf(name) : i;
    return {
      colour: COLOURS[k % COLOURS.length]!,
      dash: DASHES[k % DASHES.length]!,
      shape: SHAPES[k % SHAPES.length]!,
    };
  });
}

/** Fonts and lines of all figures; white ground, so that it prints. */
export const CONFIG = {
  background: "#ffffff",
  font: "Helvetica, Arial, sans-serif",
  view: { stroke: "#bbbbbb" },
  axis: { labelFontSize: 11, titleFontSize: 12, gridColor: "#e5e5e5", titleFontWeight: "normal" },
  legend: { labelFontSize: 11, titleFontSize: 12, symbolSize: 70, labelLimit: 320 },
  header: { labelFontSize: 12 },
} as const;
