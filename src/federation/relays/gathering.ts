/**
 * What a relay does in one attempt at a secure sum: it adds up the masked integers of its group, each member's once. Those of its own
 * participants come one by one; those beneath another relay in that one's sum, which is added as it is.
 *
 * STATEMENT. What curator, relays and up to c participants learn together they could learn without relays, whatever tree these form.
 * PROOF. A participant does in an attempt what it does without a relay: the same messages, made of the same secrets, in answer to the
 * curator's; an input that is asked for again is the same bytes (`secure-aggregation/attempt/participant.ts`). Only where its input is sent may
 * differ: to its relay, or where the curator says so to the curator. So let the adversary of the theorem without relays
 * (`secure-aggregation/attempt/ring.ts`, `parties.ts`) be curator and relays in one: it gets every message that it would get, and the theorem
 * holds whatever it does with them. What relays say to each other and to the curator is said within it: a relay has no secret and no
 * input, so whatever it says at whatever level is made of what participants sent to one of them, and no participant heeds a relay. A set
 * that a relay names counts for nothing by itself, nor does one that a relay makes of others': t participants sign the set that the
 * curator names, each looks for itself in it, and shares are shown for one set of one attempt of a round. QED
 *
 * WHAT IS IN A SUM where all follow the protocol. A relay adds an input, or a sum, of each that sends to it at most once in an attempt,
 * and its set is whose inputs these are. Nobody's place is in two of those that send to it, so by induction from the leaves a sum holds the input of
 * each in its set exactly once, and of nobody else; addition modulo 2^k has no order, so it is the sum that the curator would have made.
 * That nobody counts twice at the curator: `relayed-inputs.ts`.
 *
 * A relay that lies can spoil a sum, as one participant that lies can: it may add what it likes, leave integers out that it says
 * are in, or name nobody. Where a mask does not cancel every entry is uniform, and nobody learns anything from it. It can speak only for those
 * beneath it, and cannot have anyone found guilty: complaints about a dealer go to the curator straight, with the input of whoever complains.
 * @module
 */
import { equalBytes } from "../protocol/messages/equal-bytes.js";
import { parseMessage } from "../secure-aggregation/attempt/messages.js";
import { takeIndices } from "../secure-aggregation/attempt/message-parts.js";
import { addResidues, parseResidues, residues } from "../secure-aggregation/integers/residues.js";
import {
  heldMessage,
  parseGather,
  parsePartial,
  partialMessage,
  type GatherRequest,
} from "./relay-messages.js";
import type { Source } from "./sources.js";

/** What follows from a message: a sum, word for the curator, or why there is none. */
export interface Gathered {
  /** For the relay above, or the curator. */
  readonly sum?: Uint8Array;
  /** How many participants' inputs are in the sum. */
  readonly inputs?: number;
  /** For the curator: whose inputs are there. */
  readonly word?: Uint8Array;
  readonly why?: string;
}

/**
 * What a participant's message adds to a sum.
 * @param place of the participant in the relay's group.
 * @param body of its message.
 * @returns residues, or why there are none.
 */
export type InputReader = (
  place: number,
  body: Uint8Array,
  request: GatherRequest,
) => Uint32Array | string;

const NOTHING = new Uint8Array();

/** Of secure sums: integers under masks, added as they are. */
export const maskedInput: InputReader = (_place, body, { entries, bits }) => {
  const taken = takeIndices(body, 0);
  return (
    (taken && parseResidues(taken.rest, entries, bits)) ??
    `expected ${entries} residues of ${bits} bits, and no complaints`
  );
};

/** One attempt, from the curator's request on. */
export class Gathering {
  readonly #session: Uint8Array;
  readonly #sources: readonly Source[];
  readonly #size: number;
  readonly #held = new Set<number>();
  /** Relays whose sums are in this one, by number among the sources. */
  readonly #given = new Set<number>();
  /** Whom these sums lack: nobody waits for them. */
  readonly #gone = new Set<number>();
  readonly #sum: Uint32Array;
  readonly #read: InputReader;
  #request: GatherRequest;

  /**
   * @param session of the attempt.
   * @param sources who sends to this relay.
   * @param read what participants send.
   */
  constructor(
    session: Uint8Array,
    sources: readonly Source[],
    request: GatherRequest,
    read: InputReader = maskedInput,
  ) {
    this.#session = session;
    this.#sources = sources;
    this.#size = sources.reduce((sum, { places }) => sum + places.length, 0);
    this.#request = request;
    this.#read = read;
    this.#sum = residues(request.entries, request.bits);
  }

  /** How many participants' inputs the sum is to have. */
  get awaited(): number {
    return this.#request.awaited.size;
  }

  /**
   * The curator asks, or asks again.
   * @param hidden whether the sum goes to another relay, so that the curator does not see it: it then gets word whenever it asks for
   *   anything before a sum is whole.
   */
  ask(request: GatherRequest, hidden = false): Gathered {
    const { bits, entries, terms = NOTHING } = this.#request;
    const same = request.bits === bits && request.entries === entries;
    if (!same || !equalBytes(request.terms ?? NOTHING, terms)) {
      return { why: "the curator asks for another vector than before in one attempt" };
    }
    this.#request = request;
    const { urgency } = request;
    const sum = this.#isWhole || urgency === "now" ? this.#partial() : undefined;
    const tells = urgency !== "whole" && (hidden || !sum);
    if (!tells) return sum ?? {};
    return { ...sum, word: heldMessage(this.#session, this.#held, this.#size) };
  }

  /** What one that sends to this relay says, by its number among the sources: its first input, or sum, counts. */
  take(source: number, bytes: Uint8Array): Gathered {
    const parsed = parseMessage(bytes, this.#session);
    if (typeof parsed === "string") return { why: parsed };
    const { kind, body } = parsed;
    const from = this.#sources[source]!;
    if (kind !== (from.isRelay ? "partial" : "input"))
      return { why: `"${kind}" is not for a relay` };
    const [place] = from.places;
    if (from.isRelay ? this.#given.has(source) : this.#held.has(place!)) return {};
    const why = from.isRelay ? this.#takeSum(source, body) : this.#takeInput(place!, body);
    if (why !== undefined) return { why };
    return this.#isWhole ? this.#partial() : {};
  }

  /** Adds a participant's input, or says why not. */
  #takeInput(place: number, body: Uint8Array): string | undefined {
    const { awaited, bits } = this.#request;
    if (!awaited.has(place)) return "its input is not awaited";
    const words = this.#read(place, body, this.#request);
    if (typeof words === "string") return words;
    addResidues(this.#sum, words, bits, 1);
    this.#held.add(place);
    return undefined;
  }

  /** Adds a relay's sum, or says why not. */
  #takeSum(source: number, body: Uint8Array): string | undefined {
    const { awaited, bits } = this.#request;
    const { places } = this.#sources[source]!;
    const partial = parsePartial(body, places.length, this.#request);
    if (!partial) return "its sum is malformed";
    const held = new Set([...partial.held].map((place) => places[place]!));
    if (![...held].every((place) => awaited.has(place))) {
      return "its sum holds an input that is not awaited";
    }
    addResidues(this.#sum, partial.sum, bits, 1);
    this.#given.add(source);
    for (const place of places) (held.has(place) ? this.#held : this.#gone).add(place);
    return undefined;
  }

  get #isWhole(): boolean {
    const { awaited } = this.#request;
    if (this.#held.size + this.#gone.size < awaited.size) return false;
    for (const place of awaited) {
      if (!this.#held.has(place) && !this.#gone.has(place)) return false;
    }
    return true;
  }

  #partial(): Gathered {
    const partial = { held: this.#held, sum: this.#sum };
    const sum = partialMessage(this.#session, partial, this.#size);
    return { sum, inputs: this.#held.size };
  }
}

/**
 * The request in a message of the curator.
 * @returns a sentence if it is none.
 */
export function requestIn(
  bytes: Uint8Array,
  session: Uint8Array,
  size: number,
): GatherRequest | string {
  const parsed = parseMessage(bytes, session);
  if (typeof parsed === "string") return parsed;
  const request = parsed.kind === "gather" ? parseGather(parsed.body, size) : undefined;
  return request ?? "what the curator asks of a relay is malformed";
}
