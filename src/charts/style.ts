/**
 * How charts look, on light and dark ground, on a screen and in print. Series are told apart by colour (Okabe
 * and Ito's, which colour-blind readers can tell apart), dash and mark at once, so that a print in grey still
 * can be read.
 * @module
 */

/** Okabe and Ito (2008) without yellow, which is too pale on white; the second of each pair is for dark ground. */
const COLOURS = [
  ["#0072b2", "#62b4ee"],
  ["#d55e00", "#f0944d"],
  ["#009e73", "#4fcba4"],
  ["#b8578f", "#e39cc4"],
  ["#000000", "#ffffff"],
  ["#b87400", "#e69f00"],
  ["#3a8fc0", "#9bd5f7"],
] as const;

const DASHES = ["", "7 3", "2 2", "9 3 2 3", "12 4"] as const;

/** Forms of marks. */
export type Mark = "circle" | "square" | "triangle" | "diamond" | "cross" | "star";
const MARKS: readonly Mark[] = ["circle", "square", "triangle", "diamond", "cross", "star"];

/** How one series is drawn: a class of {@link CHART_STYLE} or of the page, and a mark. */
export interface SeriesLook {
  readonly className: string;
  readonly mark: Mark;
}

/** Looks this far apart have the same colour. */
export const PLAIN_COLOURS = COLOURS.length;

/** Series from here on look like earlier ones. */
export const DISTINCT_SERIES = COLOURS.length * DASHES.length;

/** The look of the k-th series: the first {@link DISTINCT_SERIES} differ in colour or dash. */
export const lookOf = (k: number): SeriesLook => ({
  className: `colour-${k % COLOURS.length} dash-${k % DASHES.length}`,
  mark: MARKS[k % MARKS.length]!,
});

const colours = (which: 0 | 1) =>
  COLOURS.map((pair, k) => `.colour-${k}{--series:${pair[which]}}`).join("");

const LIGHT =
  "--chart-ground:#fff;--chart-text:#1c1f22;--chart-quiet:#565d64;--chart-rule:#d9dbd8;--chart-edge:#80868b";
const DARK =
  "--chart-ground:#16191c;--chart-text:#e7e9ea;--chart-quiet:#a9b1b7;--chart-rule:#343a40;--chart-edge:#7f888f";

/** The rules of all charts. A page has them once; a file of its own carries them. */
export const CHART_STYLE = [
  `.chart{${LIGHT}}`,
  colours(0),
  `@media screen and (prefers-color-scheme:dark){.chart{${DARK}}${colours(1)}}`,
  ".chart{display:block;max-width:100%;height:auto}",
  '.chart text{font:12px system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif;fill:var(--chart-quiet);font-variant-numeric:tabular-nums}',
  ".chart text.title{fill:var(--chart-text)}",
  ".chart text.name{font-size:10px}",
  ".chart .ground{fill:var(--chart-ground)}",
  ".chart .rule{stroke:var(--chart-rule)}",
  ".chart .edge{stroke:var(--chart-edge);fill:none}",
  ".chart .line{fill:none;stroke:var(--series);stroke-width:2}",
  ".chart .band{fill:var(--series);stroke:none;opacity:.16}",
  ".chart .dot{fill:var(--series);stroke:none}",
  ".chart .mark line{stroke:var(--chart-text)}",
  ".chart .mark text{fill:var(--chart-text);font-weight:600;paint-order:stroke;stroke:var(--chart-ground);stroke-width:4px}",
  ".chart image{image-rendering:pixelated}",
  ...DASHES.map((dash, k) => (dash === "" ? "" : `.line.dash-${k}{stroke-dasharray:${dash}}`)),
].join("\n");
