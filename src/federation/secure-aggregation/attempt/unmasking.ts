/**
 * The end of a secure sum: secrets from shares, masks from secrets, both checked.
 *
 * A recovered mask key must belong to the dealer's public key, a recovered seed to its commitment, so a
 * wrong share is noticed. With more shares than the threshold, one that lies is found by leaving each
 * out in turn.
 * @module
 */
import { equalBytes } from "../../protocol/messages/equal-bytes.js";
import { agreementOf } from "../keys/key-agreement.js";
import { agreedKey, commitment, heldBy, isPairOf, selfMaskKey } from "../keys/keys.js";
import { addMask } from "./masks.js";
import type { Entry } from "./message-parts.js";
import type { Setting } from "./setting.js";
import { Interpolation, isElement } from "../keys/shamir.js";

/** What is public of a dealer. */
export interface Dealer {
  readonly maskKey: Uint8Array;
  /** The commitment to the seed of its self-mask. */
  readonly commitment: Uint8Array;
}

export class Unmasking {
  readonly #setting: Setting;
  readonly #dealers: ReadonlyMap<number, Dealer>;
  readonly #included: ReadonlySet<number>;
  /** Shares of a dealer's secret, by number of the dealer and then of who holds the share. */
  readonly #shares = new Map<number, Map<number, Uint8Array>>();
  /** Interpolations by their holders: in a complete graph all secrets have the same. */
  readonly #interpolations = new Map<string, Interpolation>();

  /**
   * @param dealers  all whose masks are in the sum.
   * @param included those of them whose integers are.
   */
  constructor(
    setting: Setting,
    dealers: ReadonlyMap<number, Dealer>,
    included: ReadonlySet<number>,
  ) {
    this.#setting = setting;
    this.#dealers = dealers;
    this.#included = included;
    for (const dealer of dealers.keys()) this.#shares.set(dealer, new Map());
  }

  /** Takes in a holder's shares; says what is wrong with them. */
  take(holder: number, shares: readonly Entry[]): string | undefined {
    if (!shares.every(({ bytes }) => isElement(bytes))) return "a share is no field element";
    for (const { index: dealer, bytes } of shares) this.#shares.get(dealer)!.set(holder, bytes);
    return undefined;
  }

  /**
   * Takes the masks off the sum.
   * @returns undefined when done; else, the sum untouched, dealers whose secret the shares do not give:
   *   they dealt wrong shares or more than one of their neighbours returned wrong ones. Empty if
   *   shares are only missing.
   */
  remove(sum: Uint32Array): number[] | undefined {
    const secrets = new Map<number, Uint8Array>();
    const culprits: number[] = [];
    let missing = false;
    for (const dealer of this.#dealers.keys()) {
      const secret = this.#recover(dealer);
      if (secret) secrets.set(dealer, secret);
      else if (this.#shares.get(dealer)!.size < this.#setting.neighbourhood.threshold)
        missing = true;
      else culprits.push(dealer);
    }
    if (missing || culprits.length > 0) return culprits;
    for (const [dealer, secret] of secrets) {
      if (this.#included.has(dealer)) this.#removeSelfMask(sum, dealer, secret);
      else this.#removePairMasks(sum, dealer, secret);
      secret.fill(0);
    }
    return undefined;
  }

  #recover(dealer: number): Uint8Array | undefined {
    const { threshold } = this.#setting.neighbourhood;
    const shares = [...this.#shares.get(dealer)!].sort(([a], [b]) => a - b);
    if (shares.length < threshold) return undefined;
    const first = this.#interpolate(dealer, shares.slice(0, threshold));
    if (first) return first;
    // One of the first t is wrong: with one to spare, a single wrong one is found.
    for (let out = 0; out < threshold && shares.length > threshold; out++) {
      const others = shares.filter((_, i) => i !== out).slice(0, threshold);
      const secret = this.#interpolate(dealer, others);
      if (secret) return secret;
    }
    return undefined;
  }

  #interpolate(dealer: number, shares: [number, Uint8Array][]): Uint8Array | undefined {
    const holders = shares.map(([holder]) => holder + 1);
    const key = holders.join();
    const interpolation = this.#interpolations.get(key) ?? new Interpolation(holders);
    this.#interpolations.set(key, interpolation);
    const secret = interpolation.secret(shares.map(([, share]) => share));
    return this.#belongs(dealer, secret) ? secret : undefined;
  }

  #belongs(dealer: number, secret: Uint8Array): boolean {
    const known = this.#dealers.get(dealer)!;
    return this.#included.has(dealer)
      ? equalBytes(commitment(this.#setting.session, secret, dealer), known.commitment)
      : isPairOf(secret, known.maskKey);
  }

  #removeSelfMask(sum: Uint32Array, dealer: number, seed: Uint8Array): void {
    const { session, bits } = this.#setting;
    addMask(sum, selfMaskKey(session, seed, dealer), bits, -1);
  }

  /** The masks that its neighbours in the sum share with a participant that dropped out. */
  #removePairMasks(sum: Uint32Array, dropped: number, secret: Uint8Array): void {
    const { session, bits, neighbourhood } = this.#setting;
    const own = this.#dealers.get(dropped)!.maskKey;
    const agreement = agreementOf({ secret, public: own });
    for (const peer of neighbourhood.of(dropped)) {
      if (!this.#included.has(peer)) continue;
      const theirs = this.#dealers.get(peer)!.maskKey;
      const [one, other] = [heldBy(peer, theirs), heldBy(dropped, own)];
      const order: [Uint8Array, Uint8Array] = peer < dropped ? [one, other] : [other, one];
      // The curator checked both keys when they came.
      const key = agreedKey(session, "mask", agreement, theirs, order)!;
      addMask(sum, key, bits, peer < dropped ? -1 : 1);
    }
  }
}
