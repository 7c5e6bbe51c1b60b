/**
 * The curator's effects as they are made: messages in its envelope, records, timers, statuses.
 * @module
 */
import { VERSION } from "../../../core/index.js";
import type { CuratorEffect, CuratorStatus } from "./curator-events.js";
import { Refusals } from "./refusals.js";
import { stateField } from "../../protocol/party/state-name.js";
import type { Body, Envelope } from "../../protocol/messages/messages.js";
import { encodeMessage } from "../../protocol/messages/message-bytes.js";
import type { Refusal } from "../../protocol/messages/refusal-reasons.js";
import { encodeRecord, type CuratorRecord } from "../../protocol/records.js";

/** Collects effects until they are taken. */
export class CuratorOutput {
  readonly #envelope: Omit<Envelope, "participant">;
  readonly #refusals = new Refusals();
  #effects: CuratorEffect[] = [];

  constructor(envelope: Omit<Envelope, "participant">) {
    this.#envelope = envelope;
  }

  /** The effects so far, in order, once. */
  take(): CuratorEffect[] {
    const effects = this.#effects;
    this.#effects = [];
    return effects;
  }

  /** To one participant. */
  tell(to: string, body: Body): void {
    const message = encodeMessage({ ...this.#envelope, participant: to }, body);
    this.#effects.push({ type: "send", to, message });
  }

  /**
   * Refuses a participant, or one `state` of it, for a reason that it is told, and tells the operator.
   * @param more what only the operator is told.
   */
  refuse(participant: string, reason: Refusal, more = "", state?: string): void {
    this.tell(participant, { type: "refused", reason, ...stateField(state) });
    this.status({ kind: "refused", participant, why: `${reason}${more}` });
  }

  /** Tells the operator of a participant whose release of mp-mtl cannot read the plan. */
  unable(participant: string, release: string): void {
    const why =
      `its release of mp-mtl, ${release}, cannot read this plan, or reads it otherwise than this one, ${VERSION}: ` +
      "it takes no part. Install the same release on both sides";
    this.status({ kind: "refused", participant, why });
  }

  /** To one participant, a message that is made only when it is sent. @param bytes about its length. */
  repeat(to: string, bytes: number, body: () => Body): void {
    const message = () => encodeMessage({ ...this.#envelope, participant: to }, body());
    this.#effects.push({ type: "repeat", to, bytes, message });
  }

  /** To all. */
  broadcast(body: Body): void {
    const message = encodeMessage({ ...this.#envelope, participant: "" }, body);
    this.#effects.push({ type: "broadcast", message });
  }

  /** Appends a record, before any later effect. */
  keep(record: CuratorRecord): void {
    this.#effects.push({ type: "append", record: encodeRecord(record) });
  }

  /** Stores a record beside the others until it is wiped (null), before any later effect. */
  hold(record: CuratorRecord | null): void {
    this.#effects.push({ type: "hold", record: record && encodeRecord(record) });
  }

  /** Ends this curator if another has taken over the run: while it waits, no write would show that. */
  confirm(): void {
    this.#effects.push({ type: "confirm" });
  }

  /** Tells the operator what the run is doing. */
  status(status: CuratorStatus): void {
    const told = status.kind === "refused" ? this.#refusals.note(status) : status;
    if (told) this.#effects.push({ type: "status", status: told });
  }

  /** Starts timers, in milliseconds. */
  timers(milliseconds: Readonly<Record<string, number>>): void {
    for (const [name, time] of Object.entries(milliseconds)) {
      this.#effects.push({ type: "timer", name, milliseconds: time });
    }
  }

  /** Cancels timers. */
  cancel(...names: readonly string[]): void {
    for (const name of names) this.#effects.push({ type: "cancel", name });
  }

  /** Pauses a timer while the link is down, or resumes it. */
  linkTurned(state: "up" | "down", name: string): void {
    this.#effects.push({ type: state === "up" ? "resume" : "pause", name });
  }

  /** The last effect of a run. */
  end(effect: Extract<CuratorEffect, { type: "end" }>): void {
    this.#effects.push(effect);
  }
}
