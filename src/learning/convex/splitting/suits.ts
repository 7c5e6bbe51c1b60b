/**
 * Whether tasks are solved by Douglas-Rachford rounds: from sizes alone, so that it does not depend on who holds them.
 * @module
 */
import type { TaskSet } from "../../../data/index.js";
import type { LossScale } from "../../tasks/losses.js";
import type { StatisticName } from "../../round/statistic/statistic.js";
import { batchSize, residentBytes, type BatchSize } from "../../tasks/resident-size.js";
import { ColumnSolves } from "./exact-solves.js";
import { ReflectedSteps } from "./reflected-steps.js";
import { RowSolves } from "./row-solves.js";

/** The systems of all tasks, in bytes, at most. */
const MEMORY = 2 ** 28;

/** Sizes of a whole run by which its tasks' systems are chosen. */
export type RunSize = Pick<BatchSize, "m" | "d" | "rows">;

/** Whether tasks are solved by systems of their rows: where they have far fewer of them than features. */
export const solvesByRows = ({ m, d, rows }: RunSize): boolean => m * d > 4 * rows;

/**
 * Below so many times the penalty's strong convexity the losses' curvature is small enough for gradient steps: they are then as few as
 * exact ones, and cheaper. Measured on simulated tasks, of a task's typical curvature where its rows are orthogonal.
 */
const FEW_STEPS = 2;

/** Whether tasks of few rows need no exact steps. @param strength of the penalty's convexity, >= 0. */
export function descendsFast(
  { m, d, size, x }: Pick<TaskSet, "m" | "d" | "size" | "x">,
  lossScale: LossScale,
  strength: number,
): boolean {
  if (!(strength > 0 && solvesByRows({ m, d, rows: size }))) return false;
  const squares = x.reduce((sum, value) => sum + value * value, 0) / size;
  const curvature = lossScale === "mean" ? (squares * m) / size : squares;
  return curvature <= FEW_STEPS * strength;
}

/** Bytes beside the data; systems of sparse rows lie elsewhere. @param parts of the models. */
function bytesBeside(batch: BatchSize, parts: number): number {
  const { m, d, entries } = batch;
  const solves = solvesByRows(batch) ? RowSolves.bytes(batch) : ColumnSolves.bytes(m, d);
  return (entries === undefined ? solves : 0) + ReflectedSteps.bytes(m, d, parts);
}

/** Whether the systems of all tasks with dense rows fit. @param parts of the models. */
export function splittingPays(sizes: BatchSize, parts: number): boolean {
  return sizes.entries === undefined && bytesBeside(sizes, parts) <= MEMORY;
}

/** What is solved of tasks with sparse rows: the penalty's statistic, and its strong convexity. */
export interface SparseProblem {
  readonly statistic: StatisticName;
  readonly strength: number;
}

/**
 * Whether tasks with sparse rows take exact steps. Their gradients cost next to nothing, so that fewer rounds are only worth it where
 * each takes the eigenvectors of a d x d matrix, and the penalty does not bend, which would keep gradient steps few.
 */
export const stepsExactly = ({ statistic, strength }: SparseProblem): boolean =>
  statistic === "covariance" && strength === 0;

/** Whether the systems of tasks with sparse rows fit. @param parts of the models. */
export function sparseSystemsFit(data: TaskSet, parts: number): boolean {
  return bytesBeside(batchSize(data), parts) <= MEMORY && systemBytes(data) <= MEMORY;
}

/** Bytes of the systems of tasks whose sparse rows hang together, about and at most. */
function systemBytes({ m, d, offsets, sparse }: TaskSet): number {
  const { starts, columns } = sparse!;
  const last = new Int32Array(d).fill(-1);
  let numbers = 0;
  for (let i = 0; i < m; i++) {
    const [from, to] = [offsets[i]!, offsets[i + 1]!];
    let used = 0;
    for (let at = starts[from]!; at < starts[to]!; at++) {
      if (last[columns[at]!] !== i) used++;
      last[columns[at]!] = i;
    }
    const rows = to - from;
    const isApart = starts[to]! - starts[from]! <= rows && rowsAreApart(starts, from, to);
    if (!isApart) numbers += rows < used ? 2 * rows ** 2 : used * (rows + 2 * used);
  }
  return 8 * numbers;
}

/** Whether no row has two entries. */
function rowsAreApart(starts: Uint32Array, from: number, to: number): boolean {
  for (let row = from; row < to; row++) if (starts[row + 1]! - starts[row]! > 1) return false;
  return true;
}

/** About how many bytes a batch that is solved so takes. */
export function splittingBytes(batch: BatchSize, parts: number): number {
  return residentBytes(batch) + bytesBeside(batch, parts);
}
