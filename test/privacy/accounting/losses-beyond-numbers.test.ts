/** Pure rounds whose losses add up to no number, and such as are next to none: of neither may an accountant say that it costs nothing. */
import { describe, expect, test } from "vitest";
import {
  BudgetExceededError,
  deltaOf,
  epsilonOf,
  gaussianEvent,
  laplaceEvent,
  Ledger,
  pureEvent,
  sphericalLaplaceEvent,
  twoSidedWishartEvent,
  wishartEvent,
  type PrivacyEvent,
} from "../../../src/privacy/index.js";

const LEAST = Number.MIN_VALUE;

const twice = (...events: PrivacyEvent[]) => [...events, ...events];

describe.each([
  [
    "noise so small that sensitivity over scale is no number",
    twice(sphericalLaplaceEvent({ scale: 1e-310, sensitivity: 1 })),
  ],
  [
    "the same beside a round that costs little",
    [...twice(sphericalLaplaceEvent({ scale: 1e-310, sensitivity: 1 })), pureEvent({ epsilon: 1 })],
  ],
  ["matrices with such noise", twice(twoSidedWishartEvent({ scale: 1e-309, sensitivity: 1 }))],
  [
    "epsilons that cancel on the way, each two of which are no number",
    twice(pureEvent({ epsilon: 1.7e308 }), pureEvent({ epsilon: 1.6e308 })),
  ],
] as [string, PrivacyEvent[]][])("%s", (_, events) => {
  test.each([0, 1, 1e300])("have delta 1 at epsilon %d", (epsilon) => {
    expect(deltaOf(events, { epsilon })).toBe(1);
  });

  test("have no epsilon, and fit no budget", () => {
    expect(epsilonOf(events, { delta: 1e-5 })).toBe(Infinity);
    const open = () => new Ledger({ epsilon: 1, delta: 1e-5, adjacency: "replace", plan: events });
    expect(open).toThrow(BudgetExceededError);
  });
});

test("rounds whose losses are numbers, though the largest, have the delta of their sum", () => {
  const events = [pureEvent({ epsilon: 9e307 }), pureEvent({ epsilon: 8e307 })];
  expect(deltaOf(events, { epsilon: 1e308 })).toBe(1);
  expect(deltaOf(events, { epsilon: 1.71e308 })).toBe(0);
});

describe("rounds next to none", () => {
  test.each([
    ["one of Laplace noise", [laplaceEvent({ scale: 1e200, sensitivity: 1e-200 })]],
    ["two of Laplace noise", twice(laplaceEvent({ scale: 1e200, sensitivity: 1e-200 }))],
    [
      "two of Laplace noise, whose divergence cancels",
      twice(laplaceEvent({ scale: 1.7e308, sensitivity: 1 })),
    ],
    ["one of a vector's noise", [sphericalLaplaceEvent({ scale: 1e200, sensitivity: 1e-200 })]],
    ["one of the least epsilon", [pureEvent({ epsilon: LEAST })]],
    [
      "one whose sensitivity is the least",
      [twoSidedWishartEvent({ scale: 1, sensitivity: LEAST })],
    ],
  ] as [string, PrivacyEvent[]][])("%s has a delta, and an epsilon", (_, events) => {
    for (const accountant of ["auto", "kov", "rdp", "pld"] as const)
      expect(deltaOf(events, { epsilon: 0, accountant }), accountant).toBeGreaterThan(0);
    expect(epsilonOf(events, { delta: 0 })).toBeGreaterThan(0);
  });

  test("half of the least sensitivity is not nothing beside as little noise", () => {
    const events = [twoSidedWishartEvent({ scale: LEAST, sensitivity: LEAST })];
    // Sensitivity over twice the scale.
    expect(epsilonOf(events, { delta: 0 })).toBeCloseTo(0.5, 12);
  });

  test("a clip whose square is none is not nothing beside as little noise", () => {
    const [clip, scale] = [2 ** -540, 2 ** -1074];
    const events = [
      wishartEvent({ dimension: 2, degreesOfFreedom: 3, scale, clip, adjacency: "zero-out" }),
    ];
    // K^2 / v is 2^-6, and the column is given away with probability 1 - exp(-2^-7).
    expect(deltaOf(events, { epsilon: 0.5 })).toBeCloseTo(-Math.expm1(-(2 ** -7)), 12);
  });
});

describe("a ledger without a plan", () => {
  const faint = gaussianEvent({ sigma: 1e170, sensitivity: 1 });

  test("charges rounds whose cost is below all numbers", () => {
    const ledger = new Ledger({
      epsilon: 1,
      delta: 1e-300,
      adjacency: "replace",
      accountant: "gdp",
    });
    ledger.charge(faint, { round: 1 });
    expect(ledger.spent().epsilon).toBeGreaterThan(0);
  });

  test("refuses a round that costs more than a budget whose square is none", () => {
    // mu of the budget is near 1e-199, that of the round 1e-170.
    const budget = {
      epsilon: 1e-200,
      delta: 1e-200,
      adjacency: "replace",
      accountant: "gdp",
    } as const;
    expect(() => new Ledger(budget).charge(faint, { round: 1 })).toThrow(BudgetExceededError);
    // As a plan it does not fit either.
    expect(() => new Ledger({ ...budget, plan: [faint] })).toThrow(BudgetExceededError);
  });
});

describe("at an epsilon next to the sum of all", () => {
  test.each([
    [[0.1, 0.2], 0.3],
    [[0.1, 0.1, 0.1], 0.3],
    [[0.1, 0.2, 0.3, 0.4], 1],
    [[1.1, 20.2, 0.001], 21.301],
    [[0.5, 0.25], 0.75],
    [[1], 1],
  ])("%j at %d have the delta of their exact sum", (epsilons, epsilon) => {
    const events = epsilons.map((one) => pureEvent({ epsilon: one }));
    // Decimal fractions of doubles are finite: sums of their multiples of 2^-60 are exact.
    const exact = (x: number) => BigInt(x * 2 ** 60);
    const over = Number(epsilons.reduce((sum, one) => sum + exact(one), -exact(epsilon))) / 2 ** 60;
    const mass = epsilons.reduce((product, one) => product / (1 + Math.exp(-one)), 1);
    const delta = deltaOf(events, { epsilon });
    if (over <= 0) expect(delta).toBe(0);
    else {
      expect(delta).toBeGreaterThanOrEqual(over * mass);
      // By no more than what rounding may take from sums.
      expect(delta).toBeLessThan(over * mass + 1e-14);
    }
  });
});
