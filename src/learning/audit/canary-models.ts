/**
 * The canary's task in two worlds that differ in one record and move the model that the task shares, clipped to a norm, as far as possible.
 *
 * Most rows are zero. In both worlds a few pull the model along one feature, about as far as the clip allows. The record pulls it to one or
 * the other side along a second feature, so it turns the model, which clipping does not undo.
 * @module
 */
import { OptionError } from "../../core/index.js";
import type { Adjacency } from "../../privacy/index.js";
import type { LossName } from "../tasks/losses.js";

/** A feature so large that its row is shrunk to the norm of rows. */
const FAR = 1e6;
/** Share of the rows that pull the model along the first feature. */
const STEADY = 0.1;

/** The canary's task. */
export interface CanaryTask {
  readonly n: number;
  readonly d: number;
  /** Its targets as given, which rows of zeros keep where they are labels. */
  readonly y: Float64Array;
  /** The features along which the model lies, and along which the record pulls it. */
  readonly axes: readonly [number, number];
  readonly loss: LossName;
  readonly adjacency: Adjacency;
  readonly intercept: boolean;
  /** Rows in which the worlds differ: 1, or those of the canary person. */
  readonly own: number;
}

/** Rows x[n, d] and targets y[n] of the canary's task in one of the worlds. */
export interface TaskWorld {
  readonly x: Float64Array;
  readonly y: Float64Array;
}

/**
 * @param labels the smallest and the largest label, for losses of labels.
 * @throws OptionError for zero-out where no row adds nothing, since the constant is a feature, and for one feature.
 */
export function modelWorlds(
  task: CanaryTask,
  labels: { readonly low: number; readonly high: number },
): { readonly present: TaskWorld; readonly neighbour: TaskWorld } {
  const { n, d, y, axes, loss, adjacency, intercept, own } = task;
  const zeros = adjacency === "zero-out";
  if (d < 2 || (zeros && intercept)) {
    throw new OptionError(
      "adjacency: an audit of single records turns a model from one feature to another, and compares with a row of zeros " +
        'only where there is no constant; expected at least two features, and "replace" or intercept: false (--intercept no)',
    );
  }
  const squared = loss === "squared";
  const [less, more] = squared ? [-FAR, FAR] : [labels.low, labels.high];
  const steady = Math.max(1, Math.round(STEADY * n));
  const world = (target: number | undefined): TaskWorld => {
    const x = new Float64Array(n * d);
    const targets = squared ? new Float64Array(n) : y.slice();
    for (let row = 0; row < n; row++) {
      if (row < own) {
        if (target === undefined) continue;
        x[row * d + axes[1]] = FAR;
        targets[row] = target;
      } else if (row < own + steady) {
        x[row * d + axes[0]] = FAR;
        targets[row] = more;
      }
    }
    return { x, y: targets };
  };
  return { present: world(more), neighbour: world(zeros ? undefined : less) };
}
