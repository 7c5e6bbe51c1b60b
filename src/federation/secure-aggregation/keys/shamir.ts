/**
 * Shamir's secret sharing over the field of p = 2^255 - 19 elements (arithmetic: @noble/curves).
 *
 * A secret is the constant term of a polynomial of degree t - 1 with otherwise uniform coefficients;
 * the share of holder x is its value at x != 0. Any t shares give the secret by interpolation; any
 * t - 1 are uniform and independent of it. (The audited packages that share secrets work in GF(2^8)
 * and stop at 255 holders.)
 * @see Shamir (1979).
 * @module
 */
import { Field, FpInvertBatch } from "@noble/curves/abstract/modular.js";
import { bytesToNumberLE, numberToBytesLE } from "@noble/curves/utils.js";
import type { RandomBytes } from "./random-bytes.js";

const P = 2n ** 255n - 19n;
const F = Field(P);

/** Bytes of a field element, little-endian. */
export const ELEMENT_BYTES = 32;

/** A uniform field element, as bytes: 255 random bits, drawn again if they are p or more. */
export function randomElement(random: RandomBytes): Uint8Array {
  for (;;) {
    const bytes = random(ELEMENT_BYTES);
    bytes[31]! &= 0x7f;
    if (bytesToNumberLE(bytes) < P) return bytes;
  }
}

/** Whether 32 bytes are a field element in its one representation. */
export function isElement(bytes: Uint8Array): boolean {
  return bytes.length === ELEMENT_BYTES && bytesToNumberLE(bytes) < P;
}

/**
 * Deals a secret.
 *
 * @param secret    a field element.
 * @param threshold t >= 1, shares that give it back.
 * @param holders   distinct integers >= 1, at least t of them.
 * @returns one share per holder, in their order.
 */
export function deal(
  secret: Uint8Array,
  threshold: number,
  holders: readonly number[],
  random: RandomBytes,
): Uint8Array[] {
  if (!isElement(secret)) throw new RangeError("secret: expected a field element of 32 bytes");
  if (!(threshold >= 1 && threshold <= holders.length)) {
    throw new RangeError(
      `threshold: expected 1 to ${holders.length}, the number of holders, got ${threshold}`,
    );
  }
  checkHolders(holders);
  const coefficients = Array.from({ length: threshold - 1 }, () =>
    bytesToNumberLE(randomElement(random)),
  );
  coefficients.unshift(bytesToNumberLE(secret));
  return holders.map((holder) => {
    const x = BigInt(holder);
    // x is small, so the plain product is shorter than a field product.
    let y = 0n;
    for (let i = threshold - 1; i >= 0; i--) y = (y * x + coefficients[i]!) % P;
    return numberToBytesLE(y, ELEMENT_BYTES);
  });
}

/** Interpolation at 0 from fixed holders: the weights are computed once, for many secrets. */
export class Interpolation {
  readonly #weights: bigint[];

  /** @param holders t distinct integers >= 1. */
  constructor(holders: readonly number[]) {
    checkHolders(holders);
    const xs = holders.map(BigInt);
    // Plain products, reduced once: holders are small numbers, and a reduction costs ten such products.
    const all = F.create(xs.reduce((product, x) => product * x, 1n));
    // Weight of x_i: product over j of x_j / (x_j - x_i), that is all / (x_i product (x_j - x_i)).
    const below = xs.map((x, i) =>
      F.create(xs.reduce((product, other, j) => (i === j ? product : product * (other - x)), x)),
    );
    this.#weights = FpInvertBatch(F, below, true).map((inverse) => F.mul(all, inverse));
  }

  /** The secret from the holders' shares, in their order. */
  secret(shares: readonly Uint8Array[]): Uint8Array {
    if (shares.length !== this.#weights.length) {
      throw new RangeError(`shares: expected ${this.#weights.length}, got ${shares.length}`);
    }
    let sum = 0n;
    shares.forEach((share, i) => (sum += bytesToNumberLE(share) * this.#weights[i]!));
    return numberToBytesLE(F.create(sum), ELEMENT_BYTES);
  }
}

function checkHolders(holders: readonly number[]): void {
  if (new Set(holders).size !== holders.length) {
    throw new RangeError("holders: expected distinct numbers");
  }
  if (!holders.every((x) => Number.isSafeInteger(x) && x >= 1)) {
    throw new RangeError("holders: expected integers >= 1; a share at 0 would be the secret");
  }
}
