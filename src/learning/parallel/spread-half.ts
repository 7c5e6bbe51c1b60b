/**
 * The participants' half of a fit whose tasks lie on several threads: the first of them on this one, the others on workers.
 * What they upload is put together in the order of tasks, so what the curator makes of it has the bits of one thread.
 * @module
 */
import type { Core, Pointer } from "../../core/index.js";
import type { BatchModels, ParticipantHalf } from "../round/halves.js";
import type { Participants } from "../round/participants.js";
import { partsOf } from "../round/task-tree.js";
import type { Finished, Uploaded, UploadRequest } from "./messages.js";
import { allOf } from "./answers.js";
import { divideWork } from "./divide-work.js";
import { joinModels } from "./join-models.js";
import { buffersOf, isShared, sharedArray } from "./shared-arrays.js";
import { SpreadSums } from "./spread-sums.js";
import type { TaskRange } from "./task-ranges.js";
import type { TaskWorker } from "../workers/task-worker.js";

/** A worker and the tasks that were placed there. */
export interface RemoteTasks {
  readonly worker: TaskWorker;
  readonly range: TaskRange;
}

/** The same with the arrays in which broadcasts go there and uploads come back. */
interface Line extends RemoteTasks {
  down: Float64Array;
  up: Float64Array;
}

/** What the half is put together of. */
export interface SpreadParts {
  readonly core: Core;
  /** Of the first tasks, on this thread. */
  readonly own: ParticipantHalf;
  /** Of the others, in the order of tasks. */
  readonly others: readonly RemoteTasks[];
  /** Whether nobody but the curator, who sums outer products, looks at what the tasks of a stage upload. */
  isSummed(stage: number): boolean;
  /** Takes the workers back. */
  release(): void;
}

/** All tasks of a fit as one half. */
export function spreadHalf(parts: SpreadParts): ParticipantHalf {
  const { core, own, others, isSummed, release } = parts;
  const most = (of: readonly number[]) => of.reduce((a, b) => Math.max(a, b), 0);
  const longest = most(own.stages.map(({ uploadLength }) => uploadLength));
  const m = others.at(-1)!.range.end;
  const at = core.arena.f64(m * longest);
  const ranges = others.map(({ range }) => range);
  const sums = own.stages.map(({ uploadLength: d }, stage) =>
    isSummed(stage) && partsOf({ m, d }) > 1
      ? new SpreadSums(core, { m, d }, at, ranges)
      : undefined,
  );
  const broadcast = () => sharedArray(most(own.broadcastLengths));
  const first = broadcast();
  const lines = others.map((one, k): Line => {
    const vectors = (one.range.end - one.range.first) * longest;
    const up = sharedArray(most([vectors, ...sums.map((sum) => sum?.lengthOf(k) ?? 0)]));
    return { ...one, up, down: isShared(first) ? first : broadcast() };
  });
  let end: { readonly models: BatchModels; readonly losses: Float64Array<ArrayBuffer> } | undefined;
  const ended = () => {
    if (!end) throw new RangeError("models: expected the rounds to be over");
    return end;
  };
  return {
    ...own,
    stages: own.stages.map(
      (inner, stage) =>
        new SpreadStage(inner, {
          ...{ core, lines, at, m, stage, sums: sums[stage] },
          length: own.broadcastLengths[stage]!,
        }),
    ),
    finish: async (signal) => {
      const workers = lines.map(({ worker }) => worker);
      const common = await divideWork(own.common?.(), workers, "finish", signal);
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

/** Where a stage's tasks are. */
interface StageParts {
  readonly core: Core;
  readonly lines: readonly Line[];
  /** The uploads of all m tasks, in this core. */
  readonly at: Pointer;
  readonly m: number;
  readonly stage: number;
  /** Where tasks' outer products are summed on the way. */
  readonly sums: SpreadSums | undefined;
  /** Float64s of a broadcast. */
  readonly length: number;
}

/** One stage: workers are asked first, then this thread's own tasks do their part. */
class SpreadStage implements Participants {
  readonly m: number;
  readonly uploadLength: number;
  readonly sum: ((round: number) => Pointer) | undefined;
  readonly #inner: Participants;
  readonly #parts: StageParts;
  #prepared: number | undefined;

  constructor(inner: Participants, parts: StageParts) {
    this.m = parts.m;
    this.uploadLength = inner.uploadLength;
    this.#inner = inner;
    this.#parts = parts;
    const { sums } = parts;
    this.sum = sums && ((round) => this.#ready(round) && sums.form());
  }

  async prepare(round: number, marks?: Uint8Array, signal?: AbortSignal): Promise<void> {
    const { core, lines, at, m, stage, sums } = this.#parts;
    const { m: own, uploadLength: d } = this.#inner;
    const workers = lines.map(({ worker }) => worker);
    const common = await divideWork(this.#inner.common?.(round), workers, { stage, round }, signal);
    const asked = lines.map(({ worker, range, up }) => {
      const request: UploadRequest = {
        ...{ kind: "upload", stage, round, common, into: up },
        marks: marks ? marks.slice(range.first, range.end) : null,
        summedOf: sums ? m : null,
      };
      return worker.ask<Uploaded>(request, buffersOf([up]));
    });
    const mine = marks?.subarray(0, own);
    await this.#inner.prepare?.(round, mine, signal);
    const from = this.#inner.upload(round, mine);
    core.arena.view(at, own * d).set(core.arena.view(from, own * d));
    const answers = await allOf(asked, signal);
    answers.forEach(({ into, received }, k) => {
      const line = lines[k]!;
      const { first, end } = line.range;
      line.up = into ?? line.up;
      line.down = received ?? line.down;
      if (sums) sums.take(k, line.up);
      else {
        const length = (end - first) * d;
        core.arena.view(at + 8 * first * d, length).set(line.up.subarray(0, length));
      }
    });
    this.#prepared = round;
  }

  upload(round: number): Pointer {
    if (this.#parts.sums) throw new RangeError("upload: of these tasks only the sum is here");
    return this.#ready(round) && this.#parts.at;
  }

  #ready(round: number): true {
    if (this.#prepared !== round) throw new RangeError("upload: expected the round to be prepared");
    return true;
  }

  receive(broadcast: Pointer, round: number, last: boolean): void {
    const { core, lines, stage, length } = this.#parts;
    let written: Float64Array | undefined;
    for (const { worker, down } of lines) {
      if (down !== written) down.set(core.arena.view(broadcast, length));
      written = down;
      worker.send({ kind: "receive", stage, round, last, broadcast: down }, buffersOf([down]));
    }
    this.#inner.receive(broadcast, round, last);
  }
}
