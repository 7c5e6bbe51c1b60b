/**
 * A participant's contribution where relays add up plain sums: its tasks' vectors go to its relay, or, where the curator says so or it has
 * none, to the curator.
 * @module
 */
import type { ParticipantOutput } from "../participant/participant-events.js";
import type { ParticipantRounds } from "../participant/participant-rounds.js";
import type { CallMessage, RoundUpload } from "../participant/round-upload.js";
import { message } from "../secure-aggregation/attempt/messages.js";
import { sessionId } from "../secure-aggregation/keys/session.js";
import { vectorBytes } from "./clear-inputs.js";
import type { PlannedRelays } from "./plan/planned.js";

/** A plain sum is tried once; attempts have numbers because secure sums are tried again. */
export const ATTEMPT = 1;

/** Uploads vectors after every broadcast, and when called. */
export class RelayedUpload implements RoundUpload {
  readonly #rounds: ParticipantRounds;
  readonly #output: ParticipantOutput;
  readonly #relay: string | undefined;
  /** The round of which the curator wants the vectors itself. */
  #straight = 0;
  #uploaded = 0;

  constructor(rounds: ParticipantRounds, output: ParticipantOutput, planned: PlannedRelays) {
    this.#rounds = rounds;
    this.#output = output;
    const { participant } = output.envelope;
    this.#relay = planned.participants.find(({ name }) => name === participant)?.relay;
  }

  receive(call: CallMessage): boolean {
    if (call.type !== "call") return false;
    const { round, positions, straight } = call;
    if (!positions.every((at) => this.#rounds.owns(at))) {
      this.#output.status({ kind: "ignored", why: "called for tasks of others" });
      return false;
    }
    // Messages overtake each other; within a round the way past a relay is never taken back.
    if (straight) this.#straight = Math.max(this.#straight, round);
    this.#uploaded = 0;
    return true;
  }

  open(): void {
    const { round, rounds, positions } = this.#rounds;
    if (this.#uploaded === round) return;
    const values = this.#rounds.upload();
    this.#uploaded = round;
    if (this.#relay === undefined || this.#straight === round) {
      this.#output.say({ type: "upload", round, positions, values });
    } else {
      const { plan, run, session } = this.#output.envelope;
      const name = sessionId({ plan, run: `${run} ${session}`, round, attempt: ATTEMPT });
      const bytes = message("input", name, vectorBytes(values)) as Uint8Array<ArrayBuffer>;
      this.#output.say({ type: "aggregate", round, attempt: ATTEMPT, bytes }, this.#relay);
    }
    this.#output.status({ kind: "uploaded", round, rounds });
  }

  drawn(): undefined {
    return undefined;
  }

  over(): void {
    // What was uploaded can be made again.
  }

  close(): void {
    // It holds no keys.
  }
}
