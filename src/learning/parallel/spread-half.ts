/**
 * The participants' half of a fit whose tasks lie on several threads: the first of them on this one, the others on workers.
 * What they upload is put together in the order of tasks, so what the curator makes of it has the bits of one thread.
 * @module
 */
import type { Core } from "../../core/index.js";
import type { BatchModels, ParticipantHalf } from "../round/halves.js";
import { partsOf, type SummedName } from "../round/statistic/task-tree.js";
import type { Finished } from "./messages.js";
import { allOf } from "./answers.js";
import { divideWork } from "./divide-work.js";
import { joinModels } from "./join-models.js";
import { isShared, sharedArray } from "./shared-arrays.js";
import { SpreadStage, type Line, type RemoteTasks } from "./spread-stage.js";
import { SpreadSums } from "./spread-sums.js";

/** What the half is put together of. */
export interface SpreadParts {
  readonly core: Core;
  /** Of the first tasks, on this thread. */
  readonly own: ParticipantHalf;
  /** Of the others, in the order of tasks. */
  readonly others: readonly RemoteTasks[];
  /** Whether sums are released with noise. */
  readonly releases: boolean;
  /** What the curator sums of the uploads of a stage, where nobody else looks at them; else undefined. */
  summedOf(stage: number): SummedName | undefined;
  /** Whether only some of the tasks take part in a round of a stage, which is drawn when it begins. */
  isSampled(stage: number): boolean;
  /** Takes the workers back. */
  release(): void;
}

/** All tasks of a fit as one half. */
export function spreadHalf(parts: SpreadParts): ParticipantHalf {
  const { core, own, others, releases, summedOf, isSampled, release } = parts;
  const most = (of: readonly number[]) => of.reduce((a, b) => Math.max(a, b), 0);
  const longest = most(own.stages.map(({ uploadLength }) => uploadLength));
  const m = others.at(-1)!.range.end;
  const at = core.arena.f64(m * longest);
  const ranges = others.map(({ range }) => range);
  const sums = own.stages.map(({ uploadLength: d }, stage) => {
    const of = summedOf(stage);
    if (!of || partsOf({ m, d, of }) === 1) return undefined;
    return new SpreadSums(core, { m, d, of }, at, ranges);
  });
  const lines = others.map((one, k): Line => {
    const vectors = (one.range.end - one.range.first) * longest;
    const up = sharedArray(most([vectors, ...sums.map((sum) => sum?.lengthOf(k) ?? 0)]));
    return { ...one, up };
  });
  let end: { readonly models: BatchModels; readonly losses: Float64Array<ArrayBuffer> } | undefined;
  const ended = () => {
    if (!end) throw new RangeError("models: expected the rounds to be over");
    return end;
  };
  const charges = own.records !== undefined || own.own !== undefined;
  return {
    ...own,
    stages: own.stages.map(
      (inner, stage) =>
        new SpreadStage(inner, {
          core,
          lines,
          at,
          m,
          stage,
          releases,
          sums: sums[stage],
          length: own.broadcastLengths[stage]!,
          downs: broadcasts(own.broadcastLengths[stage]!, lines.length),
          asksAhead: !inner.common && !charges && !isSampled(stage),
        }),
    ),
    finish: async (signal) => {
      const workers = lines.map(({ worker }) => worker);
      let common: Float64Array | null = null;
      for (let work = own.common?.(); work; work = own.common?.()) {
        common = await divideWork(work, workers, "finish", { before: common, signal });
      }
      const asked = workers.map((worker) => worker.ask<Finished>({ kind: "finish", common }));
      await own.finish?.(signal);
      const mine = { models: own.models(), losses: own.losses() };
      end = joinModels([mine, ...(await allOf(asked, signal))], own.byTask ?? []);
    },
    models: () => ended().models,
    losses: () => ended().losses,
    close: () => {
      own.close();
      release();
    },
  };
}

/** Where a stage's broadcasts go to every worker: one array for all of them where it is shared. */
function broadcasts(length: number, count: number): Float64Array[] {
  const first = sharedArray(length);
  return Array.from({ length: count }, (_, k) =>
    k === 0 || isShared(first) ? first : sharedArray(length),
  );
}
