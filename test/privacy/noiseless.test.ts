/** What delta would pay for without any noise: 1 - (1 - q)^T of T releases in which a task takes part with probability q. */
import { expect, test } from "vitest";
import { noiselessDelta } from "../../src/privacy/noiseless.js";
import {
  discreteGaussianEvent,
  gaussianEvent,
  laplaceEvent,
  pureEvent,
  selectionEvent,
  sphericalLaplaceEvent,
  subsampledGaussianEvent,
  twoSidedWishartEvent,
  wishartEvent,
  type PrivacyEvent,
} from "../../src/privacy/index.js";

const of = (...groups: [PrivacyEvent, number][]) =>
  noiselessDelta(groups.map(([event, count]) => ({ event, count })));
const sampled = subsampledGaussianEvent({ sigma: 1, rate: 0.1 });
const wishart = wishartEvent({ dimension: 2, degreesOfFreedom: 3, scale: 1 });
const pure = pureEvent({ epsilon: 0.1 });

test("of a sample it is the chance of being drawn at all, of anything else certainty", () => {
  expect(of([sampled, 7])).toBeCloseTo(1 - 0.9 ** 7, 14);
  expect(of([sampled, 3], [sampled, 4])).toBeCloseTo(1 - 0.9 ** 7, 14);
  const repetitions = { kind: "poisson", mean: 3 } as const;
  const certain: PrivacyEvent[] = [
    ...[gaussianEvent({ sigma: 9 }), laplaceEvent({ scale: 1 }), pure, wishart],
    ...[sphericalLaplaceEvent({ scale: 1 }), twoSidedWishartEvent({ scale: 1 })],
    discreteGaussianEvent({ sigma: 9, grid: 1e-3, entries: 2 }),
    selectionEvent({ repetitions, plans: [[{ event: pure, count: 1 }]] }),
  ];
  for (const event of certain) {
    expect(of([event, 1])).toBe(1);
    expect(of([sampled, 2], [event, 3])).toBe(1);
  }
});

test("what does not depend on a task adds nothing", () => {
  const nothing = [
    pureEvent({ epsilon: 0 }),
    gaussianEvent({ sigma: 1, sensitivity: 0 }),
    laplaceEvent({ scale: 1, sensitivity: 0 }),
  ];
  for (const event of nothing) {
    expect(of([event, 50])).toBe(0);
    expect(of([sampled, 2], [event, 3])).toBeCloseTo(0.19, 14);
  }
  expect(of()).toBe(0);
});
