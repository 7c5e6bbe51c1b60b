/**
 * How far a statistic really moved, against what its event says that it can.
 * @module
 */
import { openCore } from "../../src/core/index.js";
import { eigh } from "../../src/linalg.js";
import { statistic, type StatisticName } from "../../src/learning/round/statistic/statistic.js";
import type { PrivacyEvent } from "../../src/privacy/index.js";

/** What a release was made of. */
export interface Moved {
  readonly event: PrivacyEvent;
  readonly statistic: StatisticName;
  readonly from: Float64Array;
  readonly to: Float64Array;
}

const MATRICES: readonly string[] = ["covariance", "task-covariance", "augmented-covariance"];

export const isMatrixStatistic = (name: string) => MATRICES.includes(name);

const l2 = (values: Float64Array) => Math.hypot(...values);

/** Sum of absolute eigenvalues of a symmetric matrix, which may be given by its diagonal. */
function nuclear(matrix: Float64Array, statistic: StatisticName): number {
  if (statistic === "diagonal") return matrix.reduce((sum, x) => sum + Math.abs(x), 0);
  const { values } = eigh(matrix, Math.sqrt(matrix.length));
  return values.reduce((sum, value) => sum + Math.abs(value), 0);
}

/** Change over sensitivity, in the norm that the event's noise is for; undefined where the event has none. */
export function changeOverSensitivity({ event, statistic, from, to }: Moved): number | undefined {
  const change = to.map((value, k) => value - from[k]!);
  switch (event.kind) {
    case "gaussian":
    case "subsampled-gaussian":
    case "spherical-laplace":
      return l2(change) / event.sensitivity;
    case "discrete-gaussian": {
      const cells = cellsMoved(from, to, event.grid);
      const allowed = event.sensitivity / event.grid + Math.sqrt(event.entries);
      // Squares of whole numbers, so that nothing is lost but in the bound's own square.
      const squares = cells.reduce((sum, cell) => sum + cell * cell, 0n);
      return Math.max(Math.sqrt(Number(squares)) / allowed, l2(change) / event.sensitivity);
    }
    case "laplace":
      return change.reduce((sum, x) => sum + Math.abs(x), 0) / event.sensitivity;
    case "two-sided-wishart":
      return nuclear(change, statistic) / event.sensitivity;
    case "wishart":
      return (
        nuclear(change, statistic) / (event.clip ** 2 * (event.adjacency === "replace" ? 2 : 1))
      );
    default:
      return undefined;
  }
}

/** By how many cells of the grid each rounded entry moved. */
function cellsMoved(from: Float64Array, to: Float64Array, grid: number): bigint[] {
  return Array.from(from, (value, k) => {
    const cells = Math.round(to[k]! / grid) - Math.round(value / grid);
    return BigInt(cells);
  });
}

/**
 * By what factor the ratio may exceed 1. Exact mechanisms count the rounding of the statistic in their sensitivity, so
 * only that of the norm here is left. The others are proven for real numbers: a sum of m products of size K^2 is off
 * by m 2^-53 of its size at most, on both sides, and matrices have at most d^2 such entries.
 */
export function allowance(exact: boolean, { m, d }: { m: number; d: number }): number {
  return exact ? 2 ** -48 : 2 ** -50 * (m + d + 4) * m * (d + 1);
}

const core = openCore();

/** The statistic of uploads V[m, d]. */
export function statisticOf(
  name: StatisticName,
  uploads: Float64Array,
  { m, d }: { m: number; d: number },
): Float64Array {
  const { length, workspace, compute } = statistic(name);
  const mark = core.arena.mark();
  const from = core.arena.copyOf(uploads);
  const to = core.arena.f64(length(m, d));
  compute(core, from, to, m, d, core.arena.bytes(workspace(core, m, d)));
  const values = core.arena.view(to, length(m, d)).slice();
  core.arena.release(mark);
  return values;
}

/** The same vectors with one task's zero. */
export function withoutTask(uploads: Float64Array, task: number, d: number): Float64Array {
  return uploads.slice().fill(0, task * d, (task + 1) * d);
}
