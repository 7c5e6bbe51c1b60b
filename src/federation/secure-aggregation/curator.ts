/**
 * The curator of one attempt at a secure sum, as a pure machine: messages and deadlines in, effects out.
 *
 * It relays public keys and sealed shares, adds up masked integers as they arrive, and learns the sum
 * when at least t participants have consented to who is in it. It keeps one vector, whatever the number
 * of participants. Up to the consents an attempt may fail and be tried again; once the consents are
 * out it is never given up: `deadline` then only tells who is still awaited.
 * @module
 */
import { concatBytes } from "@noble/hashes/utils.js";
import { agreedKey, equal, KEY_BYTES, signed, SIGNATURE_BYTES } from "./keys.js";
import {
  entriesBytes,
  KEYS_BYTES,
  message,
  parseEntries,
  parseMessage,
  SEALED_BYTES,
  setBytes,
  takeIndices,
  type Entry,
  type MessageKind,
} from "./messages.js";
import { Opening, openingState } from "./opening.js";
import { addResidues, parseResidues, residues } from "./residues.js";
import type { Setting } from "./setting.js";
import type { Dealer } from "./unmasking.js";

/** What a curator's driver must do, in this order. */
export type CuratorEffect =
  | { readonly kind: "send"; readonly to: number; readonly message: Uint8Array }
  /** A message was ignored. */
  | { readonly kind: "refused"; readonly from: number; readonly reason: string }
  /** From now on the sum can be opened: keep the snapshot, durably, before what follows is sent. */
  | {
      readonly kind: "opening";
      readonly included: readonly number[];
      readonly snapshot: Uint8Array;
    }
  /** The sum of the integers of those included, each rounded to a double. */
  | { readonly kind: "sum"; readonly values: Float64Array; readonly included: readonly number[] }
  /** The attempt is over, nothing was opened; `culprits` should be left out of the next. */
  | { readonly kind: "failed"; readonly reason: string; readonly culprits: readonly number[] }
  /** The sum cannot be had yet: these have not answered, these answered wrongly. */
  | {
      readonly kind: "waiting";
      readonly missing: readonly number[];
      readonly culprits: readonly number[];
    };

/** What a curator is made of. */
export interface CuratorOptions {
  readonly setting: Setting;
  /** Participants left out, culprits of earlier attempts. */
  readonly excluded?: readonly number[];
  /** What an earlier process kept when this attempt came to be opened: it goes on from there. */
  readonly snapshot?: Uint8Array | undefined;
}

/** Phases that may fail, by the message they wait for. */
type Gathering = "keys" | "shares" | "input" | "consent";
type Phase = Gathering | "reveal" | "done" | "failed";

/** Small order shows under every scalar, all of which are multiples of the cofactor. */
const ANY_SCALAR = new Uint8Array(KEY_BYTES).fill(1);

export class AggregationCurator {
  readonly #setting: Setting;
  readonly #sum: Uint32Array;
  /** Accepted messages of each phase, by sender. */
  readonly #answers: Record<Gathering, Map<number, Uint8Array>> = {
    keys: new Map(),
    shares: new Map(),
    input: new Map(),
    consent: new Map(),
  };
  /** Sealed shares by receiver. */
  readonly #inboxes = new Map<number, Entry[]>();
  /** By dealer: who could not open its shares. */
  readonly #complaints = new Map<number, Set<number>>();
  #expected: Set<number>;
  /** Who dealt shares, who is in the sum: what is signed. */
  #statement: Uint8Array = new Uint8Array();
  #opening: Opening | undefined;
  #phase: Phase = "keys";

  constructor({ setting, excluded = [], snapshot }: CuratorOptions) {
    this.#setting = setting;
    this.#sum = residues(setting.entries, setting.bits);
    const everyone = Array.from({ length: setting.parties.participants }, (_, i) => i);
    this.#expected = new Set(everyone.filter((i) => !excluded.includes(i)));
    if (!snapshot) return;
    this.#opening = new Opening(setting, openingState(setting, snapshot));
    this.#phase = "reveal";
  }

  /** What is awaited: the kind of message, "done" or "failed". */
  get phase(): Phase {
    return this.#phase;
  }

  /** Those whose message of this phase has not come. */
  get missing(): number[] {
    const phase = this.#phase;
    if (phase === "done" || phase === "failed") return [];
    if (phase === "reveal") return this.#opening!.missing;
    return [...this.#expected].filter((index) => !this.#answers[phase].has(index));
  }

  /** A message of a participant; the transport vouches for its sender. */
  receive(from: number, bytes: Uint8Array): CuratorEffect[] {
    const refuse = (reason: string): CuratorEffect[] => [{ kind: "refused", from, reason }];
    const parsed = parseMessage(bytes, this.#setting.session);
    if (typeof parsed === "string") return refuse(parsed);
    const { kind, body } = parsed;
    const phase = this.#phase;
    if (phase === "done" || phase === "failed") return refuse(`the attempt is ${phase}`);
    if (kind !== phase) return refuse(`"${kind}" where "${phase}" is awaited`);
    if (phase === "reveal") return this.#reveal(from, body);
    if (!this.#expected.has(from)) return refuse("it is not, or no longer, part of this attempt");
    const answers = this.#answers[phase];
    if (answers.has(from)) {
      // The first counts; a repeated one is nothing to speak of.
      return phase === "input" || equal(answers.get(from)!, body)
        ? []
        : refuse("a second, different answer");
    }
    const reason = this.#take(phase, from, body);
    if (reason) return refuse(`"${kind}": ${reason}`);
    // Of the masked integers only the sum is kept.
    answers.set(from, phase === "input" ? new Uint8Array() : body.slice());
    return answers.size === this.#expected.size ? this.#close(phase) : [];
  }

  /** Closes the phase with those who have answered. */
  deadline(): CuratorEffect[] {
    const phase = this.#phase;
    if (phase === "done" || phase === "failed") return [];
    return phase === "reveal" ? this.#open() : this.#close(phase);
  }

  /** Sends the phase's message again to those who have not answered: messages may get lost. */
  remind(): CuratorEffect[] {
    const late = this.missing;
    switch (this.#phase) {
      case "shares":
        return late.map((to) => this.#send(to, "roster", this.#roster(to)));
      case "input":
        return late.map((to) => this.#send(to, "inbox", this.#inboxOf(to)));
      case "consent":
        return late.map((to) => this.#send(to, "included", this.#statement));
      case "reveal": {
        // Both: whoever missed the first consents now, for itself.
        const { statement, signatures } = this.#opening!.state;
        return late.flatMap((to) => [
          this.#send(to, "included", statement),
          this.#send(to, "consents", signatures),
        ]);
      }
      default:
        return [];
    }
  }

  // --- what participants say ---

  /** Checks one answer and takes it in; says what is wrong with it. */
  #take(phase: Gathering, from: number, body: Uint8Array): string | undefined {
    switch (phase) {
      case "keys":
        return this.#takeKeys(from, body);
      case "shares":
        return this.#takeShares(from, body);
      case "input":
        return this.#takeInput(from, body);
      case "consent":
        return this.#signedBy(from, body) ? undefined : "the signature is not of this sum";
    }
  }

  #takeKeys(from: number, body: Uint8Array): string | undefined {
    const { session, identities } = this.#setting;
    if (body.length !== KEYS_BYTES) return `expected ${KEYS_BYTES} bytes`;
    const keys = body.subarray(0, 2 * KEY_BYTES);
    const signature = body.subarray(2 * KEY_BYTES);
    if (!signed("keys", session, from, keys, signature, identities[from]!)) {
      return "the keys are not signed by the participant's identity";
    }
    const usable = [keys.subarray(0, KEY_BYTES), keys.subarray(KEY_BYTES)].every((key) =>
      agreedKey(session, "mask", ANY_SCALAR, key, [key, key]),
    );
    return usable ? undefined : "a key is of small order";
  }

  #takeShares(from: number, body: Uint8Array): string | undefined {
    const n = this.#setting.parties.participants;
    const entries = parseEntries(body.subarray(KEY_BYTES), SEALED_BYTES, n);
    const receivers = this.#neighbours(from, this.#answers.keys);
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
    const dealers = new Set(this.#neighbours(from, this.#answers.shares));
    if (!taken?.indices.every((dealer) => dealers.has(dealer))) {
      return "expected complaints about dealers";
    }
    const words = parseResidues(taken.rest, entries, bits);
    if (!words) return `expected ${entries} residues of ${bits} bits`;
    addResidues(this.#sum, words, bits, 1);
    for (const dealer of taken.indices) {
      const complainants = this.#complaints.get(dealer) ?? new Set<number>();
      this.#complaints.set(dealer, complainants.add(from));
    }
    return undefined;
  }

  #signedBy(from: number, signature: Uint8Array): boolean {
    const { session, identities } = this.#setting;
    return (
      signature.length === SIGNATURE_BYTES &&
      signed("included", session, from, this.#statement, signature, identities[from]!)
    );
  }

  /** Late consents do not count any more; shares of everyone in the sum do. */
  #reveal(from: number, body: Uint8Array): CuratorEffect[] {
    const opening = this.#opening!;
    const refuse = (reason: string): CuratorEffect[] => [{ kind: "refused", from, reason }];
    if (!opening.state.included.includes(from)) return refuse("it is not in the sum");
    if (!opening.missing.includes(from)) return [];
    const reason = opening.take(from, body);
    if (reason) return refuse(`"reveal": ${reason}`);
    return opening.missing.length === 0 ? this.#open() : [];
  }

  // --- phases ---

  #close(phase: Gathering): CuratorEffect[] {
    const present = this.#answers[phase];
    const { threshold } = this.#setting.parties;
    if (present.size < threshold) {
      return this.#fail(
        `"${phase}": expected at least ${threshold} participants, got ${present.size}`,
      );
    }
    const thin = this.#thin(phase);
    if (thin.length > 0) {
      return this.#fail(
        `"${phase}": the secrets of ${thin.length} participants could not be recovered`,
        phase === "input" ? thin.filter((dealer) => this.#complaints.has(dealer)) : [],
      );
    }
    const members = [...present.keys()].sort((a, b) => a - b);
    this.#expected = new Set(members);
    switch (phase) {
      case "keys":
        this.#phase = "shares";
        return members.map((to) => this.#send(to, "roster", this.#roster(to)));
      case "shares":
        this.#phase = "input";
        return members.map((to) => this.#send(to, "inbox", this.#inboxOf(to)));
      case "input":
        return this.#include(members);
      case "consent":
        return this.#consents(members);
    }
  }

  /** Those in this phase whose secrets too few of the present could give back. */
  #thin(phase: Gathering): number[] {
    const { neighbourhood } = this.#setting;
    const holders = this.#answers[phase];
    const dealers = phase === "keys" || phase === "shares" ? holders : this.#answers.shares;
    return [...dealers.keys()].filter((dealer) => {
      const complainants = this.#complaints.get(dealer);
      const able = this.#neighbours(dealer, holders).filter((peer) => !complainants?.has(peer));
      return able.length + (holders.has(dealer) ? 1 : 0) < neighbourhood.threshold;
    });
  }

  #include(members: number[]): CuratorEffect[] {
    const n = this.#setting.parties.participants;
    this.#phase = "consent";
    this.#statement = concatBytes(setBytes(this.#answers.shares.keys(), n), setBytes(members, n));
    return members.map((to) => this.#send(to, "included", this.#statement));
  }

  #consents(members: number[]): CuratorEffect[] {
    const { threshold } = this.#setting.parties;
    const { consent, input } = this.#answers;
    const included = [...input.keys()].sort((a, b) => a - b);
    const signatures = entriesBytes(
      members.slice(0, threshold).map((index) => ({ index, bytes: consent.get(index)! })),
    );
    this.#opening = new Opening(this.#setting, {
      dealers: this.#dealers(),
      included,
      complaints: this.#complaints,
      statement: this.#statement,
      signatures,
      sum: this.#sum,
    });
    this.#phase = "reveal";
    return [
      { kind: "opening", included, snapshot: this.#opening.snapshot() },
      ...included.map((to) => this.#send(to, "consents", signatures)),
    ];
  }

  #dealers(): Map<number, Dealer> {
    const { keys, shares } = this.#answers;
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

  #open(): CuratorEffect[] {
    const opened = this.#opening!.open();
    if (!("values" in opened)) return [{ kind: "waiting", ...opened }];
    this.#phase = "done";
    return [{ kind: "sum", values: opened.values, included: this.#opening!.state.included }];
  }

  #fail(reason: string, culprits: readonly number[] = []): CuratorEffect[] {
    this.#phase = "failed";
    return [{ kind: "failed", reason, culprits }];
  }

  // --- what is said to them ---

  #neighbours(index: number, present: ReadonlyMap<number, unknown>): number[] {
    return this.#setting.neighbourhood.of(index).filter((peer) => present.has(peer));
  }

  #roster(to: number): Uint8Array {
    const { keys } = this.#answers;
    return entriesBytes(
      this.#neighbours(to, keys).map((index) => ({ index, bytes: keys.get(index)! })),
    );
  }

  #inboxOf(to: number): Uint8Array {
    const sealed = this.#inboxes.get(to) ?? [];
    return entriesBytes(sealed.sort((a, b) => a.index - b.index));
  }

  #send(to: number, kind: MessageKind, body: Uint8Array): CuratorEffect {
    return { kind: "send", to, message: message(kind, this.#setting.session, body) };
  }
}
