/**
 * Neighbouring worlds that lie as far apart as one task can move a statistic.
 * @module
 */
import { integer, object, oneOf, positive } from "../../core/checks.js";
import { STATISTICS, type Statistic } from "../sensitivity.js";
import { checkAdjacency } from "../events/adjacency.js";
import type { Adjacency } from "../events/event-kinds.js";

/** Sizes of a statistic. */
export interface StatisticSizes {
  /** What is released. */
  readonly statistic: Statistic;
  /** m, tasks; only the task covariance depends on it. */
  readonly tasks: number;
  /** d, features. */
  readonly dimension: number;
  /** K > 0, the l2 bound on every task's vector. */
  readonly clip: number;
}

/** The exact statistic of two worlds, without noise. */
export interface Neighbours {
  /** The statistic where the task is as it is, row-major, of the statistic's shape. */
  readonly present: Float64Array;
  /** The statistic of the neighbouring world, of the same shape. */
  readonly neighbour: Float64Array;
}

/** v v^T, [n, n]. */
export function outer(v: Float64Array): Float64Array {
  const n = v.length;
  const out = new Float64Array(n * n);
  for (let i = 0; i < n; i++) for (let j = 0; j < n; j++) out[i * n + j] = v[i]! * v[j]!;
  return out;
}

/** amount times the unit vector along axis `at`, [n]. */
function axis(n: number, at: number, amount: number): Float64Array {
  const v = new Float64Array(n);
  v[at] = amount;
  return v;
}

/**
 * W^T W when all tasks share K e1 (present), and when the first one shares nothing, or -K e1: one row
 * and one column change together.
 */
function taskCovariance(m: number, k: number, adjacency: Adjacency): Neighbours {
  const present = new Float64Array(m * m).fill(k * k);
  const neighbour = present.slice();
  for (let j = 0; j < m; j++) {
    const moved = adjacency === "zero-out" ? 0 : -k * k;
    if (j > 0) neighbour[j] = neighbour[j * m] = moved;
  }
  if (adjacency === "zero-out") neighbour[0] = 0;
  return { present, neighbour };
}

/** [w; 1][w; 1]^T for w = K e1 against the vector least like it that the clip allows. */
function augmented(d: number, k: number, adjacency: Adjacency): Neighbours {
  const one = axis(d + 1, 0, k);
  one[d] = 1;
  const present = outer(one);
  if (adjacency === "zero-out") return { present, neighbour: new Float64Array(present.length) };
  // Orthogonal, w . w' = -1, where the clip allows it; otherwise -w.
  const along = Math.min(k, 1 / k);
  const other = axis(d + 1, 0, -along);
  if (d > 1) other[1] = Math.sqrt(Math.max(0, k * k - along * along));
  other[d] = 1;
  return { present, neighbour: outer(other) };
}

/**
 * The pair of worlds that attains the sensitivity: one task's vector K e1 against zero (zero-out), or
 * against an orthogonal K e2 (replace; -K e1 for a sum of vectors, where opposite is farther). All
 * other tasks' part is subtracted, since the adversary knows it. With d = 1 a covariance has no
 * orthogonal direction, and the pair is K e1 against zero under either relation.
 *
 * @throws TypeError or RangeError naming the size, statistic or adjacency that is none.
 */
export function worstNeighbours(sizes: StatisticSizes, adjacency: Adjacency): Neighbours {
  const { statistic, tasks: m, dimension: d, clip: k } = object("sizes", sizes);
  oneOf("statistic", statistic, STATISTICS);
  checkAdjacency(adjacency);
  if (statistic === "task-covariance") integer("tasks", m, 1);
  else integer("dimension", d, 1);
  positive("clip", k);
  const replace = adjacency === "replace";
  switch (statistic) {
    case "covariance":
      return {
        present: outer(axis(d, 0, k)),
        neighbour: replace && d > 1 ? outer(axis(d, 1, k)) : new Float64Array(d * d),
      };
    case "diagonal":
      return {
        present: axis(d, 0, k * k),
        neighbour: replace && d > 1 ? axis(d, 1, k * k) : new Float64Array(d),
      };
    case "vector":
      return { present: axis(d, 0, k), neighbour: axis(d, 0, replace ? -k : 0) };
    case "moment":
      return {
        present: axis(d, 0, k),
        neighbour: replace && d > 1 ? axis(d, 1, k) : new Float64Array(d),
      };
    case "task-covariance":
      return taskCovariance(m, k, adjacency);
    case "augmented-covariance":
      return augmented(d, k, adjacency);
  }
}
