/**
 * Sums of the tasks' vectors that a few liars cannot carry away: a trimmed mean of tasks, and a median of means of random groups.
 *
 * **Statement.** In the place of sum_i v_i stands, coordinate by coordinate, T: the tasks are put into G groups of at least s
 * tasks; group g has u_g = (s / |g|) sum_{i in g} v_i; the h smallest and the h largest of the G numbers are left out, and T is the sum
 * of the others. T moves by no more than the plain sum does when one task's vector changes: 2 K in l2 under replace, K under
 * zero-out, and so in l1. The mean is T / ((G - 2 h) s), so that its noise is m / ((G - 2 h) s) times the plain mean's.
 *
 * **Proof.** Only the group of the task that changes, g, moves, by (s / |g|) (v - v'), and s <= |g|. Take a coordinate, and the other
 * groups' numbers y_1 <= … <= y_{G-1} as given. As a function of x = u_g the sum of the middle G - 2 h is c + min(max(x, y_h), y_{G-h}),
 * c the sum of y_{h+1}, …, y_{G-h-1}: below y_h the number y_h takes its place among those kept, above y_{G-h} that one does. This moves by
 * no more than x does. So |T_j - T'_j| <= |v_j - v'_j| in every coordinate, whichever order the groups have there, and a norm that
 * grows with the absolute values of the coordinates grows no more. Groups are drawn without looking at the data; the statement holds given
 * each draw. QED
 *
 * **In floating point** the error of an entry is at most (|g| + G) 2^-53 m K for the largest group: |g| + 1 in u_g, relative, summed
 * over the groups since T moves by no more than each of them, and G - 1 in the last sum. That is below the (m + 2) 2^-53 m K of
 * `computed-statistic.ts` where the groups are the tasks themselves, or m >= 6 and m >= 2 G.
 *
 * @see Yin, Chen, Ramchandran, Bartlett (2018), "Byzantine-robust distributed learning: towards optimal statistical rates".
 * @module
 */
import type { Core, Pointer } from "../../../core/index.js";
import { OptionError } from "../../../core/index.js";

/** How the tasks' vectors of a round become one. */
export type Aggregate =
  /** The mean of all. */
  | { readonly kind: "mean" }
  /** The median of the means of so many random groups. */
  | {
      readonly kind: "median-of-means";
      /** Number of groups, of two tasks or more each. */
      readonly groups: number;
    }
  /** The mean without this share of the tasks at either end. */
  | {
      readonly kind: "trimmed-mean";
      /** Share of the tasks that is left out at either end, coordinate by coordinate. */
      readonly share: number;
    };

/** Groups, and how many of them are left out at either end. */
export interface RobustShape {
  /** G */
  readonly groups: number;
  /** h */
  readonly left: number;
  /** s: tasks of the smallest group. */
  readonly size: number;
  /** What the sum is divided by for a mean: (G - 2 h) s. */
  readonly divisor: number;
}

/**
 * Fewest tasks of a group, so that rounding stays within what exact noise is calibrated to.
 */
const LEAST_OF_GROUP = 2;

/** Fewest tasks of which there is such an aggregate. */
export function fewestTasks(aggregate: Aggregate): number {
  if (aggregate.kind === "mean") return 1;
  if (aggregate.kind === "median-of-means") return LEAST_OF_GROUP * aggregate.groups;
  const { share } = aggregate;
  const near = Math.ceil(1 / share);
  // The product that decides is rounded, as the quotient is.
  return Math.floor(share * near) < 1 ? near + 1 : near;
}

/**
 * What an aggregate comes to for so many tasks; undefined for the plain mean.
 * @throws OptionError if there are too few tasks for it.
 */
export function robustShape(aggregate: Aggregate, m: number): RobustShape | undefined {
  if (aggregate.kind === "mean") return undefined;
  if (aggregate.kind === "median-of-means") {
    const { groups } = aggregate;
    const size = Math.floor(m / groups);
    if (size < LEAST_OF_GROUP) {
      throw new OptionError(
        `aggregate: a median of the means of ${groups} groups needs ${fewestTasks(aggregate)} tasks or more, got ${m}; take fewer groups, or ` +
          "a trimmed mean",
      );
    }
    const left = (groups - 1) / 2;
    return { groups, left, size, divisor: size };
  }
  const left = Math.floor(aggregate.share * m);
  if (left < 1 || 2 * left >= m) {
    throw new OptionError(
      `aggregate: a trimmed mean of ${m} tasks leaves out ${left} of them at either end, with share ${aggregate.share}; expected at least ` +
        `1, and some that are left: ${fewestTasks(aggregate)} tasks or more, or another share`,
    );
  }
  return { groups: m, left, size: 1, divisor: m - 2 * left };
}

/** Writes T of the rows of V[m,d] at `uploads` to `out`, [d]. */
export type CombineVectors = (
  core: Core,
  uploads: Pointer,
  out: Pointer,
  m: number,
  d: number,
  round: number,
) => void;

/**
 * @param orderOf the tasks of a round in random order: the groups are its stretches. Not asked where the groups are the tasks.
 */
export function robustSum(
  { groups, left }: RobustShape,
  orderOf: (round: number, m: number) => ArrayLike<number>,
): CombineVectors {
  return ({ arena }, uploads, out, m, d, round) => {
    const rows = arena.view(uploads, m * d);
    const numbers = groups === m ? rows : groupSums(rows, groups, d, orderOf(round, m));
    const to = arena.view(out, d);
    const column = new Float64Array(groups);
    for (let j = 0; j < d; j++) {
      for (let g = 0; g < groups; g++) column[g] = numbers[g * d + j]!;
      column.sort();
      let sum = 0;
      for (let k = left; k < groups - left; k++) sum += column[k]!;
      to[j] = sum;
    }
  };
}

/** u_g of every group, [G, d]. The first m mod G groups have a task more. */
function groupSums(
  rows: Float64Array,
  groups: number,
  d: number,
  order: ArrayLike<number>,
): Float64Array {
  const m = order.length;
  const size = Math.floor(m / groups);
  const larger = m % groups;
  const sums = new Float64Array(groups * d);
  for (let g = 0, at = 0; g < groups; g++) {
    const count = g < larger ? size + 1 : size;
    const own = sums.subarray(g * d, (g + 1) * d);
    // In the order of tasks, as the plain sum: the same group gives the same bits however it was drawn.
    const members = Array.from({ length: count }, () => order[at++]!).sort((a, b) => a - b);
    for (const i of members) for (let j = 0; j < d; j++) own[j]! += rows[i * d + j]!;
    if (count > size) for (let j = 0; j < d; j++) own[j]! *= size / count;
  }
  return sums;
}
