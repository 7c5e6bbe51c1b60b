/**
 * Over how many threads' memories the rows of a fit have to lie.
 * @module
 */
import { ADDRESS_SPACE } from "../../core/address-space.js";
import { HostError } from "../../core/index.js";
import type { TaskSet } from "../../data/index.js";
import { batchSize, type BatchSize } from "../tasks/resident-size.js";
import { taskRanges } from "./task-ranges.js";

/** Part of a memory that tasks fill where there is a choice: what a fit takes beside them grows with its rounds. */
const FULL = 7 / 8;

/** What the tasks of a fit need. */
export interface Memories {
  /** Threads without which a memory would overflow; Infinity where one task alone is too large. */
  readonly least: number;
  /** Threads that leave room beside the tasks. */
  readonly roomy: number;
  /** About how many bytes all tasks take. */
  readonly bytes: number;
}

/** @param bytes of a batch of tasks; absent where rows lie outside of the kernels' memories. */
export function memoriesFor(tasks: TaskSet, bytes?: (batch: BatchSize) => number): Memories {
  if (!bytes) return { least: 1, roomy: 1, bytes: 0 };
  const all = bytes(batchSize(tasks));
  const fit = (count: number, room: number) =>
    taskRanges(tasks, count).every(({ first, end }) => bytes(batchSize(tasks, first, end)) <= room);
  const threads = (room: number) => {
    let count = Math.max(1, Math.min(tasks.m, Math.ceil(all / room)));
    while (count <= tasks.m && !fit(count, room)) count++;
    return count > tasks.m ? Infinity : count;
  };
  const least = threads(ADDRESS_SPACE);
  const roomy = threads(FULL * ADDRESS_SPACE);
  return { least, roomy: Number.isFinite(roomy) ? roomy : least, bytes: all };
}

const gib = (bytes: number) => (bytes / 2 ** 30).toFixed(2);

/** What tasks that do not fit into the memories at hand are told: what they need, and what to do. */
export function overflow(tasks: TaskSet, { least, bytes }: Memories, why: string): HostError {
  const { m, d, size } = tasks;
  const needs =
    `A fit of ${m} tasks, ${size} rows, ${d} features needs ${gib(bytes)} GiB, and a thread's WebAssembly memory ` +
    `holds ${gib(ADDRESS_SPACE)}`;
  return new HostError(
    least === Infinity
      ? `${needs}: one task alone is larger, and a task is not divided; nothing was started. Use fewer rows or features.`
      : `${needs}: its tasks fit on ${least} threads or more, but ${why}; nothing was started. Give the fit workers ` +
          `(openTaskWorkers, with threads ${least} or "auto"), or use fewer rows, features or tasks.`,
  );
}
