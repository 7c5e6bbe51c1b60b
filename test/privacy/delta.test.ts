import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { calibrate, largestRounds } from "../../src/privacy/accounting/calibrate.js";
import { groupEvents } from "../../src/privacy/accounting/groups.js";
import { readDelta, resolveDelta } from "../../src/privacy/delta.js";
import {
  gaussianEvent,
  laplaceEvent,
  pureEvent,
  subsampledGaussianEvent,
} from "../../src/privacy/events/events.js";
import { Ledger } from "../../src/privacy/ledger/ledger.js";
import { createMechanism } from "../../src/privacy/mechanisms/create.js";
import { DeltaPaysError, noiselessDelta } from "../../src/privacy/noiseless.js";
import { allocateBudget } from "../../src/privacy/allocate-budget.js";
import { uniform } from "./uniform.js";
import type { PrivacyEvent } from "../../src/privacy/events/event-kinds.js";
import { thoroughTest } from "../thorough.js";

const adjacency = "zero-out" as const;
const papers = (m: number) => 1 / (m * Math.log(m));

test("what a delta must be below is rounded down", () => {
  expect(new DeltaPaysError(0.2, 0.123456).message).toContain("Choose a delta below 0.1234,");
});

test("records are sampled too", () => {
  expect(new DeltaPaysError(0.2, 0.1).message).toContain("a task or a record, takes part");
});

describe("releases for which delta pays alone", () => {
  thoroughTest(
    "five rounds of a Poisson sample of 0.05 under 1 / (m ln m) of three tasks are refused",
    () => {
      const delta = papers(3); // 0.3034; 1 - 0.95^5 is 0.2262
      const mechanism = createMechanism({
        statistic: "vector",
        tasks: 3,
        dimension: 4,
        clip: 1,
        delta,
        adjacency,
        sampling: { kind: "poisson", rate: 0.05 },
      });
      expect(() => allocateBudget({ rounds: 5, epsilon: 1, delta, mechanism })).toThrow(
        DeltaPaysError,
      );
      const event = (sigma: number) => subsampledGaussianEvent({ sigma, rate: 0.05 });
      const budget = { epsilon: 1, delta };
      expect(() => calibrate({ ...budget, event, rounds: 5 })).toThrow(
        /delta: 0\.303\d pays for these releases alone.* with probability 0\.226\d only/,
      );
      const plan = new Array<PrivacyEvent>(5).fill(event(4e-48));
      expect(() => new Ledger({ ...budget, adjacency, plan })).toThrow(DeltaPaysError);
      expect(() => largestRounds({ ...budget, event: event(1e-3) })).toThrow(DeltaPaysError);
      // Eight rounds take part with probability 0.3366: noise is needed, and found.
      expect(calibrate({ ...budget, event, rounds: 8 }).noise).toBeGreaterThan(0.01);
    },
  );

  test("the probability of taking part is what a simulation without noise would count", () => {
    const rates = fc.array(uniform(0.01, 0.9), {
      minLength: 1,
      maxLength: 8,
    });
    fc.assert(
      fc.property(rates, (list) => {
        const events = list.map((rate) => subsampledGaussianEvent({ sigma: 1, rate }));
        const out = list.reduce((product, rate) => product * (1 - rate), 1);
        expect(noiselessDelta(groupEvents(events))).toBeCloseTo(1 - out, 12);
        const whole = groupEvents([...events, gaussianEvent({ sigma: 1, adjacency })]);
        expect(noiselessDelta(whole)).toBe(1);
      }),
      { seed: 50 },
    );
  });

  test("what depends on no task needs no noise and passes; delta 0 pays for nothing", () => {
    const free = [pureEvent({ epsilon: 0 }), laplaceEvent({ scale: 1, sensitivity: 0 })];
    expect(noiselessDelta(groupEvents(free))).toBe(0);
    const ledger = new Ledger({ epsilon: 1, delta: 0.1, adjacency: "replace", plan: free });
    expect(ledger.remaining().rounds).toBe(2);
    expect(
      calibrate({ epsilon: 1, delta: 0, event: (scale) => laplaceEvent({ scale }) }).noise,
    ).toBeCloseTo(1, 6);
  });
});

describe("resolveDelta", () => {
  test("auto is min(1e-5, 1/m^2); the papers' has a name and needs three tasks", () => {
    expect(resolveDelta("auto", 1)).toBe(1e-5);
    expect(resolveDelta("auto", 300)).toBe(1e-5);
    expect(resolveDelta("auto", 1000)).toBe(1e-6);
    expect(resolveDelta("papers", 139)).toBe(papers(139));
    expect(() => resolveDelta("papers", 2)).toThrow("needs at least 3 tasks, found 2");
    expect(resolveDelta(0, 2)).toBe(0);
    for (const bad of [1, NaN, -0.1, Infinity])
      expect(() => resolveDelta(bad, 5)).toThrow("delta: ");
    expect(() => resolveDelta("auto", 0)).toThrow("m: expected an integer >= 1, got 0");
  });

  test("auto never needs a remark", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1e9 }), (m) => {
        expect(readDelta(resolveDelta("auto", m), m).level).toBe("small");
      }),
      { seed: 51 },
    );
  });
});

describe("readDelta", () => {
  test("says in plain words what a large delta permits, and nothing of a small one", () => {
    expect(readDelta(papers(3), 3)).toEqual({
      level: "noticeable",
      remark:
        "delta 0.3035 means that one task in three may be shown whole, whatever epsilon says; " +
        "choose a delta well below 1/m",
    });
    expect(readDelta(0.002, 1000)).toEqual({
      level: "dangerous",
      remark:
        "delta 0.002 means that one task in 500 may be shown whole, whatever epsilon says; of 1000 tasks " +
        "that is 2 on average; choose a delta well below 1/m",
    });
    expect(readDelta(0.7, 2).remark).toContain("every task may be shown whole");
    expect(readDelta(1e-3, 100)).toEqual({ level: "small" });
    expect(readDelta(1e-3, 1000).level).toBe("dangerous");
    expect(readDelta(NaN, 10).level).toBe("dangerous");
  });
});

test.each([
  [{ epsilon: 0 }, "epsilon: expected epsilon > 0"],
  [{ epsilon: -1 }, "epsilon: expected epsilon > 0"],
  [{ epsilon: NaN }, "epsilon: expected a finite number"],
  [{ delta: -1e-9 }, "delta: expected delta >= 0"],
  [{ delta: 1 }, "delta: expected 0 <= delta < 1"],
  [{ delta: NaN }, "delta: expected a finite number"],
])("neither noise nor rounds are found for a budget that is none: %o", (other, words) => {
  const budget = { epsilon: 1, delta: 1e-5, ...other };
  const event = (sigma: number) => gaussianEvent({ sigma, adjacency });
  expect(() => calibrate({ ...budget, event })).toThrow(words);
  expect(() => largestRounds({ ...budget, event: event(3) })).toThrow(words);
});

test("no rounds are not calibrated for", () => {
  const event = (sigma: number) => gaussianEvent({ sigma, adjacency });
  for (const rounds of [0, -1, 1.5])
    expect(() => calibrate({ epsilon: 1, delta: 1e-5, event, rounds })).toThrow("rounds: ");
});
