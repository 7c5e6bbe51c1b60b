/**
 * What may wait of each participant's messages while the store does not answer: they must not fill the curator's memory. What is
 * over is dropped, as a network may lose it: machines say things again.
 * @module
 */
import type { CuratorEvent } from "./events/curator-events.js";

/** Of each sender; a helper answers for every participant. */
const MOST_MESSAGES = 2 ** 14;
/** One message of any length may wait in any case. */
const MOST_BYTES = 2 ** 27;

type MessageEvent = Extract<CuratorEvent, { type: "message" }>;

/** Counts what waits, by sender. */
export class Inflow {
  readonly #waiting = new Map<string, { messages: number; bytes: number }>();

  /** If a message may wait it does, until it is `taken`. */
  admits({ from, message }: Pick<MessageEvent, "from" | "message">): boolean {
    const waiting = this.#waiting.get(from) ?? { messages: 0, bytes: 0 };
    const fits = waiting.messages < MOST_MESSAGES && waiting.bytes + message.length <= MOST_BYTES;
    if (!fits && waiting.messages > 0) return false;
    waiting.messages++;
    waiting.bytes += message.length;
    this.#waiting.set(from, waiting);
    return true;
  }

  taken({ from, message }: Pick<MessageEvent, "from" | "message">): void {
    const waiting = this.#waiting.get(from)!;
    waiting.messages--;
    waiting.bytes -= message.length;
    if (waiting.messages === 0) this.#waiting.delete(from);
  }
}
