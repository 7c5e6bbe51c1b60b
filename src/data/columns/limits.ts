/**
 * Limits of a target: what it cannot be less or more than by its meaning, as a count is no less than 0.
 * @module
 */
import { DataError } from "../../core/errors.js";
import type { Range } from "./scale.js";

/** The least and the largest value that there can be, in raw units; null where there is none. */
export type Limits = readonly [least: number | null, most: number | null];

const isLimit = (value: unknown) => value === null || Number.isFinite(value);

/** Why a target of that range cannot have such limits, in words for whoever states them, without a full stop; null if it can. */
export function limitsFault([least, most]: Limits, range: Range | undefined): string | null {
  if (!range) {
    return "expected a range beside them: limits say what a target cannot be, a range where most of its values lie";
  }
  return (least ?? -Infinity) > range[0] || (most ?? Infinity) < range[1]
    ? "expected them to hold the declared range; take a range that is nowhere beyond the limits"
    : null;
}

/**
 * @param where names the limits in errors.
 * @param range the target's declared range, which must lie within them.
 * @throws DataError if they are not two numbers or nulls, both null, or do not hold the range; or if there is no range.
 */
export function checkLimits(where: string, limits: unknown, range: Range | undefined): Limits {
  const ends = Array.isArray(limits) ? (limits as unknown[]) : [];
  if (ends.length !== 2 || !ends.every(isLimit) || ends.every((end) => end === null)) {
    throw new DataError(
      `${where}: expected [least, most], each a number, or null where there is no limit, and not both null.`,
    );
  }
  const [least, most] = ends as unknown as Limits;
  const fault = limitsFault([least, most], range);
  if (fault !== null) throw new DataError(`${where}: ${fault}.`);
  return [least, most];
}

/** Whether a value is beyond the limits. */
export const isBeyond = (value: number, [least, most]: Limits) =>
  (least !== null && value < least) || (most !== null && value > most);

/** A range, no wider than the limits. */
export const within = ([min, max]: Range, [least, most]: Limits): Range => [
  Math.max(min, least ?? -Infinity),
  Math.min(max, most ?? Infinity),
];
