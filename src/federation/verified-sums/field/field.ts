/**
 * Prime fields in which vectors are shared and proofs are made, and Field64, in which runs make theirs.
 *
 * Each has a subgroup of a power of two, for the number-theoretic transform, and elements that fill whole
 * 32-bit words, little-endian on the wire.
 * @see draft-irtf-cfrg-vdaf-11, section 6.1.
 * @module
 */

/** An element: an integer from 0 to the modulus, exclusive. */
export type Element = bigint;

/** Arithmetic modulo a prime. Arguments must be elements; nothing checks that in the inner loops. */
export class PrimeField {
  /** Elements of multiplicative order 2^k, by k. */
  readonly #roots = new Map<number, readonly Element[]>();

  /**
   * @param modulus   q, a prime.
   * @param bytes     of an encoded element, a multiple of 4; q is just below 2^(8 bytes).
   * @param twoPower  k of the largest subgroup of order 2^k.
   * @param generator of that subgroup.
   */
  constructor(
    readonly name: string,
    readonly modulus: bigint,
    readonly bytes: number,
    readonly twoPower: number,
    readonly generator: Element,
  ) {}

  add(a: Element, b: Element): Element {
    const sum = a + b;
    return sum < this.modulus ? sum : sum - this.modulus;
  }

  subtract(a: Element, b: Element): Element {
    return a < b ? a - b + this.modulus : a - b;
  }

  multiply(a: Element, b: Element): Element {
    return (a * b) % this.modulus;
  }

  /** The element of any integer. */
  element(value: bigint): Element {
    const rest = value % this.modulus;
    return rest < 0n ? rest + this.modulus : rest;
  }

  /** The integer of least absolute value with this element. */
  signed(a: Element): bigint {
    return 2n * a > this.modulus ? a - this.modulus : a;
  }

  power(base: Element, exponent: bigint): Element {
    let result = 1n;
    for (let square = base, rest = exponent; rest > 0n; rest >>= 1n) {
      if (rest & 1n) result = (result * square) % this.modulus;
      square = (square * square) % this.modulus;
    }
    return result;
  }

  /** 1 / a for a other than 0. */
  invert(a: Element): Element {
    return this.power(a, this.modulus - 2n);
  }

  /** The inverse of every value, with one inversion for all of them; none may be 0. */
  invertAll(values: readonly Element[]): Element[] {
    const before: Element[] = [];
    let product = 1n;
    for (const value of values) {
      before.push(product);
      product = this.multiply(product, value);
    }
    let inverse = this.invert(product);
    const inverses = new Array<Element>(values.length);
    for (let i = values.length - 1; i >= 0; i--) {
      inverses[i] = this.multiply(inverse, before[i]!);
      inverse = this.multiply(inverse, values[i]!);
    }
    return inverses;
  }

  /** The n-th roots of unity, n = 2^log, as powers of the first one: [1, w, w^2, ...]. */
  roots(log: number): readonly Element[] {
    const known = this.#roots.get(log);
    if (known) return known;
    if (log > this.twoPower)
      throw new RangeError(`${this.name}: no roots of unity of order 2^${log}`);
    const root = this.power(this.generator, 1n << BigInt(this.twoPower - log));
    const powers = [1n];
    for (let i = 1; i < 2 ** log; i++) powers.push(this.multiply(powers[i - 1]!, root));
    this.#roots.set(log, powers);
    return powers;
  }
}

const power = (base: bigint, exponent: bigint, modulus: bigint): bigint =>
  new PrimeField("", modulus, 0, 0, 1n).power(base, exponent);

const MODULUS_64 = (1n << 32n) * 4294967295n + 1n;

/** q = 2^32 (2^32 - 1) + 1: 8 bytes. */
export const FIELD_64 = /* @__PURE__ */ new PrimeField(
  "Field64",
  MODULUS_64,
  8,
  32,
  /* @__PURE__ */ power(7n, 4294967295n, MODULUS_64),
);
