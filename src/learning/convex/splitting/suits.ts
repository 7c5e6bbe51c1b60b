/**
 * Whether tasks are solved by Douglas-Rachford rounds: from sizes alone, so that it does not depend on who holds them.
 * @module
 */
import { residentBytes, type BatchSize } from "../../tasks/resident-size.js";
import { ReflectedSteps } from "./reflected-steps.js";

/** The matrices of all tasks, in bytes, at most. */
const MEMORY = 2 ** 28;

/** Whether the matrices of all tasks fit. @param parts of the models. */
export function splittingFits({ m, d }: Pick<BatchSize, "m" | "d">, parts: number): boolean {
  return ReflectedSteps.bytes(m, d, parts) <= MEMORY;
}

/** Whether they pay, too: d not much above the rows of a task. Matrices of d x d numbers for each task are not for sparse rows. */
export function splittingPays(sizes: BatchSize, parts: number): boolean {
  const { m, d, rows, entries } = sizes;
  const isDense = entries === undefined;
  return isDense && m * d <= 4 * rows && splittingFits(sizes, parts);
}

/** Bytes of a batch that is solved so. */
export function splittingBytes(batch: BatchSize, parts: number): number {
  return residentBytes(batch) + ReflectedSteps.bytes(batch.m, batch.d, parts);
}
