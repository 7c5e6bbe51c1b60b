/**
 * Colours of heat maps: orange below zero, blue above, the ground at zero. Orange and blue are told apart by
 * colour-blind readers, and far from zero both stand out from the ground.
 * @module
 */

/** Red, green and blue, 0 to 255. */
export type Colour = readonly [red: number, green: number, blue: number];

interface Palette {
  readonly below: readonly Colour[];
  readonly zero: Colour;
  readonly above: readonly Colour[];
}

const LIGHT: Palette = {
  below: [
    [253, 200, 140],
    [224, 130, 40],
    [140, 70, 4],
  ],
  zero: [246, 246, 244],
  above: [
    [170, 205, 230],
    [66, 140, 190],
    [8, 64, 120],
  ],
};

const DARK: Palette = {
  below: [
    [110, 66, 22],
    [200, 120, 40],
    [255, 205, 140],
  ],
  zero: [32, 36, 40],
  above: [
    [24, 74, 110],
    [60, 140, 200],
    [185, 225, 255],
  ],
};

/** The colour of a value in [-1, 1]; beyond them that of the end. */
export function colourOf(value: number, onDark: boolean): Colour {
  const { below, zero, above } = onDark ? DARK : LIGHT;
  const side = [zero, ...(value < 0 ? below : above)];
  const place = Math.min(1, Math.abs(value)) * (side.length - 1);
  const at = Math.min(side.length - 2, Math.floor(place));
  const [from, to] = [side[at]!, side[at + 1]!];
  const mix = (k: 0 | 1 | 2) => from[k] + (place - at) * (to[k] - from[k]);
  return [mix(0), mix(1), mix(2)];
}

/** How many values an extent is taken from. */
const SAMPLED = 20_000;

/** The size that all but the largest 1 % do not exceed: single outliers must not bleach the rest; 1 if all are 0. */
export function extentOf(values: ArrayLike<number>): number {
  const step = Math.max(1, Math.ceil(values.length / SAMPLED));
  const sizes = Float64Array.from({ length: Math.ceil(values.length / step) }, (_, k) =>
    Math.abs(values[k * step]!),
  ).sort();
  const most = sizes.at(-1) ?? 0;
  // Where nearly all are zero, the others are what is to be seen.
  return sizes[Math.floor(0.99 * (sizes.length - 1))] || most || 1;
}
