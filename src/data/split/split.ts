/**
 * Which rows go where: seeded splits and folds within every task.
 *
 * The choice for a task depends on the seed, the task's name and its number of rows only. So it
 * does not change when tasks are added, left out or put in another order, and a participant can
 * make it alone on its own machine.
 * @module
 */
import { integer } from "../../core/checks.js";
import { checkNames, namesOf } from "../../core/messages/known-names.js";
import { checkSeed, seededUniforms, shuffledRows, type Seed } from "./shuffle.js";

/** Says true or false of a row: its place within its task (from 0), the task's position, the task's number of rows. */
export type RowRule = (row: number, task: number, n: number) => boolean;

/** Options of a split. */
export interface SplitOptions {
  /** Share of every task's rows to train on, 0 < trainFraction < 1. */
  trainFraction: number;
  /** The same seed gives the same split on every host. */
  seed: Seed;
}

const NAMES = namesOf<SplitOptions>({ trainFraction: true, seed: true });

/**
 * Which of n rows are training rows: round(trainFraction n) of them, at least one, and at least
 * one left to test where n >= 2. A single row is a training row.
 *
 * @returns Uint8Array, shape [n]: 1 for a training row.
 */
export function trainingRows(name: string, n: number, options: SplitOptions): Uint8Array {
  const count = Math.max(1, Math.min(n - 1, Math.round(options.trainFraction * n)));
  const order = shuffledRows(n, seededUniforms(options.seed, "split", name));
  const train = new Uint8Array(n);
  for (let i = 0; i < count; i++) train[order[i]!] = 1;
  return train;
}

/** @throws RangeError or TypeError naming the option. */
export function checkTrainFraction(trainFraction: number): void {
  if (typeof trainFraction !== "number") {
    throw new TypeError(`trainFraction: expected a number, got ${typeof trainFraction}`);
  }
  if (!(trainFraction > 0 && trainFraction < 1)) {
    throw new RangeError(`trainFraction: expected 0 < trainFraction < 1, got ${trainFraction}`);
  }
}

/** No fold: a task's only row is never held out. */
export const NEVER_HELD_OUT = 0xffff_ffff;

/**
 * Deals n rows into k folds whose sizes differ by at most one. Where dealing starts is random, so
 * that tasks with fewer than k rows do not all fall into the first folds.
 *
 * @returns Uint32Array, shape [n]: the fold that holds the row out, {@link NEVER_HELD_OUT} if n = 1.
 */
export function foldOfRows(name: string, n: number, k: number, seed: Seed): Uint32Array {
  const folds = new Uint32Array(n);
  if (n === 1) return folds.fill(NEVER_HELD_OUT);
  const uniform = seededUniforms(seed, "folds", name);
  const first = Math.floor(uniform() * k);
  shuffledRows(n, uniform).forEach((row, i) => (folds[row] = (first + i) % k));
  return folds;
}

/** @throws RangeError or TypeError naming the option. */
function checkFolds(k: number): void {
  integer("folds", k, 2);
}

/** What is split: names and sizes of the tasks. */
interface Splittable {
  readonly names: readonly string[];
  readonly taskSizes: Uint32Array;
}

/**
 * Which rows are training rows.
 * @throws RangeError or TypeError naming the option.
 */
export function trainingRule({ names, taskSizes }: Splittable, options: SplitOptions): RowRule {
  checkNames("split", options, NAMES);
  checkTrainFraction(options.trainFraction);
  const masks = names.map((name, i) => trainingRows(name, taskSizes[i]!, options));
  return (row, task) => masks[task]![row] === 1;
}

/**
 * Which rows are training rows, for each of k folds.
 * @throws RangeError or TypeError naming the option.
 */
export function foldRules(
  { names, taskSizes }: Splittable,
  k: number,
  options: { readonly seed: Seed },
): RowRule[] {
  checkFolds(k);
  checkNames("folds", options, ["seed"]);
  const seed = checkSeed(options.seed);
  const fold = names.map((name, i) => foldOfRows(name, taskSizes[i]!, k, seed));
  return Array.from(
    { length: k },
    (_, held): RowRule =>
      (row, task) =>
        fold[task]![row] !== held,
  );
}
