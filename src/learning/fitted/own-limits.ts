/**
 * How far a task's own model is believed: features of which nothing is declared are held within what the task's rows showed of them,
 * for a slope learned from a few small values says nothing of a large one.
 * @module
 */
import type { TaskSet } from "../../data/index.js";
import { TASK_LIMITS } from "./feature-limits.js";
import type { Component } from "./model-state.js";
import { ownVariance } from "../tasks/own-models/own-variance.js";

/**
 * Deviations of the task's rows about their mean. On 70 raw tables the error fell by a mean of 5 %, where it was absurd to less than a
 * half, and rose by 6 % at most.
 */
const DEVIATIONS = 4;

/** The limit of a feature with a declared range, which limits it already: none. */
const NONE = Number.MAX_VALUE;

/** Least and largest value of every feature in every task, at least those of its rows: [m, 2, d]; nothing of sparse rows. */
export function ownLimits(data: TaskSet): Record<string, Component> {
  const { m, d, encoding } = data;
  if (data.sparse || encoding.columns.every(({ scale }) => scale !== null)) return {};
  const limits = new Float64Array(m * 2 * d);
  for (let i = 0; i < m; i++) writeOwnLimits(data, i, limits.subarray(2 * i * d));
  return { [TASK_LIMITS]: { shape: [m, 2, d], data: limits } };
}

/** Those of one task, of dense rows. @param limits where they go, [2, d] or more. */
export function writeOwnLimits(data: TaskSet, task: number, limits: Float64Array): void {
  const { d, x, offsets, encoding } = data;
  const [from, to] = [offsets[task]! * d, offsets[task + 1]! * d];
  encoding.columns.forEach(({ scale }, c) => {
    const [lower, upper] = scale === null ? limitsOfColumn(x, from + c, to, d) : [-NONE, NONE];
    limits[c] = lower!;
    limits[d + c] = upper!;
  });
}

/** Of values whose squares are no numbers a limit would be none; there is then as good as none. */
const held = (limit: number, none: number) => (Number.isFinite(limit) ? limit : none);

/** Least and largest of a column: every `step`-th number from `from` on; of none Infinity and -Infinity. */
export function rangeOfColumn(
  x: Float64Array,
  from: number,
  to: number,
  step: number,
): [least: number, most: number] {
  let [least, most] = [Infinity, -Infinity];
  for (let k = from; k < to; k += step) {
    least = Math.min(least, x[k]!);
    most = Math.max(most, x[k]!);
  }
  return [least, most];
}

/** What such a column is held within. */
function limitsOfColumn(x: Float64Array, from: number, to: number, step: number) {
  const n = Math.ceil((to - from) / step);
  const [least, most] = rangeOfColumn(x, from, to, step);
  let sum = 0;
  for (let k = from; k < to; k += step) sum += x[k]!;
  const mean = sum / n;
  let squares = 0;
  for (let k = from; k < to; k += step) squares += (x[k]! - mean) ** 2;
  const reach = DEVIATIONS * Math.sqrt(ownVariance(squares, 0, n, true));
  return [
    held(Math.min(least, mean - reach), -NONE),
    held(Math.max(most, mean + reach), NONE),
  ] as const;
}
