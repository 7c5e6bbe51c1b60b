/**
 * A participant in the rounds: it uploads where the awaited round is the open one, and catches up where it is not.
 *
 * A broadcast that an earlier process received is remembered by its digest: a curator that sends another one, or awaits such
 * a round, lost its records, and what it drew now would be a second noise for one charge. It gets nothing more.
 * @module
 */
import { DataError } from "../../core/index.js";
import type { FittedModel } from "../../learning/index.js";
import type { Message, Statement } from "../protocol/messages/messages.js";
import type { ParticipantOutput } from "./participant-events.js";
import { digestOf, type StoredState } from "./participant-records.js";
import type { ParticipantRounds } from "./participant-rounds.js";
import type { Question } from "./question.js";
import type { CallMessage, RoundUpload } from "./round-upload.js";

type BroadcastMessage = Extract<Message, { type: "broadcast" }>;

/** What the rounds need of the participant. */
export interface RunOptions {
  readonly output: ParticipantOutput;
  readonly question: Question;
  /** Seconds until a round may close. */
  readonly deadline: number;
  /** Broadcasts that earlier processes received. */
  readonly received: StoredState["received"];
  /** Whether there is a store to remember broadcasts in. */
  readonly remembers: boolean;
}

/** The rounds of one participant. */
export class ParticipantRun {
  readonly #rounds: ParticipantRounds;
  readonly #upload: RoundUpload;
  readonly #options: RunOptions;
  readonly #output: ParticipantOutput;
  /** The last round whose broadcast an earlier process received. */
  readonly #received: number;
  /** The newest round known to be open. */
  #open = 0;
  #statement: Statement | undefined;

  constructor(rounds: ParticipantRounds, upload: RoundUpload, options: RunOptions) {
    this.#rounds = rounds;
    this.#upload = upload;
    this.#options = options;
    this.#output = options.output;
    this.#received = Math.max(0, ...options.received.keys());
  }

  /** Whether the last broadcast was received. */
  get over(): boolean {
    return this.#rounds.round > this.#rounds.rounds;
  }

  get rounds(): number {
    return this.#rounds.rounds;
  }

  /** What the tasks do alone after the last broadcast; their models. */
  async complete(signal: AbortSignal | undefined): Promise<FittedModel> {
    await this.#rounds.finish(signal);
    return this.#rounds.model(this.#statement!);
  }

  /** Wipes keys from memory. */
  dispose(): void {
    this.#upload.close();
    this.#rounds.dispose();
  }

  /** Says which broadcast is awaited. */
  say(): void {
    this.#output.say({ type: "pull", round: this.#rounds.round });
  }

  /** Asks for the broadcast of the awaited round, and later once more. */
  ask(): void {
    this.say();
    this.#options.question.repeatLater();
  }

  /** Heeds what the curator says of a round's sum; catches up first where the models are not those of the round. */
  asked(message: CallMessage): void {
    if (message.round < this.#rounds.round) return;
    if (message.round <= this.#received) return; // goOn has said what is wrong
    if (!this.#upload.receive(message)) return;
    this.#options.question.answered();
    this.goOn(message.round);
  }

  /** @throws DataError if it is not of the plan's length, or an earlier process received another one. */
  broadcast(message: BroadcastMessage): void {
    const rounds = this.#rounds;
    const { round, values, statement } = message;
    if (round < rounds.round) return;
    this.#open = Math.max(this.#open, Math.min(round + 1, rounds.rounds));
    if (round === rounds.round) {
      if (round === rounds.rounds && !statement) {
        this.#ignored("the last broadcast came without its statement");
        return;
      }
      const drawn = message.drawn ?? this.#upload.drawn(round);
      if (rounds.sampled && !rounds.hasUploaded && !drawn) {
        // No call came, or it came to an earlier process: only the curator knows who was drawn.
        this.ask();
        return;
      }
      const why = message.drawn && rounds.whyNoSample(message.drawn);
      if (why !== undefined) {
        this.#ignored(why);
        return;
      }
      this.#remember(round, values);
      rounds.receive(values, drawn);
      this.#upload.over(round);
      this.#options.question.answered();
      this.#statement = statement;
      this.#output.status({ kind: "received", round, rounds: rounds.rounds });
    }
    this.goOn();
  }

  #ignored(why: string): void {
    this.#output.status({ kind: "ignored", why });
  }

  /**
   * Keeps which broadcast a round had, before anything follows from it.
   * @throws DataError if an earlier process received another one.
   */
  #remember(round: number, values: Float64Array): void {
    if (!this.#options.remembers) return;
    const digest = digestOf(values);
    const before = this.#options.received.get(round);
    if (before === undefined) this.#output.keep({ type: "heard", round, digest });
    else if (before !== digest) {
      throw new DataError(
        `round ${round}: the curator sent another broadcast than the one that was received before, so noise was drawn ` +
          `twice for one charge; nothing more is uploaded. Tell the others`,
      );
    }
  }

  /**
   * Uploads if the awaited round is the open one, catches up if it is not; does nothing after the last.
   * @param open a round that is known to be open.
   */
  goOn(open = 0): void {
    this.#open = Math.max(this.#open, open);
    if (this.over) return;
    const { round } = this.#rounds;
    if (round < this.#open) {
      this.ask();
      return;
    }
    if (round <= this.#received) {
      this.#waitForLost(round);
      return;
    }
    this.#upload.open();
    // Who has uploaded only waits: a lost message of either side the curator's reminder finds.
    this.#options.question.repeatLater(1000 * this.#options.deadline);
  }

  /**
   * The curator awaits a round whose broadcast was received already. Nothing is uploaded; it is told what was received,
   * and asked for what may be on its way all the same.
   */
  #waitForLost(round: number): void {
    this.#output.status({ kind: "ahead", received: this.#received, round });
    this.#output.say({ type: "pull", round: this.#received + 1 });
    this.#output.say({ type: "pull", round });
    this.#options.question.unanswered();
    this.#options.question.repeatLater();
  }
}
