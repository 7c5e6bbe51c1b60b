/**
 * What a batch of consecutive tasks uploads where a statistic of them is summed on the way: the sums of the nodes of the
 * tree that it holds whole, and the vectors of the tasks whose part another batch shares.
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
import type { TaskRange } from "./task-ranges.js";

export class BatchSums {
  readonly nodes: readonly TreeNode[];
  /** Float64s of all. */
  readonly length: number;
  readonly #sizes: TreeSizes;
  readonly #range: TaskRange;
  readonly #loose: readonly TaskRange[];

  /** @param sizes of the run. @param range of the batch. */
  constructor(sizes: TreeSizes, range: TaskRange) {
    const { m, d } = sizes;
    const { first, end } = range;
    this.#sizes = sizes;
    this.#range = range;
    this.nodes = nodesWithin(sizes, first, end);
    const parts = partsOf(sizes);
    const [from, to] = this.nodes.length
      ? [firstOf(this.nodes[0]!.lo, parts, m), firstOf(this.nodes.at(-1)!.hi, parts, m)]
      : [end, end];
    this.#loose = [
      { first, end: from },
      { first: to, end },
    ];
    this.length = this.nodes.length * numbersOf(sizes) + (from - first + end - to) * d;
  }

  /** What forms the batch's numbers in its core: it allocates here, and nothing later. */
  writer(core: Core): (uploads: Pointer, into: Float64Array) => void {
    const { d } = this.#sizes;
    const { first } = this.#range;
    const numbers = numbersOf(this.#sizes);
    const out = core.arena.f64(numbers);
    const work = core.arena.bytes(treeWorkspace(core, this.#sizes));
    return (uploads, into) => {
      const rows = (task: number) => uploads + 8 * (task - first) * d;
      let at = 0;
      for (const node of this.nodes) {
        sumTree(core, this.#sizes, out, { rows, work }, node);
        into.set(core.arena.view(out, numbers), at);
        at += numbers;
      }
      for (const loose of this.#loose) {
        const length = (loose.end - loose.first) * d;
        into.set(core.arena.view(rows(loose.first), length), at);
        at += length;
      }
    };
  }

  /** Puts the numbers where the whole sum is formed: sums one after the other, vectors in the places of their tasks, [m, d]. */
  read({ arena }: Core, from: Float64Array, sums: Pointer, vectors: Pointer): void {
    const { d } = this.#sizes;
    let at = this.nodes.length * numbersOf(this.#sizes);
    arena.view(sums, at).set(from.subarray(0, at));
    for (const { first, end } of this.#loose) {
      const length = (end - first) * d;
      arena.view(vectors + 8 * first * d, length).set(from.subarray(at, at + length));
      at += length;
    }
  }
}
