import { describe, expect, test } from "vitest";
import {
  gaussianDelta,
  gaussianEpsilon,
  gaussianMu,
  gaussianProfile,
} from "../../../src/privacy/accounting/gdp.js";
import { epsilonOf } from "../../../src/privacy/accounting/account.js";
import { gaussianEvent } from "../../../src/privacy/events/events.js";
import { describeReference, expectWithin } from "../reference.js";

test("total variation at epsilon 0 is 2 Phi(mu/2) - 1", () => {
  // Phi(1/2) = 0.6914624612740131 (Abramowitz and Stegun, table 26.1)
  expect(gaussianProfile(0, 1)).toBeCloseTo(2 * 0.6914624612740131 - 1, 14);
});

test("epsilon and mu invert delta on the safe side", () => {
  for (const mu of [1e-9, 1e-4, 0.03, 1, 7, 300]) {
    for (const delta of [1e-15, 1e-5, 0.1]) {
      const epsilon = gaussianEpsilon(mu, delta);
      expect(gaussianProfile(epsilon, mu)).toBeLessThanOrEqual(delta);
      if (epsilon > 0) {
        expect(gaussianProfile(epsilon * (1 - 1e-9), mu)).toBeGreaterThan(delta * (1 - 1e-9));
        const back = gaussianMu(epsilon, delta);
        expect(gaussianProfile(epsilon, back)).toBeLessThanOrEqual(delta);
        expect(back / mu).toBeCloseTo(1, 7);
      }
    }
  }
});

test("five thousand unlike rounds, at deltas down to 1e-300", () => {
  const rounds = Array.from({ length: 5000 }, (_, t) => gaussianEvent({ sigma: 10 + ((37 * t) % 1000) })); // prettier-ignore
  // Roots of the profile of the sum of squares, with 60 digits (mpmath).
  for (const [delta, truth] of [
    [1e-9, 4.32076880016461],
    [1e-300, 26.92091728269927],
  ] as const) {
    const epsilon = epsilonOf(rounds, { delta });
    expect(epsilon).toBeGreaterThanOrEqual(truth);
    expect(epsilon / truth).toBeCloseTo(1, 10);
  }
});

test("a reported delta is never below the true one", () => {
  // Phi(mu/2 - eps/mu) - e^eps Phi(-mu/2 - eps/mu) with 60 digits (mpmath), where the closed form cancels or
  // its exponent is rounded; the last is below the smallest double.
  for (const [epsilon, mu, truth] of [
    [0.01005, 0.01, 0.0008294028759573164],
    [0.02005, 0.01, 8.4619494491019e-5],
    [0.03005, 0.01, 3.811397022037677e-6],
    [0.04005, 0.01, 7.129839488759446e-8],
    [0.06005, 0.01, 1.5611511753730806e-12],
    [1.50125, 0.05, 8.146251468825452e-201],
    [11.145, 0.3, 4.598394365936424e-302],
    [40.5, 1, 5e-324],
  ] as const) {
    const delta = gaussianDelta(epsilon, mu);
    expect(delta).toBeGreaterThanOrEqual(truth);
    expect(delta).toBeLessThanOrEqual(truth * (1 + 1e-11) + 5e-324);
  }
});

test("the profile is right to the last digits but three, however it is worked out", () => {
  // The formula of Balle and Wang with 120 digits (mpmath): closed form, quadrature, far below the mean loss.
  const points: [epsilon: number, mu: number, delta: number][] = [
    [0, 1e-6, 3.98942280401416e-7],
    [1e-9, 1e-6, 3.9844248007176085e-7],
    [0, 0.3, 0.11923538474048503],
    [0.1, 0.3, 0.07976985966882026],
    [1, 0.3, 5.488749644612937e-5],
    [3, 0.3, 9.939265666271419e-25],
    [0, 1, 0.38292492254802624],
    [1, 1, 0.12693673750664394],
    [5, 1, 5.793721691919494e-7],
    [20, 1, 2.6647067053654977e-86],
    [0, 2.5, 0.7887004526662895],
    [1, 2.5, 0.6678600642942495],
    [8, 2.5, 0.012789273269896744],
    [60, 2.5, 7.080695189670359e-116],
    [0, 6, 0.9973002039367398],
    [10, 6, 0.8750744828173139],
    [19, 6, 0.3715753158999263],
    [100, 6, 2.434423113573662e-43],
    [0, 9.9, 0.9999992578651841],
    [1, 10.1, 0.9999992749041798],
    [30, 12, 0.9996660681130424],
    [10, 12.5, 0.9999999551104569],
    [200, 20, 0.48010238435167296],
    [1, 20, 1.0],
    [350, 20, 2.306850115649884e-14],
    [-1, 1, 0.6788179748866279],
    [-3, 0.5, 0.9502129316490682],
    [-0.001, 0.01, 0.004507082855402242],
    [-20, 2, 0.9999999979388464],
    [-40, 12, 1.0],
    [1e-5, 0.001, 0.00039396418054508486],
    [0.001, 0.001, 8.335713212520849e-5],
    [0.02, 0.001, 1.3837811770864424e-93],
    [740, 25, 4.397769021958707e-66],
    [1000, 38, 1.0691976860667e-13],
  ];
  for (const [epsilon, mu, delta] of points) {
    const relative = gaussianProfile(epsilon, mu) / delta - 1;
    expect(Math.abs(relative), `eps ${epsilon}, mu ${mu}`).toBeLessThan(3e-13);
  }
});

test("extremes are finite", () => {
  expect(gaussianEpsilon(Math.sqrt(1e5) / 1e-3, 1e-15)).toBeGreaterThan(1e10);
  expect(gaussianMu(1e-8, 1e-15)).toBeGreaterThan(0);
  expect(gaussianMu(1e4, 1e-15)).toBeLessThan(150);
  expect(gaussianDelta(0, 0)).toBe(0);
  expect(gaussianEpsilon(1, 0)).toBe(Infinity);
});

describe("against the golden numbers", () => {
  describeReference("accounting", "gaussian_profile", ({ params, expect: want, rtol, atol }) => {
    const mu = (params["sensitivity"] as number) / (params["sigma"] as number);
    expectWithin(gaussianDelta(params["eps"] as number, mu), want["delta"], rtol, atol);
  });
  describeReference(
    "accounting",
    "gaussian_calibration",
    ({ params, expect: want, rtol, atol }) => {
      const mu = gaussianMu(params["eps"] as number, params["delta"] as number);
      expectWithin((params["sensitivity"] as number) / mu, want["sigma"], rtol, atol);
    },
  );
  describeReference(
    "accounting",
    "gaussian_composition",
    ({ params, expect: want, rtol, atol }) => {
      const sigmas =
        (params["sigmas"] as number[] | undefined) ??
        new Array<number>(params["T"] as number).fill(params["sigma"] as number);
      const sensitivity = params["sensitivity"] as number;
      const events = sigmas.map((sigma) => gaussianEvent({ sigma, sensitivity }));
      const delta = params["delta"] as number;
      expectWithin(epsilonOf(events, { delta, accountant: "gdp" }), want["eps"], rtol, atol);
    },
  );
});
