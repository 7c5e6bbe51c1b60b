import { expect, test } from "vitest";
import { openCore } from "../../../src/core/index.js";
import {
  checkChargedFirst,
  checkCharges,
  checkNoise,
  noiseSample,
} from "../../../src/privacy/audit/release-checks.js";

test("every release needs a charge of its own round", () => {
  const run = (released: number[], charged: number[]) => checkCharges([{ released, charged }]);
  expect(run([1, 2, 3], [1, 2, 3]).passed).toBe(true);
  expect(run([1, 2], [0, 1, 2, 3])).toMatchObject({ passed: true }); // charging more is allowed
  expect(run([1, 2, 3], [1, 3])).toMatchObject({ passed: false });
  expect(run([1, 1], [1, 2])).toMatchObject({
    passed: false,
    detail: "1 of 2 releases are not in the ledger",
  });
});

test("repeated noise is found at any scale and past rounding; missing noise too", () => {
  const exact = Float64Array.of(10, 20, 30, 40);
  const sample = (noise: number[]) =>
    noiseSample(
      exact.map((x, k) => x + noise[k]!),
      exact,
      1,
    );
  const [a, b] = [sample([1, -2, 0.5, 3]), sample([0.3, 1, 1, -2])];
  const scaled = sample([0.1, -0.2, 0.05, 0.3]);
  const passes = (list: Float64Array[]) => checkNoise(list).map(({ passed }) => passed);
  expect(passes([a, b])).toEqual([true, true]);
  expect(passes([a, b, scaled])).toEqual([true, false]);
  expect(passes([a, sample([0, 0, 0, 0])])).toEqual([false, true]);
  // Single numbers are told apart by their value in units of the noise.
  const one = (noise: number) => noiseSample(Float64Array.of(noise), Float64Array.of(0), 2);
  expect(passes([one(1), one(1.5), one(-1)])).toEqual([true, true]);
  expect(passes([one(1), one(1.5), one(1)])).toEqual([true, false]);
  // The same but for rounding: many numbers to 1e-7, a single one to its last digits.
  expect(passes([a, sample([1 + 1e-9, -2, 0.5, 3])])).toEqual([true, false]);
  expect(passes([a, sample([1 + 1e-5, -2, 0.5, 3])])).toEqual([true, true]);
  expect(passes([one(1), one(1 + 1e-9)])).toEqual([true, true]);
  expect(passes([one(1), one(1 + 1e-15)])).toEqual([true, false]);
  // Two numbers in one proportion may be a chance; three are not.
  const of = (noise: number[]) =>
    noiseSample(Float64Array.from(noise), new Float64Array(noise.length), 2);
  expect(passes([of([1, 2]), of([2, 4])])).toEqual([true, true]);
  expect(passes([of([1, 2, 3]), of([2, 4, 6])])).toEqual([true, false]);
  expect(passes([of([1, 2]), of([1, 2])])).toEqual([true, false]);
});

test("an error that is no refusal is not taken for one", () => {
  const core = openCore();
  const check = (error: unknown) => {
    const path = {
      ledger: { entries: [] },
      perturb: () => {
        throw error;
      },
    };
    return checkChargedFirst(core, path, { at: core.arena.zeros(2), length: 2, round: 1 });
  };
  expect(check(new RangeError("round")).passed).toBe(true);
  expect(check(new TypeError("undefined is not a function"))).toMatchObject({
    passed: false,
    detail: "expected a refusal of a release that the ledger refuses, got TypeError",
  });
});
