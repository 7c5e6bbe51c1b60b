/**
 * One stage of rounds of tasks that lie on several threads: in every round workers are asked first, then this thread's own tasks do
 * their part.
 * @module
 */
import type { Core, Pointer } from "../../core/index.js";
import { zeroNonFinite } from "../round/statistic/finite-uploads.js";
import type { Participants } from "../round/participants.js";
import type { TaskWorker } from "../workers/task-worker.js";
import { allOf } from "./answers.js";
import { divideWork } from "./divide-work.js";
import { CALLS, type ReceiveRequest, type Uploaded, type UploadRequest } from "./messages.js";
import { buffersOf, isShared } from "./shared-arrays.js";
import type { SpreadSums } from "./spread-sums.js";
import type { TaskRange } from "./task-ranges.js";

/** A worker and the tasks that were placed there. */
export interface RemoteTasks {
  readonly worker: TaskWorker;
  readonly range: TaskRange;
}

/** The same with the array in which uploads come back, of whatever stage. */
export interface Line extends RemoteTasks {
  up: Float64Array;
}

/** Where a stage's tasks are. */
export interface StageParts {
  readonly core: Core;
  readonly lines: readonly Line[];
  /** The uploads of all m tasks, in this core. */
  readonly at: Pointer;
  readonly m: number;
  readonly stage: number;
  /** Where a statistic of the tasks is summed on the way. */
  readonly sums: SpreadSums | undefined;
  /** Whether sums are released with noise: uploads that are not finite then count as 0. */
  readonly releases: boolean;
  /** Float64s of a broadcast. */
  readonly length: number;
  /** By line, where broadcasts go there: those of another stage may follow before this one was read. */
  readonly downs: Float64Array[];
  /** Whether the uploads of a round may be made before it begins: they follow from the last broadcast, and charge nothing. */
  readonly asksAhead: boolean;
}

/** The tasks of all threads as one batch. */
export class SpreadStage implements Participants {
  readonly m: number;
  readonly uploadLength: number;
  readonly sum: ((round: number) => Pointer) | undefined;
  readonly total: ((round: number) => Float64Array<ArrayBuffer>) | undefined;
  readonly #inner: Participants;
  readonly #parts: StageParts;
  #prepared: number | undefined;
  #total = new Float64Array(0);
  /** The next uploads, where they were asked for with the last broadcast. */
  #asked: readonly Promise<Uploaded | null>[] | undefined;
  /** Whether messages have told workers where broadcasts and uploads go, so that they may be called. */
  readonly #told = { down: false, up: false };

  constructor(inner: Participants, parts: StageParts) {
    this.m = parts.m;
    this.uploadLength = inner.uploadLength;
    this.#inner = inner;
    this.#parts = parts;
    const { sums } = parts;
    this.sum = sums && ((round) => this.#ready(round) && sums.form());
    this.total = inner.total && ((round) => this.#ready(round) && this.#total);
  }

  async prepare(round: number, marks?: Uint8Array, signal?: AbortSignal): Promise<void> {
    if (this.#inner.total) await this.#addTotals(this.#inner.total, round, signal);
    else await this.#gather(round, marks, signal);
    this.#prepared = round;
  }

  async #addTotals(
    totalOf: (round: number) => Float64Array<ArrayBuffer>,
    round: number,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    const { lines, stage } = this.#parts;
    const asked = lines.map(({ worker }) =>
      worker.ask<Float64Array>({ kind: "total", stage, round }),
    );
    const total = totalOf.call(this.#inner, round);
    for (const other of await allOf(asked, signal)) {
      for (let k = 0; k < total.length; k++) total[k]! += other[k]!;
    }
    this.#total = total;
  }

  async #gather(
    round: number,
    marks: Uint8Array | undefined,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    const { core, lines, at, stage, sums, releases, downs } = this.#parts;
    const { m: own, uploadLength: d } = this.#inner;
    const workers = lines.map(({ worker }) => worker);
    const work = this.#inner.common?.(round);
    const common = await divideWork(work, workers, { stage, round }, { signal });
    const mayCall = this.#told.up && !common && !marks;
    const asked =
      this.#asked ??
      lines.map((line) => {
        const called = mayCall && line.worker.askByCall([stage, round, CALLS.upload]);
        return called || this.#ask(line, this.#uploads(line, round, common, marks));
      });
    this.#asked = undefined;
    this.#told.up = isShared(lines[0]!.up);
    const mine = marks?.subarray(0, own);
    await this.#inner.prepare?.(round, mine, signal);
    const from = this.#inner.upload(round, mine);
    if (sums) {
      if (releases) zeroNonFinite(core, from, own, d);
      sums.takeOwn(from);
    } else core.arena.view(at, own * d).set(core.arena.view(from, own * d));
    for (const worker of workers) worker.settle();
    const answers = await allOf(asked, signal);
    answers.forEach((answer, k) => {
      const line = lines[k]!;
      const { first, end } = line.range;
      line.up = answer?.into ?? line.up;
      downs[k] = answer?.received ?? downs[k]!;
      if (sums) sums.take(k, line.up);
      else {
        const length = (end - first) * d;
        core.arena.view(at + 8 * first * d, length).set(line.up.subarray(0, length));
      }
    });
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
    const { core, lines, stage, length, downs, asksAhead } = this.#parts;
    const asked: Promise<Uploaded | null>[] = [];
    const asks = asksAhead && !last;
    const calls = CALLS.receive + (last ? CALLS.last : 0) + (asks ? CALLS.upload : 0);
    const mayCall = this.#told.down && (this.#told.up || !asks);
    let written: Float64Array | undefined;
    lines.forEach((line, k) => {
      const { worker, up } = line;
      const down = downs[k]!;
      if (down !== written) down.set(core.arena.view(broadcast, length));
      written = down;
      if (mayCall && asks) {
        const called = worker.askByCall([stage, round, calls]);
        if (called) return void asked.push(called);
      } else if (mayCall && worker.call([stage, round, calls])) return;
      const request: ReceiveRequest = {
        kind: "receive",
        stage,
        round,
        last,
        broadcast: down,
        next: asks ? this.#uploads(line, round + 1, null) : null,
      };
      if (request.next) asked.push(worker.ask(request, buffersOf([down, up])));
      else worker.send(request, buffersOf([down]));
    });
    if (asked.length > 0) this.#asked = asked;
    this.#told.down = isShared(downs[0]!);
    this.#told.up ||= asks && isShared(lines[0]!.up);
    this.#inner.receive(broadcast, round, last);
  }

  #ask({ worker, up }: Line, request: UploadRequest): Promise<Uploaded | null> {
    return worker.ask(request, buffersOf([up]));
  }

  /** What a worker is asked for. */
  #uploads(
    { range, up }: Line,
    round: number,
    common: Float64Array | null,
    marks?: Uint8Array,
  ): UploadRequest {
    const { stage, sums, releases } = this.#parts;
    return {
      kind: "upload",
      stage,
      round,
      common,
      marks: marks ? marks.slice(range.first, range.end) : null,
      summedOf: sums?.sizes ?? null,
      finite: releases,
      into: up,
    };
  }
}
