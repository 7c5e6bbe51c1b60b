/**
 * How far releases are from noise alone: the score's law under noise, and whole fits where something stands out and where nothing does.
 */
import { describe, expect, test } from "vitest";
import { remarksOn } from "../../../src/cli/fitted/remarks.js";
import { openCore } from "../../../src/core/index.js";
import { makeEstimator } from "../../../src/learning/index.js";
import { sayingAboveNoise, stoodOut } from "../../../src/learning/release/above-noise.js";
import type { SharingRule } from "../../../src/learning/round/sharing-rule.js";
import { createMechanism } from "../../../src/privacy/index.js";
import { makeTasks } from "../tasks.js";
import { generator } from "../../../bench/uniform-draws.js";

const random = { mode: "seeded", seed: "s" } as const;

describe("the score of a round", () => {
  const d = 6;
  const budget = 0.5;
  const draws = 4000;

  /** Scores of noise with what has nothing in common: multiples of the identity, a mean that all features share. */
  function scoresOf(statistic: SharingRule["statistic"], add: (at: Float64Array) => void) {
    const core = openCore();
    const common = { name: "auto", tasks: 10, clip: 1, adjacency: "replace", delta: 1e-3 } as const;
    const mechanism = createMechanism({
      ...common,
      statistic: statistic as "vector",
      dimension: d,
    });
    const silent: SharingRule = { statistic, broadcastLength: () => 0, prepare: () => () => ({}) };
    const rule = sayingAboveNoise(silent, { mechanism, budgets: Float64Array.of(budget) });
    const prepared = rule.prepare({ core, m: 10, d });
    const [sigma, side] = [mechanism.noiseScale(budget), statistic[0] === "a" ? d + 1 : d];
    const length = statistic.includes("cov") ? side * side : d;
    const at = core.arena.f64(length);
    const { normal: next } = generator(1);
    return Array.from({ length: draws }, () => {
      const values = core.arena.view(at, length);
      if (length === d) for (let k = 0; k < d; k++) values[k] = sigma * next();
      else {
        for (let j = 0; j < side; j++) {
          values[j * (side + 1)] = sigma * next();
          for (let k = 0; k < j; k++) {
            values[j * side + k] = values[k * side + j] = sigma * Math.SQRT1_2 * next();
          }
        }
      }
      add(values);
      return prepared(at, 0, 1).aboveNoise!;
    });
  }

  const identity = (side: number) => (at: Float64Array) => {
    for (let j = 0; j < d; j++) at[j * (side + 1)]! += 500;
    if (side > d) at[side * side - 1]! += 1e6;
  };
  const nothing: readonly (readonly [SharingRule["statistic"], (at: Float64Array) => void])[] = [
    ["covariance", identity(d)],
    ["augmented-covariance", identity(d + 1)],
    ["diagonal", (at) => at.forEach((_, k) => (at[k]! += 500))],
    ["vector", () => undefined],
  ];

  test.each(nothing)("%s: noise alone passes in one round of a hundred", (statistic, add) => {
    const scores = scoresOf(statistic, add);
    const mean = scores.reduce((sum, score) => sum + score, 0) / draws;
    const square = scores.reduce((sum, score) => sum + score ** 2, 0) / draws;
    expect(Math.abs(mean)).toBeLessThan(0.06);
    expect(Math.abs(square - 1)).toBeLessThan(0.1);
    const passed = scores.filter((aboveNoise) => stoodOut([{ aboveNoise }])!).length / draws;
    expect(passed).toBeGreaterThan(0.004);
    expect(passed).toBeLessThan(0.017);
  });

  test.each([
    ["covariance", 1],
    ["augmented-covariance", d],
    ["diagonal", 0],
    ["vector", 0],
  ] as const)("%s: one number far from noise is seen", (statistic, entry) => {
    const scores = scoresOf(statistic, (at) => (at[entry]! += 1e3));
    expect(scores.every((aboveNoise) => stoodOut([{ aboveNoise }])!)).toBe(true);
  });

  test("rounds count together, and none say nothing", () => {
    expect(stoodOut([{ aboveNoise: 1.5 }])).toBe(false);
    expect(stoodOut(Array.from({ length: 4 }, () => ({ aboveNoise: 1.5 })))).toBe(true);
    expect(stoodOut([{}, { rank: 3 }])).toBeUndefined();
  });
});

describe.each([
  ["mp-feature-learning", {}],
  ["mp-feature-learning", { sharing: "diagonal" }],
  ["mp-hierarchical", {}],
  ["mp-low-rank", { clip: 3 }],
  ["mp-group-sparse", { clip: 3 }],
  ["mp-low-rank-sparse", { clip: 3 }],
  ["pmtl", {}],
  ["private-fedavg", {}],
  ["private-fedprox", {}],
] as const)("%s %o", (method, own) => {
  const tasks = makeTasks({ m: 60, d: 6, rows: () => 12, rank: 1, noise: 0.1, seed: "apart" });
  const remarks = async (epsilon: number) => {
    const options = { ...own, epsilon, delta: 1e-4, random };
    const model = await makeEstimator(method, options).fit(tasks);
    return remarksOn(model).filter((remark) => remark.startsWith("nothing stood out"));
  };

  test("says where its releases are as noise alone, and says nothing where they are not", async () => {
    expect(await remarks(1e-3)).toHaveLength(1);
    expect(await remarks(1e3)).toEqual([]);
  });
});
