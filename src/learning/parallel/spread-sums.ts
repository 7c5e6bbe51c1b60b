/**
 * The sum of all tasks' outer products where tasks lie on several threads: each forms the sums of the nodes of the tree that
 * it holds whole, and this thread puts them together as one thread would have.
 * @module
 */
import type { Core, Pointer } from "../../core/index.js";
import {
  firstOf,
  partsOf,
  sumTree,
  treeWorkspace,
  type TreeNode,
  type TreeSizes,
} from "../round/task-tree.js";
import { BatchSums } from "./batch-sums.js";
import type { TaskRange } from "./task-ranges.js";

const keyOf = ({ lo, hi }: TreeNode) => `${lo} ${hi}`;

export class SpreadSums {
  readonly #core: Core;
  readonly #sizes: TreeSizes;
  /** The vectors of tasks whose part is cut, in their places of [m, d], and the sum. */
  readonly #vectors: Pointer;
  /** This thread's tasks: the first of a part that other threads share, and the end of all. */
  readonly #mine: { readonly cut: number; readonly end: number };
  /** Where their vectors are in this round. */
  #own: Pointer = 0;
  readonly #out: Pointer;
  readonly #work: Pointer;
  readonly #batches: readonly { readonly sums: BatchSums; readonly at: Pointer }[];
  readonly #given = new Map<string, Pointer>();

  /**
   * @param sizes   of the run.
   * @param vectors room for [m, d].
   * @param ranges  of the tasks on other threads.
   */
  constructor(core: Core, sizes: TreeSizes, vectors: Pointer, ranges: readonly TaskRange[]) {
    const { d } = sizes;
    this.#core = core;
    this.#sizes = sizes;
    this.#vectors = vectors;
    const parts = partsOf(sizes);
    const end = ranges[0]!.first;
    let whole = 0;
    while (firstOf(whole + 1, parts, sizes.m) <= end) whole++;
    this.#mine = { cut: firstOf(whole, parts, sizes.m), end };
    this.#out = core.arena.f64(d * d);
    this.#work = core.arena.bytes(treeWorkspace(core, sizes));
    this.#batches = ranges.map((range) => {
      const sums = new BatchSums(sizes, range);
      const at = core.arena.f64(sums.nodes.length * d * d);
      sums.nodes.forEach((node, k) => this.#given.set(keyOf(node), at + 8 * k * d * d));
      return { sums, at };
    });
  }

  /** Float64s that come from another thread. */
  lengthOf(batch: number): number {
    return this.#batches[batch]!.sums.length;
  }

  /** Takes where this thread's tasks have their vectors, which stay there until the sum is formed. */
  takeOwn(from: Pointer): void {
    const { arena } = this.#core;
    const { d } = this.#sizes;
    const { cut, end } = this.#mine;
    this.#own = from;
    const length = (end - cut) * d;
    arena.view(this.#vectors + 8 * cut * d, length).set(arena.view(from + 8 * cut * d, length));
  }

  /** Takes what another thread sent. */
  take(batch: number, from: Float64Array): void {
    const { sums, at } = this.#batches[batch]!;
    sums.read(this.#core, from, at, this.#vectors);
  }

  /** The sum over all tasks, [d, d], once everyone's was taken. */
  form(): Pointer {
    const { d } = this.#sizes;
    sumTree(this.#core, this.#sizes, this.#out, {
      rows: (task) => (task < this.#mine.cut ? this.#own : this.#vectors) + 8 * task * d,
      given: (node) => this.#given.get(keyOf(node)),
      work: this.#work,
    });
    return this.#out;
  }
}
