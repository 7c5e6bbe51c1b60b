/**
 * The secure form of a participant's contribution: its part in attempts at a sum of masked integers.
 * @module
 */
import type { ParticipantOutput } from "../../participant/participant-events.js";
import { integersRecord } from "../../participant/participant-records.js";
import type { ParticipantRounds } from "../../participant/participant-rounds.js";
import type { CallMessage, RoundUpload } from "../../participant/round-upload.js";
import type { OwnIntegers } from "./own-integers.js";
import type { SumAttempts } from "./sum-attempts.js";

/** Answers the curator's messages of attempts, once the models are those of the round. */
export class SecureUpload implements RoundUpload {
  readonly #rounds: ParticipantRounds;
  readonly #output: ParticipantOutput;
  readonly #attempts: SumAttempts;
  readonly #integers: OwnIntegers;
  /** The round of which the store holds integers; 0 for none. */
  #held: number;

  /** @param held the round of which the store holds integers already; 0 for none. */
  constructor(
    rounds: ParticipantRounds,
    output: ParticipantOutput,
    attempts: SumAttempts,
    integers: OwnIntegers,
    held: number,
  ) {
    this.#rounds = rounds;
    this.#output = output;
    this.#attempts = attempts;
    this.#integers = integers;
    this.#held = held;
  }

  receive(message: CallMessage): boolean {
    if (message.type !== "aggregate") return false;
    const { round, attempt, bytes, straight } = message;
    if (round !== this.#rounds.round) return true;
    const open = {
      round,
      terms: this.#integers.terms(round),
      integers: () => this.#integers.of(round, () => this.#rounds.upload()),
    };
    const answers = this.#attempts.receive(attempt, bytes, open, straight);
    this.#holdDrawn();
    for (const answer of answers) {
      if (answer.kind === "begun") this.#output.keep({ type: "begun", round, attempt });
      else if (answer.kind === "opened") this.#output.keep({ type: "opened", round });
      else if (answer.kind === "ignored") this.#output.status({ kind: "ignored", why: answer.why });
      else
        this.#output.say({ type: "aggregate", round, attempt, bytes: answer.bytes }, answer.relay);
    }
    return true;
  }

  open(): void {
    // The curator begins every attempt.
  }

  drawn(): undefined {
    return undefined;
  }

  over(round: number): void {
    this.#integers.over(round);
    if (this.#held === 0 || round < this.#held) return;
    this.#output.add({ type: "hold", record: null });
    this.#held = 0;
  }

  /** Wipes keys from memory. */
  close(): void {
    this.#integers.close();
  }

  /**
   * Integers with noise in them, before anything of them is sent: that noise must not be drawn again. The record says so where they
   * are lost, and makes a copy of the store from before an older one.
   */
  #holdDrawn(): void {
    const drawn = this.#integers.takeDrawn();
    if (!drawn) return;
    this.#held = drawn.round;
    this.#output.add({ type: "hold", record: integersRecord(drawn) });
    this.#output.keep({ type: "drawn", round: drawn.round });
  }
}
