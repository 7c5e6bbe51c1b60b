/** The budget of a private selection: every candidate's releases are in it. */
import { describe, expect, test } from "vitest";
import { calibrateSelection } from "../../../src/privacy/selection/selection-budget.js";
import {
  BudgetExceededError,
  epsilonOf,
  pureEvent,
  type SelectionEvent,
} from "../../../src/privacy/index.js";

const budget = { epsilon: 2, delta: 0, adjacency: "replace", relative: 1e-6 } as const;
const repetitions = { kind: "negative-binomial", eta: 1, gamma: 0.2 } as const;
/** Candidates whose runs cost as many times their own budget. */
const costing =
  (...times: number[]) =>
  (own: number) =>
    times.map((k) => [pureEvent({ epsilon: k * own }), pureEvent({ epsilon: own })]);

describe("a selection of a random number of runs", () => {
  test("is one event with all candidates' releases, at a budget that the dearest keeps", () => {
    const cheap = calibrateSelection(costing(1), { ...budget, repetitions });
    for (const times of [
      [1, 4],
      [4, 1],
      [1, 4, 2],
    ]) {
      const planned = calibrateSelection(costing(...times), { ...budget, repetitions });
      const [event] = planned.ledger.plan as SelectionEvent[];
      expect(event!.plans).toHaveLength(times.length);
      // The dearest costs 5 / 2 of what the cheap one alone does; how runs are chosen costs little more or less.
      expect(planned.own / ((cheap.own * 2) / 5)).toBeGreaterThan(0.9);
      expect(planned.own / ((cheap.own * 2) / 5)).toBeLessThan(1.1);
      expect(epsilonOf([event!], { delta: 0 })).toBeLessThanOrEqual(2);
      expect(epsilonOf([event!], { delta: 0 })).toBeGreaterThan(1.99);
      expect(planned.plans).toHaveLength(times.length);
    }
  });

  test("is charged once, as a whole, whatever runs", () => {
    const { ledger, plans, charge } = calibrateSelection(costing(1, 2), { ...budget, repetitions });
    charge("run", plans[0]);
    expect(ledger.entries).toHaveLength(0);
    charge("selection");
    expect(ledger.entries).toMatchObject([{ round: 1, label: "private selection" }]);
    expect(() => charge("selection")).toThrow(BudgetExceededError);
  });
});

test("where all candidates run, every release of each is charged when it runs, and all fit", () => {
  const planned = calibrateSelection(costing(1, 4), { ...budget, repetitions: "all" });
  // 1 + 1 + 4 + 1 times its own budget.
  expect(planned.own).toBeCloseTo(2 / 7, 5);
  planned.charge("selection");
  expect(planned.ledger.entries).toHaveLength(0);
  for (const plan of planned.plans) planned.charge("run", plan);
  expect(planned.ledger.entries.map(({ round }) => round)).toEqual([1, 2, 3, 4]);
  expect(planned.ledger.spent().epsilon).toBeCloseTo(2, 5);
});

test("a budget that nothing can share out is refused", () => {
  const dear = () => [[pureEvent({ epsilon: 5 })]];
  expect(() => calibrateSelection(dear, { ...budget, repetitions })).toThrow("share out");
});
