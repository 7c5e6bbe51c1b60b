/**
 * The stated soundness error against the same sum in exact fractions, and its figures in the documents.
 */
import { expect, test } from "vitest";
import { federatedPine, soundnessError } from "../../../../src/federation/verified-sums/index.js";
import { smallPine } from "./instances.js";

const pine = federatedPine(30, 2n ** 16n);

test("is that of the formula, by exact arithmetic", () => {
  const q = pine.parameters.field.modulus;
  // 2 x 33 bits of squared norms; 100 products of 21 bits with their success.
  const bits = 66n + 2200n;
  expect(BigInt(pine.parameters.bitCount)).toBe(bits);
  const scale = 10n ** 80n;
  const joint = bits + 100n + 4n;
  const [equality, rest] = pine.proved.map(({ circuit }) => {
    const n = BigInt(2 ** Math.ceil(Math.log2(circuit.calls + 1)));
    return { top: 2n * (n - 1n), bottom: q - n };
  }) as [{ top: bigint; bottom: bigint }, { top: bigint; bottom: bigint }];
  for (const evaluations of [1n, 2n ** 40n, 2n ** 60n]) {
    const grind = (scale * evaluations * joint) / q;
    const once = grind > scale ? scale : grind;
    const exact =
      (scale * equality.top ** 2n) / equality.bottom ** 2n +
      (scale * rest.top ** 2n) / rest.bottom ** 2n +
      (2n * once * rest.top) / rest.bottom +
      (scale * evaluations * joint ** 2n) / q ** 2n +
      (scale * evaluations) / 2n ** 100n;
    expect(soundnessError(pine, Number(evaluations)) / (Number(exact) / 1e80)).toBeCloseTo(1, 9);
  }
});

test("is what the documents say", () => {
  expect(soundnessError(pine, 1)).toBeLessThan(2 ** -99);
  expect(soundnessError(pine, 2 ** 40)).toBeLessThan(2 ** -59);
  expect(soundnessError(pine, 2 ** 60)).toBeLessThan(2 ** -39);
});

test("counts the ways of fewer checks than all", () => {
  const small = smallPine(2);
  expect(soundnessError(small, 1)).toBeCloseTo(2 ** -12, 15);
});
