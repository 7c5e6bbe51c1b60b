/**
 * By what variance a feature of which nothing is declared is scaled, from one task's rows.
 * @module
 */

/** From so many degrees of freedom on an offset counts less than the spread, and how steeply; as in assembly/tasks/own-rows.ts. */
const OFFSET_ROWS = 8;
/** Least variance, relative to the offset: far above rounding, below what is recorded. */
const LEAST_SQUARE = 1e-8;

/**
 * The variance of the rows, to which one row of the feature's mean square is added, so that few rows that happen to
 * agree do not blow it up. Where rows are centred that square says nothing of a feature with an offset, as years have: what the
 * offset adds is held to a multiple of the spread, which falls from thousands at three rows to two at nine and one at many, so that
 * indicators, of which no offset is larger, are as they were.
 *
 * On raw tables this took a tenth off the error of learning alone, up to nine tenths where offsets are large, and cost 10 % at most.
 * @param spread sum of squares about the centre. @param center the mean of n rows, or 0 where they are not centred.
 */
export function ownVariance(spread: number, center: number, n: number, centered: boolean): number {
  const freedom = Math.max(centered ? n - 1 : n, 1);
  const square = center * center;
  const rounding = n * Number.EPSILON;
  const varies = centered && spread > rounding * rounding * square;
  const held = offsetPart(freedom) * spread + LEAST_SQUARE * square;
  const offset = varies ? Math.min(square, held) : square;
  return (spread + (spread / n + offset)) / freedom;
}

/** 1 + (8 / freedom)^6. */
function offsetPart(freedom: number): number {
  const ratio = OFFSET_ROWS / freedom;
  const square = ratio * ratio;
  return 1 + square * square * square;
}
