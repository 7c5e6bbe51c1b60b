/** Events that a program wrote itself, or read without `parseEvent`: what no theorem covers costs nothing nowhere. */
import { describe, expect, test } from "vitest";
import {
  accountForDelta,
  accountForEpsilon,
  BudgetExceededError,
  calibrate,
  epsilonBounds,
  epsilonOf,
  largestRounds,
  Ledger,
  selectionEvent,
  type GaussianEvent,
  type PrivacyEvent,
  type SelectionEvent,
} from "../../../src/privacy/index.js";

const poisson = (rate: number) => ({ kind: "poisson", rate });
const zeroOut = { sensitivity: 1, adjacency: "zero-out" };

const WRONG: readonly (readonly [string, Record<string, unknown>])[] = [
  ["sigma", { kind: "gaussian", ...zeroOut, sigma: -1 }],
  ["sensitivity", { kind: "gaussian", ...zeroOut, sigma: 1, sensitivity: -1 }],
  ["adjacency", { kind: "gaussian", sigma: 1, sensitivity: 1 }],
  ["adjacency", { kind: "gaussian", sigma: 1, sensitivity: 1, adjacency: "sideways" }],
  ["sampling", { kind: "gaussian", ...zeroOut, sigma: 1, sampling: poisson(0.01) }],
  ["scale", { kind: "laplace", ...zeroOut, scale: -1 }],
  ["epsilon", { kind: "pure", epsilon: -1, adjacency: "zero-out" }],
  ["sensitivity", { kind: "spherical-laplace", scale: 1, sensitivity: -1, adjacency: "zero-out" }],
  [
    "adjacency",
    {
      kind: "subsampled-gaussian",
      sigma: 1,
      sensitivity: 1,
      adjacency: "replace",
      sampling: poisson(0.01),
    },
  ],
  ["rate", { kind: "subsampled-gaussian", ...zeroOut, sigma: 1, sampling: poisson(0) }],
  [
    "sampling",
    { kind: "subsampled-gaussian", ...zeroOut, sigma: 1, sampling: { kind: "fixed", rate: 0.01 } },
  ],
  [
    "adjacency",
    {
      kind: "random-allocation",
      sigma: 1,
      sensitivity: 1,
      adjacency: "replace",
      rounds: 100,
      picks: 1,
    },
  ],
  ["picks", { kind: "random-allocation", ...zeroOut, sigma: 1, rounds: 100, picks: 0 }],
  ["kind", { kind: "none", adjacency: "zero-out" }],
  [
    "degreesOfFreedom",
    {
      kind: "wishart",
      dimension: 3,
      degreesOfFreedom: 1,
      scale: 1,
      clip: 1,
      adjacency: "zero-out",
    },
  ],
];

describe.each(WRONG)("a wrong %s is refused by name: %j", (field, given) => {
  const event = given as unknown as PrivacyEvent;
  const budget = { epsilon: 1, delta: 1e-5 };
  const { adjacency } = event;
  test.each([
    ["accountForDelta", () => accountForDelta([event], { delta: 1e-5 })],
    ["accountForEpsilon", () => accountForEpsilon([event], { epsilon: 1 })],
    ["epsilonBounds", () => epsilonBounds([event], { delta: 1e-5 })],
    ["calibrate", () => calibrate({ ...budget, event: () => event })],
    ["largestRounds", () => largestRounds({ ...budget, event })],
    ["a ledger with a plan", () => new Ledger({ ...budget, adjacency, plan: [event] })],
    [
      "a ledger without",
      () => {
        const ledger = new Ledger({ ...budget, adjacency: adjacency ?? "zero-out" });
        ledger.charge(event, { round: 1 });
      },
    ],
    [
      "a selection",
      () =>
        accountForDelta(
          [
            selectionEvent({
              repetitions: { kind: "poisson", mean: 3 },
              plans: [[{ event, count: 1 }]],
              adjacency,
            }),
          ],
          { delta: 1e-5 },
        ),
    ],
  ] as const)("%s", (_, account) => {
    // A selection takes no Wishart event, be it right or wrong.
    expect(account).toThrow(new RegExp(`${field}|a wishart event cannot`));
  });
});

describe("an event that its program changes afterwards", () => {
  type Mutable<T> = { -readonly [K in keyof T]: T[K] };
  const gaussian = (sigma: number) =>
    ({ kind: "gaussian", sigma, sensitivity: 1, adjacency: "replace" }) as Mutable<GaussianEvent>;
  const budget = { epsilon: 1, delta: 1e-5, adjacency: "replace" } as const;

  test("is looked at anew", () => {
    const event = gaussian(1);
    const before = epsilonOf([event], { delta: 1e-5 });
    event.sigma = 0.5;
    expect(epsilonOf([event], { delta: 1e-5 })).toBeGreaterThan(before);
    event.sigma = -1;
    expect(() => epsilonOf([event], { delta: 1e-5 })).toThrow("sigma");
    expect(() => largestRounds({ ...budget, event })).toThrow("sigma");
  });

  test("so is one within a selection", () => {
    const event = gaussian(1);
    const selection: SelectionEvent = {
      kind: "selection",
      repetitions: { kind: "poisson", mean: 3 },
      plans: [[{ event, count: 1 }]],
      adjacency: "replace",
    };
    const before = epsilonOf([selection], { delta: 1e-5 });
    event.sigma = 0.5;
    expect(epsilonOf([selection], { delta: 1e-5 })).toBeGreaterThan(before);
    event.sigma = -1;
    expect(() => epsilonOf([selection], { delta: 1e-5 })).toThrow("sigma");
  });

  test("stays in a ledger as it was charged", () => {
    const ledger = new Ledger(budget);
    const event = gaussian(10);
    ledger.charge(event, { round: 1 });
    event.sigma = 1e9;
    expect(ledger.entries[0]!.event).toEqual(gaussian(10));
    event.sigma = -1;
    expect(() => ledger.charge(event, { round: 2 })).toThrow("sigma");
    // Nor does who reads the ledger change it.
    expect(() => {
      (ledger.entries[0]!.event as Mutable<GaussianEvent>).sigma = 1e9;
    }).toThrow(TypeError);
  });

  test("is not the one that was planned", () => {
    const event = gaussian(10);
    const ledger = new Ledger({ ...budget, plan: [event, event] });
    event.sigma = 0.01;
    expect(() => ledger.charge(event, { round: 1 })).toThrow(BudgetExceededError);
    expect(ledger.plan).toEqual([gaussian(10), gaussian(10)]);
    ledger.charge(gaussian(10), { round: 1 });
    expect(ledger.entries).toHaveLength(1);
  });
});
