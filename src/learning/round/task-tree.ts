/**
 * Sums of the tasks' outer products over a fixed binary tree: parts of consecutive tasks are its leaves, and both halves of a
 * node are summed before they are added. The tree follows from public sizes, so that the sum has the same bits whoever
 * forms which of its nodes: one thread, several, or a curator whose tasks are elsewhere.
 * @module
 */
import type { Core, Pointer } from "../../core/index.js";

/** Parts from `lo` up to `hi`. */
export interface TreeNode {
  readonly lo: number;
  readonly hi: number;
}

/** Tasks, and numbers of a vector. */
export interface TreeSizes {
  readonly m: number;
  readonly d: number;
}

/**
 * Most parts, a power of two, so that as many threads have whole nodes; multiplications below which there is one, for a
 * message would cost more; and least tasks of a part, relative to d, that pay for adding its d x d numbers.
 */
const PARTS = { most: 16, work: 2 ** 21, tasks: 0.5 } as const;

/** Parts of a sum: a power of two. */
export function partsOf({ m, d }: TreeSizes): number {
  if (m * d * d < PARTS.work) return 1;
  let parts: number = PARTS.most;
  while (parts > 1 && m / parts < PARTS.tasks * d) parts /= 2;
  return parts;
}

/** The first task of a part; of the part after the last: m. */
export const firstOf = (part: number, parts: number, m: number) => Math.ceil((m * part) / parts);

/** The largest nodes whose tasks all lie in `first` up to `end`, in order. */
export function nodesWithin(sizes: TreeSizes, first: number, end: number): TreeNode[] {
  const parts = partsOf(sizes);
  const { m } = sizes;
  const cover = (lo: number, hi: number): TreeNode[] => {
    const [from, to] = [firstOf(lo, parts, m), firstOf(hi, parts, m)];
    if (to <= first || from >= end) return [];
    if (from >= first && to <= end) return [{ lo, hi }];
    if (hi - lo === 1) return [];
    const middle = (lo + hi) / 2;
    return [...cover(lo, middle), ...cover(middle, hi)];
  };
  return cover(0, parts);
}

/** Bytes of scratch memory of `sumTree`. */
export function treeWorkspace({ kernels }: Core, sizes: TreeSizes): number {
  const { m, d } = sizes;
  const parts = partsOf(sizes);
  const most = Math.ceil(m / parts);
  return 8 * depthOf(parts) * evenSquare(d) + kernels.syrkWorkspace(most, d);
}

/** Sums that wait for their other half, at most. */
const depthOf = (parts: number) => 31 - Math.clz32(parts);

/** Numbers of a d x d matrix whose end is aligned as its beginning is. */
const evenSquare = (d: number) => d * d + (d % 2);

/** What a sum is formed of. */
export interface TreeSources {
  /** Where the vectors of a task and those after it lie. */
  rows(task: number): Pointer;
  /** Where the sum of a node is already; absent or undefined: it is formed of rows. */
  given?(node: TreeNode): Pointer | undefined;
  /** `treeWorkspace` bytes. */
  readonly work: Pointer;
}

/** out[d, d] <- sum over a node's tasks of v v^T; by default over all tasks. */
export function sumTree(
  { kernels, arena }: Core,
  sizes: TreeSizes,
  out: Pointer,
  { rows, given, work }: TreeSources,
  root: TreeNode = { lo: 0, hi: partsOf(sizes) },
): void {
  const { m, d } = sizes;
  const parts = partsOf(sizes);
  const syrkWork = work + 8 * depthOf(parts) * evenSquare(d);
  const sum = ({ lo, hi }: TreeNode, into: Pointer, spare: Pointer): void => {
    const known = given?.({ lo, hi });
    if (known !== undefined) arena.view(into, d * d).set(arena.view(known, d * d));
    else if (hi - lo === 1) {
      const from = firstOf(lo, parts, m);
      kernels.syrk(rows(from), into, firstOf(hi, parts, m) - from, d, syrkWork);
    } else {
      const middle = (lo + hi) / 2;
      sum({ lo, hi: middle }, into, spare);
      sum({ lo: middle, hi }, spare, spare + 8 * evenSquare(d));
      kernels.axpy(1, spare, into, d * d);
    }
  };
  sum(root, out, work);
}
