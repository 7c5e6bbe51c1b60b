import { describe, expect, test } from "vitest";
import { largest } from "../../../src/privacy/accounting/bisect.js";
import {
  wishartInfiniteMass,
  wishartReplaceDelta,
  wishartWithoutWith,
  wishartWithWithout,
  wishartZeroOutDelta,
  wishartZeroOutEpsilon,
} from "../../../src/privacy/accounting/wishart-profile.js";
import { describeReference, expectWithin } from "../reference.js";

const law = (params: Record<string, unknown>) => {
  const { d, nu, v, K } = params as { d: number; nu: number; v: number; K: number };
  return { n: nu - d + 1, b: (K * K) / v };
};

test("in one dimension it is the gamma shift worked by hand", () => {
  // n = 4 degrees of freedom: F(x) = 1 - e^(-x/2)(1 + x/2).
  const F = (x: number) => 1 - Math.exp(-x / 2) * (1 + x / 2);
  const b = 1.5;
  const t = b / (1 - Math.exp(-b / 2));
  expect(wishartWithoutWith({ n: 4, b }, 0)).toBeCloseTo(F(t) - F(t - b), 13);
  expect(wishartInfiniteMass({ n: 4, b })).toBeCloseTo(F(b), 14);
});

test("both directions agree at epsilon 0, the total variation", () => {
  for (const n of [2, 3.5, 10, 200]) {
    for (const b of [1e-4, 0.3, 5, 40]) {
      const one = wishartWithoutWith({ n, b }, 0);
      expect(Math.abs(one - wishartWithWithout({ n, b }, 0))).toBeLessThan(1e-14);
    }
  }
});

describe("against the golden numbers", () => {
  describeReference("wishart_profile", "profile", ({ params, expect: want, rtol, atol }) => {
    const epsilon = params["eps"] as number;
    const w = law(params);
    expectWithin(w.n, want["n"], 1e-12);
    expectWithin(w.b, want["b"], 1e-12);
    expectWithin(wishartWithoutWith(w, epsilon), want["delta_without_vs_with"], rtol, atol);
    expectWithin(wishartWithWithout(w, epsilon), want["delta_with_vs_without"], rtol, atol);
    expectWithin(wishartZeroOutDelta(w, epsilon), want["delta"], rtol, atol);
    expectWithin(wishartInfiniteMass(w), want["mass_at_infinity"], rtol, atol);
  });
  describeReference("wishart_profile", "support_mismatch", ({ params, expect: want, rtol }) => {
    const epsilon = params["eps"] as number;
    // nu = d + 1 means n = 2; v = K^2/(2 eps) means b = 2 eps.
    const w = { n: 2, b: 2 * epsilon };
    if (params["T"] !== undefined) {
      const some = -Math.expm1((params["T"] as number) * Math.log1p(-wishartInfiniteMass(w)));
      expectWithin(some, want["probability_some_round_outside_support"], rtol);
      return;
    }
    expectWithin(wishartInfiniteMass(w), want["probability_outside_support"], rtol);
    expectWithin(wishartZeroOutDelta(w, 0), want["total_variation"], rtol);
    for (const other of [0, 1, 100]) {
      expectWithin(wishartZeroOutDelta(w, other), want["delta_at_every_eps_prime"], rtol);
    }
  });
  describeReference("wishart_profile", "calibration", ({ params, expect: want, rtol }) => {
    const { d, nu, K, eps, delta } = params as Record<string, number>;
    const n = nu! - d! + 1;
    const b = largest((shift) => wishartZeroOutDelta({ n, b: shift }, eps!) <= delta!, 0.1, 1e-14);
    expectWithin(b, want["b_max"], rtol);
    expectWithin((K! * K!) / b, want["v_min"], rtol);
  });
  describeReference("wishart_profile", "epsilon", ({ params, expect: want, rtol, atol }) => {
    const w = law(params);
    expectWithin(wishartZeroOutEpsilon(w, params["delta"] as number), want["eps"], rtol, atol);
    expectWithin(wishartInfiniteMass(w), want["mass_at_infinity"], rtol, atol);
  });
  describeReference("wishart_profile", "replace_bound", ({ params, expect: want, rtol, atol }) => {
    const { n, b, eps } = params as { n: number; b: number; eps: number };
    expectWithin(wishartReplaceDelta({ n, b }, eps), want["delta_upper_bound"], rtol, atol);
    if (want["simple_bound"] !== null) {
      expectWithin(wishartWithoutWith({ n, b }, eps - b / 2), want["simple_bound"], rtol, atol);
    }
  });
  describeReference("wishart_profile", "replace_orthogonal", ({ params, expect: want }) => {
    const { n, b, eps } = params as { n: number; b: number; eps: number };
    // One neighbour pair: our bound for all pairs may not be below it.
    expect(wishartReplaceDelta({ n, b }, eps)).toBeGreaterThanOrEqual(want["delta"] as number);
  });
});
