/**
 * By what variance a feature of which nothing is declared is scaled, from one task's rows.
 * @module
 */

/** From so many degrees of freedom on an offset counts less than the spread, and how steeply; as in assembly/tasks/own-rows.ts. */
const OFFSET_ROWS = 8;
/** Least variance, relative to the offset: far above rounding, below what is recorded. */
const LEAST_SQUARE = 1e-8;
/** An offset that adds more than this part of the rest makes another scale of the feature. */
const APART = 0.5;

/**
 * The variance of the rows, to which one row of the feature's mean square is added, so that few rows that happen to
 * agree do not blow it up. Where rows are centred that square says nothing of a feature with an offset, as years have: what the
 * offset adds is held to a multiple of the spread, which falls from thousands at three rows to two at nine and one at many, so that
 * indicators, of which no offset is larger, are as they were.
 *
 * On raw tables this took a tenth off the error of learning alone, up to nine tenths where offsets are large, and cost 10 % at most.
 * @param spread sum of squares about the centre. @param center the mean of n rows, or 0 where they are not centred.
 * @param place whether the offset of a feature that varies counts.
 */
export function ownVariance(
  spread: number,
  center: number,
  n: number,
  centered: boolean,
  place = true,
): number {
  const freedom = Math.max(centered ? n - 1 : n, 1);
  const added = offsetOf(spread, center, n, centered);
  const offset = place || !varies(spread, center, n, centered) ? added : 0;
  return (spread + (spread / n + offset)) / freedom;
}

/** Whether the offset makes another scale of the feature. */
export function liesApart(spread: number, center: number, n: number, centered: boolean): boolean {
  const offset = offsetOf(spread, center, n, centered);
  return varies(spread, center, n, centered) && offset > APART * (spread + spread / n);
}

/** Whether rows that are centred differ by more than rounding: that of the mean, a sum of n terms, is in every row. */
function varies(spread: number, center: number, n: number, centered: boolean): boolean {
  const rounding = n * Number.EPSILON;
  return centered && spread > n * (rounding * rounding) * (center * center);
}

/** What the offset adds to the sum of squares. */
function offsetOf(spread: number, center: number, n: number, centered: boolean): number {
  const square = center * center;
  if (!varies(spread, center, n, centered)) return square;
  return Math.min(square, offsetPart(Math.max(n - 1, 1)) * spread + LEAST_SQUARE * square);
}

/** 1 + (8 / freedom)^6. */
function offsetPart(freedom: number): number {
  const ratio = OFFSET_ROWS / freedom;
  const square = ratio * ratio;
  return 1 + square * square * square;
}
