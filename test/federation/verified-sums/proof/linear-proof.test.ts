/**
 * Fully linear proofs over a field so small that all query points are tried, and the polynomials under them.
 */
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { FIELD_64, PrimeField } from "../../../../src/federation/verified-sums/field/field.js";
import { FIELD_128, FIELD_32 } from "./draft-parts.js";
import {
  callInParts,
  sumOfProducts,
} from "../../../../src/federation/verified-sums/proof/gadget.js";
import {
  accepts,
  proofLength,
  prove,
  proverRandomLength,
  query,
  queryError,
  type Circuit,
} from "../../../../src/federation/verified-sums/proof/linear-proof.js";
import {
  evaluate,
  inverseTransform,
  lagrangeWeights,
  transform,
} from "../../../../src/federation/verified-sums/field/polynomial.js";

/** 193 = 3 * 2^6 + 1, of which 5 is a primitive root. */
const TOY = new PrimeField("toy", 193n, 4, 6, 5n ** 3n % 193n);
const FIELDS = [TOY, FIELD_32, FIELD_64, FIELD_128];
const elements = (field: PrimeField, n: number) =>
  fc.array(fc.bigInt({ min: 0n, max: field.modulus - 1n }), { minLength: n, maxLength: n });

describe("polynomials", () => {
  test.each(FIELDS)("$name: values at roots of unity, there and back", (field) => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 5 }).chain((log) => elements(field, 2 ** log)),
        (coefficients) => {
          const log = Math.log2(coefficients.length);
          const values = transform(field, [...coefficients]);
          field.roots(log).forEach((root, k) => {
            const direct = coefficients.reduce(
              (sum, c, i) => sum + c * field.power(root, BigInt(i)),
              0n,
            );
            expect(values[k]).toBe(direct % field.modulus);
          });
          expect(inverseTransform(field, values)).toEqual(coefficients);
        },
      ),
      { numRuns: 20 },
    );
  });

  test.each(FIELDS)("$name: weights give the value at any other point", (field) => {
    fc.assert(
      fc.property(
        elements(field, 8),
        fc.bigInt({ min: 2n, max: field.modulus - 2n }),
        (coefficients, x) => {
          fc.pre(field.power(x, 8n) !== 1n);
          const values = transform(field, [...coefficients]);
          const weights = lagrangeWeights(field, 3, x);
          const sum = values.reduce((total, value, k) => total + value * weights[k]!, 0n);
          expect(sum % field.modulus).toBe(evaluate(field, coefficients, x));
        },
      ),
      { numRuns: 20 },
    );
  });

  test.each(FIELDS)("$name: roots have the order they should have", (field) => {
    expect(field.power(field.generator, 1n << BigInt(field.twoPower))).toBe(1n);
    expect(field.power(field.generator, 1n << BigInt(field.twoPower - 1))).toBe(field.modulus - 1n);
  });
});

/** Zero if x_0 x_1 + x_2 x_3 + ... over twelve inputs is the thirteenth. */
const circuit: Circuit = {
  field: TOY,
  gadget: sumOfProducts(2),
  calls: 3,
  jointLength: 0,
  run(input, _joint, _one, call) {
    const sum = callInParts(sumOfProducts(2), TOY, input.slice(0, 12), call);
    return TOY.subtract(sum, input[12]!);
  },
};

/** Whether two verifiers with shares of input and proof accept at a point; undefined at a root of unity. */
function verdict(input: bigint[], proof: bigint[], masks: bigint[], point: bigint) {
  const split = (values: bigint[], from: number) =>
    values.map((x, i) => [TOY.subtract(x, masks[from + i]!), masks[from + i]!] as const);
  const [inputs, proofs] = [split(input, 0), split(proof, input.length)];
  const messages = ([0, 1] as const).map((v) =>
    query(
      circuit,
      inputs.map((pair) => pair[v]),
      proofs.map((pair) => pair[v]),
      point,
      [],
      TOY.invert(2n),
    ),
  );
  const [a, b] = messages;
  if (!a || !b) return undefined;
  return accepts(
    circuit,
    a.map((x, i) => TOY.add(x, b[i]!)),
  );
}

describe("fully linear proofs", () => {
  const masks = Array.from(
    { length: 13 + proofLength(circuit) },
    (_, i) => BigInt(i * i * 31) % 193n,
  );
  const valid = fc.tuple(elements(TOY, 12), elements(TOY, proverRandomLength(circuit)));
  const sumOf = (input: bigint[]) =>
    input.reduce((sum, x, i) => (i % 2 ? sum + x * input[i - 1]! : sum), 0n) % TOY.modulus;
  const POINTS = Array.from({ length: 193 }, (_, i) => BigInt(i));

  test("of a valid input are accepted at every point but roots of unity", () => {
    fc.assert(
      fc.property(valid, ([input, random]) => {
        const whole = [...input, sumOf(input)];
        const proof = prove(circuit, whole, random, []);
        const verdicts = POINTS.map((point) => verdict(whole, proof, masks, point));
        expect(verdicts.filter((one) => one === undefined)).toHaveLength(4);
        expect(verdicts.filter((one) => one === false)).toHaveLength(0);
      }),
      { numRuns: 20 },
    );
  });

  test("of a wrong input are accepted at no more points than the bound allows, whatever the proof", () => {
    const allowed = Math.floor(queryError(circuit) * (193 - 4) + 1e-9);
    expect(allowed).toBe(6);
    let most = 0;
    fc.assert(
      fc.property(
        valid,
        fc.bigInt({ min: 1n, max: 192n }),
        elements(TOY, proofLength(circuit)),
        fc.boolean(),
        ([input, random], off, errors, naive) => {
          const whole = [...input, (sumOf(input) + off) % TOY.modulus];
          // Either the honest proof of what is not so, or one that makes the output zero all the same: the
          // gadget's polynomial is off by a multiple of one that is `off` in all over the calls' roots.
          const proof = prove(circuit, whole, random, []);
          const forged = naive ? proof : forge(proof, off, errors);
          const passed = POINTS.filter((point) => verdict(whole, forged, masks, point) === true);
          most = Math.max(most, passed.length);
          expect(passed.length).toBeLessThanOrEqual(allowed);
        },
      ),
      { numRuns: 60, seed: 5 },
    );
    // The bound is not idle: some forged proof passes somewhere.
    expect(most).toBeGreaterThan(0);
  });

  /** Adds a polynomial of degree at most 6 whose values at w, w^2, w^3 add up to `off`, with many zeros. */
  function forge(proof: bigint[], off: bigint, errors: readonly bigint[]): bigint[] {
    const roots = TOY.roots(2);
    let added = [1n];
    for (const zero of errors.slice(0, 6)) {
      const next = new Array<bigint>(added.length + 1).fill(0n);
      added.forEach((c, i) => {
        next[i] = TOY.subtract(next[i]!, TOY.multiply(c, zero));
        next[i + 1] = TOY.add(next[i + 1]!, c);
      });
      added = next;
    }
    const sum = [1, 2, 3].reduce((total, k) => total + evaluate(TOY, added, roots[k]!), 0n);
    fc.pre(sum % TOY.modulus !== 0n);
    const scale = TOY.multiply(off, TOY.invert(sum % TOY.modulus));
    const first = circuit.gadget.arity;
    return proof.map((x, i) =>
      i < first ? x : TOY.add(x, TOY.multiply(scale, added[i - first]!)),
    );
  }
});
