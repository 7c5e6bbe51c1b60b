/**
 * What follows from the parameters of a norm check: numbers of the draft's reference, and where a field ends.
 */
import { expect, test } from "vitest";
import { FIELD_64 } from "../../../../src/federation/verified-sums/field/field.js";
import { FIELD_128, FIELD_32 } from "./draft-parts.js";
import { federatedPine } from "../../../../src/federation/verified-sums/index.js";
import { proofLength } from "../../../../src/federation/verified-sums/proof/linear-proof.js";
import {
  hasRoom,
  normParameters,
} from "../../../../src/federation/verified-sums/proof/norm-parameters.js";

const base = { dimension: 2, checks: 100, successes: 100, alpha: 8.7 };

// Norm bounds 1, 1 and 1000 with 15, 24 and 15 fractional bits: the draft's poc/tests/test_flp.py.
test.each([
  [2n ** 15n, 2n ** 30n, 31, 524288n, 20],
  [2n ** 24n, 2n ** 48n, 49, 268435456n, 29],
  [1000n * 2n ** 15n, 1073741824000000n, 50, 536870912n, 30],
])("R = %d", (radius, squaredRadius, normBits, productBound, productBits) => {
  const found = normParameters({ ...base, field: FIELD_128, radius });
  expect(found).toMatchObject({ squaredRadius, normBits, productBound, productBits });
  expect(found.bitCount).toBe(2 * normBits + 100 * (productBits + 1));
  expect(found.length).toBe(2 + found.bitCount);
});

test("a field has room up to the bounds of the lemma, and not beyond", () => {
  const room = (field: typeof FIELD_32, radius: bigint, alpha = 8.7, checks = 100) =>
    hasRoom({ ...base, field, radius, alpha, checks });
  // 3 R^2 + 2 < q.
  for (const field of [FIELD_32, FIELD_64]) {
    let [low, high] = [1n, field.modulus];
    while (high - low > 1n) {
      const middle = (low + high) / 2n;
      if (3n * middle * middle + 2n < field.modulus) low = middle;
      else high = middle;
    }
    expect(room(field, low)).toBe(true);
    expect(room(field, low + 1n)).toBe(false);
  }
  // 2600 W <= q: W is 2^20 for alpha R + 1 up to there, 2^21 beyond.
  expect(2600n * 2n ** 20n <= FIELD_32.modulus && 2600n * 2n ** 21n > FIELD_32.modulus).toBe(true);
  expect(room(FIELD_32, 2n ** 15n, 31)).toBe(true);
  expect(room(FIELD_32, 2n ** 15n, 32)).toBe(false);
  // W^2 <= 4000 q binds in Field128 only, beyond the R that a double holds; 2 checks <= q in none.
  expect(room(FIELD_128, 2n ** 52n - 1n)).toBe(true);
  expect(room(FIELD_128, 2n ** 52n)).toBe(false);
});

test("federated sums take the chunks with which proofs are shortest", () => {
  const { parameters, proved } = federatedPine(30, 2n ** 16n);
  const lengths = proved.map(({ circuit }) => proofLength(circuit));
  // By trying them all.
  const shortest = (inputs: number, lists: number[]) => {
    let best = Infinity;
    for (let chunk = 1; chunk <= Math.max(...lists); chunk++) {
      const calls = lists.reduce((sum, length) => sum + Math.ceil(length / chunk), 0);
      const values = 2 ** Math.ceil(Math.log2(calls + 1));
      best = Math.min(best, inputs * chunk + 2 * (values - 1) + 1);
    }
    return best;
  };
  expect(lengths).toEqual([shortest(1, [30]), shortest(2, [parameters.bitCount, 100])]);
});
