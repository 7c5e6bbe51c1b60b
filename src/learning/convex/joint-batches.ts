/**
 * Which rounds the tasks of a joint method go through where these are spread over threads: what a worker is told of them follows from
 * the method's options and how rows lie.
 * @module
 */
import type { Batches } from "../round/batches.js";
import { descentBatches } from "./descent/batches.js";
import { solveByDescent } from "./descent/solve.js";
import type { JointRounds } from "./joint-fit.js";
import { splitBatches, type SplitBatchesOptions } from "./splitting/batches.js";
import { solveBySplitting } from "./splitting/solve.js";
import { stepsExactly } from "./splitting/suits.js";

/** What of a method says it. */
export interface JointBatchesOptions extends SplitBatchesOptions {
  /** The modulus of strong convexity of the penalty; absent: 0. */
  readonly strength?: number | undefined;
}

/** Exact steps of dense rows, and of sparse ones where these pay; else gradient steps. */
export function jointRounds(
  { strength = 0, ...given }: JointBatchesOptions,
  entries: number | undefined,
): JointRounds {
  const { statistic } = given.shared;
  if (entries === undefined || stepsExactly({ statistic, strength })) {
    const batches = splitBatches(given, entries);
    const statistics = [statistic, "none", statistic] as const;
    return { areExact: true, batches, statistics, solve: solveBySplitting };
  }
  const batches = descentBatches(given, entries);
  const statistics = [statistic, "none", "none", statistic] as const;
  return { areExact: false, batches, statistics, solve: solveByDescent };
}

/** The batches of any rows, which only who places them has seen. */
export function jointBatches(options: JointBatchesOptions): Batches {
  const { batches } = jointRounds(options, undefined);
  return {
    ...batches,
    place: (context) =>
      jointRounds(options, context.data.sparse?.values.length).batches.place(context),
  };
}
