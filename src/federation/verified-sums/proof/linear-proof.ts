/**
 * Fully linear proofs: that a circuit is zero on an input which each verifier holds a share of.
 *
 * The prover records the inputs of every call of the circuit's gadget; input j of call k is the value at
 * w^k of its wire polynomial, whose value at w^0 is random. Its proof is those random values and the
 * coefficients of the gadget of the wire polynomials. A verifier takes the gadget's outputs from its share
 * of that polynomial, which makes the circuit linear, and opens one random point of all polynomials.
 *
 * **Soundness.** An input on which the circuit is not zero passes for at most 2 (n - 1) of the q - n query
 * points, n = 2^log the number of values: the two polynomials compared have degree 2 (n - 1). A circuit
 * that draws joint randomness may besides be zero by chance (its file says how likely).
 * **Zero knowledge.** What the verifiers open is uniform subject to being accepted, for every query point
 * that is no n-th root of unity; such a point is refused.
 * @see Boneh, Boyle, Corrigan-Gibbs, Gilboa, Ishai (2019), Theorem 4.3; draft-irtf-cfrg-vdaf-11, 7.3.
 * @module
 */
import type { Element, PrimeField } from "../field/field.js";
import type { Gadget } from "./gadget.js";
import { evaluate, inverseTransform, lagrangeWeights, transform } from "../field/polynomial.js";

/** What is proved: that `run` returns zero. */
export interface Circuit {
  readonly field: PrimeField;
  readonly gadget: Gadget;
  /** How often `run` calls the gadget. */
  readonly calls: number;
  /** Elements of joint randomness. */
  readonly jointLength: number;
  /**
   * The circuit's output; linear in `input` but for `call`.
   *
   * @param joint randomness that the prover could not choose.
   * @param one   a share of the constant 1: 1 for the prover, 1/2 for each of two verifiers.
   * @param call  the gadget, or what stands for it.
   */
  run(
    input: readonly Element[],
    joint: readonly Element[],
    one: Element,
    call: (inputs: readonly Element[]) => Element,
  ): Element;
}

/** log of the least power of two above the number of calls. */
function sizeLog({ calls }: Circuit): number {
  return 32 - Math.clz32(calls);
}

/** Elements of randomness that a proof takes. */
export function proverRandomLength({ gadget }: Circuit): number {
  return gadget.arity;
}

/** Elements of a proof: first values of the wires, then the coefficients. */
export function proofLength(circuit: Circuit): number {
  return circuit.gadget.arity + 2 * (2 ** sizeLog(circuit) - 1) + 1;
}

/** Elements of a verifier's message: output, wires at the query point, gadget at the query point. */
export function verifierLength({ gadget }: Circuit): number {
  return gadget.arity + 2;
}

/** The share of wrong inputs' query points that pass: 2 (n - 1) / (q - n). */
export function queryError(circuit: Circuit): number {
  const n = 2 ** sizeLog(circuit);
  return (2 * (n - 1)) / Number(circuit.field.modulus - BigInt(n));
}

/** Wires: for every input of the gadget its values at w^0 (`first`), and in call k at w^k; zeros after. */
function wiresOf(circuit: Circuit, first: readonly Element[]) {
  const n = 2 ** sizeLog(circuit);
  const wires = first.map((value) => {
    const wire = new Array<Element>(n).fill(0n);
    wire[0] = value;
    return wire;
  });
  let k = 0;
  const record = (inputs: readonly Element[]) => {
    k++;
    for (let j = 0; j < inputs.length; j++) wires[j]![k] = inputs[j]!;
    return k;
  };
  return { wires, record };
}

/**
 * The proof.
 *
 * @param input  on which the circuit is zero.
 * @param random `proverRandomLength` uniform elements, used for this proof only.
 */
export function prove(
  circuit: Circuit,
  input: readonly Element[],
  random: readonly Element[],
  joint: readonly Element[],
): Element[] {
  const { field, gadget } = circuit;
  const log = sizeLog(circuit);
  const n = 2 ** log;
  const { wires, record } = wiresOf(circuit, random);
  // Values at the 2n-th roots of unity: the even ones are the n-th, where the wires are known.
  const values = new Array<Element>(2 * n).fill(0n);
  values[0] = gadget.evaluate(field, random);
  circuit.run(input, joint, 1n, (inputs) => {
    const k = record(inputs);
    return (values[2 * k] = gadget.evaluate(field, inputs));
  });
  const twist = field.roots(log + 1);
  for (const wire of wires) {
    inverseTransform(field, wire);
    for (let i = 0; i < n; i++) wire[i] = field.multiply(wire[i]!, twist[i]!);
    transform(field, wire);
  }
  const inputs = new Array<Element>(gadget.arity);
  for (let k = 0; k < n; k++) {
    for (let j = 0; j < wires.length; j++) inputs[j] = wires[j]![k]!;
    values[2 * k + 1] = gadget.evaluate(field, inputs);
  }
  // Of degree 2 (n - 1): the last of the 2n coefficients is zero.
  inverseTransform(field, values).pop();
  return [...random, ...values];
}

/**
 * One verifier's message, from its shares of input and proof.
 *
 * @param point the query point, unknown to the prover when it made the proof, one for all verifiers.
 * @returns undefined if the point is a root of unity: of probability n / q.
 */
export function query(
  circuit: Circuit,
  input: readonly Element[],
  proof: readonly Element[],
  point: Element,
  joint: readonly Element[],
  one: Element,
): Element[] | undefined {
  const { field, gadget } = circuit;
  const log = sizeLog(circuit);
  const n = 2 ** log;
  if (field.power(point, BigInt(n)) === 1n) return undefined;
  const { wires, record } = wiresOf(circuit, proof.slice(0, gadget.arity));
  const coefficients = proof.slice(gadget.arity);
  // At roots of unity x^n = 1, so coefficients n apart add up.
  const outputs = coefficients.slice(0, n);
  for (let i = n; i < coefficients.length; i++) {
    outputs[i - n] = field.add(outputs[i - n]!, coefficients[i]!);
  }
  transform(field, outputs);
  const output = circuit.run(input, joint, one, (inputs) => outputs[record(inputs)]!);
  const weights = lagrangeWeights(field, log, point);
  const opened = wires.map((wire) => {
    let sum = 0n;
    for (let k = 0; k < n; k++) sum += weights[k]! * wire[k]!;
    return sum % field.modulus;
  });
  return [output, ...opened, evaluate(field, coefficients, point)];
}

/** Whether the sum of all verifiers' messages is that of a valid input with its proof. */
export function accepts({ field, gadget }: Circuit, message: readonly Element[]): boolean {
  const opened = message.slice(1, 1 + gadget.arity);
  return message[0] === 0n && gadget.evaluate(field, opened) === message[1 + gadget.arity];
}
