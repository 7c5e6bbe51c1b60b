/**
 * A matrix as a picture: a column for each task, a row for each feature, one pixel a cell.
 * @module
 */
import { encode } from "fast-png";
import { shortNumber } from "./axes.js";
import { colourOf } from "./colours.js";
import { element, label, textWidth, type Drawing } from "./svg.js";

/** What {@link heatMap} draws. */
export interface HeatMapChart {
  readonly title: string;
  /** Row-major. */
  readonly values: ArrayLike<number>;
  readonly rows: number;
  readonly columns: number;
  /** The size whose colours are the strongest; larger values look like it. */
  readonly extent: number;
  readonly rowTitle: string;
  readonly columnTitle: string;
  /** What the colour says. */
  readonly valueTitle: string;
  /** Names; default the positions, counted from 1. */
  readonly rowNames?: readonly string[];
  readonly columnNames?: readonly string[];
}

/** Few enough shades to compress well, too many to tell apart. */
const SHADES = 48;

/** The colours of all levels, from the lowest. */
const palette = Array.from({ length: 2 * SHADES + 1 }, (_, k) =>
  Array.from(colourOf(k / SHADES - 1, false), Math.round),
);

function png(values: ArrayLike<number>, columns: number, rows: number, extent: number): string {
  const level = (value: number) => {
    const shade = Math.round((SHADES * value) / extent);
    return SHADES + Math.max(-SHADES, Math.min(SHADES, shade));
  };
  const data = Uint8Array.from({ length: rows * columns }, (_, at) => level(values[at]!));
  const file = encode({ width: columns, height: rows, data, channels: 1, depth: 8, palette });
  let bytes = "";
  for (const byte of file) bytes += String.fromCharCode(byte);
  return `data:image/png;base64,${btoa(bytes)}`;
}

/** Longest name shown, in characters. */
const LONGEST = 18;
const shorten = (name: string) => (name.length > LONGEST ? `${name.slice(0, LONGEST - 1)}…` : name);

/** Which of n labels stand `room` pixels apart over `length`. */
function every(n: number, length: number, room: number): number[] {
  const least = Math.max(1, Math.ceil((n * room) / length));
  const step = [1, 2, 5, 10, 20, 25, 50, 100, 200].find((size) => size >= least) ?? least;
  // Positions count from 1, so the tenth, not the eleventh, is named; the first is, so that what is too near to it is not.
  return Array.from({ length: n }, (_, k) => k).filter(
    (k) => step === 1 || k === 0 || ((k + 1) % step === 0 && k + 1 > step),
  );
}

const FONT = 10;

/** The picture at a width in pixels, with names along its sides and the scale of its colours below. */
export function heatMap(map: HeatMapChart, width: number): Drawing {
  const { values, rows, columns, extent, rowNames, columnNames } = map;
  const rowName = (k: number) => shorten(rowNames?.[k] ?? String(k + 1));
  const columnName = (k: number) => shorten(columnNames?.[k] ?? String(k + 1));
  const height = Math.max(60, Math.min(300, rows * 12));
  const namedRows = every(rows, height, FONT + 2);
  const widest = Math.max(...namedRows.map((k) => textWidth(rowName(k), FONT)));
  const left = Math.min(width / 3, 24 + widest);
  const inside = width - left - 4;
  const namedColumns = every(columns, inside, FONT + 2);
  const turned = namedColumns.some(
    (k) =>
      textWidth(columnName(k), FONT) + 4 >
      (inside / columns) * (namedColumns.length === columns ? 1 : columns / namedColumns.length),
  );
  const deepest = turned
    ? Math.max(...namedColumns.map((k) => textWidth(columnName(k), FONT)))
    : FONT;
  const top = 22;
  const bottom = top + height;
  const namesEnd = bottom + 8 + deepest;
  const columnAt = (k: number) => left + ((k + 0.5) * inside) / columns;
  const rowAt = (k: number) => top + ((k + 0.5) * height) / rows;
  const box = { x: left, y: top, width: inside, height };
  const drawn = [
    label(map.title, { class: "title", x: left, y: 14 }),
    element("image", {
      ...box,
      preserveAspectRatio: "none",
      href: png(values, columns, rows, extent),
    }),
    element("rect", { class: "edge", ...box }),
    ...namedRows.map((k) =>
      label(rowName(k), {
        class: "name",
        x: left - 5,
        y: rowAt(k),
        dy: "0.32em",
        "text-anchor": "end",
      }),
    ),
    ...namedColumns.map((k) => {
      const at = columnAt(k).toFixed(1);
      return turned
        ? label(columnName(k), {
            class: "name",
            "text-anchor": "end",
            transform: `translate(${at} ${bottom + 6}) rotate(-90)`,
            dy: "0.32em",
          })
        : label(columnName(k), {
            class: "name",
            "text-anchor": "middle",
            x: columnAt(k),
            y: bottom + 14,
          });
    }),
    label(map.rowTitle, {
      class: "title",
      transform: `translate(11 ${top + height / 2}) rotate(-90)`,
      "text-anchor": "middle",
    }),
    label(map.columnTitle, {
      class: "title",
      x: left + inside / 2,
      y: namesEnd + 14,
      "text-anchor": "middle",
    }),
    colourScale(map, { left, top: namesEnd + 24, width: inside }),
  ];
  return { width, height: namesEnd + 46, body: drawn.join("\n") };
}

/** What the colours mean, from -extent to extent. */
function colourScale(
  { extent, valueTitle }: HeatMapChart,
  { left, top, width }: { left: number; top: number; width: number },
): string {
  const [low, high] = [shortNumber(-extent), shortNumber(extent)];
  const bar = Math.max(40, Math.min(120, width - textWidth(low + high + valueTitle) - 24));
  const from = left + textWidth(low) + 5;
  const values = Float64Array.from({ length: 2 * SHADES + 1 }, (_, k) => k / SHADES - 1);
  const box = { x: from, y: top + 3, width: bar, height: 10 };
  return element(
    "g",
    { class: "scale" },
    label(low, { x: left, y: top + 8, dy: "0.32em" }),
    element("image", {
      ...box,
      preserveAspectRatio: "none",
      href: png(values, values.length, 1, 1),
    }),
    element("rect", { class: "edge", ...box }),
    label(`${high}  ${valueTitle}`, { x: from + bar + 5, y: top + 8, dy: "0.32em" }),
  );
}
