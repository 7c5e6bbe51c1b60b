/**
 * A worker that holds tasks, from the side of the thread that asks it.
 * @module
 */
import { MpMtlError } from "../../core/index.js";
import { crossed, type Answer } from "./crossing-errors.js";
import { BriefWaits } from "./brief-waits.js";
import { KeptMemory } from "./kept-memory.js";
import { Caller, sharedWords } from "./shared-calls.js";
import type { WorkerPort } from "./worker-port.js";

/** What waits for an answer. */
interface Waiting {
  /** How many requests were made with it. */
  readonly number: number;
  resolve(value: unknown): void;
  reject(error: Error): void;
}

/** Of this thread for any worker: whether looking is of use depends on the machine. */
const waits = new BriefWaits();

/** Sends requests and hands each answer to whoever asked, first come first served. */
export class TaskWorker {
  readonly #port: WorkerPort;
  readonly #waiting: Waiting[] = [];
  readonly #caller: Caller | undefined;
  readonly #memory = new KeptMemory();
  #failure: MpMtlError | undefined;
  #told: unknown;
  /** Whether an answer to a call is waited for. */
  #isCalled = false;
  /** Requests that were made, and those that are known to be worked off: up to the last that was answered. */
  #made = 0;
  #done = 0;

  constructor(port: WorkerPort) {
    this.#port = port;
    const words = port.mayWait && sharedWords();
    this.#caller = words && new Caller(words, waits);
    port.listen(
      (data) => this.#answer(data as Answer),
      (cause) => this.#fail(cause),
    );
  }

  /** Whether it lives and owes no answer. */
  get idle(): boolean {
    return !this.#failure && this.#waiting.length === 0;
  }

  /** What the worker is to keep from now on, if it was not told before: each copy of it would be another. */
  news<Kept>(kept: Kept | undefined): Kept | undefined {
    if (kept === this.#told) return undefined;
    this.#told = kept;
    return kept;
  }

  /** Sends what is not answered. */
  send(request: unknown, transfer: readonly ArrayBuffer[] = []): void {
    if (this.#failure) return;
    this.#made++;
    this.#post(request, transfer);
  }

  /**
   * Shared memory of so many bytes or more, for the rows of a fit; the next fit gets it again.
   * @returns undefined where they are to be sent.
   */
  memory(bytes: number): SharedArrayBuffer | undefined {
    return this.#memory.take(bytes);
  }

  /** Ends a fit: what it placed there is forgotten. */
  leave(): void {
    // What is perhaps still at work, of a fit that failed, may read its rows.
    if (this.#done !== this.#made) this.#memory.drop();
    if (!this.#failure) this.#post({ kind: "close" }, []);
  }

  /**
   * Sends what is answered.
   * @throws what went wrong there, as it was; MpMtlError "WORKER" if the worker is no more.
   */
  ask<Value>(request: unknown, transfer: readonly ArrayBuffer[] = []): Promise<Value> {
    const answer = new Promise<unknown>((resolve, reject) => {
      if (this.#failure) {
        reject(this.#failure);
        return;
      }
      this.#waiting.push({ number: ++this.#made, resolve, reject });
      this.#post(request, transfer);
    });
    // Whoever has stopped waiting, since another failed before, is not told.
    answer.catch(() => undefined);
    return answer as Promise<Value>;
  }

  /** Shared memory through which the worker may be called, to be sent there. */
  get words(): Int32Array | undefined {
    return this.#caller?.words;
  }

  /** Sends numbers that are not answered, if the worker waits for a call. @returns whether it did; if not, nothing has happened. */
  call(numbers: readonly [number, number, number]): boolean {
    if (this.#failure || this.#waiting.length > 0) return false;
    if (!this.#caller?.call(numbers)) return false;
    this.#made++;
    return true;
  }

  /** Sends numbers that are answered by null, if the worker waits for a call; who needs the answer says `settle` first. */
  askByCall(numbers: readonly [number, number, number]): Promise<null> | undefined {
    if (!this.call(numbers)) return undefined;
    this.#isCalled = true;
    const answer = new Promise<unknown>((resolve, reject) =>
      this.#waiting.push({ number: this.#made, resolve, reject }),
    );
    answer.catch(() => undefined);
    return answer as Promise<null>;
  }

  /** Waits a moment for the answer to the last call, this thread blocked. */
  settle(): void {
    if (!this.#isCalled) return;
    this.#isCalled = false;
    if (!this.#failure && this.#caller!.isAnswered()) this.#answer({ value: null });
  }

  #post(request: unknown, transfer: readonly ArrayBuffer[]): void {
    this.#port.post(request, transfer);
    this.#caller?.posted();
  }

  /** Whether it keeps the process alive. */
  hold(alive: boolean): void {
    this.#port.hold?.(alive);
  }

  /** Ends it at once, whatever it does: who waits for an answer is told. */
  end(): void {
    this.#memory.drop();
    this.#failWith(new MpMtlError("WORKER", "the thread was ended"));
  }

  #answer(answer: Answer): void {
    const next = this.#waiting.shift();
    this.#done = next?.number ?? this.#done;
    if ("error" in answer) next?.reject(crossed(answer.error));
    else next?.resolve(answer.value);
  }

  #fail(cause: Error): void {
    this.#failWith(new MpMtlError("WORKER", `a thread ended: ${cause.message}`, { cause }));
  }

  #failWith(failure: MpMtlError): void {
    this.#failure ??= failure;
    this.#port.terminate();
    for (const { reject } of this.#waiting.splice(0)) reject(this.#failure);
  }
}
