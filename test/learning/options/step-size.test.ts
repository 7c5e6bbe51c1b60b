/** Step sizes with which rounds run away are refused before anything is charged, where options alone tell it. */
import { describe, expect, test } from "vitest";
import { OptionError } from "../../../src/core/index.js";
import { makeEstimator } from "../../../src/learning/index.js";
import { makePlan } from "../../../src/federation/index.js";

const make = (method: string, options: Record<string, unknown>) => () =>
  makeEstimator(method, options);

describe.each(["mp-low-rank", "mp-group-sparse", "mp-low-rank-sparse"])("%s", (method) => {
  test.each([
    [1e6, {}, undefined],
    [1e3, { featureBound: 10 }, undefined],
    [1e7, { featureBound: 0.1 }, undefined],
    [3.9e6, { loss: "logistic" }, undefined],
    [9e5, { intercept: true }, "expected at most 5.00e+5"],
    [5e6, {}, 'expected at most 1.00e+6, "auto" (1/L), or "own"'],
    [1e150, {}, "the budget would be spent on models that run away"],
    [3e4, { featureBound: 10 }, "expected at most 1.00e+4"],
    [3e6, { strongConvexity: 1 }, "expected at most 5.00e+5"],
  ] as const)("stepSize %d with %o", (stepSize, more, refusal) => {
    const all = { intercept: false, stepSize, ...more };
    if (refusal === undefined) expect(make(method, all)()).toBeDefined();
    else expect(make(method, all)).toThrow(OptionError);
    if (refusal !== undefined) expect(make(method, all)).toThrow(refusal);
  });

  test("its own words are no numbers to refuse", () => {
    for (const stepSize of ["auto", "own"]) expect(make(method, { stepSize })()).toBeDefined();
  });
});

test.each([
  [
    "pmtl",
    { stepSize: 3, lambda: 1, localSteps: 1 },
    "distance to the shared one by -2 in every step",
  ],
  ["pmtl", { stepSize: 1e200, lambda: 0.1 }, "expected at most 2 / lambda = 20"],
  ["private-fedprox", { stepSize: 3, lambda: 1, localSteps: 2 }, "expected at most 2 / lambda = 2"],
  [
    "pmtl",
    { stepSize: 3, lambda: 1, unit: "record", ownModel: "noisy" },
    "expected at most 2 / lambda = 2",
  ],
])("%s %o: steps towards the shared model that end farther from it", (method, options, refusal) => {
  expect(make(method, options)).toThrow(refusal);
});

test.each([
  ["pmtl", { stepSize: 2, lambda: 1 }],
  ["pmtl", { stepSize: 1e200, lambda: 0 }],
  ["pmtl", { stepSize: 3, lambda: 1, localSteps: "solve" }],
  ["pmtl", { stepSize: 3, lambda: 1, unit: "record" }],
  ["private-fedavg", { stepSize: 1e3 }],
  // The first step begins at the shared model.
  ["private-fedprox", { stepSize: 3, lambda: 1, localSteps: 1 }],
])("%s %o: nothing that options alone tell", (method, options) => {
  expect(make(method, options)()).toBeDefined();
});

test("a plan is refused when it is made", () => {
  const features = ["x1", "x2"];
  const plan = (options: object) => () =>
    makePlan({ run: "r", method: "mp-low-rank", features, options: { ...options } });
  expect(plan({ stepSize: 1e9 })).toThrow("mp-low-rank: stepSize");
});
