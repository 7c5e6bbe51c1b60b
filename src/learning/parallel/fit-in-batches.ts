/**
 * A fit of tasks that release nothing: placed in batches, on this thread or on several, solved together, finished and closed.
 * @module
 */
import { closeCore, openCore, type Core } from "../../core/index.js";
import type { ThreadsUsed } from "../fitted/model-state.js";
import type { BatchContext } from "../round/batches.js";
import type { FitOptions } from "../round/estimator.js";
import type { BatchModels, ParticipantHalf } from "../round/halves.js";
import { outputsOf, type LossName } from "../tasks/losses.js";
import { spreadTasks, type BatchOwner } from "./spread-tasks.js";
import { checkedThreads } from "./threads.js";

/** Whose tasks they are, and what every stage's uploads are made into; all tasks take part in each. */
export interface FitOwner extends Omit<BatchOwner, "stages" | "options" | "releases"> {
  readonly options: { readonly loss: LossName };
  readonly statistics: readonly BatchOwner["stages"][number]["statistic"][];
}

/** All tasks, and models to start from. */
export type FitContext = Omit<BatchContext, "core" | "positions">;

/** All tasks, fitted. */
export interface FittedBatches<Solution> {
  readonly solution: Solution;
  readonly models: BatchModels;
  /** Of every task, [m]. */
  readonly losses: Float64Array;
  readonly threads: ThreadsUsed;
}

/**
 * Fits all tasks, to the same bits on however many threads.
 * @param solve what the fit's own thread does between placing the tasks and finishing them.
 * @throws DataError if the data does not suit the method; HostError if it fits the memories of no threads there are; whatever
 *   `signal` was aborted with.
 */
export async function fitInBatches<Solution>(
  { statistics, ...owner }: FitOwner,
  given: FitContext,
  { signal, workers, threads: asked }: FitOptions,
  solve: (tasks: ParticipantHalf, core: Core) => Solution | Promise<Solution>,
): Promise<FittedBatches<Solution>> {
  const core = openCore();
  const positions = Array.from({ length: given.data.m }, (_, i) => i);
  const context = { ...given, core, positions };
  const stages = statistics.map((statistic) => ({
    statistic,
    sampling: { kind: "all" } as const,
  }));
  const { half, threads } = await spreadTasks({ ...owner, stages, releases: false }, context, {
    threads: checkedThreads(asked),
    workers,
    signal,
    isObserved: false,
    outputs: outputsOf(owner.options.loss, given.classes),
  });
  const tasks = half ?? owner.batches.place(context);
  try {
    const solution = await solve(tasks, core);
    await tasks.finish?.(signal);
    const fitted = { solution, models: tasks.models(), losses: tasks.losses(), threads };
    // Of a fit that failed something may still be at work.
    closeCore(core);
    return fitted;
  } finally {
    tasks.close();
  }
}
