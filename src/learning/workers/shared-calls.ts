/**
 * Requests of a few numbers through shared memory, for a worker that waits for them. A message takes either thread several times as
 * long: what it holds is written out and read, and both event loops turn.
 *
 * A worker that waits is blocked and reads no messages; whoever has posted one sends it to look for them. Of two requests the one
 * that was made first is worked off first: nothing is called before all that was posted is read.
 * @module
 */
import type { BriefWaits } from "./brief-waits.js";

/** Places of the words. */
const AT = { state: 0, answer: 1, posted: 2, read: 3, numbers: 4 } as const;
const NUMBERS = 3;

/** What the worker does: something else, waits, has been called, or has been told to look for messages. */
const STATE = { away: 0, waits: 1, called: 2, leaves: 3 } as const;
/** How an answer stands: nobody has it yet, it is given, or a message brings it. */
const ANSWER = { open: 0, given: 1, posted: 2 } as const;

/** Milliseconds for which a worker waits before its event loop turns. */
const PATIENCE = 100;
/** Milliseconds for which a fit's thread does, which may have others to serve. */
const MOMENT = 2;

/** The words of one worker; undefined where this thread has no shared memory, or may not wait for it. */
export function sharedWords(): Int32Array | undefined {
  if (typeof SharedArrayBuffer !== "function") return undefined;
  const words = new Int32Array(new SharedArrayBuffer(4 * (AT.numbers + NUMBERS)));
  try {
    Atomics.wait(words, AT.state, STATE.waits, 0);
  } catch {
    return undefined;
  }
  return words;
}

/** The side that asks. */
export class Caller {
  readonly words: Int32Array;
  readonly #waits: BriefWaits;

  /** @param waits of this thread, which other workers may share. */
  constructor(words: Int32Array, waits: BriefWaits) {
    this.words = words;
    this.#waits = waits;
  }

  /** To be said after every message that is posted to the worker. */
  posted(): void {
    const { words } = this;
    Atomics.add(words, AT.posted, 1);
    const state = Atomics.compareExchange(words, AT.state, STATE.waits, STATE.leaves);
    if (state === STATE.waits) Atomics.notify(words, AT.state);
  }

  /** Calls the worker. @returns whether it waited; if not, nothing has happened. */
  call(numbers: readonly [number, number, number]): boolean {
    const { words } = this;
    if (Atomics.load(words, AT.read) !== Atomics.load(words, AT.posted)) return false;
    if (Atomics.load(words, AT.state) !== STATE.waits) return false;
    words.set(numbers, AT.numbers);
    Atomics.store(words, AT.answer, ANSWER.open);
    const state = Atomics.compareExchange(words, AT.state, STATE.waits, STATE.called);
    if (state !== STATE.waits) return false;
    Atomics.notify(words, AT.state);
    return true;
  }

  /** Waits a moment for the answer to a call. @returns whether it is given; if not, a message brings it. */
  isAnswered(): boolean {
    const { words } = this;
    this.#waits.wait(words, AT.answer, ANSWER.open, MOMENT);
    const answer = Atomics.compareExchange(words, AT.answer, ANSWER.open, ANSWER.posted);
    return answer === ANSWER.given;
  }
}

/** The worker's side. */
export class Listener {
  readonly #words: Int32Array;
  readonly #waits: BriefWaits;

  /** @param waits of this thread, if it has listened before. */
  constructor(words: Int32Array, waits: BriefWaits) {
    this.#words = words;
    this.#waits = waits;
  }

  /** To be said of every message that is read. @param count of all since the worker began. */
  read(count: number): void {
    Atomics.store(this.#words, AT.read, count);
  }

  /** Waits for the next call, its thread blocked. @returns its numbers; undefined where messages are to be looked for. */
  next(): Int32Array | undefined {
    const words = this.#words;
    Atomics.store(words, AT.state, STATE.waits);
    if (Atomics.load(words, AT.posted) === Atomics.load(words, AT.read)) {
      this.#waits.wait(words, AT.state, STATE.waits, PATIENCE);
    }
    const state = Atomics.exchange(words, AT.state, STATE.away);
    return state === STATE.called ? words.slice(AT.numbers) : undefined;
  }

  /** Gives the answer to a call. @returns whether the caller no longer waits, so that it is to be posted. */
  give(): boolean {
    const answer = Atomics.exchange(this.#words, AT.answer, ANSWER.given);
    Atomics.notify(this.#words, AT.answer);
    return answer === ANSWER.posted;
  }

  /** Says that the answer to a call is a message. */
  post(): void {
    Atomics.store(this.#words, AT.answer, ANSWER.posted);
    Atomics.notify(this.#words, AT.answer);
  }
}
