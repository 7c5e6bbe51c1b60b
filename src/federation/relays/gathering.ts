/**
 * What a relay does in one attempt at a secure sum: it adds up the masked integers of its group, each member's once.
 *
 * STATEMENT. What curator, relays and up to c participants learn together they could learn without relays. PROOF. A participant
 * does in an attempt what it does without a relay: the same messages, made of the same secrets, in answer to the curator's; an input
 * that is asked for again is the same bytes (`secure-aggregation/participant.ts`). Only where its input is sent may differ: to its relay, or where
 * the curator says so to the curator. So let the adversary of the theorem without relays (`secure-aggregation/ring.ts`, `parties.ts`) be
 * curator and relays in one: it gets every message that it would get, and the theorem holds whatever it does with them. A set that a relay
 * names counts for nothing by itself: t participants sign the set that the curator names, each looks for itself in it, and shares are
 * shown for one set of one attempt of a round. QED
 *
 * A relay that lies can spoil a sum, as one participant that lies can: it may add what it likes, leave integers out that it says
 * are in, or name nobody. Where a mask does not cancel every entry is uniform, and nobody learns anything from it. It cannot have
 * anyone found guilty: complaints about a dealer go to the curator straight, with the input of whoever complains.
 * @module
 */
import { parseMessage, takeIndices } from "../secure-aggregation/messages.js";
import { addResidues, parseResidues, residues } from "../secure-aggregation/residues.js";
import { heldMessage, parseGather, partialMessage, type GatherRequest } from "./relay-messages.js";

/** What follows from a message: a message to the curator, or why there is none. */
export interface Gathered {
  readonly say?: Uint8Array;
  /** Whose inputs are in it, if it is a sum. */
  readonly inputs?: number;
  readonly why?: string;
}

/** One attempt, from the curator's request on. */
export class Gathering {
  readonly #session: Uint8Array;
  readonly #size: number;
  readonly #held = new Set<number>();
  readonly #sum: Uint32Array;
  #request: GatherRequest;

  /**
   * @param session of the attempt.
   * @param size of the relay's group.
   */
  constructor(session: Uint8Array, size: number, request: GatherRequest) {
    this.#session = session;
    this.#size = size;
    this.#request = request;
    this.#sum = residues(request.entries, request.bits);
  }

  /** Whose inputs are awaited. */
  get awaited(): number {
    return this.#request.awaited.size;
  }

  /** The curator asks, or asks again. */
  ask(request: GatherRequest): Gathered {
    const { bits, entries } = this.#request;
    if (request.bits !== bits || request.entries !== entries) {
      return { why: "the curator asks for another vector than before in one attempt" };
    }
    this.#request = request;
    if (this.#isWhole || request.urgency === "now") return this.#partial();
    if (request.urgency === "whole") return {};
    return { say: heldMessage(this.#session, this.#held, this.#size) };
  }

  /** A member's message, by its place in the group: its first input counts. */
  take(place: number, bytes: Uint8Array): Gathered {
    const { awaited, entries, bits } = this.#request;
    const parsed = parseMessage(bytes, this.#session);
    if (typeof parsed === "string") return { why: parsed };
    if (parsed.kind !== "input") return { why: `"${parsed.kind}" is not for a relay` };
    if (this.#held.has(place)) return {};
    if (!awaited.has(place)) return { why: "its input is not awaited" };
    const taken = takeIndices(parsed.body, 0);
    const words = taken && parseResidues(taken.rest, entries, bits);
    if (!words) return { why: `expected ${entries} residues of ${bits} bits, and no complaints` };
    addResidues(this.#sum, words, bits, 1);
    this.#held.add(place);
    return this.#isWhole ? this.#partial() : {};
  }

  get #isWhole(): boolean {
    const { awaited } = this.#request;
    if (this.#held.size < awaited.size) return false;
    for (const place of awaited) if (!this.#held.has(place)) return false;
    return true;
  }

  #partial(): Gathered {
    const partial = { held: this.#held, sum: this.#sum };
    const say = partialMessage(this.#session, partial, this.#size);
    return { say, inputs: this.#held.size };
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
