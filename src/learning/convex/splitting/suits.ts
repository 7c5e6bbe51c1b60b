/**
 * Whether tasks are solved by Douglas-Rachford rounds: from sizes alone, so that it does not depend on who holds them.
 * @module
 */
import type { TaskSet } from "../../../data/index.js";
import type { LossScale } from "../../tasks/losses.js";
import { residentBytes, type BatchSize } from "../../tasks/resident-size.js";
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

/** Bytes beside the data. @param parts of the models. */
function bytesBeside(batch: BatchSize, parts: number): number {
  const { m, d } = batch;
  const solves = solvesByRows(batch) ? RowSolves.bytes(batch) : ColumnSolves.bytes(m, d);
  return solves + ReflectedSteps.bytes(m, d, parts);
}

/** Whether the systems of all tasks fit, which sparse rows do not have. @param parts of the models. */
export function splittingPays(sizes: BatchSize, parts: number): boolean {
  return sizes.entries === undefined && bytesBeside(sizes, parts) <= MEMORY;
}

/** About how many bytes a batch that is solved so takes. */
export function splittingBytes(batch: BatchSize, parts: number): number {
  return residentBytes(batch) + bytesBeside(batch, parts);
}
