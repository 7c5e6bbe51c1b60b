/**
 * What the features of each task are held within when it predicts, where columns were voted on: what was voted for, which is the same for all tasks. A
 * task that learns alone keeps to what its own rows showed as well, as `single-task` does: no other task bears out a slope that is its own, and a few rows
 * that lie close tell nothing of a value far from them. Nor do they of a slope by which a feature, beyond these rows, would take a prediction many sizes of
 * the target away, whatever part of it was learned together.
 *
 * Limits follow from the task's own rows and model, and no upload depends on them: post-processing, for which nothing is released.
 * @module
 */
import type { TaskSet } from "../../../../data/index.js";
import { TASK_LIMITS } from "../../../fitted/feature-limits.js";
import type { Component } from "../../../fitted/model-state.js";
import { rangeOfColumn, writeOwnLimits } from "../../../fitted/own-limits.js";
import type { MixedModels } from "../exchange.js";
import { limitsArray, type Units } from "../units/units.js";

/**
 * Weight of learning alone from which on a task keeps to what its rows showed. From a tenth on the error of panels of three rows rose by up to 4 % where
 * it fell from here on, for most of what they predict by they have from others.
 */
const LEARNS_ALONE = 0.9;

/**
 * How far a feature beyond a task's rows may take a prediction, in sizes of the target that were voted for. Two are too few where children grow; eight
 * mend less.
 */
const REACH = 4;

/** [m, 2, d]; of tasks that deny the votes what their own rows showed alone. */
export function taskLimits(
  {
    models,
    alone,
    denied,
  }: Pick<MixedModels, "models" | "alone"> & { readonly denied: Uint8Array },
  units: Units,
  data: TaskSet,
): Record<string, Component> {
  const common = limitsArray(units);
  const [m, d] = [denied.length, common.length / 2];
  const limits = new Float64Array(m * 2 * d);
  denied.forEach((own, i) => {
    const both = limits.subarray(i * 2 * d, (i + 1) * 2 * d);
    if (own === 1) return writeOwnLimits(data, i, both);
    both.set(common);
    if (alone[i]! > LEARNS_ALONE) {
      writeOwnLimits(data, i, both);
      // Where all rows lie outside, they were taken to the edge.
      both.forEach((value, at) => (both[at] = heldIn(common, at % d, value)));
    }
    keepNear(both, models.subarray(i * (d + 1), i * (d + 1) + d), units, data, i);
  });
  return { [TASK_LIMITS]: { shape: [m, 2, d], data: limits } };
}

/** Narrows a task's limits, [2, d], to where no slope takes a prediction farther than `REACH` beyond its rows. */
function keepNear(
  both: Float64Array,
  slopes: Float64Array,
  { voted = [], targetSize }: Units,
  { x, d, offsets }: TaskSet,
  task: number,
): void {
  const [from, to] = [offsets[task]! * d, offsets[task + 1]! * d];
  for (const c of voted) {
    const reach = (REACH * targetSize) / Math.abs(slopes[c]!);
    const [least, most] = rangeOfColumn(x, from + c, to, d);
    [both[c], both[d + c]] = [heldIn(both, c, least - reach), heldIn(both, c, most + reach)];
  }
}

function heldIn(common: Float64Array, c: number, value: number): number {
  return Math.min(Math.max(value, common[c]!), common[common.length / 2 + c]!);
}
