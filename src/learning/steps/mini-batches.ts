/**
 * The order in which a task visits its rows: reshuffled every epoch from a stream of its own.
 * @module
 */
import type { Pointer } from "../../core/index.js";
import { openStream, shuffle, type RandomOptions, type RandomStream } from "../../random/index.js";
import { streamNumber } from "../../random/stream-numbers.js";
import { rowsOf, type Batch } from "../models/resident-model.js";
import type { ResidentTasks } from "../tasks/resident-tasks.js";

/** Mini-batches of every task, without replacement within an epoch. */
export class MiniBatches {
  readonly #tasks: ResidentTasks;
  readonly #size: number;
  readonly #streams: RandomStream[];
  /** Row numbers of each task in this epoch's order, and how many are used up. */
  readonly #orders: Uint32Array[];
  readonly #used: Uint32Array;
  readonly #at: Pointer;

  /**
   * @param size rows of a batch; a task with fewer rows takes all of them.
   * @param positions [m], every task's position in the whole run: its stream.
   */
  constructor(
    tasks: ResidentTasks,
    size: number,
    random: RandomOptions,
    positions: readonly number[],
  ) {
    const { core, m } = tasks;
    this.#tasks = tasks;
    this.#size = size;
    this.#orders = Array.from({ length: m }, (_, i) => {
      const { from, n } = rowsOf(tasks, i);
      return Uint32Array.from({ length: n }, (_, j) => from + j);
    });
    this.#used = Uint32Array.from(this.#orders, (order) => order.length);
    this.#streams = positions.map((at) => openStream(core, random, streamNumber.miniBatches(at)));
    this.#at = core.arena.bytes(4 * size);
  }

  /** The next batch of a task; valid until the next call. The last of an epoch may be smaller. */
  next(task: number): Batch {
    const order = this.#orders[task]!;
    if (this.#used[task] === order.length) {
      shuffle(this.#streams[task]!, order);
      this.#used[task] = 0;
    }
    const from = this.#used[task]!;
    const count = Math.min(this.#size, order.length - from);
    this.#used[task] = from + count;
    this.#tasks.core.arena.words(this.#at, count).set(order.subarray(from, from + count));
    return { at: this.#at, count };
  }

  /** Wipes the generators' keys from memory. */
  close(): void {
    for (const stream of this.#streams) stream.close();
  }
}
