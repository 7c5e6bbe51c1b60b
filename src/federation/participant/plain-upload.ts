/**
 * The plain form of a participant's contribution: its tasks' vectors.
 * @module
 */
import type { Drawn } from "../protocol/messages/messages.js";
import type { ParticipantOutput } from "./participant-events.js";
import type { ParticipantRounds, Shown } from "./participant-rounds.js";
import type { CallMessage, RoundUpload } from "./round-upload.js";

/** Uploads vectors after every broadcast, or when called; in a sampled run when called only. */
export class PlainUpload implements RoundUpload {
  readonly #rounds: ParticipantRounds;
  readonly #output: ParticipantOutput;
  /** Rounds of which the store has what was shown, where that must not be drawn again. */
  readonly #shown: Set<number>;
  #called: { readonly round: number; readonly drawn: Drawn | undefined } | undefined;
  #uploaded = 0;

  /** @param shown what the store has. */
  constructor(rounds: ParticipantRounds, output: ParticipantOutput, shown: readonly Shown[]) {
    this.#rounds = rounds;
    this.#output = output;
    this.#shown = new Set(shown.map(({ round }) => round));
  }

  receive(message: CallMessage): boolean {
    if (message.type !== "call") return false;
    const { round, positions, drawn } = message;
    const why = !positions.every((at) => this.#rounds.owns(at))
      ? "called for tasks of others"
      : this.#rounds.whyNoSample(drawn);
    if (why !== undefined) {
      this.#output.status({ kind: "ignored", why });
      return false;
    }
    this.#called = { round, drawn };
    this.#uploaded = 0;
    return true;
  }

  open(): void {
    const { round, rounds, positions, sampled, irrevocable } = this.#rounds;
    const drawn = this.drawn(round);
    if (this.#uploaded === round || (sampled && !drawn)) return;
    const values = this.#rounds.upload(drawn);
    if (irrevocable && !this.#shown.has(round)) {
      this.#shown.add(round);
      this.#output.keep({ type: "shown", round }, values);
    }
    this.#uploaded = round;
    this.#output.say({ type: "upload", round, positions, values });
    this.#output.status({ kind: "uploaded", round, rounds });
  }

  drawn(round: number): Drawn | undefined {
    return this.#called?.round === round ? this.#called.drawn : undefined;
  }

  over(): void {
    // What was shown stays in the store: it is what any later request gets.
  }

  close(): void {
    // It holds no keys.
  }
}
