/**
 * Parameters of the norm check of PINE, and what follows from them.
 *
 * A vector x of integers has ||x||^2 <= R^2 if that holds modulo q and ||x||^2 is below q. The first is
 * proved with the bits of ||x||^2 and of R^2 - ||x||^2. For the second, x is multiplied with random vectors
 * z of entries -1, 0, 0, 1: if ||x||^2 >= q, each product <x, z> mod q lies within the bound W with
 * probability at most 1/2, and if ||x|| <= R, but for probability 2 e^(-alpha^2): E e^(t z_i) =
 * cosh^2(t / 2) <= e^(t^2 / 4), so <x, z> is sub-Gaussian of variance R^2 / 2.
 * @see Rothblum, Omri, Chen, Talwar (2023), "PINE", arXiv 2311.10237, Figures 1 and 2, Lemma 3.3.
 * @module
 */
import { integer } from "../../../core/checks.js";
import { OptionError } from "../../../core/errors.js";
import { bitLength } from "../field/bits.js";
import type { PrimeField } from "../field/field.js";

/** What is chosen. */
export interface NormOptions {
  readonly field: PrimeField;
  /** d, entries of a vector. */
  readonly dimension: number;
  /** R >= 1, the largest norm, an integer. */
  readonly radius: bigint;
  /** Random vectors z. */
  readonly checks: number;
  /** How many products <x, z> must lie within the bound. */
  readonly successes: number;
  /** W is the least power of two that is at least alpha R + 1, rounded up. */
  readonly alpha: number;
}

/** The options of a norm check, and the numbers that follow from them. */
export interface NormParameters extends NormOptions {
  /** R^2. */
  readonly squaredRadius: bigint;
  /** Bits of R^2. */
  readonly normBits: number;
  /** W: products from 1 - W to W are within it. */
  readonly productBound: bigint;
  /** Bits of 2 W - 1. */
  readonly productBits: number;
  /** Elements that must be bits: two squared norms, and of each check a product and its success. */
  readonly bitCount: number;
  /** Elements of a vector with the two squared norms. */
  readonly vectorAndNormLength: number;
  /** Elements of a whole measurement: vector and bits. */
  readonly length: number;
}

/**
 * The parameters with what follows from them.
 * @throws OptionError if the field is too small for them to prove anything.
 */
export function normParameters(options: NormOptions): NormParameters {
  const { field, radius, alpha } = options;
  const dimension = integer("dimension", options.dimension, 1);
  const checks = integer("checks", options.checks, 1);
  integer("successes", options.successes, 1, checks);
  if (typeof radius !== "bigint") throw new TypeError("radius: expected a bigint");
  if (radius < 1n) throw new OptionError("radius: expected an integer of at least 1");
  if (!(alpha > 1 && alpha < 100)) throw new OptionError("alpha: expected a number from 1 to 100");
  const squaredRadius = radius * radius;
  const productBound = productBoundOf(options);
  if (!hasRoom(options)) {
    throw new OptionError(
      `radius: expected a norm in grid steps that ${field.name} has room to prove, ` +
        `got one of ${bitLength(radius)} bits; use a lower precision or a larger field`,
    );
  }
  const normBits = bitLength(squaredRadius);
  const productBits = bitLength(2n * productBound - 1n);
  const bitCount = 2 * normBits + checks * (productBits + 1);
  return Object.freeze({
    ...options,
    squaredRadius,
    normBits,
    productBound,
    productBits,
    bitCount,
    vectorAndNormLength: dimension + 2 * normBits,
    length: dimension + bitCount,
  });
}

/** W. */
function productBoundOf({ radius, alpha }: NormOptions): bigint {
  // Rounded up: R below 2^52 times a double is off by less than one part in 2^51.
  const least = BigInt(Math.ceil(alpha * Number(radius))) + 1n;
  return 1n << BigInt(bitLength(least - 1n));
}

/** Whether the field is large enough for the lemma, with W in the place of alpha R. */
export function hasRoom(options: NormOptions): boolean {
  const { field, radius, checks } = options;
  const q = field.modulus;
  const bound = productBoundOf(options);
  return (
    radius < 2n ** 52n &&
    q > 3n * radius * radius + 2n &&
    q >= 2n * BigInt(checks) &&
    q >= 2600n * bound &&
    bound * bound <= 4000n * q
  );
}
