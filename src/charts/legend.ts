/**
 * Which series is which, below a chart, in as many lines as its width needs.
 * @module
 */
import { drawMark } from "./marks.js";
import type { SeriesLook } from "./style.js";
import { element, label, line, textWidth, type Drawing } from "./svg.js";

/** A series as the legend shows it. */
export interface LegendEntry extends SeriesLook {
  readonly name: string;
  /** Points without a line. */
  readonly scattered?: boolean;
}

const ROW = 20;
const SAMPLE = 26;

/** The entries from left to right, top to bottom; a name wider than the chart is shortened. */
export function drawLegend(entries: readonly LegendEntry[], width: number): Drawing {
  let [x, y] = [0, 0];
  const parts = entries.map((entry) => {
    const room = Math.floor((width - SAMPLE - 6) / textWidth("x"));
    const name = entry.name.length > room ? `${entry.name.slice(0, room - 1)}…` : entry.name;
    const needed = SAMPLE + 6 + textWidth(name);
    if (x > 0 && x + needed > width) [x, y] = [0, y + ROW];
    const sample = entry.scattered
      ? drawMark([x + SAMPLE / 2, y + ROW / 2], entry)
      : line([x + 1, y + ROW / 2], [x + SAMPLE - 1, y + ROW / 2], `line ${entry.className}`);
    const text = label(name, { x: x + SAMPLE + 6, y: y + ROW / 2, dy: "0.32em" });
    x += needed + 18;
    return sample + text;
  });
  const height = entries.length === 0 ? 0 : y + ROW;
  return {
    width,
    height,
    body: element("g", { class: "legend", "aria-hidden": "true" }, ...parts),
  };
}
