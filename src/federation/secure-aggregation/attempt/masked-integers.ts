/**
 * A participant's integers under its masks: one with each dealer, which cancel in the sum, and one of its own.
 * @module
 */
import type { Known, Secrets } from "./dealt-shares.js";
import { agreementOf } from "../keys/key-agreement.js";
import { agreedKey, heldBy, selfMaskKey } from "../keys/keys.js";
import { addMask } from "./masks.js";
import { addIntegers, residues } from "../integers/residues.js";

/**
 * Masks integers.
 * @param dealers the neighbours with which there is a mask.
 * @returns residues, or why there is no mask.
 */
export function maskedIntegers(
  values: Float64Array,
  dealers: readonly number[],
  { setting, index, peers, mask, seed }: Known & Pick<Secrets, "mask" | "seed">,
): Uint32Array<ArrayBuffer> | string {
  const { session, bits, entries } = setting;
  const words = residues(entries, bits);
  addIntegers(words, values, bits);
  const agreement = agreementOf(mask);
  const ours = heldBy(index, mask.public);
  for (const dealer of dealers) {
    const theirs = peers.get(dealer)!.mask;
    const placed = heldBy(dealer, theirs);
    const order: [Uint8Array, Uint8Array] = index < dealer ? [ours, placed] : [placed, ours];
    const key = agreedKey(session, "mask", agreement, theirs, order);
    if (!key) return `the key of participant ${dealer} is of small order`;
    addMask(words, key, bits, index < dealer ? 1 : -1);
    key.fill(0);
  }
  addMask(words, selfMaskKey(session, seed, index), bits, 1);
  return words;
}
