/**
 * A sum over all tasks (`task-tree.ts`) where they lie on several threads: each forms the sums of the nodes of the tree that
 * it holds whole, and this thread puts them together as one thread would have.
 * @module
 */
import type { Core, Pointer } from "../../core/index.js";
import {
  firstOf,
  nodesWithin,
  numbersOf,
  partsOf,
  sumTree,
  treeWorkspace,
  type TreeNode,
  type TreeSizes,
} from "../round/statistic/task-tree.js";
import { BatchSums } from "./batch-sums.js";
import type { TaskRange } from "./task-ranges.js";

export class SpreadSums {
  readonly #core: Core;
  /** What all threads sum. */
  readonly sizes: TreeSizes;
  /** The vectors of tasks whose part is cut, in their places of [m, d], and the sum. */
  readonly #vectors: Pointer;
  /** This thread's tasks: the first of a part that other threads share, and the end of all. */
  readonly #mine: { readonly cut: number; readonly end: number };
  /** The nodes that this thread holds whole, and where their sums go. */
  readonly #own: readonly { readonly node: TreeNode; readonly at: Pointer }[];
  readonly #out: Pointer;
  readonly #work: Pointer;
  readonly #batches: readonly { readonly sums: BatchSums; readonly at: Pointer }[];
  /** Where the sums of nodes are, by their parts: [lo][hi]. */
  readonly #given: (Pointer | undefined)[][];

  /**
   * @param sizes   of the run.
   * @param vectors room for [m, d].
   * @param ranges  of the tasks on other threads.
   */
  constructor(core: Core, sizes: TreeSizes, vectors: Pointer, ranges: readonly TaskRange[]) {
    const numbers = numbersOf(sizes);
    this.#core = core;
    this.sizes = sizes;
    this.#vectors = vectors;
    const parts = partsOf(sizes);
    this.#given = Array.from({ length: parts }, () => []);
    const end = ranges[0]!.first;
    const place = (nodes: readonly TreeNode[]): Pointer => {
      const at = core.arena.f64(nodes.length * numbers);
      nodes.forEach(({ lo, hi }, k) => (this.#given[lo]![hi] = at + 8 * k * numbers));
      return at;
    };
    const own = nodesWithin(sizes, 0, end);
    const at = place(own);
    this.#own = own.map((node, k) => ({ node, at: at + 8 * k * numbers }));
    this.#mine = { cut: firstOf(own.at(-1)?.hi ?? 0, parts, sizes.m), end };
    this.#out = core.arena.f64(numbers);
    this.#work = core.arena.bytes(treeWorkspace(core, sizes));
    this.#batches = ranges.map((range) => {
      const sums = new BatchSums(sizes, range);
      return { sums, at: place(sums.nodes) };
    });
  }

  /** Float64s that come from another thread. */
  lengthOf(batch: number): number {
    return this.#batches[batch]!.sums.length;
  }

  /** Sums the vectors of this thread's tasks, while other threads sum theirs. */
  takeOwn(from: Pointer): void {
    const { arena } = this.#core;
    const { d } = this.sizes;
    const { cut, end } = this.#mine;
    const length = (end - cut) * d;
    arena.view(this.#vectors + 8 * cut * d, length).set(arena.view(from + 8 * cut * d, length));
    const rows = (task: number) => from + 8 * task * d;
    for (const { node, at } of this.#own) {
      sumTree(this.#core, this.sizes, at, { rows, work: this.#work }, node);
    }
  }

  /** Takes what another thread sent. */
  take(batch: number, from: Float64Array): void {
    const { sums, at } = this.#batches[batch]!;
    sums.read(this.#core, from, at, this.#vectors);
  }

  /** The sum over all tasks, once everyone's was taken. */
  form(): Pointer {
    const { d } = this.sizes;
    sumTree(this.#core, this.sizes, this.#out, {
      rows: (task) => this.#vectors + 8 * task * d,
      given: ({ lo, hi }) => this.#given[lo]![hi],
      work: this.#work,
    });
    return this.#out;
  }
}
