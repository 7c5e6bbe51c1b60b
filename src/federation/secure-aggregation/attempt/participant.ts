/**
 * A participant of one attempt at a secure sum, as a pure machine: message in, effects out.
 *
 * It shows the curator its integers only under masks, and opens only what the double-masking rule
 * allows: of every neighbour either a share of the self-mask seed (it is in the sum) or a share of the
 * mask key (it dropped out), once, for a set that t participants signed. A message that is forged,
 * stale or malformed is refused and changes nothing; one that is repeated gets the same reply again.
 * @see Bonawitz et al. (2017), figure 4 (the variant for an active curator).
 * @module
 */
import { concatBytes } from "@noble/hashes/utils.js";
import { integer } from "../../../core/checks.js";
import { equalBytes } from "../../protocol/messages/equal-bytes.js";
import { dealShares, openShares, type Held, type Peer, type Secrets } from "./dealt-shares.js";
import { commitment, KEY_BYTES, keyPair, sign, SIGNATURE_BYTES, signed } from "../keys/keys.js";
import { maskedIntegers } from "./masked-integers.js";
import { message, parseMessage, type MessageKind } from "./messages.js";
import { entriesBytes, indicesBytes, parseEntries, parseSet } from "./message-parts.js";
import type { RandomBytes } from "../keys/random-bytes.js";
import { residueBytes } from "../integers/residues.js";
import { signedName, type Setting } from "./setting.js";
import { randomElement } from "../keys/shamir.js";

/** What a participant's driver must do, in this order. Messages are for the curator, but for those that a relay may have. */
export type ParticipantEffect =
  /** Send it. */
  | {
      readonly kind: "send";
      readonly message: Uint8Array;
      /** Its integers under their masks, and nothing else: a relay may add them to others'. */
      readonly forRelay?: true;
    }
  /**
   * Write down, durably, that this round was opened, before the `send` that follows: no other attempt
   * of this round may be taken part in, now or after a restart.
   */
  | { readonly kind: "opened" }
  /** A message was ignored. Says why, never what was in it. */
  | { readonly kind: "refused"; readonly reason: string };

/** What a participant brings. */
export interface ParticipantOptions {
  readonly setting: Setting;
  /** Its number in the plan, from 0. */
  readonly index: number;
  /** Its Ed25519 secret. */
  readonly identity: Uint8Array;
  /** Its integers, noise share included; copied. */
  readonly values: Float64Array;
  readonly random: RandomBytes;
}

type Step = "new" | "keys" | "shares" | "input" | "consent" | "reveal";

/** The message that takes a participant on from each step. */
const NEXT: Partial<Record<Step, MessageKind>> = {
  keys: "roster",
  shares: "inbox",
  input: "included",
  consent: "consents",
};

export class AggregationParticipant {
  readonly #options: ParticipantOptions;
  readonly #neighbours: readonly number[];
  readonly #secrets: Secrets;
  readonly #values: Float64Array;
  readonly #peers = new Map<number, Peer>();
  readonly #held = new Map<number, Held>();
  /** Neighbours, and this participant, who dealt shares. */
  #dealers = new Set<number>();
  #included = new Set<number>();
  #statement: Uint8Array = new Uint8Array();
  #step: Step = "new";
  #taken: Uint8Array | undefined;
  #reply: Uint8Array | undefined;
  /** Whether the reply is an input without complaints. */
  #forRelay = false;

  constructor(options: ParticipantOptions) {
    const { setting, index, identity, values, random } = options;
    integer("index", index, 0, setting.parties.participants - 1);
    if (identity.length !== KEY_BYTES) {
      throw new RangeError(`identity: expected a secret of ${KEY_BYTES} bytes`);
    }
    if (values.length !== setting.entries) {
      throw new RangeError(`values: expected ${setting.entries} entries, got ${values.length}`);
    }
    this.#options = options;
    this.#neighbours = setting.neighbourhood.of(index);
    this.#values = values.slice();
    const [sealing, mask] = [keyPair(random), keyPair(random)];
    this.#secrets = { sealing, mask, seed: randomElement(random) };
  }

  /** How far this participant is. */
  get step(): Step {
    return this.#step;
  }

  /** The first message: fresh public keys, signed. Repeating it repeats the message. */
  start(): ParticipantEffect[] {
    if (this.#step === "new") {
      const { setting, index, identity } = this.#options;
      const keys = concatBytes(this.#secrets.sealing.public, this.#secrets.mask.public);
      const signature = sign("keys", signedName(setting), index, keys, identity);
      this.#step = "keys";
      this.#reply = message("keys", setting.session, keys, signature);
    }
    return this.#step === "keys" ? [{ kind: "send", message: this.#reply! }] : [];
  }

  /** A message from the curator. */
  receive(bytes: Uint8Array): ParticipantEffect[] {
    const { session } = this.#options.setting;
    const parsed = parseMessage(bytes, session);
    if (typeof parsed === "string") return [{ kind: "refused", reason: parsed }];
    // A repeated message: the reply may have been lost.
    if (this.#taken && equalBytes(this.#taken, bytes)) return [this.#sendReply()];
    const { kind, body } = parsed;
    if (kind !== NEXT[this.#step]) {
      return [{ kind: "refused", reason: `"${kind}" does not follow "${this.#step}"` }];
    }
    const reply = this.#take(kind, body);
    if (typeof reply === "string") return [{ kind: "refused", reason: `"${kind}": ${reply}` }];
    this.#taken = bytes.slice();
    this.#reply = reply;
    if (kind !== "consents") return [this.#sendReply()];
    this.close();
    return [{ kind: "opened" }, this.#sendReply()];
  }

  /** Overwrites the secrets; done by itself after the last reply. */
  close(): void {
    const { sealing, mask: masking, seed: own } = this.#secrets;
    for (const secret of [sealing.secret, masking.secret, own]) secret.fill(0);
    for (const { mask, seed } of this.#held.values()) {
      mask.fill(0);
      seed.fill(0);
    }
    this.#held.clear();
    for (const { opening } of this.#peers.values()) opening.fill(0);
    this.#values.fill(0);
    this.#step = "reveal";
  }

  #sendReply(): ParticipantEffect {
    const send = { kind: "send", message: this.#reply! } as const;
    return this.#forRelay ? { ...send, forRelay: true } : send;
  }

  /** The reply, or why there is none. */
  #take(kind: MessageKind, body: Uint8Array): Uint8Array | string {
    switch (kind) {
      case "roster":
        return this.#takeRoster(body);
      case "inbox":
        return this.#takeInbox(body);
      case "included":
        return this.#takeIncluded(body);
      default:
        return this.#takeConsents(body);
    }
  }

  /** Deals shares of both secrets to the neighbours of the roster. */
  #takeRoster(body: Uint8Array): Uint8Array | string {
    const { setting, index, random } = this.#options;
    const dealt = dealShares(body, { setting, index, random, ...this.#secrets });
    if (typeof dealt === "string") return dealt;
    for (const [peer, keys] of dealt.peers) this.#peers.set(peer, keys);
    this.#held.set(index, dealt.own);
    this.#step = "shares";
    const { session } = setting;
    const committed = commitment(session, this.#secrets.seed, index);
    return message("shares", session, committed, entriesBytes(dealt.sealed));
  }

  /** Opens the shares dealt to it and masks its integers. */
  #takeInbox(body: Uint8Array): Uint8Array | string {
    const { setting, index } = this.#options;
    const opened = openShares(body, { setting, index, peers: this.#peers });
    if (typeof opened === "string") return opened;
    const { dealers, complaints, held } = opened;
    const about = { setting, index, peers: this.#peers, ...this.#secrets };
    const words = maskedIntegers(this.#values, dealers, about);
    if (typeof words === "string") return words;
    for (const [peer, shares] of held) this.#held.set(peer, shares);
    this.#dealers = new Set(dealers).add(index);
    this.#values.fill(0);
    this.#step = "input";
    // Who is complained about is the curator's to know, and from nobody else.
    this.#forRelay = complaints.length === 0;
    return message("input", setting.session, indicesBytes(complaints), residueBytes(words));
  }

  /** Signs who is in the sum, if it agrees with what was seen. */
  #takeIncluded(body: Uint8Array): Uint8Array | string {
    const { setting, index, identity } = this.#options;
    const { parties, session } = setting;
    const n = parties.participants;
    const half = Math.ceil(n / 8);
    const dealers = parseSet(body.subarray(0, half), n);
    const included = parseSet(body.subarray(half), n);
    if (!dealers || !included) return "expected two sets of participants";
    if (included.size < parties.threshold) {
      return `expected at least ${parties.threshold} participants in the sum, got ${included.size}`;
    }
    if ([...included].some((member) => !dealers.has(member))) {
      return "somebody is in the sum who dealt no shares";
    }
    if (!included.has(index)) return "this participant is not in the sum";
    const known = this.#neighbours.filter((peer) => dealers.has(peer));
    if (known.length + 1 !== this.#dealers.size || !known.every((p) => this.#dealers.has(p))) {
      return "the dealers are not those whose shares arrived";
    }
    this.#included = included;
    this.#statement = body.slice();
    this.#step = "consent";
    this.#forRelay = false;
    const signature = sign("included", signedName(setting), index, this.#statement, identity);
    return message("consent", session, signature);
  }

  /** Opens its shares once t participants are seen to have signed the same. */
  #takeConsents(body: Uint8Array): Uint8Array | string {
    const { setting } = this.#options;
    const { parties, session, identities } = setting;
    const name = signedName(setting);
    const entries = parseEntries(body, SIGNATURE_BYTES, parties.participants);
    if (!entries) return "expected signatures of participants in order";
    if (entries.length < parties.threshold) {
      return `expected ${parties.threshold} signatures, got ${entries.length}`;
    }
    // No more than t: every one costs a verification.
    for (const { index, bytes } of entries.slice(0, parties.threshold)) {
      if (!this.#included.has(index)) return `participant ${index} is not in the sum`;
      if (!signed("included", name, index, this.#statement, bytes, identities[index]!)) {
        return `participant ${index} did not sign this sum`;
      }
    }
    // The double-masking rule: one of the two shares, never both.
    const revealed = [...this.#held]
      .sort(([a], [b]) => a - b)
      .map(([peer, held]) => ({
        index: peer,
        bytes: (this.#included.has(peer) ? held.seed : held.mask).slice(),
      }));
    return message("reveal", session, entriesBytes(revealed));
  }
}
