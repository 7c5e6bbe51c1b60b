/**
 * Tasks of Newton's method on the mean in batches, however their rows lie.
 * @module
 */
import type { Batches } from "../../round/batches.js";
import type { PublicSizes } from "../../round/halves.js";
import type { CommonOptions } from "../../tasks/common-options.js";
import { residentBytes, type BatchSize } from "../../tasks/resident-size.js";
import { withFreeIntercepts } from "../free-intercepts.js";
import { MeanCurvature } from "./curvature.js";
import { denseHalf } from "./dense/dense-half.js";
import { sparseHalf } from "./sparse/sparse-half.js";
import { TaskRows } from "./dense/task-rows.js";
import { placeTasks } from "../../tasks/resident-tasks.js";

/** What of the method's options makes batches. */
export interface MeanOptions extends CommonOptions {
  readonly lambda: number;
}

/** The tasks in batches. @param entries of all rows, where these are sparse and it is known. */
export function meanBatches(options: MeanOptions, entries?: number): Batches {
  return {
    work: ({ sizes }) =>
      entries === undefined ? meanWork(options, sizes) : sparseWork(options, entries),
    bytes: meanBytes,
    place: ({ core, data, sizes, positions, classes, start }) => {
      const tasks = withFreeIntercepts(placeTasks(data, options, { core, classes, sizes }).tasks);
      const [first, count, { lambda }] = [positions[0]!, sizes.m, options];
      if (!tasks.isDense) return sparseHalf(tasks, { lambda, count });
      const [from, end] = [first * data.d, (first + data.m) * data.d];
      const weights = start?.subarray(from, end) ?? new Float64Array(end - from);
      return denseHalf(tasks, { lambda, weights, count });
    },
  };
}

/** How often systems of the tasks are likely to be solved. */
const SOLVES = { squared: 2, labels: 20 } as const;

/** In multiplications: systems of all tasks, and those of the curvature, whose solutions are matrices. */
function meanWork({ loss }: CommonOptions, { m, d, rows, mostRows }: PublicSizes): number {
  const side = Math.min(mostRows, d);
  const solve = (rows * d * side) / 2 + (m * side * side * side) / 6;
  const curvature = solve + (m * side * d * d) / 2;
  return SOLVES[loss === "squared" ? "squared" : "labels"] * solve + curvature;
}

/** Multiplications for each entry of sparse rows by what they take of time, above all in products of conjugate gradients. */
const PER_ENTRY = { squared: 5e3, labels: 5e4 } as const;

function sparseWork({ loss }: CommonOptions, entries: number): number {
  return PER_ENTRY[loss === "squared" ? "squared" : "labels"] * entries;
}

function meanBytes(batch: BatchSize): number {
  const { m, d, rows, mostRows, entries } = batch;
  if (entries !== undefined) return residentBytes(batch) + 8 * m * d;
  const own = TaskRows.bytes(rows, mostRows, d) + MeanCurvature.bytes(rows, d);
  return residentBytes(batch) + own + 8 * (rows + 5 * m * d);
}
