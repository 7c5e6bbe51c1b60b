/**
 * What a participant waits for an answer to: asked again after a while, which doubles with every attempt.
 * @module
 */
import type { ParticipantOutput } from "./participant-events.js";

const MOST_DOUBLINGS = 5;

/** The one question that is open at a time. */
export class Question {
  readonly #output: ParticipantOutput;
  readonly #retry: number;
  #attempts = 0;
  /** Whether it is to be repeated. */
  #open = false;

  /** @param retry milliseconds before the first repetition. */
  constructor(output: ParticipantOutput, retry = 2000) {
    this.#output = output;
    this.#retry = retry;
  }

  /** How often it was repeated. */
  get attempts(): number {
    return this.#attempts;
  }

  /** The next one is a new one. */
  answered(): void {
    this.#attempts = 0;
  }

  /** Whether it was repeated already, so that the pause is long: then what it asks for is there, and it is to be asked now. */
  hurries(): boolean {
    const wasRepeated = this.#attempts > 0;
    this.#attempts = 0;
    return wasRepeated;
  }

  /** The next one repeats it. */
  unanswered(): void {
    this.#attempts++;
  }

  /** It is not to be repeated. */
  close(): void {
    this.#open = false;
    this.#output.add({ type: "cancel", name: "retry" });
  }

  /**
   * Nothing is answered while the link is down: what is left of the wait runs afterwards, so that nobody asks without end whose link
   * comes and goes.
   * @returns whether it is to be asked now, and repeated when the wait is over.
   */
  linkTurned(state: "up" | "down"): boolean {
    this.#output.add({ type: state === "up" ? "resume" : "pause", name: "retry" });
    return state === "up" && this.#open;
  }

  /** @param least milliseconds to wait in any case. */
  repeatLater(least = 0): void {
    this.#open = true;
    const milliseconds = Math.max(
      least,
      this.#retry * 2 ** Math.min(this.#attempts, MOST_DOUBLINGS),
    );
    this.#output.add({ type: "timer", name: "retry", milliseconds });
  }
}
