/**
 * A party's effects as they are made: messages in its envelope, records, timers, statuses.
 * @module
 */
import { encodeFrame } from "../messages/frame.js";
import type { Body, Envelope } from "../messages/messages.js";
import { encodeMessage } from "../messages/message-bytes.js";
import type { PartyEffect } from "./party.js";

/** Collects effects until they are taken. */
export class PartyOutput<Status, Own = never> {
  /** Session and plan are empty until a plan was offered. */
  envelope: Envelope;
  #effects: (PartyEffect<Status> | Own)[] = [];

  /** @param participant the party's name. */
  constructor(run: string, participant: string) {
    this.envelope = { run, participant, session: "", plan: "" };
  }

  /** The effects so far, in order, once. */
  take(): (PartyEffect<Status> | Own)[] {
    const effects = this.#effects;
    this.#effects = [];
    return effects;
  }

  /** To the curator, or to a relay. */
  say(body: Body, relay?: string): void {
    const send = { type: "send", message: encodeMessage(this.envelope, body) } as const;
    this.add(relay === undefined ? send : { ...send, relay });
  }

  /** Keeps a record, before anything that comes after. */
  keep(header: object, values?: Float64Array): void {
    this.add({ type: "append", record: encodeFrame(header, values) });
  }

  /** Says to its owner or operator what is going on. */
  status(status: Status): void {
    this.add({ type: "status", status });
  }

  add(...effects: (PartyEffect<Status> | Own)[]): void {
    this.#effects.push(...effects);
  }
}
