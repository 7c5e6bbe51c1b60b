/**
 * How a participant contributes to the sum of a round: one interface, with a plain form, in which its tasks'
 * vectors travel (`plain-upload.ts`), a secure one, in which masked integers do
 * (`secure-aggregation/run/secure-upload.ts`), and a verified one, in which secret shares with proofs do
 * (`verified-sums/run/verified-upload.ts`).
 * @module
 */
import type { Drawn, Message } from "../protocol/messages/messages.js";

/** What a curator says to one participant towards a round's sum. */
export type CallMessage = Extract<Message, { type: "call" | "aggregate" }>;

/** Contributes to one round's sum after the other. */
export interface RoundUpload {
  /**
   * Takes what the curator says of the awaited round, or of one that will be.
   * @returns whether it is to be heeded: it is of this form, and for this participant.
   */
  receive(message: CallMessage): boolean;
  /** The awaited round is the open one: sends what can be sent unasked. */
  open(): void;
  /** Which of the tasks were drawn in a round, as far as it is known. */
  drawn(round: number): Drawn | undefined;
  /** The round's broadcast was received. */
  over(round: number): void;
  /** Wipes keys from memory. */
  close(): void;
}
