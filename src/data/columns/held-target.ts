/**
 * Clamping of a target with a declared range: of its values and, as no value can lie farther, of its predictions.
 * @module
 */
import { within, type Limits } from "./limits.js";
import { heldWithin, scaleOf, type Outside, type Range, type Scale } from "./scale.js";

/** A target's range as a scale with the bounds to which it is clamped. @param outside default "clip", as in `heldWithin`. */
export function targetScaleOf(range: Range, outside: Outside = "clip", limits?: Limits): Scale {
  const held = heldWithin(range, outside);
  return { ...scaleOf(range), held: limits ? within(held, limits) : held };
}

/** A prediction z, on the scale that brings the range to [-1, 1], clamped. */
export function heldOn({ center, halfWidth, held }: Scale, z: number): number {
  if (!held) return z;
  return between((held[0] - center) / halfWidth, (held[1] - center) / halfWidth, z);
}

/** A prediction in raw units, clamped. */
export function heldInUnits({ held }: Scale, value: number): number {
  return held ? between(...held, value) : value;
}

const between = (least: number, most: number, value: number) =>
  Math.max(least, Math.min(most, value));
