/**
 * Two task sets that differ in one task, as far as its model can move.
 * @module
 */
import { OptionError } from "../../core/index.js";
import type { TaskSet } from "../../data/index.js";
import { recordWorlds } from "./canary-records.js";
import { labelRange, quietFeatures, withTask } from "./canary-rows.js";
import type { CanaryOptions, CanaryWorlds } from "./canary-worlds.js";

/** How the canary of the neighbouring world differs from the present one, in `replace`. */
export interface Turn {
  /** Of the angle between the directions of their rows. */
  readonly cosine: number;
  /** Whether its figures are of another size, so that votes on sizes differ, too. */
  readonly resized: boolean;
}

/**
 * What may move the releases most. Sums of products move most between directions at right angles, sums of vectors between opposite
 * ones, fits that release both between; votes where sizes differ. Which does of a fit is seen by trying (`fit-audit.ts`).
 */
export const TURNS: readonly Turn[] = [
  { cosine: 0, resized: false },
  { cosine: -1, resized: false },
  { cosine: -1, resized: true },
  { cosine: -0.5, resized: true },
];

/** Factor between sizes: six bins of votes, which are of a factor of four, so that these do not overlap. */
const RESIZED = 4096;

/**
 * Canary rows are +B e_j and -B e_j in turn, with targets as far apart as the loss allows: the
 * task's own model is along e_j, without intercept, and for the squared loss far beyond the clip
 * bound K, so that what it shares is K e_j. In the neighbouring world the rows are along another
 * direction (replace), or zero, and its uploads are zeros (zero-out).
 *
 * @param turn how they differ in `replace`, for unit "task".
 * @throws OptionError for a zero-out or replace that the data cannot express.
 */
export function canaryWorlds(
  tasks: TaskSet,
  options: CanaryOptions,
  turn: Turn = TURNS[0]!,
): CanaryWorlds {
  const { adjacency, loss, clip, featureBound, bounded = true } = options;
  if (tasks.m < 2) {
    throw new OptionError(
      "tasks: expected at least two, since a task is protected from the others",
    );
  }
  const index = options.canary === undefined ? 0 : tasks.indexOf(options.canary);
  if (options.unit === "record") return recordWorlds(tasks, index, options);
  const { d } = tasks;
  const n = tasks.offsets[index + 1]! - tasks.offsets[index]!;
  const axes = quietFeatures(tasks);
  let { low, high } = labelRange(tasks);
  if (loss === "squared") {
    high = (100 * Math.max(clip, Math.abs(low), Math.abs(high))) / featureBound;
    low = -high;
  }
  const y = Float64Array.from({ length: n }, (_, row) => (row % 2 ? low : high));
  const along = (size: number, { cosine }: Turn): Float64Array => {
    const x = new Float64Array(n * d);
    for (let row = 0; row < n; row++) {
      const signed = row % 2 ? -size : size;
      // A model along the first feature that changes its sign has no part in the second.
      if (cosine !== 0) x[row * d + axes[0]] = cosine * signed;
      const sine = Math.sqrt(1 - cosine ** 2);
      if (sine !== 0) x[row * d + axes[1]] = sine * signed;
    }
    return x;
  };
  const present = withTask(tasks, index, along(featureBound, STRAIGHT), y);
  const world = { present, index, axes, silent: adjacency === "zero-out" };
  if (adjacency !== "replace" || d === 1) {
    const silent = loss === "squared" ? new Float64Array(n) : y;
    return { ...world, neighbour: withTask(tasks, index, along(0, STRAIGHT), silent) };
  }
  const { resized } = turn;
  // Rows that are held to a bound make a step as long as they are.
  const rows = along(resized && !bounded ? featureBound / RESIZED : featureBound, turn);
  const targets = resized && loss === "squared" ? y.map((value) => value * RESIZED) : y;
  return { ...world, neighbour: withTask(tasks, index, rows, targets) };
}

/** Along the first of the features. */
const STRAIGHT: Turn = { cosine: 1, resized: false };
