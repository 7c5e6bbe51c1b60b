/**
 * How a curator comes by what a round's broadcast is made of: one interface, with a plain form, in which it sees
 * every task's vector (`plain-collection.ts`) or, of some, what relays add up (`relayed-sums/collection.ts`), a secure one, in which it sees their sum
 * (`secure-aggregation/run/collection.ts`), and a verified one, in which it leads two aggregators
 * (`verified-sums/run/collection.ts`).
 * @module
 */
import type { Message } from "../../protocol/messages/messages.js";

/** What participants, and a helper, send towards a round's sum. */
export type UploadMessage = Extract<
  Message,
  { type: "upload" | "aggregate" | "checked" | "given" | "withheld" }
>;

/** What a round closes with. */
export interface Collected {
  /** The statistic, noise included, or, of relays for plain sums, before it; undefined where the vectors lie with the curator. */
  readonly statistic?: Float64Array;
  /** Tasks whose vectors are in it. */
  readonly present: number;
  /** Vectors that were longer than K. */
  readonly clipped: number;
}

/** Collects one round's sum after the other. */
export interface RoundCollection {
  /** Changes whenever something new is awaited, for which there is a deadline of its own. */
  readonly phase: string;
  /** What the open round closes with; undefined while it has to wait. */
  readonly collected: Collected | undefined;
  /** Participants that let deadlines pass without an answer, and how many in a row. */
  readonly silent: ReadonlyMap<string, number>;
  /** A participant said something: it is no longer silent. */
  answered(from: string): void;
  /** Begins, or takes up again, what the round needs. */
  open(round: number): void;
  /** Takes a message. One of another round, or of the other form, is late or forged and changes nothing. */
  receive(from: string, message: UploadMessage): void;
  /** Takes the next step if nothing else is waited for; not called while the link is down. */
  settle(): void;
  /** Asks those who have not answered: all of them, or one. */
  remind(only?: string): void;
  /** Goes on after the link was down: those who have not answered are asked. A deadline that has passed has passed. */
  resume(): void;
  /**
   * The deadline has passed.
   * @returns whether there is to be another one.
   */
  deadline(): boolean;
}
