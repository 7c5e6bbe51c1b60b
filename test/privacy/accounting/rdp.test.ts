import { describe, expect, test } from "vitest";
import { laplaceRdp, pureRdp, sampledGaussianRdp } from "../../../src/privacy/accounting/rdp.js";
import {
  rdpToDelta,
  rdpToEpsilon,
  zcdpEpsilon,
} from "../../../src/privacy/accounting/rdp-conversion.js";
import { rdpAccountant } from "../../../src/privacy/accounting/accountants/rdp-accountant.js";
import { gaussianEpsilon } from "../../../src/privacy/accounting/gdp.js";
import { deltaOf } from "../../../src/privacy/accounting/account.js";
import {
  gaussianEvent,
  laplaceEvent,
  subsampledGaussianEvent,
} from "../../../src/privacy/events/events.js";
import { createMechanism } from "../../../src/privacy/mechanisms/create.js";
import { allocateBudget } from "../../../src/privacy/allocate-budget.js";
import { describeReference, expectWithin } from "../reference.js";
import { thoroughTest } from "../../thorough.js";

test("order 2 of the subsampled Gaussian by hand: ln(1 + q^2 (e^(1/s^2) - 1))", () => {
  const want = Math.log(1 + 0.04 * Math.expm1(1 / 2.25));
  expect(sampledGaussianRdp(2, 0.2, 1.5)).toBeCloseTo(want, 14);
});

test("fractional and integer orders meet", () => {
  for (const [q, sigma] of [
    [0.01, 0.5],
    [0.3, 1],
    [0.9, 5],
  ] as const) {
    const at = sampledGaussianRdp(6, q, sigma);
    expect(sampledGaussianRdp(6 + 1e-9, q, sigma) / at).toBeCloseTo(1, 7);
  }
});

test("tiny divergences are never rounded to nothing", () => {
  // To leading order D_alpha = alpha q^2 mu^2 / 2, and alpha eps0^2 / 2 (pure and Laplace).
  for (const size of [1e-3, 1e-6, 1e-9]) {
    for (const alpha of [1.01, 1.5, 2, 4.7, 30]) {
      const leading = (alpha * size * size) / 2;
      const sampled = sampledGaussianRdp(alpha, 0.1, 1 / size) / (0.01 * leading);
      expect(sampled).toBeGreaterThan(0.999);
      expect(pureRdp(alpha, size) / leading).toBeGreaterThan(0.999);
      expect(laplaceRdp(alpha, size) / leading).toBeGreaterThan(0.99);
    }
  }
});

test("delta and epsilon of the conversion are inverse", () => {
  const epsilon = rdpToEpsilon(8, 0.4, 1e-6);
  expect(rdpToDelta(8, 0.4, epsilon)).toBeCloseTo(1e-6, 15);
});

test("is never below the exact Gaussian figure, and close", () => {
  for (const sigma of [0.3, 2, 50]) {
    for (const delta of [1e-10, 1e-5, 1e-2]) {
      const got = rdpAccountant().epsilon([{ event: gaussianEvent({ sigma }), count: 20 }], delta);
      const exact = gaussianEpsilon(Math.sqrt(20) / sigma, delta);
      expect(got).toBeGreaterThanOrEqual(exact);
      expect(got).toBeLessThan(1.5 * exact + 0.02);
    }
  }
});

describe("against the golden numbers", () => {
  const byOrder = (divergence: (alpha: number) => number, want: unknown, rtol: number) => {
    for (const [alpha, value] of Object.entries(want as Record<string, number>)) {
      expectWithin(divergence(Number(alpha)), value, rtol);
    }
  };
  describeReference("accounting", "rdp_laplace", ({ params, expect: want, rtol }) => {
    byOrder((alpha) => laplaceRdp(alpha, params["eps0"] as number), want["rdp_by_order"], rtol);
  });
  describeReference("accounting", "rdp_pure", ({ params, expect: want, rtol }) => {
    byOrder((alpha) => pureRdp(alpha, params["eps0"] as number), want["rdp_by_order"], rtol);
  });
  describeReference("accounting", "rdp_subsampled_gaussian", ({ params, expect: want, rtol }) => {
    const { q, sigma } = params as { q: number; sigma: number };
    const divergence = (alpha: number) => sampledGaussianRdp(alpha, q, sigma);
    byOrder(divergence, want["rdp_by_order"], rtol);
  });
  describeReference("accounting", "zcdp_conversion", ({ params, expect: want, rtol }) => {
    const { rho, delta } = params as { rho: number; delta: number };
    const { epsilon, order } = zcdpEpsilon(rho, delta);
    expectWithin(epsilon, want["eps_improved"], rtol);
    expectWithin(order, want["alpha_opt"], 1e-4);
    expectWithin(rho + 2 * Math.sqrt(rho * -Math.log(delta)), want["eps_simple"], rtol);
  });
  const orders = Array.from({ length: 255 }, (_, i) => i + 2);
  describeReference("accounting", "rdp_epsilon", ({ params, expect: want, rtol, atol }) => {
    const { q, sigma, T, deltas } = params as { q: number; sigma: number; T: number; deltas: [] };
    const event = subsampledGaussianEvent({ sigma, rate: q, adjacency: "zero-out" });
    deltas.forEach((delta, i) => {
      const epsilon = rdpAccountant(orders).epsilon([{ event, count: T }], delta);
      expectWithin(epsilon, (want["eps"] as number[])[i], rtol, atol);
    });
  });
});

thoroughTest(
  "a rounded-away divergence once allowed 270 times the budget at epsilon 1e-8, delta 1e-15",
  () => {
    // In this limit sampling at rate q is the Gaussian at q mu.
    const options = { epsilon: 1e-8, delta: 1e-15, rounds: 20 };
    const mean = { statistic: "vector", tasks: 10, dimension: 5, clip: 1, delta: 1e-15 } as const;
    const sampled = createMechanism({
      ...mean,
      adjacency: "zero-out",
      sampling: { kind: "poisson", rate: 0.1 },
    });
    const whole = allocateBudget({ ...options, mechanism: createMechanism(mean) }).scale;
    expect(allocateBudget({ ...options, mechanism: sampled }).scale / (10 * whole)).toBeCloseTo(
      1,
      3,
    );
  },
);

test("a delta below all numbers is not none: no noise of this kind is pure", () => {
  const sampled = subsampledGaussianEvent({ sigma: 50, rate: 0.01 });
  const faint = subsampledGaussianEvent({ sigma: 1e200, rate: 0.01 });
  for (const events of [
    [sampled, sampled],
    [faint, faint],
    [gaussianEvent({ sigma: 1e200 })],
    [gaussianEvent({ sigma: 50 }), laplaceEvent({ scale: 10 })],
  ]) {
    for (const accountant of ["rdp", "pld", "auto"] as const) {
      expect(deltaOf(events, { epsilon: 50, accountant })).toBeGreaterThan(0);
    }
  }
  const none = gaussianEvent({ sigma: 1, sensitivity: 0 });
  expect(deltaOf([none], { epsilon: 1, accountant: "rdp" })).toBe(0);
});
