/**
 * Messages above a server's `max_payload`, split and joined.
 *
 * A part carries the message's identity, its place and their count in a header; a message that fits
 * carries none. A connection keeps order, so parts are joined only in order: anything else means
 * that some were lost, and then the whole message is, which the protocol above expects of a
 * transport.
 * @module
 */

/** Header of a part: `ID PLACE COUNT`. */
export const PART_HEADER = "Mp-Mtl-Part";

/** Room for the header within a server's limit, which counts it too. */
const HEADER_ROOM = 256;

/** Pieces of `message` that fit; one piece, the message itself, if it does. No copy is made. */
export function split(message: Uint8Array, maxPayload: number): Uint8Array[] {
  const size = maxPayload - HEADER_ROOM;
  if (size < 1) {
    throw new RangeError(`max_payload: expected more than ${HEADER_ROOM} bytes, got ${maxPayload}`);
  }
  if (message.length <= size) return [message];
  const parts: Uint8Array[] = [];
  for (let at = 0; at < message.length; at += size) parts.push(message.subarray(at, at + size));
  return parts;
}

/** A place in a split message, as in {@link PART_HEADER}. */
export interface Place {
  /** Differs between messages, also of two processes that send under one name. */
  readonly id: string;
  readonly index: number;
  readonly count: number;
}

export function writePlace({ id, index, count }: Place): string {
  return `${id} ${index} ${count}`;
}

/** Undefined unless the text is a place in a message of at least two parts. */
export function readPlace(text: string): Place | undefined {
  const found = /^([\w-]{1,40}) (\d{1,9}) (\d{1,9})$/.exec(text);
  if (!found) return undefined;
  const [id, index, count] = [found[1]!, Number(found[2]), Number(found[3])];
  return count >= 2 && index < count ? { id, index, count } : undefined;
}

interface Unfinished {
  readonly id: string;
  readonly count: number;
  /** How many parts there are, and their bytes, one after the other in the room for them. */
  taken: number;
  bytes: number;
  room: Uint8Array;
}

/**
 * Joins the parts of one sender's messages. Holds at most one unfinished message, of at most `maxBytes`, and no object for each of its
 * parts, which may be empty: a sender cannot make the other side hold more.
 */
export class Joiner {
  readonly #maxBytes: number;
  #unfinished: Unfinished | undefined;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Takes a part; returns the message when this was its last one. */
  take({ id, index, count }: Place, part: Uint8Array): Uint8Array | undefined {
    if (index === 0) this.#unfinished = { id, count, taken: 0, bytes: 0, room: new Uint8Array() };
    const message = this.#unfinished;
    if (!message) return undefined;
    const expected = message.id === id && message.count === count && message.taken === index;
    if (!expected || message.bytes + part.length > this.#maxBytes) {
      this.#unfinished = undefined;
      return undefined;
    }
    this.#append(message, part);
    if (message.taken < count) return undefined;
    this.#unfinished = undefined;
    return message.room.slice(0, message.bytes);
  }

  #append(message: Unfinished, part: Uint8Array): void {
    const end = message.bytes + part.length;
    if (end > message.room.length) {
      const room = new Uint8Array(Math.min(this.#maxBytes, Math.max(end, 2 * message.room.length)));
      room.set(message.room.subarray(0, message.bytes));
      message.room = room;
    }
    message.room.set(part, message.bytes);
    message.bytes = end;
    message.taken++;
  }

  /** Forgets an unfinished message: its other parts were lost with the connection. */
  reset(): void {
    this.#unfinished = undefined;
  }
}
