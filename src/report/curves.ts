/**
 * Lines with bands: accuracy over budgets or sizes, eps over rounds, noise over rounds.
 * @module
 */
import type { TopLevelSpec } from "vega-lite";
import type { Figure, FigureText } from "./figure.js";
import { CONFIG, seriesStyles } from "./styles.js";

/** One point of a series. */
export interface CurvePoint {
  readonly series: string;
  /** null: the series does not depend on x and is drawn as a horizontal line. */
  readonly x: number | null;
  readonly y: number;
  /** Half the height of the band; null or left out where there is none. */
  readonly error?: number | null;
}

/** An axis. */
export interface CurveAxis {
  readonly title: string;
  /** Default linear. */
  readonly scale?: "linear" | "log";
}

/** What {@link curveFigure} draws. */
export interface CurveOptions extends FigureText {
  readonly x: CurveAxis;
  readonly y: CurveAxis;
  readonly points: readonly CurvePoint[];
  /** Heading of the legend; default "method". */
  readonly legend?: string;
  /** Column names of the table; default the axes' titles. */
  readonly columns?: { readonly x: string; readonly y: string };
}

interface Datum {
  series: string;
  x: number;
  y: number;
  lower: number;
  upper: number;
  marked: boolean;
}

/** From this many points on a line is drawn without marks. */
const MARKED = 16;

/** A horizontal line goes over the whole range of x; alone in the figure it gets a range. */
function spread(points: readonly CurvePoint[], logarithmic: boolean): Datum[] {
  const places = points.flatMap(({ x }) => (x === null ? [] : [x]));
  const [least, most] = places.length > 0 ? [Math.min(...places), Math.max(...places)] : [1, 1];
  // A single place would make an axis of length zero.
  const [from, to] =
    least < most ? [least, most] : logarithmic ? [least / 2, most * 2] : [least - 1, most + 1];
  const crowded = new Set(places).size > MARKED;
  return points.flatMap(({ series, x, y, error }) => {
    const band = { lower: y - (error ?? 0), upper: y + (error ?? 0) };
    const ends = x === null ? [from, to] : [x];
    return ends.map((end) => ({ series, x: end, y, ...band, marked: x !== null && !crowded }));
  });
}

const ticks = (values: readonly number[]) => [...new Set(values)].sort((a, b) => a - b);

/** Vega-Lite specification of {@link curveFigure}. */
function curveSpec(options: CurveOptions): TopLevelSpec {
  const { x, y, points, alt, legend = "method" } = options;
  const values = spread(points, x.scale === "log");
  const series = [...new Set(points.map((point) => point.series))];
  const styles = seriesStyles(series);
  const places = ticks(points.flatMap((point) => (point.x === null ? [] : [point.x])));
  // A logarithmic axis shows only what is positive: a band that reaches below ends at its line.
  const positive = y.scale === "log";
  const data = values.map((datum) => ({
    ...datum,
    lower: positive && datum.lower <= 0 ? datum.y : datum.lower,
    shape: styles[series.indexOf(datum.series)]!.shape,
  }));
  const scaled = (axis: CurveAxis) => ({
    type: axis.scale ?? ("linear" as const),
    ...(axis.scale === "log" ? {} : { zero: false }),
    nice: axis.scale !== "log",
  });
  const position = {
    x: {
      field: "x",
      type: "quantitative" as const,
      title: x.title,
      scale: { ...scaled(x), nice: false },
      axis: {
        grid: false,
        ...(places.length > 0 && places.length <= 12 ? { values: places } : {}),
      },
    },
  };
  const y1 = (field: string) => ({
    field,
    type: "quantitative" as const,
    title: y.title,
    scale: scaled(y),
  });
  const by = { field: "series", type: "nominal" as const, title: legend };
  // Short lines in the legend, for all layers alike: Vega-Lite merges their legends.
  const colour = {
    ...by,
    scale: { domain: series, range: styles.map((style) => style.colour) },
    legend: {
      symbolType: "stroke" as const,
      symbolSize: 500,
      symbolStrokeWidth: 2.5,
      symbolOpacity: 1,
    },
  };
  const dash = {
    ...by,
    scale: { domain: series, range: styles.map((style) => [...style.dash]) },
  };
  // The data names its marks, as a scale would add them to the legend and hide the dashes there.
  const shape = { field: "shape", type: "nominal" as const, scale: null };
  return {
    $schema: "https://vega.github.io/schema/vega-lite/v6.json",
    description: alt,
    config: CONFIG,
    width: 540,
    height: 340,
    data: { values: data },
    layer: [
      {
        mark: { type: "area", opacity: 0.15 },
        encoding: {
          ...position,
          y: y1("lower"),
          y2: { field: "upper" },
          color: colour,
        },
      },
      {
        mark: { type: "line", strokeWidth: 2, clip: true },
        encoding: {
          ...position,
          y: y1("y"),
          color: colour,
          strokeDash: dash,
        },
      },
      {
        transform: [{ filter: "datum.marked" }],
        mark: { type: "point", filled: true, size: 55, opacity: 1 },
        encoding: { ...position, y: y1("y"), color: colour, shape },
      },
    ],
  };
}

/**
 * A figure of lines, with a band of mean ± standard error where points have one.
 * @throws RangeError if there is nothing to draw, or a number is not finite.
 */
export function curveFigure(options: CurveOptions): Figure {
  const { name, title, caption, alt, command, points, x, y, columns } = options;
  if (points.length === 0) throw new RangeError(`${name}: expected points to draw, got none`);
  for (const { series, x: place, y: value } of points) {
    const finite = Number.isFinite(value) && (place === null || Number.isFinite(place));
    const drawable =
      (y.scale !== "log" || value > 0) && (x.scale !== "log" || place === null || place > 0);
    if (!finite || !drawable) {
      throw new RangeError(
        `${name}: expected numbers that its axes can show, got (${place}, ${value}) in ${series}`,
      );
    }
  }
  return {
    ...{ name, title, caption, alt, command },
    spec: curveSpec(options),
    table: {
      columns: [
        options.legend ?? "method",
        columns?.x ?? x.title,
        columns?.y ?? y.title,
        "standard error",
      ],
      rows: points.map(({ series, x: place, y: value, error }) => [
        series,
        place,
        value,
        error ?? null,
      ]),
    },
  };
}
