/**
 * Two task sets that differ in one task, as far as its model can move.
 * @module
 */
import { OptionError } from "../../core/index.js";
import { TaskSet } from "../../data/index.js";
import type { Adjacency } from "../../privacy/index.js";
import type { LossName } from "../tasks/losses.js";
import { modelWorlds } from "./canary-models.js";

/** The two worlds and the features by which they differ. */
export interface CanaryWorlds {
  readonly present: TaskSet;
  readonly neighbour: TaskSet;
  /** Position of the canary among the tasks. */
  readonly index: number;
  /** Features j and k: the canary's model lies along j, or along k in the world of `replace`. */
  readonly axes: readonly [number, number];
  /** Whether the canary uploads zeros in the neighbouring world, whatever its rows. */
  readonly silent: boolean;
}

/** How the canary is made. */
export interface CanaryOptions {
  /** Name of the task that becomes the canary; default the first. */
  readonly canary?: string | undefined;
  readonly adjacency: Adjacency;
  readonly loss: LossName;
  /** K, which the canary's model must reach. */
  readonly clip: number;
  /** B, the norm of its rows. */
  readonly featureBound: number;
  /** What the claim hides: all rows of the canary, or its first alone; default a task. */
  readonly unit?: "task" | "record";
  /** Whether the method refuses rows longer than B. */
  readonly bounded?: boolean;
  /** With unit "record": rows of the canary person in the task; default 1, and at most all. */
  readonly rowsPerPerson?: number;
  /** With unit "record": whether a row's clipped gradient is what it adds; then whether the constant is a feature. */
  readonly gradients?: { readonly intercept: boolean };
  /** With unit "record": whether tasks share models that a row moves little; then whether the constant is a feature. */
  readonly models?: { readonly intercept: boolean };
}

/** The two features that the other tasks use least: what the canary says there stands out. */
function quietFeatures({ x, d }: TaskSet): [number, number] {
  const squares = new Float64Array(d);
  x.forEach((value, at) => (squares[at % d]! += value * value));
  const order = Array.from(squares, (_, j) => j).sort((a, b) => squares[a]! - squares[b]!);
  return [order[0]!, order[1] ?? order[0]!];
}

/** Replaces one task's rows; everything else is the same set. */
function withTask(tasks: TaskSet, index: number, x: Float64Array, y: Float64Array): TaskSet {
  const from = tasks.offsets[index]!;
  const rows = tasks.x.slice();
  const targets = tasks.y.slice();
  rows.set(x, from * tasks.d);
  targets.set(y, from);
  // With what is publicly known of the columns, which decides how a fit scales and bounds them.
  const { offsets, names, featureNames, targetName, targetLevels, encoding } = tasks;
  return TaskSet.adopt({
    x: rows,
    y: targets,
    sampleWeights: tasks.sampleWeights,
    offsets,
    names: [...names],
    featureNames: [...featureNames],
    targetName,
    encoding,
    ...(targetLevels ? { targetLevels: [...targetLevels] } : {}),
  });
}

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
function recordWorlds(tasks: TaskSet, index: number, options: CanaryOptions): CanaryWorlds {
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
      ...{ index, axes, silent: false },
    };
  }
  const worlds = options.gradients ? gradientWorlds : momentWorlds;
  const two = worlds(tasks, { ...options, adjacency, loss }, axes, replaced);
  return { ...two, index, axes, silent: false };
}

/** The two labels. */
const labelRange = ({ y }: Pick<TaskSet, "y">) => ({
  low: y.reduce((a, b) => Math.min(a, b)),
  high: y.reduce((a, b) => Math.max(a, b)),
});

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
