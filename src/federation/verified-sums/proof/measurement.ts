/**
 * A vector with the bits that prove its norm, as elements: what participants share out.
 *
 * Order: d entries; bits of ||x||^2 and of R^2 - ||x||^2; of each check the bits of its product, raised by
 * W - 1, and whether it succeeded. The circuits take the products themselves after it.
 * @module
 */
import { bitsOf } from "../field/bits.js";
import type { Element } from "../field/field.js";
import type { NormParameters } from "./norm-parameters.js";

/** A measurement, or a share of one, in its parts; products last. */
export interface MeasurementParts {
  readonly vector: readonly Element[];
  readonly bits: readonly Element[];
  readonly squaredNorm: readonly Element[];
  readonly squaredNormGap: readonly Element[];
  readonly productBits: readonly (readonly Element[])[];
  readonly successes: readonly Element[];
  readonly products: readonly Element[];
}

/** @param input `length` elements and the products. */
export function measurementParts(
  input: readonly Element[],
  { dimension, length, normBits, checks, productBits, bitCount }: NormParameters,
): MeasurementParts {
  const bits = input.slice(dimension, length);
  const part = (i: number) => 2 * normBits + i * (productBits + 1);
  const each = Array.from({ length: checks }, (_, i) => part(i));
  return {
    vector: input.slice(0, dimension),
    bits: bits.slice(0, bitCount),
    squaredNorm: bits.slice(0, normBits),
    squaredNormGap: bits.slice(normBits, 2 * normBits),
    productBits: each.map((at) => bits.slice(at, at + productBits)),
    successes: each.map((at) => bits[at + productBits]!),
    products: input.slice(length),
  };
}

/**
 * Entries and squared norm of a vector. Of one that is too long the bits are those of residues, which no
 * verifier accepts: liars are not this function's business.
 *
 * @param vector d integers.
 */
export function encodeVectorAndNorm(
  vector: readonly bigint[],
  { field, squaredRadius, normBits }: NormParameters,
): Element[] {
  const squares = field.element(vector.reduce((sum, x) => sum + x * x, 0n));
  return [
    ...vector.map((x) => field.element(x)),
    ...bitsOf(squares, normBits),
    ...bitsOf(field.element(squaredRadius - squares), normBits),
  ];
}

/**
 * Bits of the products and of which succeeded; no more successes than are asked for.
 *
 * @returns undefined if fewer succeeded: of an honest vector this has probability below checks times
 *   2 e^(-alpha^2), and other random vectors are tried.
 */
export function encodeProducts(
  products: readonly Element[],
  { field, productBound, productBits, successes }: NormParameters,
): Element[] | undefined {
  const bits: Element[] = [];
  let succeeded = 0;
  for (const product of products) {
    const raised = field.element(product + productBound - 1n);
    const within = raised < 2n * productBound;
    const counts = within && succeeded < successes;
    bits.push(...bitsOf(within ? raised : 0n, productBits), counts ? 1n : 0n);
    if (counts) succeeded++;
  }
  return succeeded === successes ? bits : undefined;
}
