/**
 * Two task sets that differ in one record of a task, as far as what that adds can change.
 * @module
 */
import { OptionError } from "../../core/index.js";
import type { TaskSet } from "../../data/index.js";
import { modelWorlds } from "./canary-models.js";
import { labelRange, quietFeatures, withTask } from "./canary-rows.js";
import type { CanaryOptions, CanaryWorlds } from "./canary-worlds.js";

/** A feature so large that it is taken at the edge of what rows are held to. */
const FAR = 1e6;

/** A world with canary rows, each written into zeros; its target is what is returned, NaN: as it was. */
type Worlds = (write: (x: Float64Array) => number) => TaskSet;

/**
 * Worlds that differ in the first row of the canary, or in the first rows where a person has several: far along one feature, or
 * far along another, with the target at zero, so that the moments of the two are nearly orthogonal and change as much as a
 * record, or a person in this task, can. Where rows add gradients: far along one feature with targets to either side, whose
 * gradients are as long as they may be and opposite; for zero-out such a row, or one of zeros.
 *
 * @throws OptionError for zero-out where no row adds nothing, since the constant is a feature, and for one feature.
 */
export function recordWorlds(tasks: TaskSet, index: number, options: CanaryOptions): CanaryWorlds {
  const { adjacency, loss, rowsPerPerson = 1 } = options;
  const { d } = tasks;
  const axes = quietFeatures(tasks);
  const [from, to] = [tasks.offsets[index]!, tasks.offsets[index + 1]!];
  const own = Math.min(rowsPerPerson, to - from);
  const replaced: Worlds = (write) => {
    const x = tasks.x.slice(from * d, to * d).fill(0, 0, own * d);
    const y = tasks.y.slice(from, to);
    for (let row = 0; row < own; row++) {
      const target = write(x.subarray(row * d, (row + 1) * d));
      if (!Number.isNaN(target)) y[row] = target;
    }
    return withTask(tasks, index, x, y);
  };
  if (options.models) {
    const { intercept } = options.models;
    const of = {
      n: to - from,
      d,
      y: tasks.y.slice(from, to),
      axes,
      loss,
      adjacency,
      intercept,
      own,
    };
    const { present, neighbour } = modelWorlds(of, labelRange(tasks));
    return {
      present: withTask(tasks, index, present.x, present.y),
      neighbour: withTask(tasks, index, neighbour.x, neighbour.y),
      index,
      axes,
      silent: false,
    };
  }
  const worlds = options.gradients ? gradientWorlds : momentWorlds;
  const two = worlds(tasks, { ...options, adjacency, loss }, axes, replaced);
  return { ...two, index, axes, silent: false };
}

type TwoWorlds = Pick<CanaryWorlds, "present" | "neighbour">;

function momentWorlds(
  { d }: TaskSet,
  { adjacency, loss, bounded, featureBound }: CanaryOptions,
  axes: readonly [number, number],
  replaced: Worlds,
): TwoWorlds {
  if (adjacency !== "replace" || d < 2) {
    throw new OptionError(
      'adjacency: an audit of single records compares two rows that differ in two features; expected "replace", and at ' +
        "least two features",
    );
  }
  const along = (feature: number) =>
    replaced((x) => {
      x[feature] = bounded ? featureBound : FAR;
      return loss === "squared" ? (bounded ? FAR : 0) : NaN;
    });
  return { present: along(axes[0]), neighbour: along(axes[1]) };
}

/** Long enough for a clipped gradient, and short enough that a label is not certain at once. */
const LONG = 50;

function gradientWorlds(
  { y }: TaskSet,
  { adjacency, loss, gradients }: CanaryOptions,
  [feature]: readonly [number, number],
  replaced: Worlds,
): TwoWorlds {
  const range = labelRange({ y });
  const zeros = adjacency === "zero-out";
  if (zeros && gradients!.intercept) {
    throw new OptionError(
      'adjacency: no row adds nothing where the constant is a feature; expected "replace", or intercept: false (--intercept no)',
    );
  }
  const [low, high] = loss === "squared" ? [-FAR, FAR] : [range.low, range.high];
  const far = (target: number) =>
    replaced((x) => {
      x[feature] = loss === "squared" ? FAR : LONG;
      return target;
    });
  return { present: far(high), neighbour: zeros ? replaced(() => high) : far(low) };
}
