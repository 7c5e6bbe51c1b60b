import { describe, expect, test } from "vitest";
import { ALL_METHODS } from "../../src/learning/estimators/all.js";
import { gaussianEvent, pureEvent } from "../../src/privacy/events/events.js";
import { overspent } from "./composition.js";
import { undrawable, type Configuration } from "./configurations.js";
import { FAULTS } from "./faults.js";
import { ownUnits, undeclared, type Change } from "./voted-columns.js";
import { runProperty } from "./run.js";
import { someOf, thorough } from "../thorough.js";

const isPrivate = ALL_METHODS.filter(({ privacy }) => privacy !== null);
const divided = isPrivate.filter(({ halves }) => halves !== undefined);

/** Options that have a value. */
const given = (options: Record<string, unknown>) =>
  Object.fromEntries(
    Object.entries(options).filter(([, value]) => value !== undefined),
  ) as Configuration["options"];

/** Five tasks or more that tell of at least half of eight directions. */
const manyFeatures: Change = ({ options: { intercept: _, ...options }, shape }) => ({
  options: { ...options, loss: "squared", unit: "task", scale: "unit" },
  shape: {
    ...shape,
    d: 7 + (shape.d % 3),
    rows: Array.from({ length: 6 }, (_, i) => 5 + (shape.rows[i] ?? 0)),
  },
});

/** Seven tasks and few coordinates, all of C's entries told. */
const fewCoordinates: Change = ({ options: { intercept: _, ...options }, shape }) => ({
  options: { ...options, loss: "squared", unit: "task", scale: "unit" },
  shape: {
    ...shape,
    d: 1 + (shape.d % 3),
    rows: Array.from({ length: 7 }, (_, i) => shape.rows[i] ?? 3 + i),
  },
});

/** The same at a budget at which they vote on differences within tasks alone. */
const withinTasks: Change = (drawn) => {
  const { options, shape } = undeclared(drawn);
  return {
    options,
    shape: { ...shape, rows: shape.rows.map((n) => 5 + (n % 6)) },
  };
};

/** Nine tasks with rows enough that a direction stands out. */
const standingOut: Change = ({ options, shape }) => ({
  options: given({ ...options, rounds: 2, maxRank: undefined }),
  shape: {
    ...shape,
    d: 4 + (shape.d % 5),
    rows: Array.from({ length: 9 }, (_, i) => 8 + (shape.rows[i] ?? 0)),
  },
});

/** Six tasks, a bound that they vote on, and what goes with it. */
const votedClip: Change = ({ options, shape }) => ({
  options: given({
    ...options,
    clip: "auto",
    mechanism: undefined,
    curator: undefined,
    shift: undefined,
    recordEpsilon: undefined,
  }),
  shape: { ...shape, rows: Array.from({ length: 6 }, (_, i) => shape.rows[i] ?? 2 + i) },
});

test("every option of every method is drawn, but functions and the source of noise", () => {
  const known = new Set(["random", "rule", "step"]);
  for (const method of ALL_METHODS)
    expect(undrawable(method).filter((name) => !known.has(name))).toEqual([]);
});

// A fixed seed: what is drawn is the same every time. More of it: `npm run property -- --minutes 60`.
test("random configurations keep what they promise", async () => {
  const { seen, failure } = await runProperty({ seed: 29, count: thorough ? 50 : 10 });
  expect(failure).toBeUndefined();
  expect(seen.checked).toBeGreaterThan(thorough ? 25 : 5);
  for (const method of thorough ? isPrivate : []) {
    if (seen.methods[method.name]) continue;
    // One that chance left out has its turn alone.
    const own = await runProperty({ seed: 26, count: 12, methods: [method] });
    expect(own.failure).toBeUndefined();
    expect(own.seen.methods[method.name] ?? 0, method.name).toBeGreaterThan(0);
  }
  // The worst pairs of worlds are among those drawn, so the bound is not met by being far away.
  for (const adjacency of ["zero-out", "replace"]) {
    const ratios = Object.entries(seen.ratios).filter(([kind]) => kind.endsWith(adjacency));
    expect(Math.max(...ratios.map(([, ratio]) => ratio))).toBeGreaterThan(0.95);
  }
}, 240_000);

describe("releases that chance seldom reaches move by no more than their sensitivity", () => {
  const known = ({ name }: { readonly name: string }, ...names: string[]) => names.includes(name);
  const budget = { delta: 0.1, taskEpsilons: undefined };

  // Several hundred tasks, or a budget beyond all use: of a few tasks only the latter is quick.
  type Case = readonly [what: string, names: readonly string[], labels: readonly string[], change: Change, epsilon: number, times: number]; // prettier-ignore
  const cases: readonly Case[] = [
    [
      "correlations of the tasks' models",
      ["mp-mixed"],
      ["covariance 1", "covariance 2"],
      manyFeatures,
      100,
      1,
    ],
    [
      "how wide tasks' models are, and their correlations",
      ["mp-mixed"],
      ["shape 1", "shape 2"],
      fewCoordinates,
      100,
      1,
    ],
    [
      "votes on columns of which nothing is declared",
      ["mp-mixed"],
      ["scale: magnitudes", "scale: locations", "scale: spreads and differences"],
      undeclared,
      100,
      1,
    ],
    ["votes on differences within tasks", ["mp-mixed"], ["scale: differences"], withinTasks, 4, 1],
    [
      "labels, compared with learning alone in units of a task's own rows",
      ["mp-mixed"],
      ["scale: spreads and differences", "comparison"],
      ownUnits,
      100,
      1,
    ],
    [
      "directions that stand out",
      ["mp-subspace"],
      ["start", "sizes 1", "gram 1", "sizes 2", "gram 2"],
      standingOut,
      1000,
      // Of few tasks some direction seldom does, and a fit is quick.
      15,
    ],
    [
      "votes on K",
      ["mp-low-rank", "mp-group-sparse", "pmtl", "pmtl-projected"],
      ["clip"],
      votedClip,
      100,
      1,
    ],
  ];
  test.each(someOf(cases, 3))(
    "%s",
    async (_, names, labels, change, epsilon, times) => {
      const { seen, failure } = await runProperty({
        seed: 31,
        count: (thorough ? 20 : 8) * times,
        methods: isPrivate.filter((method) => known(method, ...names)),
        changed: (drawn) => {
          const { options, shape } = change(drawn);
          return { ...drawn, options: given({ ...options, ...budget, epsilon }), shape };
        },
      });
      expect(failure).toBeUndefined();
      for (const label of labels) {
        const { configurations = 0, ratio = 0 } = seen.labels[label] ?? {};
        expect(configurations, label).toBeGreaterThanOrEqual(thorough ? 8 : 4);
        // Some pairs of worlds are as far apart as they may be.
        expect(ratio, label).toBeGreaterThan(0.9);
      }
    },
    240_000,
  );
});

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
  test.each(someOf(Object.entries(FAULTS), 4))(
    "%s",
    async (_, { sabotage, complaint }) => {
      const { failure } = await runProperty({
        seed: 7,
        count: 25,
        methods: divided,
        sabotage,
        shrinks: false,
      });
      expect(failure?.message).toMatch(complaint);
    },
    120_000,
  );
});
