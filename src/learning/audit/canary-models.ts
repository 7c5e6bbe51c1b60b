/**
 * Two task sets that differ in one record, as far as the model that its task shares, held to a norm, can move.
 *
 * Most rows of the canary's task say nothing. A few, in both worlds, draw its model along one feature, about as far as the norm; the
 * record draws it to either side along another, so the matrix of the model turns, which no norm undoes.
 * @module
 */
import { OptionError } from "../../core/index.js";
import type { Adjacency } from "../../privacy/index.js";
import type { LossName } from "../tasks/losses.js";

/** A feature so large that its row is shrunk to the norm of rows. */
const FAR = 1e6;
/** Part of the rows that draw the model along the first feature: what models are held to, in parts of what all rows can do. */
const STEADY = 0.1;

/** The canary's task. */
export interface CanaryTask {
  readonly n: number;
  readonly d: number;
  /** Its targets as they are, from which labels are taken. */
  readonly y: Float64Array;
  /** The features along which the model lies, and turns. */
  readonly axes: readonly [number, number];
  readonly loss: LossName;
  readonly adjacency: Adjacency;
  readonly intercept: boolean;
  /** Rows of the canary person. */
  readonly own: number;
}

/** Rows x [n, d] and targets y [n] of the task in a world. */
export interface TaskWorld {
  readonly x: Float64Array;
  readonly y: Float64Array;
}

/**
 * @param low  the smallest label, for losses of labels; `high` the largest.
 * @throws OptionError for zero-out where no row adds nothing, since the constant is a feature, and for one feature.
 */
export function modelWorlds(
  task: CanaryTask,
  { low, high }: { readonly low: number; readonly high: number },
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
  const [less, more] = squared ? [-FAR, FAR] : [low, high];
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
