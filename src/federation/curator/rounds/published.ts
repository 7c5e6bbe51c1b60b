/**
 * What a run has published: every round's broadcast, for those that miss it, and the statement that goes with the last.
 * @module
 */
import type { Body, Statement } from "../../protocol/messages/messages.js";
import type { BroadcastArchive } from "./broadcasts.js";
import type { CuratorOutput } from "../events/curator-output.js";
import type { CuratorRounds } from "./curator-rounds.js";
import type { Samples } from "./samples.js";

/** Past broadcasts. */
export class Published {
  readonly #rounds: CuratorRounds;
  readonly #samples: Samples;
  readonly #archive: BroadcastArchive;
  readonly #output: CuratorOutput;
  /** Bytes of every broadcast so far. */
  readonly #bytes: number[] = [];
  /** With the last round's broadcast. */
  #statement: Statement | undefined;

  constructor(
    rounds: CuratorRounds,
    samples: Samples,
    archive: BroadcastArchive,
    output: CuratorOutput,
  ) {
    this.#rounds = rounds;
    this.#samples = samples;
    this.#archive = archive;
    this.#output = output;
  }

  /** The last round that was published; 0 before the first. */
  get last(): number {
    return this.#bytes.length;
  }

  /** Takes the broadcast of the round that was just closed. */
  add(values: Float64Array): void {
    const rounds = this.#rounds;
    this.#archive.add(values);
    this.#bytes.push(values.byteLength);
    if (rounds.round < rounds.rounds) return;
    // Terms are for whoever goes on with a ledger: of participants each knows the plan.
    const { terms: _, ...ledger } = rounds.ledger.toJSON();
    this.#statement = { guarantee: rounds.guarantee(), ledger };
  }

  /** Sends a broadcast to one participant, default the last, and which of its tasks had been drawn. */
  sendTo(participant: string, round = this.last): void {
    const told = this.#samples.toldTo(participant, round);
    this.#output.repeat(participant, this.#bytes[round - 1]!, () => ({
      ...this.message(round),
      ...told,
    }));
  }

  /** The broadcast of a round that was published; default the last. */
  message(round = this.last): Body {
    const statement = round === this.#rounds.rounds ? this.#statement : undefined;
    const values = this.#archive.read(round);
    return { type: "broadcast", round, values, ...(statement ? { statement } : {}) };
  }
}
