/**
 * What a curator says to each participant alone, one message on its way at a time: whoever asks a thousand times makes
 * the curator hold little more than one answer. Where a thousand ask at once, as for the plan, it makes some answers after the other.
 * @module
 */

/** Bytes that may wait for a participant behind the message that is on its way; one message of any length may. */
const WAITING_BYTES = 2 ** 20;
const WAITING_MESSAGES = 64;
/** Bytes that may be on their way to all participants together; a few messages of any length may, so that nobody alone is in the way. */
const TRAVELLING_BYTES = 2 ** 24;
const TRAVELLING_MESSAGES = 8;

/** What is sent: `bytes` long, made when it is its turn. */
export interface Outgoing {
  readonly bytes: number;
  readonly message: () => Uint8Array;
}

interface Lane {
  readonly waiting: (Outgoing & { readonly done: () => void })[];
  bytes: number;
}

/** A lane for each participant. What finds its lane full is dropped: machines say again what was lost. */
export class Outbox {
  readonly #send: (to: string, message: Uint8Array) => Promise<void>;
  readonly #lanes = new Map<string, Lane>();
  readonly #turns: { readonly bytes: number; readonly go: () => void }[] = [];
  readonly #travelling = { bytes: 0, messages: 0 };

  /** @param send resolves when the network has taken the message, or it is lost. */
  constructor(send: (to: string, message: Uint8Array) => Promise<void>) {
    this.#send = send;
  }

  /** Sends a message after those before it. Resolves when it was sent, or dropped. */
  async send(to: string, outgoing: Outgoing): Promise<void> {
    const lane = this.#lanes.get(to);
    if (!lane) {
      await this.#work(to, outgoing);
      return;
    }
    const { waiting, bytes } = lane;
    const fits = bytes + outgoing.bytes <= WAITING_BYTES && waiting.length < WAITING_MESSAGES;
    if (!fits && waiting.length > 0) return;
    lane.bytes += outgoing.bytes;
    await new Promise<void>((done) => waiting.push({ ...outgoing, done }));
  }

  async #work(to: string, first: Outgoing): Promise<void> {
    const lane: Lane = { waiting: [], bytes: 0 };
    this.#lanes.set(to, lane);
    await this.#carry(to, first);
    void this.#drain(to, lane);
  }

  async #drain(to: string, lane: Lane): Promise<void> {
    for (let next = lane.waiting.shift(); next; next = lane.waiting.shift()) {
      lane.bytes -= next.bytes;
      await this.#carry(to, next);
      next.done();
    }
    this.#lanes.delete(to);
  }

  /** Makes a message and sends it: at once if there is room, else when others have arrived. */
  async #carry(to: string, { bytes, message }: Outgoing): Promise<void> {
    if (this.#turns.length === 0 && this.#hasRoom(bytes)) this.#enter(bytes);
    else await new Promise<void>((go) => this.#turns.push({ bytes, go }));
    try {
      await this.#send(to, message());
    } catch {
      // Lost, or the run has ended meanwhile.
    }
    this.#enter(-bytes, -1);
    while (this.#turns.length > 0 && this.#hasRoom(this.#turns[0]!.bytes)) {
      const next = this.#turns.shift()!;
      this.#enter(next.bytes);
      next.go();
    }
  }

  #hasRoom(bytes: number): boolean {
    const travelling = this.#travelling;
    const fits = travelling.bytes + bytes <= TRAVELLING_BYTES;
    return fits || travelling.messages < TRAVELLING_MESSAGES;
  }

  #enter(bytes: number, messages = 1): void {
    this.#travelling.bytes += bytes;
    this.#travelling.messages += messages;
  }
}
