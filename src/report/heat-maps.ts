/**
 * Heat maps of models and of task relationships, side by side.
 * @module
 */
import { extentOf, heatMap } from "../charts/index.js";
import type { Figure, FigureTable, FigureText } from "./figure.js";

/** One matrix of a figure. */
export interface HeatMap {
  readonly title: string;
  /** Row-major. */
  readonly values: ArrayLike<number>;
  readonly rows: number;
  readonly columns: number;
  /** Names along the sides; default the positions, counted from 1. */
  readonly rowNames?: readonly string[];
  readonly columnNames?: readonly string[];
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
   * range for all. A range ends at the size that 99 % of the values do not exceed.
   */
  readonly range?: "each" | "shared";
}

/** Largest side drawn cell by cell; beyond it cells are too small to see. */
export const MAX_SIDE = 200;

/** Width of one map alone, and of one beside others. */
const ALONE = 640;
const BESIDE = 312;

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
  const shared = Math.max(...maps.map(({ values }) => extentOf(values)));
  const chart = (map: HeatMap) => ({
    ...map,
    extent: options.range === "shared" ? shared : extentOf(map.values),
    rowTitle,
    columnTitle,
    valueTitle: options.valueTitle ?? "value",
  });
  return {
    name,
    title,
    caption,
    alt,
    command,
    panels: maps.map((map) => ({
      ...(maps.length > 1 ? { title: map.title } : {}),
      width: maps.length > 1 ? BESIDE : ALONE,
      draw: (width: number) => heatMap(chart(map), width),
    })),
    table: matrixTable(options),
  };
}

/** Digits of a map's numbers: more than its colours tell; the model's file has all. */
const DIGITS = 5;

/** A row for each row of a map; of maps that are symmetric the upper triangle. */
function matrixTable({ maps, rowTitle, columnTitle }: HeatMapOptions): FigureTable {
  const [first] = maps as [HeatMap, ...HeatMap[]];
  const most = Math.max(...maps.map(({ columns }) => columns));
  const names = Array.from(
    { length: most },
    (_, j) => first.columnNames?.[j] ?? `${columnTitle} ${j + 1}`,
  );
  return {
    columns: ["map", rowTitle, ...names],
    rows: maps.flatMap((map) => {
      const upper = isSymmetric(map);
      return Array.from({ length: map.rows }, (_, i) => [
        map.title,
        map.rowNames?.[i] ?? i + 1,
        ...names.map((_, j) => {
          if (j >= map.columns || (upper && j < i)) return null;
          return Number(map.values[i * map.columns + j]!.toPrecision(DIGITS));
        }),
      ]);
    }),
  };
}

/** To the digits that the table has. */
function isSymmetric({ rows, columns, values }: HeatMap): boolean {
  if (rows !== columns) return false;
  const [extent, digits] = [Math.max(...Array.from(values, Math.abs)), 10 ** -DIGITS];
  return Array.from(values).every((value, at) => {
    const mirrored = values[(at % columns) * columns + Math.floor(at / columns)]!;
    return Math.abs(value - mirrored) <= digits * extent;
  });
}
