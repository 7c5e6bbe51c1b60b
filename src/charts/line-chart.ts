/**
 * Lines and points over two axes, with bands, horizontal references and a vertical mark.
 * @module
 */
import { drawAxes, makeScale, paddedRange, type Axis, type Plot, type Scale } from "./axes.js";
import { drawLegend } from "./legend.js";
import { drawMark } from "./marks.js";
import type { SeriesLook } from "./style.js";
import { element, label, line, textWidth, type Drawing } from "./svg.js";

/** One point of a series. */
export interface ChartPoint {
  readonly x: number;
  readonly y: number;
  /** Ends of the band; left out where there is none. */
  readonly low?: number;
  readonly high?: number;
  /** A word beside the point. */
  readonly label?: string;
}

/** A line with its points. */
export interface ChartSeries extends SeriesLook {
  readonly name: string;
  readonly points: readonly ChartPoint[];
  /** Points without a line. */
  readonly scattered?: boolean;
}

/** A horizontal line. */
export interface ChartReference extends SeriesLook {
  readonly name: string;
  readonly y: number;
  /** Half the height of its band. */
  readonly error?: number;
}

/** What {@link lineChart} draws. */
export interface LineChart {
  readonly x: Axis;
  readonly y: Axis;
  readonly series: readonly ChartSeries[];
  readonly references?: readonly ChartReference[];
  /** A vertical line with a word on it. */
  readonly mark?: { readonly x: number; readonly label: string };
  /** Height of axes and data in pixels, without the legend; default 260. */
  readonly height?: number;
}

/** From this many points on a line is drawn without marks. */
const MARKED = 25;

const shown = (axis: Axis, value: number) =>
  Number.isFinite(value) && (axis.scale !== "log" || value > 0);

type VisiblePoint = ChartPoint & Required<Omit<ChartPoint, "label">>;

/** What the axes can show of a series. A band that reaches below a logarithmic axis ends at its line. */
function visible({ x, y }: LineChart, points: readonly ChartPoint[]): VisiblePoint[] {
  return points
    .filter((point) => shown(x, point.x) && shown(y, point.y))
    .map((point) => {
      const { low = point.y, high = point.y } = point;
      return { ...point, high, low: shown(y, low) ? low : point.y };
    });
}

/** A path through places, in order. */
const through = (places: readonly (readonly [number, number])[]) =>
  `M${places.map((place) => place.map((value) => value.toFixed(1)).join(",")).join("L")}`;

function drawSeries(series: ChartSeries, points: VisiblePoint[], x: Scale, y: Scale) {
  const { className, scattered = false } = series;
  const along = (height: (p: VisiblePoint) => number) =>
    points.map((p) => [x(p.x), y(height(p))] as const);
  const band = () => `${through([...along((p) => p.high), ...along((p) => p.low).reverse()])}Z`;
  const banded = points.some(({ low, high }) => low !== high);
  const dotted = scattered || points.length <= MARKED;
  return element(
    "g",
    {},
    ...(banded ? [element("path", { class: `band ${className}`, d: band() })] : []),
    ...(scattered || points.length < 2
      ? []
      : [element("path", { class: `line ${className}`, d: through(along((p) => p.y)) })]),
    ...(dotted
      ? points.map((p) => drawMark([x(p.x), y(p.y)], series, scattered ? 5 : undefined))
      : []),
    ...points.flatMap((p) =>
      p.label === undefined
        ? []
        : [label(p.label, { class: "name", x: x(p.x) + 8, y: y(p.y), dy: "0.32em" })],
    ),
  );
}

function drawReference(one: ChartReference, yAxis: Axis, y: Scale, plot: Plot): string {
  const { className, error = 0 } = one;
  const low = shown(yAxis, one.y - error) ? one.y - error : one.y;
  const [top, bottom] = [y(one.y + error), y(low)];
  const band = { x: plot.left, width: plot.right - plot.left, y: top, height: bottom - top };
  return [
    ...(error > 0 ? [element("rect", { class: `band ${className}`, ...band })] : []),
    line([plot.left, y(one.y)], [plot.right, y(one.y)], `line ${className}`),
  ].join("");
}

function drawVertical(mark: NonNullable<LineChart["mark"]>, x: Scale, plot: Plot): string {
  const at = x(mark.x);
  const before = at > (plot.left + plot.right) / 2;
  const place = { x: at + (before ? -5 : 5), y: plot.top + 6 };
  return element(
    "g",
    { class: "mark" },
    line([at, plot.top], [at, plot.bottom]),
    label(mark.label, { ...place, "text-anchor": before ? "end" : "start" }),
  );
}

/** A single point has no line, in the legend either. */
const asDrawn = (series: ChartSeries) =>
  series.points.length > 1 ? series : { ...series, scattered: true };

/** The chart at a width in pixels, its legend below it. */
export function lineChart(chart: LineChart, width: number): Drawing {
  const { x, y, series, references = [], mark, height = 260 } = chart;
  const drawn = series.map((one) => ({ one, points: visible(chart, one.points) }));
  const all = drawn.flatMap(({ points }) => points);
  const ys = [
    ...all.flatMap((p) => [p.low, p.high]),
    ...references.flatMap((one) => [one.y - (one.error ?? 0), one.y + (one.error ?? 0)]),
  ];
  const xRange =
    x.range ??
    paddedRange(
      all.map((p) => p.x),
      x.scale,
      0.02,
    );
  const yRange = y.range ?? paddedRange(ys, y.scale);
  const bottom = height - 40;
  const yScale = makeScale(y, yRange, [bottom, 26], 6);
  const left = 12 + Math.max(24, ...yScale.ticks.map(({ text }) => textWidth(text)));
  const plot: Plot = { left, right: width - 14, top: 26, bottom };
  const xScale = makeScale(x, xRange, [plot.left, plot.right], Math.max(2, Math.floor(width / 70)));
  const legend = drawLegend([...series.map(asDrawn), ...references], width);
  return {
    width,
    height: height + legend.height + 6,
    body: [
      drawAxes(x, y, xScale, yScale, plot),
      ...references.map((one) => drawReference(one, y, yScale, plot)),
      ...drawn.map(({ one, points }) => drawSeries(one, points, xScale, yScale)),
      ...(mark ? [drawVertical(mark, xScale, plot)] : []),
      element("g", { transform: `translate(0 ${height + 6})` }, legend.body),
    ].join("\n"),
  };
}
