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
}

/** The least and the largest value that a quantity can have, from public knowledge. */
export type Range = readonly [min: number, max: number];

/** Of what is about one in size by its making: dummies, digits, rows of unit length. */
export const UNIT_SCALE: Scale = { center: 0, halfWidth: 1 };

/**
 * @param where names the range in errors.
 * @throws DataError if it is not two finite numbers, the first below the second.
 */
export function checkRange(where: string, range: unknown): Range {
  const [min, max] = Array.isArray(range) ? (range as unknown[]) : [];
  const numbers = typeof min === "number" && typeof max === "number";
  if (numbers && (range as unknown[]).length === 2 && min < max && max / 2 - min / 2 < Infinity) {
    return [min, max];
  }
  throw new DataError(`${where}: expected [min, max], two finite numbers with min < max.`);
}

/** The middle of a range and half its width. */
export function scaleOf([min, max]: Range): Scale {
  return { center: min / 2 + max / 2, halfWidth: max / 2 - min / 2 };
}

/** A value, clipped to the range, on [-1, 1]. */
export function toUnit([min, max]: Range, value: number): number {
  if (value <= min) return -1;
  if (value >= max) return 1;
  const { center, halfWidth } = scaleOf([min, max]);
  return Math.max(-1, Math.min(1, (value - center) / halfWidth));
}

/** A number on [-1, 1] back in the units of the range: center + halfWidth z. */
export function fromUnit({ center, halfWidth }: Scale, z: number): number {
  return center + halfWidth * z;
}
