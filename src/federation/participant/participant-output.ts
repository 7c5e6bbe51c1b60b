/**
 * The participant's effects as they are made: messages in its envelope, records, timers, statuses.
 * @module
 */
import { encodeFrame } from "../protocol/frame.js";
import { encodeMessage, type Body, type Envelope } from "../protocol/messages.js";
import type { ParticipantEffect, ParticipantStatus } from "./participant-events.js";

/** Collects effects until they are taken. */
export class ParticipantOutput {
  /** Session and plan are empty until a plan was offered. */
  envelope: Envelope;
  #effects: ParticipantEffect[] = [];

  constructor(run: string, participant: string) {
    this.envelope = { run, participant, session: "", plan: "" };
  }

  /** The effects so far, in order, once. */
  take(): ParticipantEffect[] {
    const effects = this.#effects;
    this.#effects = [];
    return effects;
  }

  /** To the curator, or to a relay. */
  say(body: Body, relay?: string): void {
    const send = { type: "send", message: encodeMessage(this.envelope, body) } as const;
    this.add(relay === undefined ? send : { ...send, relay });
  }

  /** Before anything that comes after. */
  keep(header: object, values?: Float64Array): void {
    this.add({ type: "append", record: encodeFrame(header, values) });
  }

  /** Says to the owner of the data what is going on. */
  status(status: ParticipantStatus): void {
    this.add({ type: "status", status });
  }

  add(...effects: ParticipantEffect[]): void {
    this.#effects.push(...effects);
  }
}
