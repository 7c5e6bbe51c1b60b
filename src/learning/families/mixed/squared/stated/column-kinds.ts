/**
 * What tasks may tell of a column, in what made-up tasks tell of it, where columns vary over their whole declared range.
 *
 * With P the working variance of a task's coefficient and r what its rows leave unsure of it, tasks tell 1 / (P + r). Of a column in a part of
 * its range r is larger, by the square of that. A column that is the same in all rows of a task tells what the intercept does, times its square.
 * Where P is large either tells as much as any.
 * @module
 */
import { UNSURE_COLUMN } from "../squared-settings.js";

/** How many times as large r is; or a column that is constant within tasks; or, of the intercept, that tasks far away are clipped more. */
export type ColumnKind = number | "constant" | "clipped";

/** What is left of it. */
const CLIPPED = 0.6;

/** What is told of one coordinate: P, and what made-up tasks tell of it and of the intercept. */
export interface ToldOf {
  readonly spread: number;
  readonly told: number;
  readonly ofIntercept: number;
}

/** Squares of a column in the middle of fifths of its range, from -2 to 2. */
const SQUARES = [0.1, 0.3, 0.5, 0.7, 0.9].map((part) => (2 * part) ** 2);

/** Of the prediction. */
export function partTold(kind: ColumnKind, { spread, told, ofIntercept }: ToldOf): number {
  if (kind === "constant") return Math.min(1, constantTold(spread, ofIntercept) / told);
  if (kind === "clipped") return CLIPPED;
  const shrunk = Math.min(spread * told, 1);
  return 1 / (shrunk + kind * (1 - shrunk));
}

/** Variance of what one task tells of its own coefficient: P + r. */
export function varianceTold(kind: ColumnKind, { spread, told, ofIntercept }: ToldOf): number {
  if (kind === "constant") return Math.max(1 / constantTold(spread, ofIntercept), spread);
  const times = kind === "clipped" ? 1 : kind;
  return spread + times * Math.max(1 / told - spread, 0);
}

function constantTold(spread: number, ofIntercept: number): number {
  let sum = 0;
  for (const square of SQUARES) sum += square / (1 / ofIntercept + spread * square);
  return sum / SQUARES.length;
}

/** Kinds, with their prior. */
export interface Kinds {
  readonly kinds: readonly ColumnKind[];
  readonly prior: readonly number[];
}

/** Those that a coordinate may be of. @param known coordinates that are declared to be constant. */
export function kindsOf(c: number, d: number, known: readonly number[]): Kinds {
  if (known.includes(c)) return DECLARED;
  if (d > UNSURE_COLUMN.most) return PREDICTED;
  return c === d - 1 ? UNSURE_COLUMN.intercept : UNSURE_COLUMN.slopes;
}

const DECLARED: Kinds = { kinds: ["constant"], prior: [1] };
const PREDICTED: Kinds = { kinds: [1], prior: [1] };
