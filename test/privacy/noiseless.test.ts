/** What delta would pay for without any noise: 1 - (1 - q)^T of T releases in which a task takes part with probability q. */
import { expect, test } from "vitest";
import { DeltaPaysError, noiselessDelta } from "../../src/privacy/noiseless.js";
import {
  allocateBudget,
  createMechanism,
  discreteGaussianEvent,
  gaussianEvent,
  laplaceEvent,
  Ledger,
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
  const repetitions = { kind: "negative-binomial", eta: 1, gamma: 0.1 } as const;
  const certain: PrivacyEvent[] = [
    gaussianEvent({ sigma: 9 }),
    laplaceEvent({ scale: 1 }),
    pure,
    wishart,
    sphericalLaplaceEvent({ scale: 1 }),
    twoSidedWishartEvent({ scale: 1 }),
    discreteGaussianEvent({ sigma: 9, grid: 1e-3, entries: 2 }),
    selectionEvent({ repetitions, plans: [[{ event: pure, count: 1 }]] }),
  ];
  for (const event of certain) {
    expect(of([event, 1])).toBe(1);
    expect(of([sampled, 2], [event, 3])).toBe(1);
  }
});

test("a selection that mostly runs nothing is refused where delta pays for what it runs", () => {
  const plans = [[{ event: gaussianEvent({ sigma: 9 }), count: 2 }]];
  const rare = selectionEvent({ repetitions: { kind: "poisson", mean: 1e-6 }, plans });
  expect(of([rare, 3])).toBeCloseTo(3e-6, 10);
  const budget = { epsilon: 5, adjacency: "replace", plan: [rare] } as const;
  expect(() => new Ledger({ ...budget, delta: 1e-5 })).toThrow(DeltaPaysError);
  expect(() => new Ledger({ ...budget, delta: 9e-7 })).not.toThrow();
});

test("samples for which delta pays alone are refused also among releases that need noise", () => {
  const mechanism = createMechanism({
    statistic: "vector",
    tasks: 9,
    dimension: 2,
    clip: 1,
    delta: 0.2,
    adjacency: "zero-out",
    sampling: { kind: "poisson", rate: 0.1 },
  });
  const vote = gaussianEvent({ sigma: 9, adjacency: "zero-out" });
  const budget = { epsilon: 5, adjacency: "zero-out" } as const;
  for (const extra of [[], [vote]]) {
    const planned = { rounds: 2, epsilon: 1, delta: 0.2, mechanism, extra };
    expect(() => allocateBudget(planned)).toThrow(DeltaPaysError);
    const plan = [sampled, sampled, ...extra];
    expect(() => new Ledger({ ...budget, plan, delta: 0.2 })).toThrow(DeltaPaysError);
    expect(() => new Ledger({ ...budget, plan, delta: 0.18 })).not.toThrow();
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
