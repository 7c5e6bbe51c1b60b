/** An option that is an object is refused where it has a field that would be lost: it is misspelt, or of another kind. */
import { expect, test } from "vitest";
import { OptionError } from "../../../src/core/index.js";
import { makeEstimator } from "../../../src/learning/index.js";

const VALUES: readonly [option: string, value: object][] = [
  ["random", { mode: "secure" }],
  ["random", { mode: "seeded", seed: 1 }],
  ["schedule", { kind: "constant" }],
  ["schedule", { kind: "polynomial", exponent: 0.5 }],
  ["schedule", { kind: "geometric", ratio: 0.9 }],
  ["sampling", { kind: "all" }],
  ["sampling", { kind: "poisson", rate: 0.5 }],
  ["sampling", { kind: "allocation", picks: 2 }],
  ["sampling", { kind: "fixed-size", size: 3 }],
  ["aggregate", { kind: "mean" }],
  ["aggregate", { kind: "median-of-means", groups: 3 }],
  ["aggregate", { kind: "trimmed-mean", share: 0.1 }],
  ["finetune", { kind: "mean-regularized" }],
  ["finetune", { kind: "mean-regularized", steps: 3, stepSize: 0.5, strength: 1 }],
];

test.each(VALUES)("%s: %j", (option, value) => {
  const make = (given: object) => makeEstimator("pmtl", { adjacency: "zero-out", [option]: given });
  expect(make(value)).toBeDefined();
  expect(make({ ...value, other: undefined })).toBeDefined();
  for (const more of [{ other: 1 }, { Rate: 0.1 }, { ["__proto__x"]: null }]) {
    expect(() => make({ ...value, ...more })).toThrow(OptionError);
    expect(() => make({ ...value, ...more })).toThrow(`${option}: expected `);
  }
});

test("a field of another kind of the same option, too", () => {
  for (const sampling of [
    { kind: "all", rate: 0.1 },
    { kind: "poisson", rate: 0.1, size: 3 },
  ]) {
    expect(() => makeEstimator("pmtl", { sampling })).toThrow("sampling: expected ");
  }
});
