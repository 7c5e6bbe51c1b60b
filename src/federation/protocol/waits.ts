/**
 * Timers by name. One can be stopped while the link is down, when what it waits for cannot come, and goes on with what is left of it:
 * were it begun anew, a link that comes and goes would let a run wait forever.
 * @module
 */
import type { Clock } from "./clock.js";

/**
 * Milliseconds that are left at least after a link was away, if the wait itself was that long: both sides need some to find each other
 * again. However often the link goes, a wait lasts no longer than its time and this once.
 */
const FOUND_AGAIN = 10_000;

/** A timer, running or stopped. */
interface Wait<Event> {
  readonly milliseconds: number;
  /** Of them, before it was stopped last. */
  spent: number;
  since: number;
  callOff: () => void;
  /** It has run out, and this waits for its turn: one that is stopped, set anew or taken back meanwhile has not. */
  event?: Event;
}

/** The timers of one machine. */
export class Waits<Event> {
  readonly #clock: Clock;
  readonly #post: (event: Event) => void;
  readonly #waits = new Map<string, Wait<Event>>();

  /** @param post takes the event of a timer that has run out. */
  constructor(clock: Clock, post: (event: Event) => void) {
    this.#clock = clock;
    this.#post = post;
  }

  start(name: string, milliseconds: number): void {
    this.cancel(name);
    const wait: Wait<Event> = { milliseconds, spent: 0, since: 0, callOff: () => undefined };
    this.#waits.set(name, wait);
    this.#run(name, wait, milliseconds);
  }

  cancel(name: string): void {
    this.#waits.get(name)?.callOff();
    this.#waits.delete(name);
  }

  /** Stops one where it is. */
  pause(name: string): void {
    const wait = this.#waits.get(name);
    if (!wait) return;
    wait.callOff();
    wait.spent += this.#clock.now - wait.since;
    delete wait.event;
  }

  /** Goes on with one that was stopped. */
  resume(name: string): void {
    const wait = this.#waits.get(name);
    if (!wait) return;
    const { milliseconds, spent } = wait;
    const found = Math.min(FOUND_AGAIN, milliseconds);
    const left = milliseconds - spent;
    this.#run(name, wait, Math.max(0, left, Math.min(found, left + found)));
  }

  /** Whether an event is still to be handled: true once, of the last one of its name. */
  stands(name: string, event: Event): boolean {
    if (this.#waits.get(name)?.event !== event) return false;
    return this.#waits.delete(name);
  }

  close(): void {
    for (const { callOff } of this.#waits.values()) callOff();
    this.#waits.clear();
  }

  #run(name: string, wait: Wait<Event>, milliseconds: number): void {
    wait.since = this.#clock.now;
    wait.callOff = this.#clock.after(milliseconds, () => {
      wait.event = { type: "timer", name } as Event;
      this.#post(wait.event);
    });
  }
}
