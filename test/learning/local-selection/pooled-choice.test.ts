/** A pooled choice: the noisy sums decide, against a distance from the default that weighs as much as the noise. */
import { expect, test } from "vitest";
import { openCore } from "../../../src/core/index.js";
import {
  voteDeviation,
  voteRule,
} from "../../../src/learning/local-selection/private-selection.js";
import { PRIVATE_SELECTION } from "../../../src/learning/local-selection/thresholds.js";
import { noiseScaleAt, type PlannedStage } from "../../../src/learning/round/release-plan.js";
import { createMechanism } from "../../../src/privacy/index.js";

const m = 50;
const distances = [0, 1, 2];
const d = distances.length;
const mechanism = createMechanism({
  name: "gaussian-mean",
  statistic: "vector",
  tasks: m,
  dimension: d,
  clip: 1,
  adjacency: "replace",
  delta: 1e-5,
});
const stageOf = (mu: number) =>
  ({ m, d, mechanism, budgets: Float64Array.of(mu) }) as unknown as PlannedStage;

function chosen(stage: PlannedStage, sums: readonly number[], fallback = false): number {
  const core = openCore();
  const apply = voteRule(stage, { distances, fallback }).prepare({ core, m, d });
  const message = core.arena.f64(1);
  apply(core.arena.copyOf(Float64Array.from(sums)), message, 1);
  return core.arena.view(message, 1)[0]!;
}

test.each([0.5, 3])("a candidate has to win by what its distance weighs in noise, mu %d", (mu) => {
  const stage = stageOf(mu);
  const noise = PRIVATE_SELECTION.caution * noiseScaleAt(stage, 1);
  expect(noise).toBeGreaterThan(0);
  // 4 times the weight of a distance of 1, for a distance of 2.
  expect(chosen(stage, [0, 0, -3.9 * noise])).toBe(0);
  expect(chosen(stage, [0, 0, -4.1 * noise])).toBe(2);
  expect(chosen(stage, [0, -1.1 * noise, -4 * noise])).toBe(1);
});

test("where noise drowns the votes the single-task model is kept, whatever they say", () => {
  const { fallback } = PRIVATE_SELECTION.leastSignal;
  const [few, enough] = [stageOf(0.01), stageOf(100)];
  expect(m).toBeLessThan(fallback * voteDeviation(few));
  expect(m).toBeGreaterThan(fallback * voteDeviation(enough));
  expect(chosen(few, [-1e9, -1e9, 0], true)).toBe(2);
  expect(chosen(enough, [-1e9, 0, 0], true)).toBe(0);
});
