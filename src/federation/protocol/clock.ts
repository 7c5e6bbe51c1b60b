/**
 * Time, handed in: the real one, or one that a test or a simulation turns by hand.
 * @module
 */

/** Runs work after a while. */
export interface Clock {
  /** Milliseconds that have passed since some moment. */
  readonly now: number;
  /** @returns a function that calls it off. */
  after(milliseconds: number, work: () => void): () => void;
  /** Runs work that takes none of this clock's time; absent where work takes what it takes. */
  during?(work: () => Promise<void>): Promise<void>;
}

/** The longest that a host's timer waits, 24.8 days: one that is set to more goes off at once. */
const LONGEST = 2 ** 31 - 1;

/** A timer that goes off so late belongs to a process that was stopped, or computed, meanwhile. */
const LATE = 1000;
/** What arrived meanwhile is read first: a deadline must not pass for what only waits for that. */
const GRACE = 1000;

/** The host's timers, one after the other where a wait is longer than one of them can be. */
export const realClock: Clock = {
  get now() {
    return performance.now();
  },
  after(milliseconds, work) {
    let left = milliseconds;
    let timer: ReturnType<typeof setTimeout>;
    const wait = () => {
      const next = Math.min(left, LONGEST);
      left -= next;
      const due = performance.now() + next;
      timer = setTimeout(() => {
        if (left > 0) wait();
        else if (performance.now() - due < LATE) work();
        else timer = setTimeout(work, GRACE);
      }, next);
    };
    wait();
    return () => clearTimeout(timer);
  },
};

/** Waiting work of a {@link ManualClock}: a binary heap by time, then by order of arrival. */
interface Waiting {
  readonly at: number;
  readonly number: number;
  /** What is to be done then. */
  work: (() => void) | undefined;
}

/** A clock that stands still until it is moved to the next thing that waits. */
export class ManualClock implements Clock {
  #now = 0;
  #count = 0;
  readonly #heap: Waiting[] = [];
  #working = 0;
  #work: Promise<void> = Promise.resolve();

  /** Milliseconds since the start. */
  get now(): number {
    return this.#now;
  }

  after(milliseconds: number, work: () => void): () => void {
    const waiting: Waiting = { at: this.#now + milliseconds, number: this.#count++, work };
    this.#push(waiting);
    return () => {
      waiting.work = undefined;
    };
  }

  /** One piece of work after the other: participants of a simulation share memory. */
  during(work: () => Promise<void>): Promise<void> {
    this.#working++;
    const done = this.#work.then(work).finally(() => this.#working--);
    this.#work = done.catch(() => undefined);
    return done;
  }

  /** Resolves when no work is under way for which the clock should stand still. */
  async settled(): Promise<void> {
    while (this.#working > 0) await this.#work;
  }

  /** Moves to the next thing that waits and runs it; false if nothing does. */
  step(): boolean {
    for (;;) {
      const next = this.#pop();
      if (!next) return false;
      if (!next.work) continue;
      this.#now = next.at;
      next.work();
      return true;
    }
  }

  #push(item: Waiting): void {
    const heap = this.#heap;
    let i = heap.push(item) - 1;
    while (i > 0) {
      const parent = (i - 1) >> 1;
      if (!before(item, heap[parent]!)) break;
      heap[i] = heap[parent]!;
      i = parent;
    }
    heap[i] = item;
  }

  #pop(): Waiting | undefined {
    const heap = this.#heap;
    const top = heap[0];
    const last = heap.pop();
    if (!top || !last || heap.length === 0) return top;
    let i = 0;
    for (;;) {
      let child = 2 * i + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && before(heap[child + 1]!, heap[child]!)) child++;
      if (!before(heap[child]!, last)) break;
      heap[i] = heap[child]!;
      i = child;
    }
    heap[i] = last;
    return top;
  }
}

const before = (a: Waiting, b: Waiting) => a.at < b.at || (a.at === b.at && a.number < b.number);
