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

  /** @param least milliseconds to wait in any case. */
  repeatLater(least = 0): void {
    const milliseconds = Math.max(
      least,
      this.#retry * 2 ** Math.min(this.#attempts, MOST_DOUBLINGS),
    );
    this.#output.add({ type: "timer", name: "retry", milliseconds });
  }
}
