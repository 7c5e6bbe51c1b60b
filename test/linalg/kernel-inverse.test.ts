/** Inverses of small definite matrices by the kernels are those of plain TypeScript. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { withCore } from "../../src/core/core.js";
import { definiteInverse, inverseRoom } from "../../src/linalg/kernel-inverse.js";
import { factor, invertDefinite, invertLower, multiply } from "../../src/linalg/small-matrices.js";

/** B B^T, of entries of many sizes, with something on the diagonal. */
function definite(n: number, seed: number): Float64Array {
  const b = Float64Array.from({ length: n * n }, (_, k) => Math.sin(seed + 7 * k) * 10 ** (k % 4));
  const a = new Float64Array(n * n);
  for (let i = 0; i < n; i++) {
    for (let j = 0; j <= i; j++) {
      let sum = i === j ? 0.5 : 0;
      for (let k = 0; k < n; k++) sum += b[i * n + k]! * b[j * n + k]!;
      a[i * n + j] = a[j * n + i] = sum;
    }
  }
  return a;
}

/** -0 is 0. */
const bits = (values: Float64Array) => Array.from(values, (value) => value + 0);

describe("the inverse of a definite matrix, and that of its factor", () => {
  test("have the bits of plain TypeScript", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 41 }), fc.integer({ max: 1e6 }), (n, seed) => {
        const a = definite(n, seed);
        const { root, inverse } = definiteInverse(a, n);
        expect(bits(root)).toEqual(bits(invertLower(factor(a, n), n)));
        expect(bits(inverse)).toEqual(bits(invertDefinite(a, n)));
      }),
      { numRuns: 60, seed: 4 },
    );
  });

  test.each([5, 8, 21, 64])("times the matrix are the identity, n = %i", (n) => {
    const a = definite(n, 3);
    // Well conditioned: the jitter is all that is off.
    for (let i = 0; i < n; i++) a[i * (n + 1)]! += 1e8;
    const { inverse } = definiteInverse(a, n);
    multiply(a, inverse, n, n, n).forEach((value, at) => {
      expect(value).toBeCloseTo(at % (n + 1) === 0 ? 1 : 0, 8);
    });
  });

  test("take the place of the ones before in room that is kept", () => {
    const room = inverseRoom(20);
    definiteInverse(definite(20, 1), 20, room);
    const again = definiteInverse(definite(20, 2), 20, room);
    expect(again).toBe(room);
    expect(again).toEqual(definiteInverse(definite(20, 2), 20));
  });

  test.each([
    [3, -1],
    [30, -1],
    [30, NaN],
  ])("are refused of a matrix that is not, n = %i", (n, value) => {
    const a = definite(n, 1);
    a[(n - 1) * (n + 1)] = value;
    expect(() => definiteInverse(a, n)).toThrow("positive definite");
  });

  test("leave nothing in the kernels' memory", () => {
    const n = 32;
    const mark = withCore(({ arena }) => arena.mark());
    definiteInverse(definite(n, 1), n);
    const left = withCore(({ arena }) => arena.view(mark, 6 * n * n).slice());
    expect(left.every((value) => value === 0)).toBe(true);
  });
});
