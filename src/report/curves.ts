/**
 * Lines with bands: accuracy over budgets or sizes, eps over rounds, noise over rounds.
 * @module
 */
import { lineChart, type LineChart } from "../charts/index.js";
import type { Figure, FigureText } from "./figure.js";
import { seriesLooks } from "./series-looks.js";

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
  /** What a series is, as the table's column says; default "method". */
  readonly legend?: string;
  /** Column names of the table; default the axes' titles. */
  readonly columns?: { readonly x: string; readonly y: string };
}

/** From this many places on ticks stand at round numbers instead. */
const PLACED = 12;

/** What the chart draws: a line for each series, horizontal where the series does not depend on x. */
function chartOf({ x, y, points }: CurveOptions): LineChart {
  const series = [...new Set(points.map((point) => point.series))];
  const looks = seriesLooks(series);
  const places = [...new Set(points.flatMap((point) => (point.x === null ? [] : [point.x])))];
  const lines = series.map((name, k) => {
    const own = points.filter((point) => point.series === name);
    return {
      name,
      ...looks[k]!,
      points: own.flatMap(({ x: at, y: value, error }) =>
        at === null
          ? []
          : [{ x: at, y: value, low: value - (error ?? 0), high: value + (error ?? 0) }],
      ),
      horizontal: own.filter((point) => point.x === null),
    };
  });
  const ticks =
    places.length > 0 && places.length <= PLACED ? { ticks: places.sort(ascending) } : {};
  return {
    x: { ...x, ...ticks },
    y,
    series: lines.filter((one) => one.points.length > 0),
    references: lines.flatMap(({ name, className, mark, horizontal }) =>
      horizontal.map((one) => ({ name, className, mark, y: one.y, error: one.error ?? 0 })),
    ),
    height: 340,
  };
}

const ascending = (a: number, b: number) => a - b;

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
  const chart = chartOf(options);
  return {
    name,
    title,
    caption,
    alt,
    command,
    panels: [{ width: 640, draw: (width) => lineChart(chart, width) }],
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
