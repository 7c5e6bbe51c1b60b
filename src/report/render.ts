/**
 * From a figure to SVG: in a page, at the widths of a screen and of a phone, or as a file of its own.
 * @module
 */
import { CHART_STYLE, svg, svgFile, type Drawing } from "../charts/index.js";
import type { Figure, Panel } from "./figure.js";

/** Width of a drawing on a phone, in pixels. */
const NARROW = 340;

const altOf = (figure: Figure, panel: Panel) =>
  panel.title === undefined ? figure.alt : `${figure.alt} This part: ${panel.title}.`;

/**
 * The drawings of a figure for a page that has `CHART_STYLE` and `RENDER_STYLE`. What is wider than a phone is
 * drawn twice, so that its texts are legible on both; the page shows, also to screen readers, one of them.
 */
export function figureMarkup(figure: Figure): string {
  const drawings = figure.panels.flatMap((panel) => {
    const alt = altOf(figure, panel);
    return panel.width <= NARROW
      ? [svg(panel.draw(panel.width), alt)]
      : [
          svg(panel.draw(panel.width), alt, "chart wide"),
          svg(panel.draw(NARROW), alt, "chart narrow"),
        ];
  });
  return `<div class="panels">\n${drawings.join("\n")}\n</div>`;
}

/** Rules of a page that shows {@link figureMarkup}. */
export const RENDER_STYLE = `.panels{display:flex;flex-wrap:wrap;gap:1rem}
.narrow{display:none!important}
@media screen and (max-width:720px){.narrow{display:block!important}.wide{display:none!important}}`;

const GAP = 16;
const WIDEST = 660;

/** Panels from left to right, top to bottom. */
function arrange(panels: readonly Panel[]): Drawing {
  let [x, y, row, width] = [0, 0, 0, 0];
  const parts = panels.map((panel) => {
    const drawing = panel.draw(panel.width);
    if (x > 0 && x + drawing.width > WIDEST) [x, y, row] = [0, y + row + GAP, 0];
    const part = `<g transform="translate(${x} ${y})">${drawing.body}</g>`;
    [x, row] = [x + drawing.width + GAP, Math.max(row, drawing.height)];
    width = Math.max(width, x - GAP);
    return part;
  });
  return { width, height: y + row, body: parts.join("\n") };
}

/** A figure as an SVG file of its own. The same figure gives the same text. */
export const renderSvg = (figure: Figure): string =>
  svgFile(arrange(figure.panels), figure.alt, CHART_STYLE);
