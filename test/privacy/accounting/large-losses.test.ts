/** Deltas beside losses so large, or so near to what is asked, that rounding of a quotient or a difference counts: never below the true ones. */
import { expect, test } from "vitest";
import { deltaOf } from "../../../src/privacy/accounting/account.js";
import { gaussianDelta, gaussianEpsilon } from "../../../src/privacy/accounting/gdp.js";
import { quotientAbove } from "../../../src/privacy/accounting/rounding.js";
import {
  laplaceEvent,
  subsampledGaussianEvent,
  twoSidedWishartEvent,
} from "../../../src/privacy/events/events.js";

/** Held from above, too: by as much as rounding may have moved them, and no more. */
function expectAbove(delta: number, truth: number, most = 1): void {
  expect(delta).toBeGreaterThanOrEqual(truth);
  expect(delta).toBeLessThanOrEqual(truth * (1 + most) + 1e-16);
}

// True values by mpmath at 80 digits.
test("of Gaussian rounds where epsilon is half the square of mu", () => {
  for (const [epsilon, mu, truth] of [
    [3434747784.8097153, 82882.41786566962, 0.4990845975494735],
    [1.7782618269802704e27, 59636596599408.16, 0.4991833430870075],
    [4.167911093484262e27, 91300723912620.34, 0.5009952138650406],
    [4.77109689677196e27, 97684153236560.94, 0.4979477362639299],
  ] as const) {
    expectAbove(gaussianDelta(epsilon, mu), truth, 0.5);
  }
});

test("epsilons of Gaussian rounds near the largest number are found, and only beyond it infinite", () => {
  // mu^2 / 2 beside which the rest, mu times a quantile, is lost.
  for (const mu of [1.2e154, 1.3e154, 1.414e154, 1.8e154, 1.89e154]) {
    const epsilon = gaussianEpsilon(mu, 1e-5);
    expect(epsilon).toBeGreaterThanOrEqual(mu * (mu / 2));
    expect(epsilon).toBeLessThanOrEqual(mu * (mu / 2) * (1 + 1e-11));
  }
  for (const mu of [1.9e154, 1e200, 1e300]) expect(gaussianEpsilon(mu, 1e-5)).toBe(Infinity);
});

test("of a sampled Gaussian round with hardly any noise", () => {
  const [half, few] = [
    { sigma: 1.2344187554312017e-8, rate: 0.5 },
    { sigma: 1.3849077956228297e-8, rate: 0.01 },
  ];
  const of = (law: typeof half, epsilon: number) =>
    deltaOf([subsampledGaussianEvent(law!)], { epsilon });
  expectAbove(of(half, 3281292822833954), 0.1199773589349299, 1e-5);
  expectAbove(of(few, 2606923541700194.5), 0.002162555460336397, 1e-5);
});

test("of a Laplace round whose loss is no double, at the nearest one, and far off", () => {
  for (const [scale, epsilon, truth] of [
    [3, 1 / 3, 9.251858538542971e-18],
    [7, 1 / 7, 3.965082230804131e-18],
    [1e-7, 9999999, 0.3934693404245999],
    [6.87578272054003e-14, 14543798730182.373, 0.0002849893092336646],
  ] as const) {
    const delta = deltaOf([laplaceEvent({ scale })], { epsilon });
    expect(delta).toBeGreaterThanOrEqual(truth);
    expect(delta).toBeLessThanOrEqual(truth * 8);
  }
  expect(deltaOf([laplaceEvent({ scale: 4 })], { epsilon: 1 / 4 })).toBe(0);
});

test("of pure rounds whose losses are quotients: none is claimed to have delta 0 below its loss", () => {
  const event = twoSidedWishartEvent({ scale: 3 / 2 });
  expect(deltaOf([event], { epsilon: 1 / 3 })).toBeGreaterThan(0);
  expect(deltaOf([event, event], { epsilon: 2 / 3 })).toBeGreaterThan(0);
});

test("a quotient from above is one where a double holds it, and the next one where none does", () => {
  expect(quotientAbove(1, 4)).toBe(1 / 4);
  expect(quotientAbove(0, 3)).toBe(0);
  // The nearest double is below a third, and above a tenth.
  expect(quotientAbove(1, 3)).toBeGreaterThan(1 / 3);
  expect(quotientAbove(1, 10)).toBe(1 / 10);
  for (const [x, y] of [
    [1e-310, 3],
    [1e308, 3e-5],
    [5e-324, 2],
  ] as const) {
    expect(quotientAbove(x, y)).toBeGreaterThanOrEqual(x / y);
    expect(quotientAbove(x, y)).toBeGreaterThan(0);
  }
});
