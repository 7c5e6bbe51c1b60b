import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { epsilonOf } from "../../../src/privacy/accounting/account.js";
import { gaussianEvent, laplaceEvent, pureEvent } from "../../../src/privacy/events/events.js";
import { BudgetExceededError, Ledger } from "../../../src/privacy/ledger/ledger.js";
import { createMechanism } from "../../../src/privacy/mechanisms/create.js";
import { allocateBudget } from "../../../src/privacy/allocate-budget.js";
import type { Schedule } from "../../../src/privacy/schedule.js";
import { someOf } from "../../thorough.js";

const covariance = { statistic: "covariance", tasks: 20, dimension: 8, clip: 1.5 } as const;

describe("what a ledger shows", () => {
  const event = gaussianEvent({ sigma: 10 });
  const budget = { epsilon: 1, delta: 1e-5, adjacency: event.adjacency } as const;

  test("cannot be taken out of it: a charged release would be charged, and its noise drawn, again", () => {
    const ledger = new Ledger({ ...budget, plan: [event, event] });
    ledger.charge(event, { round: 1 });
    const { entries } = ledger;
    ledger.charge(event, { round: 2 });
    for (const shown of [entries, ledger.entries, ledger.plan!]) {
      expect(() => (shown as unknown[]).pop()).toThrow(TypeError);
      expect(() => (shown as unknown[]).push(shown[0])).toThrow(TypeError);
    }
    expect(() => ((ledger.entries[0] as { round: number }).round = 2)).toThrow(TypeError);
    expect([entries.length, ledger.entries.length, ledger.releases]).toEqual([1, 2, 2]);
    expect(() => ledger.charge(event, { round: 3 })).toThrow(BudgetExceededError);
  });
});

describe("a ledger with a plan", () => {
  test("accepts what allocateBudget plans, for every schedule and budget", () => {
    const schedules: Schedule[] = [
      { kind: "constant" },
      { kind: "polynomial", exponent: 0.4 },
      { kind: "geometric", ratio: 0.9 },
    ];
    for (const schedule of schedules) {
      for (const epsilon of someOf([1e-8, 0.1, 1, 10, 1e4], 2)) {
        for (const delta of [0, 1e-15, 1e-4, 0.1]) {
          const mechanism = createMechanism({ ...covariance, delta });
          const plan = allocateBudget({ schedule, rounds: 50, epsilon, delta, mechanism });
          const ledger = new Ledger({
            epsilon,
            delta,
            adjacency: "replace",
            accountant: plan.accountant,
            plan: plan.events,
          });
          plan.events.forEach((event, t) => ledger.charge(event, { round: t + 1 }));
          const { epsilon: spent } = ledger.spent();
          expect(spent).toBeLessThanOrEqual(epsilon);
          // Tight: nothing worth mentioning is left over.
          expect(epsilonOf(plan.events, { delta })).toBeGreaterThan(epsilon * (1 - 1e-6) - 1e-11);
        }
      }
    }
  });

  test("refuses another event, another order and one release too many, and stays unchanged", () => {
    const [a, b] = [gaussianEvent({ sigma: 30 }), gaussianEvent({ sigma: 40 })];
    const ledger = new Ledger({ epsilon: 1, delta: 1e-5, adjacency: "replace", plan: [a, b] });
    expect(() => ledger.charge(b, { round: 1 })).toThrow(BudgetExceededError);
    expect(ledger.entries).toHaveLength(0);
    ledger.charge({ ...a }, { round: 1 });
    ledger.charge(b, { round: 2, label: "choice" });
    expect(() => ledger.charge(b, { round: 3 })).toThrow("round 3 needs planned releases 1");
    expect(ledger.entries.map(({ round }) => round)).toEqual([1, 2]);
  });

  test("refuses a plan beyond the budget, with what it needs", () => {
    const plan = [gaussianEvent({ sigma: 1 })];
    const open = () => new Ledger({ epsilon: 1, delta: 1e-5, adjacency: "replace", plan });
    try {
      open();
      expect.unreachable();
    } catch (error) {
      expect(error).toBeInstanceOf(BudgetExceededError);
      const { code, needed, left } = error as BudgetExceededError;
      expect({ code, left }).toEqual({ code: "BUDGET", left: 1 });
      expect(needed).toBe(epsilonOf(plan, { delta: 1e-5 }));
    }
  });

  test("refuses events of another adjacency", () => {
    const event = gaussianEvent({ sigma: 50, adjacency: "zero-out" });
    expect(
      () => new Ledger({ epsilon: 1, delta: 1e-5, adjacency: "replace", plan: [event] }),
    ).toThrow('event.adjacency: this ledger is for "replace", got "zero-out"');
  });
});

describe("a ledger without a plan", () => {
  test("adds pure budgets and says what was needed and left", () => {
    const ledger = new Ledger({ epsilon: 1, delta: 0, adjacency: "replace" });
    ledger.charge(pureEvent({ epsilon: 0.75 }), { round: 1 });
    ledger.charge(laplaceEvent({ scale: 8 }), { round: 2 });
    expect(ledger.spent().epsilon).toBeCloseTo(0.875, 12);
    expect(ledger.remaining().epsilon).toBeCloseTo(0.125, 12);
    try {
      ledger.charge(pureEvent({ epsilon: 0.2 }), { round: 3 });
      expect.unreachable();
    } catch (error) {
      expect((error as BudgetExceededError).needed).toBe(0.2);
      expect((error as BudgetExceededError).left).toBeCloseTo(0.125, 12);
    }
    expect(ledger.entries).toHaveLength(2);
  });

  test("never spends more than the budget, whatever is asked in whatever order", () => {
    const sigma = fc.double({ min: 1, max: 100, noNaN: true });
    fc.assert(
      fc.property(fc.array(sigma, { maxLength: 40 }), (sigmas) => {
        const ledger = new Ledger({ epsilon: 1, delta: 1e-5, adjacency: "replace" });
        for (const s of sigmas) {
          try {
            ledger.charge(gaussianEvent({ sigma: s }), { round: 1 });
          } catch (error) {
            expect(error).toBeInstanceOf(BudgetExceededError);
          }
        }
        const events = ledger.entries.map(({ event }) => event);
        if (events.length > 0) {
          expect(epsilonOf(events, { delta: 1e-5 })).toBeLessThanOrEqual(1 + 1e-9);
        }
      }),
    );
  });

  test("offers no filter that is not a theorem", () => {
    expect(
      () => new Ledger({ epsilon: 1, delta: 1e-5, adjacency: "replace", accountant: "kov" }),
    ).toThrow("needs a fixed plan");
  });
});

describe("saving", () => {
  test("comes back from JSON with the same state, planned or not", () => {
    const event = gaussianEvent({ sigma: 60 });
    const options = { epsilon: 1, delta: 1e-5, adjacency: "replace" } as const;
    for (const ledger of [
      new Ledger({ ...options, plan: [event, event, event] }),
      new Ledger(options),
    ]) {
      ledger.charge(event, { round: 1 });
      ledger.charge(event, { round: 2, label: "again" });
      const text = JSON.stringify(ledger);
      const back = Ledger.fromJSON(JSON.parse(text));
      expect(JSON.stringify(back)).toBe(text);
      expect(back.spent()).toEqual(ledger.spent());
      expect(back.remaining()).toEqual(ledger.remaining());
    }
  });

  test("writes a plan as runs of equal events", () => {
    const [a, b] = [0.1, 0.2].map((epsilon) => pureEvent({ epsilon }));
    const ledger = new Ledger({
      epsilon: 1,
      delta: 0,
      adjacency: "replace",
      plan: [a!, a!, b!, a!],
    });
    expect(ledger.toJSON()).toMatchObject({
      plan: [
        { event: a, count: 2 },
        { event: b, count: 1 },
        { event: a, count: 1 },
      ],
    });
  });

  test("keeps what else is stated of the releases, which nobody changes, and refuses what is no such thing", () => {
    const options = { epsilon: 1, delta: 1e-5, adjacency: "replace" } as const;
    const recordSensitivities = [0.5, 0];
    const person = { rowsPerPerson: 2, tasksPerPerson: 3 };
    const terms = { person, recordSensitivities, ownerWeights: [1, 0.25] };
    const ledger = new Ledger({ ...options, terms });
    recordSensitivities[0] = 0.1;
    const kept = { ...terms, recordSensitivities: [0.5, 0] };
    expect(ledger.terms).toEqual(kept);
    expect(Ledger.fromJSON(JSON.parse(JSON.stringify(ledger))).terms).toEqual(kept);
    expect("terms" in new Ledger(options).toJSON()).toBe(false);
    expect(() => ((ledger.terms!.ownerWeights as number[])[1] = 1)).toThrow(TypeError);
    const stored = ledger.toJSON();
    for (const [broken, said] of [
      [5, /^terms: expected an object/],
      [{ person: { rowsPerPerson: 0, tasksPerPerson: 1 } }, /^terms\.person\.rowsPerPerson/],
      [{ person: { rowsPerPerson: 1 } }, /^terms\.person\.tasksPerPerson/],
      [{ recordSensitivities: [1, -1] }, /^terms\.recordSensitivities\[1\]/],
      [{ recordSensitivities: [null] }, /^terms\.recordSensitivities\[0\]/],
      [{ ownerWeights: 1 }, /^terms\.ownerWeights: expected an array/],
      [{ ownerWeights: [1, 2] }, /^terms\.ownerWeights\[1\]: expected at most 1, got 2/],
    ] as const) {
      expect(() => Ledger.fromJSON({ ...stored, terms: broken })).toThrow(said);
    }
  });

  test("refuses a file that overspends or is not a ledger", () => {
    const ledger = new Ledger({ epsilon: 1, delta: 0, adjacency: "replace" });
    ledger.charge(pureEvent({ epsilon: 0.6 }), { round: 1 });
    const stored = ledger.toJSON();
    expect(Ledger.fromJSON({ ...stored, unit: "person" }).toJSON().unit).toBe("person");
    expect(() => Ledger.fromJSON({ ...stored, unit: "house" })).toThrow(/^unit: expected one of/);
    const twice = { ...stored, entries: [...stored.entries, ...stored.entries] };
    expect(() => Ledger.fromJSON(twice)).toThrow(BudgetExceededError);
    expect(() => Ledger.fromJSON({ ...stored, version: 9 })).toThrow("version 9");
    expect(() => Ledger.fromJSON({ ...stored, entries: [{ round: 1, event: {} }] })).toThrow(
      "ledger.entries[0].event.kind",
    );
  });
});
