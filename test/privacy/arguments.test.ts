/** Every number that a budget, a noise or a cost is made from is refused by its name where it is none. */
import { describe, expect, test } from "vitest";
import { deltaOf, epsilonOf } from "../../src/privacy/accounting/account.js";
import { gaussianDelta, gaussianEpsilon, gaussianMu } from "../../src/privacy/accounting/gdp.js";
import { compositionBound } from "../../src/privacy/accounting/kov.js";
import { resolveDelta } from "../../src/privacy/delta.js";
import {
  discreteGaussianEvent,
  gaussianEvent,
  laplaceEvent,
  pureEvent,
  sphericalLaplaceEvent,
  subsampledGaussianEvent,
  twoSidedWishartEvent,
  wishartEvent,
} from "../../src/privacy/events/events.js";
import { Ledger } from "../../src/privacy/ledger/ledger.js";
import { createMechanism } from "../../src/privacy/mechanisms/create.js";
import { randomAllocationEvent } from "../../src/privacy/events/random-allocation.js";
import { allocateBudget } from "../../src/privacy/allocate-budget.js";

const NONE = [NaN, Infinity, -Infinity, -1];
const POSITIVE = [...NONE, 0];
const COUNT = [...POSITIVE, 1.5];
type Fields = Record<string, unknown>;

/** What is called, with values that it takes, and those that each field must not have. */
const CALLS: [string, (fields: never) => unknown, Fields, Record<string, readonly unknown[]>][] = [
  ["gaussianEvent", gaussianEvent, { sigma: 1, sensitivity: 1 }, { sigma: POSITIVE, sensitivity: NONE, adjacency: ["both"] }], // prettier-ignore
  ["laplaceEvent", laplaceEvent, { scale: 1, sensitivity: 1 }, { scale: POSITIVE, sensitivity: NONE, adjacency: ["both"] }], // prettier-ignore
  ["sphericalLaplaceEvent", sphericalLaplaceEvent, { scale: 1, sensitivity: 1 }, { scale: POSITIVE, sensitivity: NONE }], // prettier-ignore
  ["twoSidedWishartEvent", twoSidedWishartEvent, { scale: 1, sensitivity: 1 }, { scale: POSITIVE, sensitivity: NONE }], // prettier-ignore
  ["pureEvent", pureEvent, { epsilon: 1 }, { epsilon: NONE, adjacency: ["both"] }],
  ["subsampledGaussianEvent", subsampledGaussianEvent, { sigma: 1, rate: 0.1 }, { sigma: POSITIVE, rate: [...POSITIVE, 1.01], sensitivity: NONE }], // prettier-ignore
  ["discreteGaussianEvent", discreteGaussianEvent, { sigma: 1, grid: 2 ** -10, entries: 3, sensitivity: 1 }, { sigma: POSITIVE, grid: POSITIVE, entries: COUNT, shares: COUNT, sensitivity: NONE }], // prettier-ignore
  ["wishartEvent", wishartEvent, { dimension: 2, degreesOfFreedom: 5, scale: 1, clip: 1 }, { dimension: COUNT, degreesOfFreedom: [...NONE, 2.9], scale: POSITIVE, clip: POSITIVE, adjacency: ["both"] }], // prettier-ignore
  ["randomAllocationEvent", randomAllocationEvent, { sigma: 1, rounds: 10, picks: 2 }, { sigma: POSITIVE, sensitivity: NONE, rounds: COUNT, picks: [...COUNT, 11] }], // prettier-ignore
  ["Ledger", (options: never) => new Ledger(options), { epsilon: 1, delta: 0, adjacency: "replace" }, { epsilon: POSITIVE, delta: [...NONE, 1], adjacency: ["both", undefined], noiseSource: ["pseudo"] }], // prettier-ignore
  ["createMechanism", createMechanism, { statistic: "covariance", tasks: 3, dimension: 3, clip: 1, delta: 1e-5 }, { tasks: COUNT, dimension: COUNT, clip: POSITIVE, delta: NONE, adjacency: ["both"] }], // prettier-ignore
  ["allocateBudget", ({ mechanism = createMechanism({ statistic: "vector", tasks: 3, dimension: 2, clip: 1, delta: 1e-5 }), ...rest }: Fields) => allocateBudget({ mechanism, ...rest } as never), { rounds: 2, epsilon: 1, delta: 1e-5 }, { rounds: COUNT, epsilon: POSITIVE, delta: NONE }], // prettier-ignore
  ["gaussianDelta", ({ epsilon, mu }: { epsilon: number; mu: number }) => gaussianDelta(epsilon, mu), { epsilon: 1, mu: 1 }, { epsilon: NONE, mu: NONE }], // prettier-ignore
  ["gaussianEpsilon", ({ mu, delta }: { mu: number; delta: number }) => gaussianEpsilon(mu, delta), { mu: 1, delta: 1e-5 }, { mu: NONE }], // prettier-ignore
  ["gaussianMu", ({ epsilon, delta }: { epsilon: number; delta: number }) => gaussianMu(epsilon, delta), { epsilon: 1, delta: 1e-5 }, { epsilon: NONE, delta: POSITIVE }], // prettier-ignore
  ["epsilonOf", (options: { delta: number }) => epsilonOf([pureEvent({ epsilon: 1 })], options), { delta: 0 }, { delta: [...NONE, 1] }], // prettier-ignore
  ["deltaOf", (options: { epsilon: number }) => deltaOf([pureEvent({ epsilon: 1 })], options), { epsilon: 1 }, { epsilon: NONE, accountant: ["moments"] }], // prettier-ignore
  ["compositionBound", ({ delta }: { delta: number }) => compositionBound([1], delta), { delta: 0 }, { delta: [...NONE, 1] }], // prettier-ignore
  ["resolveDelta", ({ delta, m }: { delta: number; m: number }) => resolveDelta(delta, m), { delta: 0.1, m: 3 }, { delta: [...NONE, 1], m: COUNT }], // prettier-ignore
];

describe.each(CALLS)("%s", (_, call, good, bad) => {
  test("takes what it is for", () => {
    expect(() => call(good as never)).not.toThrow();
  });

  test.each(Object.entries(bad))("refuses another %s by its name", (field, values) => {
    for (const value of values)
      expect(
        () => call({ ...good, [field]: value } as never),
        `${field} = ${String(value)}`,
      ).toThrow(new RegExp(`^(?:\\w+\\.)?${field}: expected `));
  });
});

test("a budget is allotted to a mechanism, and says so where there is none", () => {
  for (const mechanism of [undefined, null, 3]) {
    const options = { rounds: 2, epsilon: 1, delta: 1e-5, mechanism } as never;
    expect(() => allocateBudget(options)).toThrow(/^mechanism: expected an object, got /);
  }
});
