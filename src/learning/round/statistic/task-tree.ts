/**
 * Sums over tasks of a function of their vectors, their outer products or the squares of their entries, over a fixed binary tree: parts of consecutive tasks are its leaves, and both halves of a
 * node are summed before they are added. The tree follows from public sizes, so that the sum has the same bits whoever
 * forms which of its nodes: one thread, several, or a curator whose tasks are elsewhere.
 * @module
 */
import type { Core, Kernels, Pointer } from "../../../core/index.js";

/** Parts from `lo` up to `hi`. */
export interface TreeNode {
  readonly lo: number;
  readonly hi: number;
}

/** Statistics that are summed so. */
export type SummedName = "covariance" | "diagonal";

/** Tasks, numbers of a vector, and what is summed of them. */
export interface TreeSizes {
  readonly m: number;
  readonly d: number;
  readonly of: SummedName;
}

/** A function of vectors that is summed. */
interface Summed {
  /** Multiplications of all tasks below which there is one part, for adding parts would cost more than threads gain. */
  readonly leastWork: number;
  /** Float64s of a sum. */
  numbers(d: number): number;
  /** Sums over `count` vectors. */
  form(
    kernels: Kernels,
    vectors: Pointer,
    sum: Pointer,
    sizes: { readonly count: number; readonly d: number; readonly work: Pointer },
  ): void;
}

const SUMMED: Record<SummedName, Summed> = {
  covariance: {
    leastWork: 2 ** 21,
    numbers: (d) => d * d,
    form: (kernels, vectors, sum, { count, d, work }) => kernels.syrk(vectors, sum, count, d, work),
  },
  diagonal: {
    leastWork: 2 ** 14,
    numbers: (d) => d,
    form: (kernels, vectors, sum, { count, d }) => kernels.columnSquares(vectors, sum, count, d),
  },
};

/** Whether a statistic is summed so. */
export const isSummed = (name: string): name is SummedName => name in SUMMED;

/**
 * Most parts, a power of two, so that as many threads have whole nodes; and least tasks of a part, relative to the numbers of a sum over
 * those of a vector, that pay for adding it.
 */
const PARTS = { most: 16, tasks: 0.5 } as const;

/** Parts of a sum: a power of two. */
export function partsOf({ m, d, of }: TreeSizes): number {
  const numbers = numbersOf({ d, of });
  if (m * numbers < SUMMED[of].leastWork) return 1;
  const least = Math.max(1, (PARTS.tasks * numbers) / d);
  let parts: number = PARTS.most;
  while (parts > 1 && m / parts < least) parts /= 2;
  return parts;
}

/** Float64s of a sum. */
export const numbersOf = ({ d, of }: Omit<TreeSizes, "m">): number => SUMMED[of].numbers(d);

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
  return 8 * depthOf(parts) * evenNumbers(sizes) + kernels.syrkWorkspace(most, d);
}

/** Sums that wait for their other half, at most. */
const depthOf = (parts: number) => 31 - Math.clz32(parts);

/** Numbers of a sum whose end is aligned as its beginning is. */
function evenNumbers(sizes: TreeSizes): number {
  const numbers = numbersOf(sizes);
  return numbers + (numbers % 2);
}

/** What a sum is formed of. */
export interface TreeSources {
  /** Where the vectors of a task and those after it lie. */
  rows(task: number): Pointer;
  /** Where the sum of a node is already; absent or undefined: it is formed of rows. */
  given?(node: TreeNode): Pointer | undefined;
  /** `treeWorkspace` bytes. */
  readonly work: Pointer;
}

/** Writes the sum over a node's tasks; by default over all tasks. */
export function sumTree(
  { kernels, arena }: Core,
  sizes: TreeSizes,
  out: Pointer,
  { rows, given, work }: TreeSources,
  root: TreeNode = { lo: 0, hi: partsOf(sizes) },
): void {
  const { m, d, of } = sizes;
  const parts = partsOf(sizes);
  const numbers = numbersOf(sizes);
  const spareNumbers = evenNumbers(sizes);
  const partWork = work + 8 * depthOf(parts) * spareNumbers;
  const sum = ({ lo, hi }: TreeNode, into: Pointer, spare: Pointer): void => {
    const known = given?.({ lo, hi });
    if (known !== undefined) arena.view(into, numbers).set(arena.view(known, numbers));
    else if (hi - lo === 1) {
      const from = firstOf(lo, parts, m);
      const count = firstOf(hi, parts, m) - from;
      SUMMED[of].form(kernels, rows(from), into, { count, d, work: partWork });
    } else {
      const middle = (lo + hi) / 2;
      sum({ lo, hi: middle }, into, spare);
      sum({ lo: middle, hi }, spare, spare + 8 * spareNumbers);
      kernels.axpy(1, spare, into, numbers);
    }
  };
  sum(root, out, work);
}
