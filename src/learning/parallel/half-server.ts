/**
 * The worker's side of a spread fit: makes the half of the tasks that it is sent, in a memory of its own, and answers for it.
 * @module
 */
import {
  adoptKernels,
  closeCore,
  MpMtlError,
  openCore,
  type Core,
  type Pointer,
} from "../../core/index.js";
import { TaskSet } from "../../data/index.js";
import type { CommonWork } from "../round/common-work.js";
import { zeroNonFinite } from "../round/statistic/finite-uploads.js";
import type { ParticipantHalf } from "../round/halves.js";
import { crossing, type Answer, type CrossingError } from "../workers/crossing-errors.js";
import { BriefWaits } from "../workers/brief-waits.js";
import { Listener } from "../workers/shared-calls.js";
import { CALLS } from "./messages.js";
import type {
  CommonRequest,
  Finished,
  FinishRequest,
  ReceiveRequest,
  RoundCall,
  PlaceRequest,
  TaskRequest,
  Uploaded,
  TotalRequest,
  UploadRequest,
} from "./messages.js";
import { BatchSums } from "./batch-sums.js";
import type { Batches } from "../round/batches.js";
import { unpackArrays } from "./crossing-arrays.js";
import { buffersOf, isShared, isWhole } from "./shared-arrays.js";

/** Batches of a method by its name; undefined where its tasks cannot be spread. @param outputs numbers predicted per row. */
export type BatchesOf = (method: string, options: object, outputs: number) => Batches | undefined;

/** Tasks that were placed. */
interface Holding {
  readonly core: Core;
  readonly half: ParticipantHalf;
  /** Where each stage's broadcasts go: they stay there until the next. */
  readonly broadcasts: readonly Pointer[];
  /** Position of the first task in the run. */
  readonly first: number;
  /** By stage, what forms sums of its uploads, once they were asked for. */
  readonly sums: ((uploads: Pointer, into: Float64Array) => void)[];
}

/** Works requests off one after the other. */
export class HalfServer {
  readonly #batchesOf: BatchesOf;
  readonly #post: (answer: Answer, transfer: readonly ArrayBuffer[]) => void;
  #holding: Holding | undefined;
  /** What went wrong first: told with every answer since. */
  #error: CrossingError | undefined;
  /** By stage, the broadcast that was received last, to be sent back. */
  readonly #received = new Map<number, Float64Array>();
  /** Where this thread may be called, and by stage what was asked in messages before. */
  #listener: Listener | undefined;
  readonly #waits = new BriefWaits();
  readonly #broadcasts = new Map<number, Float64Array>();
  readonly #uploads = new Map<number, UploadRequest>();
  /** Whether it is a call that is worked off. */
  #isCalled = false;
  #read = 0;
  #turn: Promise<void> = Promise.resolve();

  constructor(
    batchesOf: BatchesOf,
    post: (answer: Answer, transfer: readonly ArrayBuffer[]) => void,
  ) {
    this.#batchesOf = batchesOf;
    this.#post = post;
  }

  /** Takes the next request. */
  handle(request: TaskRequest): void {
    this.#turn = this.#turn.then(async () => {
      this.#read++;
      this.#listener?.read(this.#read);
      this.#isCalled = false;
      await this.#answer(request);
      const upload = request.kind === "receive" ? request.next : request;
      // Where threads divide common work, messages follow.
      if (upload?.kind === "upload" && !upload.common) await this.#listen();
    });
  }

  /** Works off calls while they come, as they do in rounds. */
  async #listen(): Promise<void> {
    while (this.#listener && !this.#error) {
      const call = this.#listener.next();
      if (!call) return;
      this.#isCalled = true;
      const [stage, round, calls] = call as unknown as RoundCall;
      const upload = calls & CALLS.upload ? this.#uploads.get(stage)! : null;
      const last = (calls & CALLS.last) !== 0;
      const broadcast = this.#broadcasts.get(stage)!;
      await this.#answer(
        calls & CALLS.receive
          ? {
              kind: "receive",
              stage,
              round,
              last,
              broadcast,
              next: upload && { ...upload, round: round + 1 },
            }
          : { ...upload!, round },
      );
    }
  }

  async #answer(request: TaskRequest): Promise<void> {
    if (request.kind === "place" || request.kind === "close") this.#close();
    try {
      if (!this.#error) await this.#work(request);
    } catch (error) {
      this.#error = crossing(error);
    }
    const isAnswered = request.kind === "receive" ? request.next : request.kind !== "close";
    if (!this.#error || !isAnswered) return;
    this.#post({ error: this.#error }, []);
    if (this.#isCalled) this.#listener!.post();
  }

  #work(request: TaskRequest): void | Promise<void> {
    switch (request.kind) {
      case "place":
        return this.#place(request);
      case "receive":
        return this.#receive(request);
      case "common":
        return this.#common(request);
      case "upload":
        return this.#upload(request);
      case "total":
        return this.#total(request);
      case "finish":
        return this.#finish(request);
      case "close":
    }
  }

  #place(request: PlaceRequest): void {
    const { method, options, data, first, sizes, outputs, classes, start, kernels, words } =
      request;
    if (kernels) adoptKernels(kernels);
    const batches = this.#batchesOf(method, options, outputs);
    if (!batches) throw new MpMtlError("WORKER", `this thread knows no method ${method}`);
    const tasks = TaskSet.adopt(unpackArrays(data));
    const core = openCore();
    const positions = tasks.names.map((_, i) => first + i);
    const half = batches.place({
      core,
      data: tasks,
      sizes,
      positions,
      classes,
      start,
      onOneMachine: true,
    });
    const broadcasts = half.broadcastLengths.map((length) => core.arena.zeros(length));
    this.#holding = { core, half, broadcasts, first, sums: [] };
    this.#listener = words && new Listener(words, this.#waits);
    this.#listener?.read(this.#read);
    this.#post({ value: null }, []);
  }

  #held(): Holding {
    if (!this.#holding) throw new RangeError("expected tasks to be placed first");
    return this.#holding;
  }

  #receive({ stage, round, last, broadcast, next }: ReceiveRequest): void | Promise<void> {
    const { core, half, broadcasts } = this.#held();
    const at = broadcasts[stage]!;
    const length = half.broadcastLengths[stage]!;
    core.arena.view(at, length).set(broadcast.subarray(0, length));
    this.#received.set(stage, broadcast);
    this.#broadcasts.set(stage, broadcast);
    half.stages[stage]!.receive(at, round, last);
    if (next) return this.#upload(next);
  }

  #workAt(at: CommonRequest["at"]): CommonWork {
    const { half } = this.#held();
    const work = at === "finish" ? half.common?.() : half.stages[at.stage]!.common?.(at.round);
    if (!work) throw new RangeError("common: expected work that all threads need");
    return work;
  }

  #common({ at, before, first, end }: CommonRequest): void {
    if (before) this.#workAt(at).take(before);
    const value = this.#workAt(at).compute(first, end);
    this.#post({ value }, [value.buffer]);
  }

  #total({ stage, round }: TotalRequest): void {
    const value = this.#held().half.stages[stage]!.total!(round);
    this.#post({ value }, [value.buffer]);
  }

  async #upload(request: UploadRequest): Promise<void> {
    const { stage, round, marks, common, summedOf, finite, into } = request;
    const holding = this.#held();
    const { core, half } = holding;
    const participants = half.stages[stage]!;
    if (common) this.#workAt({ stage, round }).take(common);
    await participants.prepare?.(round, marks ?? undefined);
    const at = participants.upload(round, marks ?? undefined);
    const { m, uploadLength: d } = participants;
    if (!summedOf) into.set(core.arena.view(at, m * d));
    else {
      if (finite) zeroNonFinite(core, at, m, d);
      const range = { first: holding.first, end: holding.first + m };
      holding.sums[stage] ??= new BatchSums(summedOf, range).writer(core);
      holding.sums[stage](at, into);
    }
    if (isShared(into)) {
      this.#uploads.set(stage, { ...request, marks: null, common: null });
      if (!this.#isCalled || this.#listener!.give()) this.#post({ value: null }, []);
      return;
    }
    const received = this.#received.get(stage) ?? null;
    this.#received.delete(stage);
    const value: Uploaded = { into, received };
    this.#post({ value }, buffersOf(received ? [into, received] : [into]));
  }

  async #finish({ common }: FinishRequest): Promise<void> {
    const { half } = this.#held();
    if (common) this.#workAt("finish").take(common);
    await half.finish?.();
    // What all batches say alike is the first batch's to say (`joinModels`).
    const models = half.models(false);
    const value: Finished = { models, losses: half.losses() };
    const long = [models.weights, models.intercepts, value.losses].filter((one) => one != null);
    this.#post({ value }, [...new Set(buffersOf(long.filter(isWhole)))]);
  }

  #close(): void {
    this.#holding?.half.close();
    if (this.#holding && !this.#error) closeCore(this.#holding.core);
    this.#holding = undefined;
    this.#error = undefined;
    this.#received.clear();
    this.#broadcasts.clear();
    this.#uploads.clear();
    this.#listener = undefined;
  }
}
