/**
 * A declared range as a public scale: the two numbers that bring its values to [-1, 1].
 * @module
 */
import { DataError } from "../../core/errors.js";

/** z = (value - center) / halfWidth; public numbers, never measured. */
export interface Scale {
  /** Middle of the declared range, in raw units. */
  readonly center: number;
  /** > 0. */
  readonly halfWidth: number;
  /** Of a target: bounds in raw units to which its values and predictions are clamped; absent: no bounds. */
  readonly held?: Range;
}

/** Between which values nearly all of a quantity lies, from public knowledge. */
export type Range = readonly [min: number, max: number];

/**
 * What is done with values outside a range. "keep": they are taken as they are, but clamped to `KEPT_WITHIN` half-widths from its middle;
 * "clip": they are clamped to its ends; "refuse": an error.
 */
export type Outside = "keep" | "clip" | "refuse";

/** Half-widths from the middle of a range to which values are clamped under "keep": one bad cell must not dominate a model. */
const KEPT_WITHIN = 3;

/** The scale of features that are about one in size by construction: dummies, digits, rows of unit length. */
export const UNIT_SCALE: Scale = { center: 0, halfWidth: 1 };

/**
 * @param where names the range in errors.
 * @throws DataError if it is not two finite numbers, the first below the second.
 */
export function checkRange(where: string, range: unknown): Range {
  const [min, max] = Array.isArray(range) ? (range as unknown[]) : [];
  if (typeof min === "number" && typeof max === "number" && (range as unknown[]).length === 2) {
    const { halfWidth } = scaleOf([min, max]);
    if (halfWidth > 0 && halfWidth < Infinity) return [min, max];
  }
  throw new DataError(`${where}: expected [min, max], two finite numbers with min < max.`);
}

/** The middle of a range and half its width. */
export function scaleOf([min, max]: Range): Scale {
  return { center: min / 2 + max / 2, halfWidth: max / 2 - min / 2 };
}

/** Bounds to which values are clamped. @param outside default "clip", for encodings from before there was a choice. */
export function heldWithin(range: Range, outside: Outside = "clip"): Range {
  if (outside !== "keep") return range;
  const { center, halfWidth } = scaleOf(range);
  return [center - KEPT_WITHIN * halfWidth, center + KEPT_WITHIN * halfWidth];
}

/** A value on the scale that brings the range to [-1, 1], clamped to `heldWithin`. */
export function toUnit(range: Range, value: number, outside: Outside = "clip"): number {
  const [min, max] = range;
  if (value === min) return -1;
  if (value === max) return 1;
  const { center, halfWidth } = scaleOf(range);
  const farthest = outside === "keep" ? KEPT_WITHIN : 1;
  return Math.max(-farthest, Math.min(farthest, (value - center) / halfWidth));
}

/** A number on [-1, 1] back in the units of the range: center + halfWidth z. */
export function fromUnit({ center, halfWidth }: Scale, z: number): number {
  return center + halfWidth * z;
}
