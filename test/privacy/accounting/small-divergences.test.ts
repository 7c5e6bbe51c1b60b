/** Divergences and prices where first-order terms cancel, or add up over rounds: never below what they are. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { continuous, sharesGap } from "../../../src/privacy/accounting/discrete.js";
import { laplaceRdp, pureRdp, sampledGaussianRdp } from "../../../src/privacy/accounting/rdp.js";
import { discreteGaussianEvent, gaussianEvent } from "../../../src/privacy/events/events.js";

test("small Renyi divergences are not below their second order, alpha times half the variance of the loss", () => {
  fc.assert(
    fc.property(
      fc.double({ min: -12, max: -6, noNaN: true }),
      fc.constantFrom(1.5, 2, 5, 32),
      (decade, alpha) => {
        const epsilon = 10 ** decade;
        const second = (alpha * epsilon * epsilon) / 2;
        for (const divergence of [pureRdp, laplaceRdp]) {
          const found = divergence(alpha, epsilon);
          // Terms of higher order are alpha^2 eps^2 and eps of it.
          expect(found).toBeGreaterThan(second * (1 - alpha ** 2 * epsilon ** 2 - epsilon));
          expect(found).toBeLessThan(second * (1 + 1e-3) + 2 ** -48 * epsilon);
        }
      },
    ),
    { numRuns: 300, seed: 51 },
  );
});

test("of a sample with much noise the divergence is alpha q^2 / (2 sigma^2), at whole and other orders", () => {
  for (const alpha of [1.5, 2, 3, 7.5, 16])
    for (const [rate, sigma] of [
      [0.1, 40],
      [0.5, 100],
    ] as const) {
      const second = (alpha * rate ** 2) / (2 * sigma ** 2);
      const found = sampledGaussianRdp(alpha, rate, sigma);
      expect(found / second).toBeGreaterThan(1 - 1e-6);
      expect(found / second).toBeLessThan(1 + (2 * alpha) / sigma);
    }
});

test("the price of a grid adds up over rounds, and grows with entries and shares", () => {
  const event = { sigma: 1, grid: 1e-3, entries: 50 };
  const price = (change: object, count: number) =>
    continuous([{ event: discreteGaussianEvent({ ...event, ...change }), count }], 1);
  const one = price({}, 1);
  expect(one.inflation).toBeGreaterThan(0);
  expect(one.shift).toBeGreaterThan(one.inflation);
  for (const count of [2, 10, 1000]) {
    const many = price({}, count);
    expect(many.inflation / one.inflation).toBeCloseTo(count, 9);
    expect(many.shift).toBeGreaterThanOrEqual(count * one.shift * (1 - 1e-12));
    expect(many.shift).toBeLessThan(count * one.shift * 1.1);
  }
  // d / (8 s^2) of a round, s = sigma / (sqrt(2) grid) the least noise of an entry in steps.
  expect(one.inflation).toBeCloseTo((50 / 8) * (2 * 1e-6), 15);
  expect(price({ entries: 100 }, 1).inflation / one.inflation).toBeCloseTo(2, 9);
  // 10 (n - 1) d e^(-pi^2 s^2 / n) of n shares.
  const shared = discreteGaussianEvent({ ...event, grid: 0.2, shares: 3 });
  const gap = 10 * 2 * 50 * Math.exp((-(Math.PI ** 2) * (1 / (2 * 0.2 ** 2))) / 3);
  expect(sharesGap(shared) / gap).toBeCloseTo(1, 10);
  // Together with others each counts for itself.
  const plain = { event: gaussianEvent({ sigma: 3 }), count: 5 };
  const both = continuous([plain, { event: discreteGaussianEvent(event), count: 3 }], 1);
  expect(both.inflation).toBeCloseTo(3 * one.inflation, 15);
  expect(both.groups[0]).toEqual(plain);
});
