/** Events of different kinds together: one that says next to nothing changes next to nothing. */
import { describe, expect, test } from "vitest";
import { epsilonOf } from "../../../src/privacy/accounting/account.js";
import {
  gaussianEvent,
  subsampledGaussianEvent,
  wishartEvent,
} from "../../../src/privacy/events/events.js";
import type { PrivacyEvent } from "../../../src/privacy/events/event-kinds.js";

const adjacency = "zero-out" as const;
const faint = gaussianEvent({ sigma: 1e6, adjacency });
const ALONE: [string, PrivacyEvent][] = [
  ["a sample", subsampledGaussianEvent({ sigma: 1.2, rate: 0.2 })],
  ["a likely sample", subsampledGaussianEvent({ sigma: 0.8, rate: 0.9 })],
  [
    "one-sided Wishart noise",
    wishartEvent({ dimension: 2, degreesOfFreedom: 40, scale: 1.2, adjacency }),
  ],
  ["much of it", wishartEvent({ dimension: 1, degreesOfFreedom: 30, scale: 3, adjacency })],
];

describe.each(ALONE)("%s", (_, event) => {
  test.each([1e-3])(
    "costs at delta %f by the numerical accountant what its closed form says",
    (delta) => {
      const exact = epsilonOf([event], { delta, accountant: "exact" });
      const pld = epsilonOf([event], { delta, accountant: "pld" });
      expect(pld).toBeGreaterThanOrEqual(exact * (1 - 1e-9));
      expect(pld).toBeLessThan(exact * 1.001);
      const both = epsilonOf([event, faint], { delta, accountant: "pld" });
      expect(both).toBeGreaterThanOrEqual(exact * (1 - 1e-9));
      expect(both).toBeLessThan(exact * 1.002 + 1e-3);
    },
  );
});
