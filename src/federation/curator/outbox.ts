/**
 * What a curator says to each participant alone, one message on its way at a time: whoever asks a thousand times makes
 * the curator hold little more than one answer.
 * @module
 */

/** Bytes that may wait for a participant behind the message that is on its way; one message of any length may. */
const WAITING_BYTES = 2 ** 20;
const WAITING_MESSAGES = 64;

interface Lane {
  readonly waiting: { readonly message: Uint8Array; readonly done: () => void }[];
  bytes: number;
}

/** A lane for each participant. What finds its lane full is dropped: machines say again what was lost. */
export class Outbox {
  readonly #send: (to: string, message: Uint8Array) => Promise<void>;
  readonly #lanes = new Map<string, Lane>();

  /** @param send resolves when the network has taken the message, or it is lost. */
  constructor(send: (to: string, message: Uint8Array) => Promise<void>) {
    this.#send = send;
  }

  /** Sends a message after those before it. Resolves when it was sent, or dropped. */
  async send(to: string, message: Uint8Array): Promise<void> {
    const lane = this.#lanes.get(to);
    if (!lane) {
      await this.#work(to, message);
      return;
    }
    const { waiting, bytes } = lane;
    const fits = bytes + message.length <= WAITING_BYTES && waiting.length < WAITING_MESSAGES;
    if (!fits && waiting.length > 0) return;
    lane.bytes += message.length;
    await new Promise<void>((done) => waiting.push({ message, done }));
  }

  async #work(to: string, first: Uint8Array): Promise<void> {
    const lane: Lane = { waiting: [], bytes: 0 };
    this.#lanes.set(to, lane);
    await this.#send(to, first).catch(() => undefined);
    void this.#drain(to, lane);
  }

  async #drain(to: string, lane: Lane): Promise<void> {
    for (let next = lane.waiting.shift(); next; next = lane.waiting.shift()) {
      lane.bytes -= next.message.length;
      await this.#send(to, next.message).catch(() => undefined);
      next.done();
    }
    this.#lanes.delete(to);
  }
}
