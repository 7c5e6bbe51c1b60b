/**
 * What tasks upload and what is made of it, for every kind of private method, on targets far out: each upload within the bound
 * that its noise is calibrated to, each statistic the plain sum over all tasks.
 */
import { expect, test } from "vitest";
import { TaskSet } from "../../../src/data/index.js";
import { makeEstimator, type Candidate } from "../../../src/learning/index.js";
import {
  releasesOf,
  type DividedEstimator,
} from "../../../src/learning/release/private-estimator.js";
import type { RoundView } from "../../../src/learning/round/observer.js";
import { makeTasks } from "../tasks.js";

const [m, d] = [6, 5];
const near = makeTasks({ m, d, rows: (i) => 6 + i, noise: 0.5 });
/** Targets up to thousands, of every other task; rows of norm 1. */
const tasks = TaskSet.from(
  [...near].map(({ name, x, y }, i) => ({ name, x, y: y.map((v) => v * (i % 2 ? 1 : 3000)) })),
);
const labelled = TaskSet.from(
  [...near].map(({ name, x, y }, i) => ({
    name,
    x: x.map((v) => (i % 2 ? v : 1e6 * v)),
    y: Array.from(y, (v) => (v > 0 ? "yes" : "no")),
  })),
);
const seeded = { mode: "seeded", seed: "uploads" };

const METHODS: [string, Candidate, TaskSet][] = [
  ["mp-low-rank", { rounds: 3, clip: 0.5 }, tasks],
  ["mp-low-rank", { rounds: 3, clip: 0.5, clipIterate: false, choice: "pooled" }, tasks],
  ["mp-group-sparse", { rounds: 3, clip: 2 }, tasks],
  ["mp-low-rank-sparse", { rounds: 3, clip: 2 }, tasks],
  ["pmtl", { rounds: 3, clip: 0.1 }, tasks],
  ["private-fedavg", { rounds: 3, clip: 0.1 }, tasks],
  ["private-fedprox", { rounds: 3, clip: 0.1 }, tasks],
  ["pmtl", { rounds: 3, unit: "record", recordClip: 0.05 }, tasks],
  ["pmtl", { rounds: 3, unit: "both", clip: 0.1 }, tasks],
  ["private-fedavg", { rounds: 3, unit: "record", recordClip: 0.05, loss: "logistic" }, labelled],
  ["pmtl-projected", { rounds: 3, clip: 0.1 }, tasks],
  ["ppsgd", { rounds: 3, clip: 0.1 }, tasks],
  ["joint-dp-sgd", { rounds: 3, clip: 0.1 }, tasks],
  ["mp-feature-learning", { rounds: 3 }, tasks],
  ["mp-feature-learning", { rounds: 3, uploadScaling: "clipped" }, tasks],
  ["mp-hierarchical", {}, tasks],
  ["mp-subspace", { maxRank: 2, rounds: 2 }, tasks],
  ["mp-mixed", { scale: "unit" }, tasks],
  ["mp-mixed", { scale: "unit", unit: "record" }, tasks],
  ["mp-mixed", { scale: "unit", unit: "both" }, tasks],
  ["mp-mixed", { scale: "unit", loss: "logistic" }, labelled],
];

const rowOf = (values: Float64Array, i: number) =>
  values.subarray((i * values.length) / m, ((i + 1) * values.length) / m);

/** The statistic of uploads, entry by entry. */
function statisticOf({ statistic, d: length, values }: RoundView): number[] {
  const rows = Array.from({ length: m }, (_, i) => Array.from(rowOf(values, i)));
  if (statistic === "augmented-covariance") for (const row of rows) row.push(1);
  const n = statistic === "augmented-covariance" ? length + 1 : length;
  const sum = (of: (row: number[]) => number) => rows.reduce((total, row) => total + of(row), 0);
  if (statistic === "vector" || statistic === "moment")
    return Array.from({ length: n }, (_, j) => sum((row) => row[j]!));
  if (statistic === "diagonal")
    return Array.from({ length: n }, (_, j) => sum((row) => row[j]! ** 2));
  return Array.from({ length: n * n }, (_, k) =>
    sum((row) => row[Math.floor(k / n)]! * row[k % n]!),
  );
}

test.each(METHODS)("%s %j", async (method, options, data) => {
  const estimator = makeEstimator(method, { epsilon: 3, delta: 1e-4, random: seeded, ...options });
  const plan = releasesOf(estimator as DividedEstimator, data);
  const clipOf = (round: number) =>
    plan.stages.find(({ first, rounds }) => round < first + rounds)!.clip;
  const seen: RoundView[] = [];
  await estimator.fit(data, {
    observe: (view) => seen.push({ ...view, values: view.values.slice() }),
  });
  const of = (stage: RoundView["stage"]) => seen.filter((view) => view.stage === stage);
  const uploads = of("uploads");
  expect(uploads).toHaveLength(plan.stages.reduce((sum, { rounds }) => sum + rounds, 0));
  let longest = 0;
  uploads.forEach((view, k) => {
    const clip = clipOf(view.round);
    for (let i = 0; i < m; i++) {
      const norm = Math.hypot(...rowOf(view.values, i));
      expect(norm).toBeLessThanOrEqual(clip * (1 + 1e-12));
      longest = Math.max(longest, norm / clip);
    }
    const exact = of("exact")[k]!.values;
    const expected = statisticOf(view);
    expect(exact).toHaveLength(expected.length);
    expected.forEach((value, j) => expect(exact[j]).toBeCloseTo(value, 9));
    // All of it has noise.
    const released = of("released")[k]!.values;
    expect(released.every((value, j) => value !== exact[j])).toBe(true);
  });
  // The bound binds: otherwise a method that forgets it would pass.
  expect(longest).toBeGreaterThan(options["unit"] === "record" ? 0.3 : 0.99);
});
