/**
 * The kernels' description of the data of all tasks: one record for all calls, instead of nine arguments each.
 * @module
 */
import type { Core, Pointer } from "../../core/index.js";
import { KernelRecord } from "./kernel-record.js";

/** Fields of `TaskData` in assembly/tasks/task-data.ts. */
export interface TaskDataFields {
  /** X[N, d], in Float64 or, where `wide` is set, in Float32, and y[N]. */
  readonly x: Pointer;
  readonly y: Pointer;
  /** First row of every task, then N: u32[m + 1]. */
  readonly offsets: Pointer;
  /** The c_i of L_i = c_i sum_j loss, [m]. */
  readonly scales: Pointer;
  readonly m: number;
  readonly d: number;
  /** Code of the loss: 0 squared, 1 logistic; not read by the kernels of the softmax. */
  readonly loss: number;
  /** Numbers predicted a row: C for softmax, else 1. */
  readonly outputs: number;
  /** Weights of the rows' losses, [N]; 0 where all are 1. */
  readonly weights?: Pointer;
  /** Of sparse rows, else 0: the columns u32 of the entries at x, and where each row's start, u32[N + 1]. */
  readonly columns?: Pointer;
  readonly starts?: Pointer;
  /** Of rows in Float32, else 0: where `room` of them at a time lie in Float64. */
  readonly wide?: Pointer;
  readonly room?: number;
}

const WORDS = [
  "x",
  "y",
  "offsets",
  "scales",
  "m",
  "d",
  "loss",
  "outputs",
  "weights",
  "columns",
  "starts",
  "wide",
  "room",
] as const;

/** Writes the record once; it stays until the arena's mark is released. */
export function placeTaskData(core: Core, fields: TaskDataFields): Pointer {
  const record = new KernelRecord(core, 0, WORDS);
  record.write([], { weights: 0, columns: 0, starts: 0, wide: 0, room: 0, ...fields });
  return record.at;
}

/** A record of one task becomes that of another, whose offsets and scales are these. */
export function moveTaskData(
  { arena }: Core,
  at: Pointer,
  offsets: Pointer,
  scales: Pointer,
): void {
  const [first, second] = [WORDS.indexOf("offsets"), WORDS.indexOf("scales")];
  const words = arena.words(at, WORDS.length);
  [words[first], words[second]] = [offsets, scales];
}
