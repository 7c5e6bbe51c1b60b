/**
 * The Hessian of a logistic regression on one task's sparse rows, with an intercept that all rows share and that has a prior at the
 * task's middle: an arrow around a sparse system.
 * @module
 */
import { log } from "../../../../core/elementary.js";
import { dot } from "../../../../linalg/dot.js";
import { times, timesTransposed, type CompactRows } from "./compact-rows.js";
import type { SparseSystem } from "./sparse-system.js";

export type Arrow = ReturnType<typeof arrowOf>;

/** The Hessian [[B, g], [g^T, h]] + pb a a^T with B the system's matrix, X^T D X + p I, and a = (shifts, 1). */
export function arrowOf(
  rows: CompactRows,
  system: SparseSystem,
  given: { curvatures: Float64Array; shifts: Float64Array; p: number; pb: number; intercept: boolean }, // prettier-ignore
) {
  const { curvatures, shifts, p, pb, intercept } = given;
  if (!intercept) {
    const logDeterminant = system.logDeterminant();
    return { logDeterminant, solve: (v: Float64Array) => ({ v: system.solve(v), level: 0 }) };
  }
  const g = timesTransposed(rows, curvatures);
  const through = system.solve(g);
  // What is left of the intercept's curvature, as a sum of squares: the difference sum(curvatures) - g . through is rounding where a
  // column hardly varies.
  const left = times(rows, through, -1);
  const rest = left.reduce((sum, own, row) => sum + curvatures[row]! * own ** 2, p * dot(through, through)); // prettier-ignore
  if (!(rest > 0)) throw notSolved();
  const plain = (v: Float64Array, level: number) => {
    const own = system.solve(v);
    const end = (level - dot(g, own)) / rest;
    for (let c = 0; c < own.length; c++) own[c]! -= through[c]! * end;
    return { v: own, level: end };
  };
  const along = plain(shifts, 1);
  const lift = 1 + pb * Math.max(0, dot(shifts, along.v) + along.level);
  return {
    logDeterminant: system.logDeterminant() + log(rest) + log(lift),
    solve: (v: Float64Array, level: number) => {
      const own = plain(v, level);
      const back = (pb * (dot(shifts, own.v) + own.level)) / lift;
      for (let c = 0; c < own.v.length; c++) own.v[c]! -= back * along.v[c]!;
      return { v: own.v, level: own.level - back * along.level };
    },
  };
}

/** tr(X^T D X H^-1), H the arrow: how many coefficients the rows determine. */
export function freeOf(rows: CompactRows, { solve }: Arrow, curvatures: Float64Array): number {
  const { starts, columns, values, n, k } = rows;
  let free = 0;
  const dense = new Float64Array(k);
  for (let row = 0; row < n; row++) {
    const [from, end] = [starts[row]!, starts[row + 1]!];
    for (let at = from; at < end; at++) dense[columns[at]!] = values[at]!;
    const own = solve(dense, 1);
    free += curvatures[row]! * (dot(dense, own.v) + own.level);
    for (let at = from; at < end; at++) dense[columns[at]!] = 0;
  }
  return free;
}

export const notSolved = () =>
  new RangeError("a task's own model: its logistic regression has no minimum in double precision");
