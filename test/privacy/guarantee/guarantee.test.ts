import * as fc from "fast-check";
import { expect, test } from "vitest";
import { decimalAbove, decimalBelow } from "../../../src/privacy/accounting/rounding.js";
import { describeGuarantee } from "../../../src/privacy/guarantee/describe-guarantee.js";
import { attackerGain } from "../../../src/privacy/guarantee/gaussian-summary.js";
import { liftGuarantee } from "../../../src/privacy/group.js";
import { Ledger } from "../../../src/privacy/ledger/ledger.js";
import { createMechanism } from "../../../src/privacy/mechanisms/create.js";
import { allocateBudget } from "../../../src/privacy/allocate-budget.js";
import { parseEvent } from "../../../src/privacy/events/parse-event.js";
import {
  gaussianEvent,
  subsampledGaussianEvent,
  wishartEvent,
} from "../../../src/privacy/events/events.js";

function fitted(name: "gaussian" | "wishart", adjacency: "replace" | "zero-out" = "replace") {
  const mechanism = createMechanism({
    name,
    statistic: "covariance",
    tasks: 10,
    dimension: 5,
    clip: 1,
    delta: 1e-5,
    adjacency,
  });
  const { events, accountant, nominal } = allocateBudget({
    rounds: 20,
    epsilon: 1,
    delta: 1e-5,
    mechanism,
  });
  const options = { epsilon: 1, delta: 1e-5, adjacency, accountant, nominal, plan: events };
  const ledger = new Ledger(options);
  events.forEach((event, t) => ledger.charge(event, { round: t + 1 }));
  return { ledger, mechanism, events };
}

test("a sound mechanism with secure noise is private", () => {
  const { ledger, mechanism } = fitted("gaussian");
  const guarantee = describeGuarantee(ledger, mechanism, "secure", ["training loss"]);
  expect(guarantee).toMatchObject({
    kind: "joint",
    epsilon: 1,
    delta: 1e-5,
    accountant: "gdp",
    sound: true,
    private: true,
    notCharged: ["training loss"],
  });
  expect(guarantee.spent.epsilon).toBeLessThanOrEqual(1);
  expect(guarantee).not.toHaveProperty("trueDelta");
  expect(JSON.parse(JSON.stringify(guarantee))).toEqual(guarantee);
});

test("lifted to all records of a task, what an attacker gains is of the lifted budget", () => {
  const { ledger, mechanism } = fitted("gaussian");
  const one = describeGuarantee(ledger, mechanism, "secure", []);
  const four = liftGuarantee(one, 4);
  // Rounded up.
  expect(four.epsilon).toBeGreaterThanOrEqual(4 * one.epsilon);
  expect(four.epsilon / one.epsilon).toBeCloseTo(4, 10);
  expect(four.attacker).toEqual(attackerGain({ epsilon: four.epsilon, delta: four.delta }));
  expect(four.attacker!.truePositiveRate).toBeGreaterThan(one.attacker!.truePositiveRate);
  expect(four.neighbours).toBe(one.neighbours);
  // A task whose rows add nothing still has a model where tasks are coupled: it uploads no zeros.
  const zero = liftGuarantee({ ...one, adjacency: "zero-out" }, 4);
  expect(zero.neighbours).toMatch(/add what they add, or nothing/);
});

test("a seeded run is reproducible, not private", () => {
  const { ledger, mechanism } = fitted("gaussian");
  const guarantee = describeGuarantee(ledger, mechanism, "seeded", []);
  expect(guarantee.private).toBe(false);
  expect(guarantee.note).toContain("reproducible, not private");
});

test("a ledger of seeded noise makes the statement seeded, whatever drew last", () => {
  const { ledger, mechanism } = fitted("gaussian");
  const seeded = Ledger.fromJSON({ ...ledger.toJSON(), noiseSource: "seeded" });
  const guarantee = describeGuarantee(seeded, mechanism, "secure", []);
  expect(guarantee).toMatchObject({ noiseSource: "seeded", private: false });
  expect(guarantee).not.toHaveProperty("attacker");
  expect(() => Ledger.fromJSON({ ...ledger.toJSON(), noiseSource: "lucky" })).toThrow(
    "noiseSource: expected one of secure, seeded",
  );
});

test("it says who is protected, whom to trust, what is covered and what an attacker gains", () => {
  const { ledger, mechanism } = fitted("gaussian");
  const stated = describeGuarantee(ledger, mechanism, "secure", [], { tasks: 10 });
  expect(stated.unit).toBe("task");
  expect(stated.neighbours).toContain("any other data in their place");
  expect(stated.trust).toContain("the curator, who runs the rounds, is trusted");
  expect(stated.scope).toContain("another on the same data adds to it");
  expect(stated.notCovered.join()).toContain("whoever holds its own model");
  // (1, 1e-5)-DP is mu = 0.2684; Phi(-2.3263 + 0.2684) = 0.0198.
  expect(stated.gaussian!.mu).toBeCloseTo(0.2684, 3);
  expect(stated.gaussian).toMatchObject({ fit: "exact" });
  expect(stated.attacker!.truePositiveRate).toBeCloseTo(0.0198, 3);
  expect(stated).not.toHaveProperty("note");
});

test("a delta of 1/m and more is remarked upon", () => {
  const { ledger, mechanism } = fitted("gaussian");
  const large = new Ledger({ epsilon: 1, delta: 0.4, adjacency: "replace", plan: ledger.plan! });
  const { note } = describeGuarantee(large, mechanism, "secure", [], { tasks: 3 });
  expect(note).toContain("one task in two");
  const { note: without } = describeGuarantee(ledger, mechanism, "secure", [], { tasks: 3 });
  expect(without).toBeUndefined();
});

test("the papers' Wishart prints its true delta beside the nominal claim", () => {
  for (const adjacency of ["replace", "zero-out"] as const) {
    const { ledger, mechanism, events } = fitted("wishart", adjacency);
    const guarantee = describeGuarantee(ledger, mechanism, "secure", []);
    const total = events.reduce(
      (sum, event) => sum + (event.kind === "wishart" ? 1 / (2 * event.scale) : NaN),
      0,
    );
    expect(guarantee.trueDelta).toBeCloseTo(1 - Math.exp(-total), 12);
    expect(guarantee).toMatchObject({
      sound: false,
      private: false,
      accountant: "kov",
      nominal: { epsilon: 1, delta: 1e-5 },
    });
    expect(guarantee.delta).toBeGreaterThanOrEqual(guarantee.trueDelta!);
    expect(guarantee.note).toContain(adjacency === "zero-out" ? "exactly" : "at least");
  }
});

test("a nominal pair's delta is not below the true one where that is lost beside 1", () => {
  const mechanism = createMechanism({
    ...({ name: "wishart", statistic: "covariance", adjacency: "zero-out" } as const),
    tasks: 5,
    dimension: 3,
    clip: 1,
    delta: 0,
  });
  const event = mechanism.event(1e-18);
  const ledger = new Ledger({
    ...({ epsilon: 2e-18, delta: 0, adjacency: "zero-out", nominal: true } as const),
    plan: [event],
  });
  ledger.charge(event, { round: 1 });
  const { delta, trueDelta } = describeGuarantee(ledger, mechanism, "secure", []);
  expect(trueDelta! / 1e-18).toBeCloseTo(1, 9);
  expect(delta).toBe(trueDelta);
});

test("the older text's Wishart: the printed pair holds though a round loses more than was claimed", () => {
  const [K, epsilon, rounds] = [20, 0.1, 4];
  const mechanism = createMechanism({
    ...({ name: "wishart-older", statistic: "covariance" } as const),
    tasks: 5,
    dimension: 3,
    clip: K,
    delta: 1e-5,
  });
  const events = Array.from({ length: rounds }, () => mechanism.event(epsilon));
  const ledger = new Ledger({
    epsilon: 10,
    delta: 1e-5,
    adjacency: "replace",
    accountant: "kov",
    nominal: true,
    plan: events,
  });
  events.forEach((event, round) => ledger.charge(event, { round }));
  const guarantee = describeGuarantee(ledger, mechanism, "secure", []);
  // A round loses K eps / 2 where both worlds are possible, and gives a column away with 1 - exp(-K eps / 2).
  const total = (rounds * K * epsilon) / 2;
  expect(guarantee.trueDelta).toBeCloseTo(1 - Math.exp(-total), 12);
  expect(guarantee.epsilon).toBeGreaterThanOrEqual(total);
  expect(guarantee).toMatchObject({ sound: false, nominal: { epsilon: 10 } });
  expect(Ledger.fromJSON(JSON.parse(JSON.stringify(ledger))).toJSON()).toEqual(ledger.toJSON());
});

test("events survive JSON, and what is not an event is refused by name", () => {
  for (const event of [
    gaussianEvent({ sigma: 2 }),
    subsampledGaussianEvent({ sigma: 1, rate: 0.1 }),
    wishartEvent({ dimension: 3, degreesOfFreedom: 9, scale: 1 }),
  ]) {
    expect(parseEvent(JSON.parse(JSON.stringify(event)))).toEqual(event);
  }
  const good = { kind: "gaussian", sigma: 1, sensitivity: 1, adjacency: "replace" };
  expect(() => parseEvent({ ...good, sigma: -1 })).toThrow(
    "event.sigma: expected sigma > 0, got -1",
  );
  expect(() => parseEvent({ ...good, sigma: "1" })).toThrow(TypeError);
  expect(() => parseEvent({ ...good, rate: 0.1 })).toThrow("event.rate: expected only the fields");
  expect(() => parseEvent({ ...good, adjacency: undefined })).toThrow("event.adjacency: expected");
  expect(() => parseEvent({ ...good, kind: "toString" })).toThrow("event.kind: expected one of");
  expect(() => parseEvent(null, "plan[2]")).toThrow("plan[2]: expected an object");
});

test("figures for people are rounded up, to the nearest decimal", () => {
  expect(decimalAbove(0.99996, 4)).toBe(1);
  expect(decimalAbove(1.00004, 4)).toBe(1.001);
  expect(decimalAbove(0.0011234501, 4)).toBe(0.001124);
  expect(decimalAbove(9.9991e-7, 4)).toBe(0.000001);
  expect(decimalAbove(0.1, 4)).toBe(0.1);
  expect(decimalAbove(0, 4)).toBe(0);
  expect(decimalAbove(Infinity, 4)).toBe(Infinity);
  fc.assert(
    fc.property(fc.double({ min: 1e-300, max: 1e300, noNaN: true }), (x) => {
      const shown = decimalAbove(x, 4);
      expect(shown).toBeGreaterThanOrEqual(x);
      expect(shown).toBeLessThanOrEqual(x * 1.001 + 5e-324);
      const below = decimalBelow(x, 4);
      expect(below).toBeLessThanOrEqual(x);
      expect(below).toBeGreaterThanOrEqual(x * 0.999);
    }),
  );
});
