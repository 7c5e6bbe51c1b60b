/**
 * Heat maps of models and of task relationships, side by side.
 * @module
 */
import type { TopLevelSpec } from "vega-lite";
import type { Figure, FigureText } from "./figure.js";
import { CONFIG } from "./styles.js";

/** One matrix of a figure. */
export interface HeatMap {
  readonly title: string;
  /** Row-major. */
  readonly values: ArrayLike<number>;
  readonly rows: number;
  readonly columns: number;
}

/** What {@link heatMapFigure} draws. */
export interface HeatMapOptions extends FigureText {
  readonly maps: readonly HeatMap[];
  /** What a row and a column of every map is, for example "task" and "feature". */
  readonly rowTitle: string;
  readonly columnTitle: string;
  /** What the colour says; default "value". */
  readonly valueTitle?: string;
  /**
   * "each" (default): every map has its own range, as matrices of different size need; "shared": one
   * range for all.
   */
  readonly range?: "each" | "shared";
}

/** Largest side drawn cell by cell; beyond it a figure would hold millions of marks. */
export const MAX_SIDE = 200;

const SIDE = 190;

function panel(map: HeatMap, extent: number, options: HeatMapOptions) {
  const values = [];
  for (let row = 0; row < map.rows; row++) {
    for (let column = 0; column < map.columns; column++) {
      const value = map.values[row * map.columns + column]!;
      values.push({ row: row + 1, column: column + 1, value });
    }
  }
  const axis = (title: string, count: number) => ({
    title,
    labelAngle: 0,
    ticks: false,
    values: count <= 12 ? undefined : every(count),
  });
  return {
    title: { text: map.title, fontSize: 12, fontWeight: "normal" as const },
    width: SIDE,
    height: SIDE,
    data: { values },
    mark: { type: "rect" as const },
    encoding: {
      x: {
        field: "column",
        type: "ordinal" as const,
        axis: axis(options.columnTitle, map.columns),
      },
      y: { field: "row", type: "ordinal" as const, axis: axis(options.rowTitle, map.rows) },
      color: {
        field: "value",
        type: "quantitative" as const,
        title: options.valueTitle ?? "value",
        // Diverging around 0, safe for the colour-blind.
        scale: { scheme: "blueorange" as const, domain: [-extent, extent] },
        legend: { gradientLength: SIDE - 30 },
      },
    },
  };
}

/** 1 and the tenths of n. */
function every(n: number): number[] {
  const step = Math.ceil(n / 8 / 5) * 5;
  return [1, ...Array.from({ length: Math.floor(n / step) }, (_, k) => (k + 1) * step)];
}

const largest = (map: HeatMap) =>
  Array.from(map.values).reduce((most, value) => Math.max(most, Math.abs(value)), 0) || 1;

function checkMap(name: string, { title, values, rows, columns }: HeatMap): void {
  if (values.length !== rows * columns) {
    throw new RangeError(
      `${name}, ${title}: expected ${rows} x ${columns} values, got ${values.length}`,
    );
  }
  if (rows > MAX_SIDE || columns > MAX_SIDE) {
    throw new RangeError(
      `${name}, ${title}: expected at most ${MAX_SIDE} rows and columns, got ${rows} x ${columns}`,
    );
  }
  if (!Array.from(values).every(Number.isFinite)) {
    throw new RangeError(`${name}, ${title}: expected finite values`);
  }
}

/**
 * Matrices side by side in colours that diverge at zero.
 * @throws RangeError if a matrix is not of its stated shape, not finite, or larger than
 *   {@link MAX_SIDE}.
 */
export function heatMapFigure(options: HeatMapOptions): Figure {
  const { name, title, caption, alt, command, maps, rowTitle, columnTitle } = options;
  if (maps.length === 0) throw new RangeError(`${name}: expected maps to draw, got none`);
  for (const map of maps) checkMap(name, map);
  const all = Math.max(...maps.map(largest));
  const spec: TopLevelSpec = {
    $schema: "https://vega.github.io/schema/vega-lite/v6.json",
    description: alt,
    config: CONFIG,
    resolve: { scale: { color: "independent" } },
    concat: maps.map((map) => panel(map, options.range === "shared" ? all : largest(map), options)),
    columns: 3,
  } as TopLevelSpec;
  return {
    ...{ name, title, caption, alt, command },
    spec,
    table: {
      columns: ["map", rowTitle, columnTitle, options.valueTitle ?? "value"],
      rows: maps.flatMap((map) =>
        Array.from(map.values, (value, at) => [
          map.title,
          Math.floor(at / map.columns) + 1,
          (at % map.columns) + 1,
          value,
        ]),
      ),
    },
  };
}
