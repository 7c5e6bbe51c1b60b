/** Parts of the budget: those of all releases of a plan are positive and sum to the whole, at every size and budget. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  scalePlan,
  scaleReleases,
} from "../../../../src/learning/families/mixed/undeclared/scale-plan.js";
import { logisticPlan } from "../../../../src/learning/families/mixed/labels/logistic-plan.js";
import {
  meansOfPairs,
  meansOfRows,
} from "../../../../src/learning/families/mixed/records/record-means.js";
import { recordReleases } from "../../../../src/learning/families/mixed/records/record-exchange.js";
import { GRAM } from "../../../../src/learning/families/mixed/records/record-settings.js";
import {
  squaredReleases,
  squaredSteps,
} from "../../../../src/learning/families/mixed/squared/squared-plan.js";
import { MpMixed } from "../../../../src/learning/index.js";
import { releasesOf } from "../../../../src/learning/release/private-estimator.js";
import { unpacked } from "../../../../src/linalg/packed-symmetric.js";
import { makeTasks } from "../../tasks.js";

const sizes = fc.record({
  m: fc.integer({ min: 5, max: 5000 }),
  d: fc.integer({ min: 2, max: 40 }),
  meanRows: fc.double({ min: 1, max: 500, noNaN: true }),
});
const mu = fc.double({ min: 0.01, max: 50, noNaN: true });

describe("all releases together take the whole budget", () => {
  test.each([
    ["squared", (s, budget) => squaredReleases(squaredSteps(s, budget), s)],
    ["logistic", (s, budget) => logisticPlan(s, budget)],
    ["records", (s) => recordReleases(s)],
  ] as [
    string,
    (s: { m: number; d: number; meanRows: number }, mu: number) => { fraction: number }[],
  ][])("%s", (_, plan) => {
    fc.assert(
      fc.property(sizes, mu, (s, budget) => {
        const parts = plan(s, budget).map(({ fraction }) => fraction);
        expect(Math.min(...parts)).toBeGreaterThan(0);
        expect(parts.reduce((a, b) => a + b)).toBeCloseTo(1, 12);
      }),
      { numRuns: 200, seed: 91 },
    );
  });

  test.each([
    [0.2, 1, 1],
    [1, 2, 2],
    [4, 4, 2],
  ])("labels at mu %d: %d rounds, %d of them ask how far tasks lie apart", (mu, rounds, asked) => {
    const labels = logisticPlan({ m: 20, d: 10, meanRows: 8 }, mu).map(({ label }) => label);
    expect(labels.filter((label) => label === "score")).toHaveLength(rounds);
    expect(labels.filter((label) => label === "evidence")).toHaveLength(asked);
    expect(labels.slice(-4)).toEqual(["evidence", "information", "score", "comparison"]);
  });

  test("votes on scales take what they were given, which is not most of the budget", () => {
    for (const [m, within] of [
      [3000, false],
      [20, true],
    ] as const) {
      const plan = scalePlan({ columns: 7, m, meanRows: 5, loss: "squared" }, 0.8);
      const taken = scaleReleases(plan, 7).reduce((sum, { fraction }) => sum + fraction, 0);
      expect(plan.within).toBe(within);
      expect(taken).toBeCloseTo(plan.part, 14);
      expect(plan.part).toBeLessThanOrEqual(0.5);
      expect(plan.part).toBeGreaterThanOrEqual(0.06);
    }
  });

  test("where sizes of columns are learned, all others keep their proportions of what is left", () => {
    const tasks = makeTasks({ m: 2000, d: 3, rows: () => 4, noise: 0.1 });
    const squares = (scale: "unit" | "auto") =>
      releasesOf(new MpMixed({ epsilon: 2, scale, random: { mode: "secure" } }), tasks).stages.map(
        ({ budgets }) => budgets.reduce((sum, mu) => sum + mu * mu, 0),
      );
    const [known, learned] = [squares("unit"), squares("auto")];
    const votes = learned.slice(0, learned.length - known.length);
    const left = learned.slice(votes.length);
    const total = (parts: number[]) => parts.reduce((a, b) => a + b);
    expect(votes.length).toBeGreaterThan(0);
    left.forEach((part, k) => expect(part / total(left)).toBeCloseTo(known[k]! / total(known), 6));
  });

  const evidenceOf = (budget: number) =>
    logisticPlan({ m: 100, d: 6, meanRows: 20 }, budget)
      .filter(({ label }) => label === "evidence")
      .map(({ fraction }) => fraction);

  test("of two rounds the second has six tenths of the first's evidence", () => {
    const [one, other, ...more] = evidenceOf(0.1);
    expect(more).toEqual([]);
    expect(other! / one!).toBeCloseTo(0.6, 12);
  });

  test("of four rounds the last has twice the first's, as long as that is not above .15", () => {
    for (const budget of [1, 10]) expect(evidenceOf(budget)).toEqual([0.05, 0.1]);
    const [one, other] = evidenceOf(0.38);
    expect(one).toBeGreaterThan(0.15);
    expect(other).toBe(0.15);
  });

  test("below one and a half tasks to a coordinate, in units of the noise, there is one round", () => {
    expect(evidenceOf((1.499 * 6) / 100)).toEqual([0.3]);
    expect(evidenceOf((1.501 * 6) / 100)).toHaveLength(2);
    expect(evidenceOf(Infinity)).toHaveLength(6);
  });
});

test("noisy moments are doubted as a normal belief and normal noise say, whose variance off the diagonal is half", () => {
  const [d, rows, c, deviation] = [4, 200, 2, 3];
  const n = d + 1;
  // A count of all rows, and moments that a matrix may have.
  const sum = new Float64Array((n * (n + 1)) / 2);
  for (let i = 0, at = 0; i < n; i++, at += i + 1) sum[at] = rows / c;
  const means = meansOfRows(sum, { d, c, rows, deviation });
  expect(unpacked(sum, n)[0]).toBeCloseTo(rows / c, 12);
  expect(means.count).toBe(rows);
  const sigma = (deviation * c) / rows;
  expect(means.deviation).toBeCloseTo(sigma, 14);
  const after = (belief: number, noise: number) => 1 / (1 / belief ** 2 + 1 / noise);
  const { spread, cross } = GRAM.rows;
  expect(means.doubt[0]).toBeCloseTo(after(spread, sigma ** 2), 12);
  expect(means.doubt[1]).toBeCloseTo(after(cross, sigma ** 2 / 2), 12);
  // The constant is known.
  expect(means.doubt[d * d - 1]).toBe(0);
  expect(means.gram[d * d - 1]).toBeCloseTo(1, 6);
  const first = { effects: new Float64Array(d), residual: 1 };
  const about = { d, c, count: rows / 2, samples: rows, deviation };
  const pairs = meansOfPairs(sum.subarray(0, (d * (d + 1)) / 2), about, means, first);
  const noise = (deviation * c) / (rows / 2);
  expect(pairs.doubt[1]).toBeCloseTo(after(GRAM.pairs.cross, noise ** 2 / 2), 12);
});
