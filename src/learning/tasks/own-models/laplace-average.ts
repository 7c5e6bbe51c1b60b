/**
 * Averages of posterior modes by their evidence, of all tasks in one call.
 * @see assembly/tasks/laplace-average.ts
 * @module
 */
import type { Pointer } from "../../../core/index.js";
import { KernelRecord } from "../kernel-record.js";
import type { TaskRange } from "../solves/local-solves.js";
import type { ResidentTasks } from "../resident-tasks.js";
import type { Hypothesis } from "./logistic-grid.js";
import { LOGISTIC } from "./settings.js";
import { unsolvedTask } from "../solves/unsolved-task.js";

/** The record of the kernel after the number `moderation`, in its order. */
const WORDS = [
  "data",
  "count",
  "modes",
  "slopes",
  "levels",
  "priors",
  "averages",
  "evidence",
  "work",
] as const;

/**
 * The average of every task's modes, each moderated, and weighted by Laplace's evidence and its hypothesis's prior, [count, q], and the
 * logarithm of the sum of these weights, [count].
 *
 * @param tasks of dense rows, with the constant column last where there are intercepts.
 * @param range of which tasks.
 * @param modes of the range in the core, [hypotheses, count, q].
 * @param moderation what part of its moderation a mode gets, 0 to 1.
 * @throws RangeError naming a task whose evidence is not finite.
 */
export function laplaceAverage(
  tasks: ResidentTasks,
  { first, count: m }: TaskRange,
  hypotheses: readonly Hypothesis[],
  modes: Pointer,
  intercept: boolean,
  moderation: number = LOGISTIC.moderation,
): { readonly averages: Float64Array; readonly evidence: Float64Array } {
  const { core, d, mostRows } = tasks;
  const { arena, kernels } = core;
  const mark = arena.mark();
  try {
    const placed = (of: (hypothesis: Hypothesis) => number) =>
      arena.copyOf(Float64Array.from(hypotheses, of));
    const count = hypotheses.length;
    const averages = arena.f64(m * d);
    const evidence = arena.f64(m);
    const record = new KernelRecord(core, 1, WORDS);
    record.write([moderation], {
      data: tasks.placeRange(first, m),
      count,
      modes,
      slopes: placed(({ slopes }) => slopes ** 2),
      levels: intercept ? placed((hypothesis) => hypothesis.intercept ** 2) : 0,
      priors: placed(({ prior }) => prior),
      averages,
      evidence,
      work: arena.bytes(kernels.laplaceAverageWorkspace(mostRows, d, count)),
    });
    const failed = kernels.laplaceAverage(record.at);
    if (failed > 0) {
      throw unsolvedTask(
        tasks.names[first + failed - 1]!,
        "the evidence of its own model is not finite; bring its features to a common scale.",
      );
    }
    return {
      averages: arena.view(averages, m * d).slice(),
      evidence: arena.view(evidence, m).slice(),
    };
  } finally {
    arena.release(mark);
  }
}
