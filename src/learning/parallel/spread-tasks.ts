/**
 * Spreads the tasks of a fit over this thread and workers, where that is worth it.
 * @module
 */
import { loadedKernels } from "../../core/index.js";
import { TaskSet } from "../../data/index.js";
import type { ThreadsUsed } from "../fitted/model-state.js";
import type { Threads } from "../round/estimator.js";
import type { ParticipantHalf } from "../round/halves.js";
import type { PlannedStage } from "../round/release-plan.js";
import type { StatisticName } from "../round/statistic/statistic.js";
import { isSummed } from "../round/statistic/task-tree.js";
import { allOf } from "./answers.js";
import type { BatchContext, Batches } from "../round/batches.js";
import { packArrays } from "./crossing-arrays.js";
import { crossesWhole } from "./crossing-options.js";
import type { PlaceRequest } from "./messages.js";
import { memoriesFor, overflow } from "./memories.js";
import { spreadHalf } from "./spread-half.js";
import { arraysOf, taskRanges, type TaskRange } from "./task-ranges.js";
import type { TaskWorkers } from "../workers/task-workers.js";
import { decideThreads, missedWork } from "./threads.js";

/** Whose tasks they are. */
export interface BatchOwner {
  readonly method: string;
  readonly options: object;
  readonly batches: Batches;
  /** Whether their sums are released with noise: uploads that are not finite then count as 0. */
  readonly releases: boolean;
  /** What is made of their uploads, by stage; none of a method without rounds. */
  readonly stages: readonly (Pick<PlannedStage, "sampling"> & {
    readonly statistic: StatisticName;
  })[];
}

/** What a fit says of threads. */
export interface Placement {
  readonly threads: Threads;
  readonly workers: TaskWorkers | undefined;
  /** Numbers predicted per row. */
  readonly outputs: number;
  readonly signal: AbortSignal | undefined;
  /** Whether someone is shown what tasks upload. */
  readonly isObserved: boolean;
}

/** On how many threads the tasks are to lie, and their half where these are several. */
export interface SpreadTasks {
  readonly half?: ParticipantHalf;
  readonly threads: ThreadsUsed;
}

/**
 * Makes the half of all tasks on several threads, where they are to lie on several; on one it is for the caller to make.
 * Where a worker fails before the rounds, one is left: this thread then finds the same fault in its own order, or goes on,
 * unless its memory cannot hold all tasks.
 * @throws DataError where the tasks together do not suit the method; HostError where they do not fit into the memories of
 *   the threads there are; whatever `signal` was aborted with.
 */
export async function spreadTasks(
  owner: BatchOwner,
  context: BatchContext,
  placement: Placement,
): Promise<SpreadTasks> {
  const { arena } = context.core;
  const memories = memoriesFor(context.data, owner.batches.bytes);
  const threads = threadsFor(owner, context, { ...placement, memories: memories.roomy });
  if (threads.used < memories.least) throw overflow(context.data, memories, threads.why);
  if (threads.used === 1) return { threads };
  owner.batches.requireAll?.(context.data);
  const mark = arena.mark();
  try {
    return { half: await spread(owner, context, placement, threads.used), threads };
  } catch (error) {
    placement.signal?.throwIfAborted();
    if (memories.least > 1) throw error;
    arena.release(mark);
    const why = `on workers it could not begin: ${(error as Error).message}`;
    return { threads: { used: 1, why } };
  }
}

function threadsFor(
  { options, batches, stages }: BatchOwner,
  { data, sizes }: BatchContext,
  { threads: asked, workers, outputs, memories }: Placement & { readonly memories: number },
): ThreadsUsed {
  const one = (why: string): ThreadsUsed => ({ used: 1, why });
  if (asked === 1) return one("one was asked for");
  if (!workers) return one("no workers were given");
  const work = batches.work?.({ sizes, outputs });
  if (work === undefined) return one("the method's tasks cannot be spread");
  if (!crossesWhole(options)) return one("the options hold code, which stays on its thread");
  const sampled = stages.some(({ sampling }) => sampling.kind !== "all");
  const { curator } = options as { readonly curator?: string };
  if (sampled && curator === "untrusted") return one("tasks that are drawn charge their own noise");
  const { free, started, missed } = workers;
  const found = { free: free + 1, started: started + 1, missed };
  const question = { asked, m: data.m, work, ...found, memories };
  const threads = decideThreads(question);
  workers.miss(missedWork(question, threads.used));
  return threads;
}

async function spread(
  { method, options, batches, stages, releases }: BatchOwner,
  context: BatchContext,
  { workers, outputs, signal, isObserved }: Placement,
  count: number,
): Promise<ParticipantHalf> {
  const { core, data, sizes, positions, classes, start } = context;
  const [mine, ...theirs] = taskRanges(data, count) as [TaskRange, ...TaskRange[]];
  const taken = workers!.take(theirs.length);
  let own: ParticipantHalf | undefined;
  const release = () => workers!.giveBack(taken);
  try {
    const others = theirs.map((range, k) => ({ worker: taken[k]!, range }));
    const placed = others.map(({ worker, range }) => {
      const { arrays, transfer } = packArrays(arraysOf(data, range), (bytes) =>
        worker.memory(bytes),
      );
      const request: PlaceRequest = {
        kind: "place",
        method,
        options: { ...options },
        data: arrays,
        first: range.first,
        sizes,
        outputs,
        classes,
        start,
        kernels: worker.news(loadedKernels()),
        words: worker.words,
      };
      return worker.ask<null>(request, transfer);
    });
    own = batches.place({
      ...context,
      data: TaskSet.adopt(arraysOf(data, mine)),
      positions: positions.slice(mine.first, mine.end),
    });
    await allOf(placed, signal);
    const summedOf = (stage: number) => {
      const { statistic, sampling } = stages[stage]!;
      const isAll = sampling.kind === "all" && !isObserved;
      return isAll && isSummed(statistic) ? statistic : undefined;
    };
    const isSampled = (stage: number) => stages[stage]!.sampling.kind !== "all";
    return spreadHalf({ core, own, others, releases, summedOf, isSampled, release });
  } catch (error) {
    own?.close();
    release();
    throw error;
  }
}
