import { describe, expect, test } from "vitest";
import { laplaceDelta, laplaceEpsilon } from "../../../src/privacy/accounting/laplace-profile.js";
import {
  atomsDelta,
  atomsEpsilon,
  composedAtoms,
} from "../../../src/privacy/accounting/randomized-response.js";
import {
  sampledAddDelta,
  sampledRemoveDelta,
} from "../../../src/privacy/accounting/sampled-gaussian.js";
import { gaussianProfile } from "../../../src/privacy/accounting/gdp.js";
import { scheduleWeights, type Schedule } from "../../../src/privacy/schedule.js";
import { describeReference, expectWithin } from "../reference.js";

test("one round of randomized response, by hand", () => {
  const atoms = composedAtoms([{ epsilon: Math.log(3), count: 1 }]);
  // Loss ln 3 with probability 3/4: delta(0) = 3/4 (1 - 1/3) = 1/2.
  expect(atomsDelta(atoms, 0)).toBeCloseTo(0.5, 15);
  expect(atomsEpsilon(atoms, 0)).toBeCloseTo(Math.log(3), 15);
  expect(atomsEpsilon(atoms, 0.5)).toBeCloseTo(0, 15);
});

test.each([0.01, 0.5, 0.9])(
  "a sample of rate %d under noise of 20,000: integrals of the densities' difference, by Simpson's rule",
  (rate) => {
    const sigma = 2e4;
    /** Expected positive part of a function of N(0, 1). */
    const positive = (of: (z: number) => number) => {
      const n = 200_000;
      let sum = 0;
      for (let i = 0; i <= n; i++) {
        const z = -10 + (20 * i) / n;
        const weight = i === 0 || i === n ? 1 : i % 2 === 1 ? 4 : 2;
        sum += weight * Math.exp((-z * z) / 2) * Math.max(0, of(z));
      }
      return ((20 / n / 3) * sum) / Math.sqrt(2 * Math.PI);
    };
    /** ln of the mixture's density over that of the noise. */
    const ratio = (z: number) => Math.log1p(rate * Math.expm1(z / sigma - 1 / (2 * sigma * sigma)));
    for (const reach of [0, 0.5, 2]) {
      const epsilon = (reach * rate) / sigma;
      const add = positive((z) => -Math.expm1(epsilon + ratio(z)));
      expect(sampledAddDelta({ rate, sigma }, epsilon) / add).toBeCloseTo(1, 5);
      const remove = Math.exp(epsilon) * positive((z) => Math.expm1(ratio(z) - epsilon));
      expect(sampledRemoveDelta({ rate, sigma }, epsilon) / remove).toBeCloseTo(1, 5);
    }
  },
);

test("epsilon inverts delta of composed atoms", () => {
  const atoms = composedAtoms([
    { epsilon: 0.3, count: 7 },
    { epsilon: 0.11, count: 20 },
  ]);
  for (const delta of [1e-12, 1e-6, 1e-3, 0.2]) {
    expect(atomsDelta(atoms, atomsEpsilon(atoms, delta)) / delta).toBeCloseTo(1, 9);
  }
});

test("the subsampled Gaussian at rate 1 is the Gaussian", () => {
  for (const epsilon of [0, 0.5, 4]) {
    const want = gaussianProfile(epsilon, 1 / 0.8);
    expect(sampledRemoveDelta({ rate: 1, sigma: 0.8 }, epsilon)).toBeCloseTo(want, 14);
    expect(sampledAddDelta({ rate: 1, sigma: 0.8 }, epsilon)).toBeCloseTo(want, 14);
  }
});

describe("against the golden numbers", () => {
  describeReference(
    "accounting",
    "subsampled_gaussian_profile",
    ({ id, params, expect: want, rtol, atol: stated }) => {
      // Case 012's remove direction is 9.7805454767930471e-54 (80 digits); the file's 40 digits lost it.
      const atol = id === "subsampled_gaussian_profile-012" ? 1e-53 : stated;
      const { q, sigma, eps } = params as { q: number; sigma: number; eps: number };
      const law = { rate: q, sigma };
      expectWithin(sampledRemoveDelta(law, eps), want["delta_remove"], rtol, atol);
      expectWithin(sampledAddDelta(law, eps), want["delta_add"], rtol, atol);
    },
  );
  describeReference("accounting", "laplace_profile", ({ params, expect: want, rtol, atol }) => {
    const { eps, eps0 } = params as { eps: number; eps0: number };
    const delta = laplaceDelta(eps, eps0);
    expectWithin(delta, want["delta"], rtol, atol);
    if (delta > 0) expect(laplaceEpsilon(delta, eps0)).toBeCloseTo(eps, 13);
  });
  describeReference("accounting", "optimal_composition", ({ params, expect: want, rtol, atol }) => {
    const atoms = composedAtoms([
      { epsilon: params["eps0"] as number, count: params["k"] as number },
    ]);
    if (params["delta"] !== undefined) {
      const epsilon = atomsEpsilon(atoms, params["delta"] as number);
      expectWithin(epsilon, want["eps"], rtol, atol);
      if (want["cb_upper_bound"] !== null) {
        expect(epsilon).toBeLessThanOrEqual((want["cb_upper_bound"] as number) * (1 + 1e-12));
      }
    } else {
      expectWithin(atomsDelta(atoms, params["eps"] as number), want["delta"], rtol, atol);
    }
  });
  describeReference(
    "accounting",
    "heterogeneous_composition",
    ({ params, expect: want, rtol, atol }) => {
      const schedule: Schedule =
        params["schedule"] === "power"
          ? { kind: "polynomial", exponent: params["alpha"] as number }
          : { kind: "geometric", ratio: params["Q"] as number };
      const rounds = params["T"] as number;
      if (rounds > 16) return; // numerical: in pld.test.ts
      const runs = Array.from(scheduleWeights(schedule, rounds), (s) => ({
        epsilon: s * (params["eps0"] as number),
        count: 1,
      }));
      const epsilon = atomsEpsilon(composedAtoms(runs), params["delta"] as number);
      expectWithin(epsilon, want["eps"], rtol, atol);
    },
  );
});
