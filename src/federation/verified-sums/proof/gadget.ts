/**
 * Gadgets: the only non-linear parts of a circuit that a proof is about, both of degree 2.
 *
 * A gadget adds up many small products, so that a circuit with n of them takes about sqrt(n) calls.
 * @see Boneh, Boyle, Corrigan-Gibbs, Gilboa, Ishai (2019), section 4.4.
 * @module
 */
import type { Element, PrimeField } from "../field/field.js";

/** A sum of products or of squares of its inputs. */
export interface Gadget {
  /** Number of inputs. */
  readonly arity: number;
  /** @param inputs `arity` elements. */
  evaluate(field: PrimeField, inputs: readonly Element[]): Element;
}

/** x_0 x_1 + x_2 x_3 + ...: `count` products. */
export function sumOfProducts(count: number): Gadget {
  return {
    arity: 2 * count,
    evaluate(field, inputs) {
      let sum = 0n;
      for (let i = 0; i < inputs.length; i += 2) sum += inputs[i]! * inputs[i + 1]!;
      return sum % field.modulus;
    },
  };
}

/** x_0^2 + x_1^2 + ...: `count` squares. */
export function sumOfSquares(count: number): Gadget {
  return {
    arity: count,
    evaluate(field, inputs) {
      let sum = 0n;
      for (const x of inputs) sum += x * x;
      return sum % field.modulus;
    },
  };
}

/** Sums of a gadget's calls on a list of inputs cut to its arity, the last one filled up with zeros. */
export function callInParts(
  gadget: Gadget,
  field: PrimeField,
  inputs: readonly Element[],
  call: (inputs: readonly Element[]) => Element,
): Element {
  let sum = 0n;
  for (let at = 0; at < inputs.length; at += gadget.arity) {
    const part = inputs.slice(at, at + gadget.arity);
    while (part.length < gadget.arity) part.push(0n);
    sum += call(part);
  }
  return sum % field.modulus;
}
