import { describe, expect, test } from "vitest";
import { pldAccountant } from "../../../../src/privacy/accounting/accountants/pld-accountant.js";
import { gaussianEpsilon } from "../../../../src/privacy/accounting/gdp.js";
import {
  gaussianEvent,
  laplaceEvent,
  pureEvent,
  subsampledGaussianEvent,
  wishartEvent,
} from "../../../../src/privacy/events/events.js";
import { scheduleWeights, type Schedule } from "../../../../src/privacy/schedule.js";
import { describePartOfReference, expectWithin } from "../../reference.js";
import type { PrivacyEvent } from "../../../../src/privacy/events/event-kinds.js";

const repeat = (event: PrivacyEvent, count: number) => [{ event, count }];

describe("against the golden numbers", () => {
  // Four numbers of rounds lie in turn: one in nine has all of them.
  describePartOfReference(
    9,
    "accounting",
    "pld_epsilon",
    ({ params, expect: want, rtol, atol }, at) => {
      const { q, sigma, T, deltas } = params as { q: number; sigma: number; T: number; deltas: [] };
      const event = subsampledGaussianEvent({ sigma, rate: q, adjacency: "zero-out" });
      const lower = want["eps_lower"] as number[] | undefined;
      // One delta of three in turn: each rate and noise has one, for all numbers of rounds.
      const i = Math.floor(at / 4) % deltas.length;
      const epsilon = pldAccountant.epsilon(repeat(event, T), deltas[i]!);
      const exact = (want["eps"] as number[])[i]!;
      // The exact Gaussian cases (q = 1) are stated to 1e-9, which is the gdp accountant's business.
      expectWithin(epsilon, exact, Math.max(rtol, 1e-5), Math.max(atol, 1e-7));
      expect(epsilon).toBeGreaterThanOrEqual(lower ? lower[i]! : exact * (1 - 1e-9));
    },
  );
  describePartOfReference(
    2,
    "accounting",
    "laplace_pld",
    ({ params, expect: want, rtol, atol }) => {
      const { eps0, T, deltas } = params as { eps0: number; T: number; deltas: [] };
      const event = laplaceEvent({ scale: 1 / eps0 });
      deltas.forEach((delta, i) => {
        const epsilon = pldAccountant.epsilon(repeat(event, T), delta);
        expectWithin(epsilon, (want["eps"] as number[])[i], rtol, atol);
        expect(epsilon).toBeGreaterThanOrEqual((want["eps_lower"] as number[])[i]!);
      });
    },
  );
  describePartOfReference(
    10,
    "wishart_profile",
    "composition",
    ({ params, expect: want, rtol, atol }) => {
      const { n, b, T, deltas } = params as { n: number; b: number; T: number; deltas: number[] };
      const event = wishartEvent({
        dimension: 1,
        degreesOfFreedom: n,
        scale: 1 / b,
        clip: 1,
        adjacency: "zero-out",
      });
      deltas.forEach((delta, i) => {
        const epsilon = pldAccountant.epsilon(repeat(event, T), delta);
        expectWithin(epsilon, (want["eps"] as number[])[i], rtol, atol);
        expect(epsilon).toBeGreaterThanOrEqual((want["eps_lower"] as number[])[i]!);
      });
    },
  );
  describePartOfReference(
    10,
    "accounting",
    "heterogeneous_composition",
    ({ params, expect: want, rtol, atol }) => {
      const schedule: Schedule =
        params["schedule"] === "power"
          ? { kind: "polynomial", exponent: params["alpha"] as number }
          : { kind: "geometric", ratio: params["Q"] as number };
      const groups = Array.from(scheduleWeights(schedule, params["T"] as number), (s) => ({
        event: pureEvent({ epsilon: s * (params["eps0"] as number) }),
        count: 1,
      }));
      const epsilon = pldAccountant.epsilon(groups, params["delta"] as number);
      // Exact cases are stated to 1e-9 and belong to the exact accountant.
      expectWithin(epsilon, want["eps"], Math.max(rtol, 1e-6), atol);
    },
  );
});

test("where next to nothing is hidden, delta is 1 and not below it by rounding", () => {
  const rounds = repeat(gaussianEvent({ sigma: 10.060051947992724 }), 100_000);
  // 1 - 1e-55 by the closed form.
  expect(pldAccountant.delta(rounds, 2.0521770120713003e-6)).toBe(1);
  const exact = gaussianEpsilon(6, 1 - 1e-12);
  expect(pldAccountant.epsilon(repeat(gaussianEvent({ sigma: 1 / 6 }), 1), 1 - 1e-12)).toBeGreaterThanOrEqual(exact * (1 - 1e-9)); // prettier-ignore
});
