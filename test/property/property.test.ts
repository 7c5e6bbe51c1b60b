import { describe, expect, test } from "vitest";
import { ALL_METHODS } from "../../src/learning/estimators/all.js";
import { gaussianEvent, pureEvent } from "../../src/privacy/events.js";
import { overspent } from "./composition.js";
import { undrawable } from "./configurations.js";
import { FAULTS } from "./faults.js";
import { runProperty } from "./run.js";
import { someOf, thorough } from "../thorough.js";

const isPrivate = ALL_METHODS.filter(({ privacy }) => privacy !== null);
const divided = isPrivate.filter(({ halves }) => halves !== undefined);

test("every option of every method is drawn, but functions and the source of noise", () => {
  const known = new Set(["random", "rule", "step"]);
  for (const method of ALL_METHODS)
    expect(undrawable(method).filter((name) => !known.has(name))).toEqual([]);
});

// A fixed seed: what is drawn is the same every time. More of it: `npm run property -- --minutes 60`.
test("random configurations keep what they promise", async () => {
  const { seen, failure } = await runProperty({ seed: 29, count: thorough ? 125 : 10 });
  expect(failure).toBeUndefined();
  expect(seen.checked).toBeGreaterThan(thorough ? 60 : 5);
  for (const method of thorough ? isPrivate : []) {
    if (seen.methods[method.name]) continue;
    // One that chance left out has its turn alone.
    const own = await runProperty({ seed: 26, count: 32, methods: [method] });
    expect(own.failure).toBeUndefined();
    expect(own.seen.methods[method.name] ?? 0, method.name).toBeGreaterThan(0);
  }
  // The worst pairs of worlds are among those drawn, so the bound is not met by being far away.
  for (const adjacency of ["zero-out", "replace"]) {
    const ratios = Object.entries(seen.ratios).filter(([kind]) => kind.endsWith(adjacency));
    expect(Math.max(...ratios.map(([, ratio]) => ratio))).toBeGreaterThan(0.95);
  }
}, 240_000);

test("what is printed as spent may not be less than what was charged", () => {
  const pure = [1, 2].map((epsilon) => pureEvent({ epsilon }));
  expect(overspent(pure, { epsilon: 3, delta: 0 })).toBeUndefined();
  expect(overspent(pure, { epsilon: 3 - 1e-9, delta: 0 })).toMatch(/budget is 0/);
  // Balle and Wang (2018), Theorem 8, at eps = mu^2 / 2 = 2: Phi(0) - e^2 Phi(-2).
  const gaussian = [gaussianEvent({ sigma: 0.5 })];
  expect(overspent(gaussian, { epsilon: 2, delta: 0.3319 })).toBeUndefined();
  expect(overspent(gaussian, { epsilon: 2, delta: 0.33189 })).toMatch(/budget is 0.33189/);
});

describe("a planted fault is found", () => {
  test.each(someOf(Object.entries(FAULTS), 2))(
    "%s",
    async (_, { sabotage, complaint }) => {
      const { failure } = await runProperty({ seed: 7, count: 25, methods: divided, sabotage });
      expect(failure?.message).toMatch(complaint);
    },
    120_000,
  );
});
