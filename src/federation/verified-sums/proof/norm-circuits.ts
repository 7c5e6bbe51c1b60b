/**
 * The two circuits of PINE's norm check; a measurement is valid if both are zero.
 *
 * They are apart because the first multiplies d entries and needs no joint randomness, and the second
 * multiplies bits, however large d is.
 * @see draft-chen-cfrg-vdaf-pine-01, section 4.
 * @module
 */
import { integer } from "../../../core/checks.js";
import { fromBits } from "../field/bits.js";
import type { Element } from "../field/field.js";
import { callInParts, sumOfProducts, sumOfSquares } from "./gadget.js";
import type { Circuit } from "./linear-proof.js";
import { measurementParts } from "./measurement.js";
import type { NormParameters } from "./norm-parameters.js";

/**
 * Zero if the squared norm of the vector is, modulo q, what its bits say.
 *
 * @param chunk entries squared in one call of the gadget.
 */
export function normEqualityCircuit(parameters: NormParameters, chunk: number): Circuit {
  const { field, dimension } = parameters;
  const gadget = sumOfSquares(integer("chunk", chunk, 1));
  return {
    field,
    gadget,
    calls: Math.ceil(dimension / chunk),
    jointLength: 0,
    run(input, _joint, _one, call) {
      const { vector, squaredNorm } = measurementParts(input, parameters);
      const squares = callInParts(gadget, field, vector, call);
      return field.subtract(fromBits(field, squaredNorm), squares);
    },
  };
}

/**
 * Zero if all else holds: bits are bits; the two squared norms add up to R^2; every check that says it
 * succeeded has the product that its bits say; as many succeeded as must.
 *
 * Joint randomness makes one equation of all: of a wrong input the circuit is a polynomial that is not
 * zero, of degree below {@link combinationDegree} in all three elements together.
 *
 * @param chunk products in one call of the gadget.
 */
export function boundedNormCircuit(parameters: NormParameters, chunk: number): Circuit {
  const { field, bitCount, checks } = parameters;
  const gadget = sumOfProducts(integer("chunk", chunk, 1));
  return {
    field,
    gadget,
    calls: Math.ceil(bitCount / chunk) + Math.ceil(checks / chunk),
    jointLength: 3,
    run(input, joint, one, call) {
      const [forBits, forProducts, forAll] = joint as [Element, Element, Element];
      const parts = measurementParts(input, parameters);
      const bitProducts: Element[] = [];
      let power = 1n;
      for (const bit of parts.bits) {
        bitProducts.push(field.multiply(power, bit), field.subtract(bit, one));
        power = field.multiply(power, forBits);
      }
      const results = [
        callInParts(gadget, field, bitProducts, call),
        normRange(parameters, parts.squaredNorm, parts.squaredNormGap, one),
        callInParts(gadget, field, productInputs(parameters, parts, forProducts, one), call),
        successCount(parameters, parts.successes, one),
      ];
      return results.reduceRight((sum, result) => (sum * forAll + result) % field.modulus, 0n);
    },
  };
}

/** Terms that joint randomness combines: a bound on the polynomial's degree. */
export function combinationDegree({ bitCount, checks }: NormParameters): number {
  return bitCount + checks + 4;
}

/** ||x||^2 + (R^2 - ||x||^2) - R^2, by the bits. */
function normRange(
  { field, squaredRadius }: NormParameters,
  squaredNorm: readonly Element[],
  gap: readonly Element[],
  one: Element,
): Element {
  const sum = fromBits(field, squaredNorm) + fromBits(field, gap);
  return field.element(sum - squaredRadius * one);
}

/** Pairs whose product is zero: a product less what its bits say, and whether the check succeeded. */
function productInputs(
  { field, productBound }: NormParameters,
  parts: ReturnType<typeof measurementParts>,
  randomness: Element,
  one: Element,
): Element[] {
  const inputs: Element[] = [];
  let power = 1n;
  parts.products.forEach((product, i) => {
    const said = fromBits(field, parts.productBits[i]!) - (productBound - 1n) * one;
    inputs.push(field.element(power * (product - said)), parts.successes[i]!);
    power = field.multiply(power, randomness);
  });
  return inputs;
}

function successCount(
  { field, successes }: NormParameters,
  flags: readonly Element[],
  one: Element,
): Element {
  return field.element(flags.reduce((sum, flag) => sum + flag, 0n) - BigInt(successes) * one);
}
