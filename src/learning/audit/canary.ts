/**
 * Two task sets that differ in one task, as far as its model can move.
 * @module
 */
import { OptionError } from "../../core/index.js";
import type { TaskSet } from "../../data/index.js";
import { recordWorlds } from "./canary-records.js";
import { quietFeatures, withTask } from "./canary-rows.js";
import type { CanaryOptions, CanaryWorlds } from "./canary-worlds.js";

/**
 * Canary rows are +B e_j and -B e_j in turn, with targets as far apart as the loss allows: the
 * task's own model is along e_j, without intercept, and for the squared loss far beyond the clip
 * bound K, so that what it shares is K e_j. In the neighbouring world the rows are along another
 * feature (replace), or zero, and its uploads are zeros (zero-out).
 *
 * @throws OptionError for a zero-out or replace that the data cannot express.
 */
export function canaryWorlds(tasks: TaskSet, options: CanaryOptions): CanaryWorlds {
  const { adjacency, loss, clip, featureBound } = options;
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
  let [low, high] = [Infinity, -Infinity];
  for (const value of tasks.y) {
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  if (loss === "squared") {
    high = (100 * Math.max(clip, Math.abs(low), Math.abs(high))) / featureBound;
    low = -high;
  }
  const along = (feature: number | undefined): Float64Array => {
    const x = new Float64Array(n * d);
    if (feature === undefined) return x;
    for (let row = 0; row < n; row++) x[row * d + feature] = row % 2 ? -featureBound : featureBound;
    return x;
  };
  const y = Float64Array.from({ length: n }, (_, row) => (row % 2 ? low : high));
  const silent = loss === "squared" ? new Float64Array(n) : y;
  const replaced = adjacency === "replace" && d > 1;
  return {
    present: withTask(tasks, index, along(axes[0]), y),
    neighbour: replaced
      ? withTask(tasks, index, along(axes[1]), y)
      : withTask(tasks, index, along(undefined), silent),
    index,
    axes,
    silent: adjacency === "zero-out",
  };
}
