/**
 * Axes: from numbers to pixels, with ticks at round numbers.
 * @module
 */
import { ticks as linearTicks } from "d3-array";
import { element, label, line, textWidth } from "./svg.js";

/** An axis. */
export interface Axis {
  readonly title: string;
  /** Default linear. */
  readonly scale?: "linear" | "log";
  /** Ticks at whole numbers only. */
  readonly whole?: boolean;
  /** Default: what the numbers need. */
  readonly range?: readonly [number, number];
  /** Where ticks stand; default round numbers. */
  readonly ticks?: readonly number[];
}

/** One axis with its place in the drawing. */
export interface Scale {
  (value: number): number;
  readonly ticks: readonly { readonly at: number; readonly text: string }[];
}

/** A number in at most four significant digits. */
export function shortNumber(value: number): string {
  const rounded = Number(value.toPrecision(4));
  const size = Math.abs(rounded);
  return size !== 0 && (size < 1e-3 || size >= 1e6)
    ? rounded.toExponential().replace("e+", "e")
    : String(rounded);
}

/** The range of some numbers with room around it; usable even where there is one number, or none. */
export function paddedRange(
  values: readonly number[],
  kind: "linear" | "log" = "linear",
  share = 0.06,
): [number, number] {
  const usable = values.filter((v) => Number.isFinite(v) && (kind === "linear" || v > 0));
  if (usable.length === 0) return kind === "log" ? [0.1, 10] : [0, 1];
  let [least, most] = [Infinity, -Infinity];
  for (const value of usable) [least, most] = [Math.min(least, value), Math.max(most, value)];
  if (kind === "log") {
    const factor = Math.max((most / least) ** share, 1.15);
    return [least / factor, most * factor];
  }
  const room = (most - least) * share || Math.abs(most) * 0.1 || 1;
  return [least - room, most + room];
}

/** Powers of ten times the leading digits, within the range. */
function decimals([least, most]: readonly [number, number], digits: readonly number[]): number[] {
  const from = Math.floor(Math.log10(least));
  const decades = Math.ceil(Math.log10(most)) - from + 1;
  return Array.from({ length: decades }, (_, k) =>
    digits.map((digit) => Number(`${digit}e${from + k}`)),
  )
    .flat()
    .filter((tick) => tick >= least && tick <= most);
}

/** Round numbers that fit; on a logarithmic axis those whose first digit leaves room for `wanted`. */
function roundTicks(axis: Axis, range: readonly [number, number], wanted: number): number[] {
  const linear = () => linearTicks(...range, wanted);
  if (axis.scale !== "log") return linear();
  const choices = [[1, 2, 5], [1, 3], [1]].map((digits) => decimals(range, digits));
  const fitting = choices.find(({ length }) => length <= wanted) ?? choices.at(-1)!;
  const step = Math.ceil(fitting.length / wanted);
  // Within less than a decade round powers are too few to read by.
  return fitting.length < 3 ? linear() : fitting.filter((_, k) => k % step === 0);
}

/**
 * A scale from the axis' range to pixels.
 * @param wanted about how many ticks there is room for.
 */
export function makeScale(
  axis: Axis,
  range: readonly [number, number],
  pixels: readonly [number, number],
  wanted: number,
): Scale {
  const forward = axis.scale === "log" ? Math.log : (value: number) => value;
  const [low, high] = [forward(range[0]), forward(range[1])];
  const [from, to] = pixels;
  const scale = (value: number) =>
    from + ((forward(value) - low) / (high - low || 1)) * (to - from);
  const ticks = [...(axis.ticks ?? roundTicks(axis, range, wanted))]
    .filter((tick) => !axis.whole || Number.isInteger(tick))
    .map((tick) => ({ at: scale(tick), text: shortNumber(tick) }));
  return Object.assign(scale, { ticks });
}

/** The part of a drawing where the data are. */
export interface Plot {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** Tick texts that would overlap are left out; their ticks stay. */
function readable(ticks: Scale["ticks"]): Scale["ticks"] {
  let free = -Infinity;
  return ticks.map(({ at, text }) => {
    const half = textWidth(text) / 2;
    if (at - half < free) return { at, text: "" };
    free = at + half + 6;
    return { at, text };
  });
}

/** Rules, ticks and titles of both axes. */
export function drawAxes(x: Axis, y: Axis, xScale: Scale, yScale: Scale, plot: Plot): string {
  const { left, right, top, bottom } = plot;
  return element(
    "g",
    { "aria-hidden": "true" },
    ...yScale.ticks.flatMap(({ at, text }) => [
      line([left, at], [right, at], "rule"),
      label(text, { x: left - 7, y: at, dy: "0.32em", "text-anchor": "end" }),
    ]),
    line([left, bottom], [right, bottom], "edge"),
    ...readable(xScale.ticks).flatMap(({ at, text }) => [
      line([at, bottom], [at, bottom + 4], "edge"),
      label(text, { x: at, y: bottom + 17, "text-anchor": "middle" }),
    ]),
    label(x.title, {
      class: "title",
      x: (left + right) / 2,
      y: bottom + 36,
      "text-anchor": "middle",
    }),
    label(y.title, { class: "title", x: 2, y: top - 14 }),
  );
}
