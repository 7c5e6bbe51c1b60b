/**
 * What participants said in one attempt at a secure sum: every answer checked, held by phase, and what follows from them
 * for each participant. Of the masked integers only the sum is kept.
 * @module
 */
import { equalBytes } from "../../protocol/messages/equal-bytes.js";
import { KEY_BYTES, signed, SIGNATURE_BYTES } from "../keys/keys.js";
import { KEYS_BYTES, SEALED_BYTES } from "./messages.js";
import { entriesBytes, parseEntries, takeIndices, type Entry } from "./message-parts.js";
import { addResidues, parseResidues, residues } from "../integers/residues.js";
import { signedName, type Setting } from "./setting.js";
import { isSmallOrder } from "../keys/small-order.js";
import type { Dealer } from "./unmasking.js";

/** Phases that may fail, by the message they wait for. */
export type Gathering = "keys" | "shares" | "input" | "consent";

/** The answers to a curator. */
export class Answers {
  readonly #setting: Setting;
  /** The masked integers so far. */
  readonly sum: Uint32Array;
  /** By number of the dealer: the participants who could not open the shares it sent them. */
  readonly complaints = new Map<number, Set<number>>();
  /** Accepted messages of each phase, by sender. */
  readonly #of: Record<Gathering, Map<number, Uint8Array>> = {
    keys: new Map(),
    shares: new Map(),
    input: new Map(),
    consent: new Map(),
  };
  /** Sealed shares by receiver. */
  readonly #inboxes = new Map<number, Entry[]>();

  constructor(setting: Setting) {
    this.#setting = setting;
    this.sum = residues(setting.entries, setting.bits);
  }

  /** Accepted messages of a phase, by sender. */
  of(phase: Gathering): ReadonlyMap<number, Uint8Array> {
    return this.#of[phase];
  }

  /**
   * Checks an answer and takes it in; the first of a phase counts, and a repeated one is nothing to speak of.
   * @param statement what a consent signs.
   * @returns whether it is taken, or what is wrong with it.
   */
  take(
    phase: Gathering,
    from: number,
    body: Uint8Array,
    statement: Uint8Array,
  ): { readonly taken: boolean; readonly wrong?: string } {
    const before = this.#of[phase].get(from);
    if (before) {
      const repeated = phase === "input" || equalBytes(before, body);
      return { taken: false, ...(repeated ? {} : { wrong: "a second, different answer" }) };
    }
    const wrong = this.#check(phase, from, body, statement);
    if (wrong) return { taken: false, wrong: `"${phase}": ${wrong}` };
    this.#of[phase].set(from, phase === "input" ? new Uint8Array() : body.slice());
    return { taken: true };
  }

  #check(
    phase: Gathering,
    from: number,
    body: Uint8Array,
    statement: Uint8Array,
  ): string | undefined {
    switch (phase) {
      case "keys":
        return this.#checkKeys(from, body);
      case "shares":
        return this.#takeShares(from, body);
      case "input":
        return this.#takeInput(from, body);
      case "consent":
        return this.#signedBy(from, body, statement)
          ? undefined
          : "the signature is not of this sum";
    }
  }

  #checkKeys(from: number, body: Uint8Array): string | undefined {
    const { identities } = this.#setting;
    const name = signedName(this.#setting);
    if (body.length !== KEYS_BYTES) return `expected ${KEYS_BYTES} bytes`;
    const keys = body.subarray(0, 2 * KEY_BYTES);
    const signature = body.subarray(2 * KEY_BYTES);
    if (!signed("keys", name, from, keys, signature, identities[from]!)) {
      return "the keys are not signed by the participant's identity";
    }
    const small =
      isSmallOrder(keys.subarray(0, KEY_BYTES)) || isSmallOrder(keys.subarray(KEY_BYTES));
    return small ? "a key is of small order" : undefined;
  }

  #takeShares(from: number, body: Uint8Array): string | undefined {
    const n = this.#setting.parties.participants;
    const entries = parseEntries(body.subarray(KEY_BYTES), SEALED_BYTES, n);
    const receivers = this.#neighbours(from, this.#of.keys);
    if (
      entries?.length !== receivers.length ||
      receivers.some((to, i) => entries[i]!.index !== to)
    ) {
      return "expected sealed shares for each neighbour in the roster";
    }
    for (const { index: to, bytes } of entries) {
      const inbox = this.#inboxes.get(to) ?? [];
      inbox.push({ index: from, bytes });
      this.#inboxes.set(to, inbox);
    }
    return undefined;
  }

  #takeInput(from: number, body: Uint8Array): string | undefined {
    const { entries, bits, parties } = this.#setting;
    const taken = takeIndices(body, parties.participants);
    const dealers = new Set(this.#neighbours(from, this.#of.shares));
    if (!taken?.indices.every((dealer) => dealers.has(dealer))) {
      return "expected complaints about dealers";
    }
    const words = parseResidues(taken.rest, entries, bits);
    if (!words) return `expected ${entries} residues of ${bits} bits`;
    addResidues(this.sum, words, bits, 1);
    for (const dealer of taken.indices) {
      const complainants = this.complaints.get(dealer) ?? new Set<number>();
      this.complaints.set(dealer, complainants.add(from));
    }
    return undefined;
  }

  #signedBy(from: number, signature: Uint8Array, statement: Uint8Array): boolean {
    const { identities } = this.#setting;
    const name = signedName(this.#setting);
    return (
      signature.length === SIGNATURE_BYTES &&
      signed("included", name, from, statement, signature, identities[from]!)
    );
  }

  /** Inputs that a relay added up, whose they are being known to be right. */
  takeSum(members: readonly number[], sum: Uint32Array): void {
    addResidues(this.sum, sum, this.#setting.bits, 1);
    for (const member of members) this.#of.input.set(member, new Uint8Array());
  }

  /** Numbers of the participants whose secrets could not be put together again: too few holders of their shares are present in this phase. */
  thin(phase: Gathering): number[] {
    const { neighbourhood } = this.#setting;
    const holders = this.#of[phase];
    const dealers = phase === "keys" || phase === "shares" ? holders : this.#of.shares;
    return [...dealers.keys()].filter((dealer) => {
      const complainants = this.complaints.get(dealer);
      const able = this.#neighbours(dealer, holders).filter((peer) => !complainants?.has(peer));
      return able.length + (holders.has(dealer) ? 1 : 0) < neighbourhood.threshold;
    });
  }

  /** Who dealt shares, with what the sum is opened by. */
  dealers(): Map<number, Dealer> {
    const { keys, shares } = this.#of;
    const order = [...shares.keys()].sort((a, b) => a - b);
    return new Map(
      order.map((index) => [
        index,
        {
          maskKey: keys.get(index)!.slice(KEY_BYTES, 2 * KEY_BYTES),
          commitment: shares.get(index)!.slice(0, KEY_BYTES),
        },
      ]),
    );
  }

  /** What a participant gets of the others' keys, and of the shares dealt to it. */
  roster(to: number): Uint8Array {
    const { keys } = this.#of;
    return entriesBytes(
      this.#neighbours(to, keys).map((index) => ({ index, bytes: keys.get(index)! })),
    );
  }

  inboxOf(to: number): Uint8Array {
    const sealed = this.#inboxes.get(to) ?? [];
    return entriesBytes(sealed.sort((a, b) => a.index - b.index));
  }

  #neighbours(index: number, present: ReadonlyMap<number, unknown>): number[] {
    return this.#setting.neighbourhood.of(index).filter((peer) => present.has(peer));
  }
}
