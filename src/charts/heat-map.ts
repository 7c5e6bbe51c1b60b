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

/** The names along one side of the picture. */
interface SideNames {
  /** Which of its rows or columns are named. */
  readonly named: readonly number[];
  readonly of: (k: number) => string;
  /** Width of the widest, in pixels. */
  readonly widest: number;
}

function sideNames(n: number, length: number, names: readonly string[] | undefined): SideNames {
  const of = (k: number) => shorten(names?.[k] ?? String(k + 1));
  const named = every(n, length, FONT + 2);
  return { named, of, widest: Math.max(...named.map((k) => textWidth(of(k), FONT))) };
}

/** Whether names of columns would run into one another if they were not turned. */
function mustTurn({ named, widest }: SideNames, inside: number): boolean {
  return widest + 4 > inside / named.length;
}

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** The picture at a width in pixels, with names along its sides and the scale of its colours below. */
export function heatMap(map: HeatMapChart, width: number): Drawing {
  const { values, rows, columns, extent } = map;
  const height = Math.max(60, Math.min(300, rows * 12));
  const left = sideNames(rows, height, map.rowNames);
  const x = Math.min(width / 3, 24 + left.widest);
  const box = { x, y: 22, width: width - x - 4, height };
  const below = sideNames(columns, box.width, map.columnNames);
  const turned = mustTurn(below, box.width);
  const namesEnd = box.y + height + 8 + (turned ? below.widest : FONT);
  const drawn = [
    label(map.title, { class: "title", x, y: 14 }),
    ...picture(box, png(values, columns, rows, extent)),
    ...rowLabels(left, rows, box),
    ...columnLabels(below, columns, box, turned),
    label(map.rowTitle, {
      class: "title",
      transform: `translate(11 ${box.y + height / 2}) rotate(-90)`,
      "text-anchor": "middle",
    }),
    label(map.columnTitle, {
      class: "title",
      x: x + box.width / 2,
      y: namesEnd + 14,
      "text-anchor": "middle",
    }),
    colourScale(map, { left: x, top: namesEnd + 24, width: box.width }),
  ];
  return { width, height: namesEnd + 46, body: drawn.join("\n") };
}

function picture(box: Box, href: string): string[] {
  return [
    element("image", { ...box, preserveAspectRatio: "none", href }),
    element("rect", { class: "edge", ...box }),
  ];
}

function rowLabels({ named, of }: SideNames, rows: number, { x, y, height }: Box): string[] {
  return named.map((k) =>
    label(of(k), {
      class: "name",
      x: x - 5,
      y: y + ((k + 0.5) * height) / rows,
      dy: "0.32em",
      "text-anchor": "end",
    }),
  );
}

function columnLabels(
  { named, of }: SideNames,
  columns: number,
  { x, y, width, height }: Box,
  turned: boolean,
): string[] {
  const bottom = y + height;
  return named.map((k) => {
    const at = x + ((k + 0.5) * width) / columns;
    return turned
      ? label(of(k), {
          class: "name",
          "text-anchor": "end",
          transform: `translate(${at.toFixed(1)} ${bottom + 6}) rotate(-90)`,
          dy: "0.32em",
        })
      : label(of(k), { class: "name", "text-anchor": "middle", x: at, y: bottom + 14 });
  });
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
    ...picture(box, png(values, values.length, 1, 1)),
    label(`${high}  ${valueTitle}`, { x: from + bar + 5, y: top + 8, dy: "0.32em" }),
  );
}
