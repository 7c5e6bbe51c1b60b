/**
 * The single-task fallback: which tasks are better off with the model they would have without the others.
 * It is what keeps negative transfer from a task whose own rows show it.
 * @module
 */
import * as math from "../../core/elementary.js";
import type { LossName } from "../tasks/losses.js";

/** How sure a task must be, and of what. */
export interface FallbackTest {
  /**
   * Standard errors by which its rows must speak for the single-task model; negative: by which they must
   * speak against it for the task not to fall back; -Infinity: whatever they say.
   */
  readonly errors: number;
  /**
   * "difference": of the mean losses. "ratio": log of the mean losses' ratio, the log-likelihood of squared
   * errors of unknown scale, which a few huge errors cannot hide. "by-loss": the ratio of squared errors, the
   * difference of other losses.
   */
  readonly scale: "difference" | "ratio" | "by-loss";
}

/** Losses of all rows, held out, under the model that a task has and under its single-task model. */
export interface HeldOutPair {
  readonly loss: LossName;
  /** Row offsets of the tasks, [m + 1]. */
  readonly offsets: Uint32Array;
  /** [N]. */
  readonly shared: Float64Array;
  readonly singleTask: Float64Array;
}

/** Whether mean losses are compared by the log of their ratio. */
export function comparesRatios(loss: LossName, { scale }: FallbackTest): boolean {
  return scale === "ratio" || (scale === "by-loss" && loss === "squared");
}

/**
 * For every task whether it falls back: where its own rows, held out, are predicted better by the single-task
 * model by that many standard errors of the paired comparison. A task of one row cannot tell: it falls back
 * where it would without evidence. One whose model loses more than can be counted falls back if its single-task model does not.
 *
 * @returns [m], 1 for the tasks that fall back.
 */
export function fallsBack(
  { loss, offsets, shared, singleTask }: HeldOutPair,
  test: FallbackTest,
): Uint8Array {
  const { errors } = test;
  const byRatio = comparesRatios(loss, test);
  const falls = new Uint8Array(offsets.length - 1);
  for (let i = 0; i < falls.length; i++) {
    const from = offsets[i]!;
    const to = offsets[i + 1]!;
    const n = to - from;
    if (n < 2 || errors === -Infinity) {
      falls[i] = errors < 0 ? 1 : 0;
      continue;
    }
    const a = sumOf(shared, from, to) / n;
    const b = sumOf(singleTask, from, to) / n;
    // A model whose losses no number is as large as has no standard error, and is worse than any.
    if (!Number.isFinite(a) && Number.isFinite(b)) {
      falls[i] = 1;
      continue;
    }
    const ratio = byRatio && a > 0 && b > 0;
    const unitA = ratio ? a : 1;
    const unitB = ratio ? b : 1;
    const gap = ratio ? math.log(a / b) : a - b;
    // Of the ratio by the delta method: the pairs relative to their own means.
    const center = a / unitA - b / unitB;
    const errorIn = (unit: number) => {
      let square = 0;
      for (let j = from; j < to; j++) {
        const off = (shared[j]! / unitA - singleTask[j]! / unitB - center) / unit;
        square += off * off;
      }
      return Math.sqrt(square / (n - 1) / n) * unit;
    };
    const plain = errorIn(1);
    // Squares of losses may be beyond all numbers where the losses are not.
    const error = plain < Infinity ? plain : errorIn(Math.abs(gap));
    falls[i] = gap > errors * error ? 1 : 0;
  }
  return falls;
}

/** Sum of the losses of the rows of a task. */
export function sumOf(losses: Float64Array, from: number, to: number): number {
  let sum = 0;
  for (let j = from; j < to; j++) sum += losses[j]!;
  return sum;
}

/** Takes row i of `from` for every task that is marked: both are [m, width]. */
export function takeRows(into: Float64Array, from: Float64Array, which: Uint8Array): void {
  const width = into.length / which.length;
  which.forEach((marked, i) => {
    if (marked === 1) into.set(from.subarray(i * width, (i + 1) * width), i * width);
  });
}
