/** Scores of labels that are mostly of one kind, clipped from a task's own point: 0 in the mean where the model holds. */
import { expect, test } from "vitest";
import { TaskSet } from "../../../../../../src/data/index.js";
import { MpMixed, scoreNewTasks } from "../../../../../../src/learning/index.js";
import {
  infer,
  type SignedRows,
} from "../../../../../../src/learning/families/mixed/labels/posterior/expectation-propagation.js";
import { scoreCenters } from "../../../../../../src/learning/families/mixed/labels/effects/score-centers.js";
import { someOf, thoroughTest } from "../../../../../thorough.js";
import { generator } from "../../../../../../bench/uniform-draws.js";

/** One feature and the constant. */
const d = 2;
const CLIP = 0.3;
const scales = Float64Array.of(1, 1.5);
const sent = (score: Float64Array) => score.map((value) => value / CLIP);

/** Tasks of the population N(effects, diag(scales^2)). */
function population(effects: readonly number[], m: number, n: number, seed: number) {
  const { uniform, normal } = generator(seed);
  return Array.from({ length: m }, () => {
    const model = effects.map((value, j) => value + scales[j]! * normal());
    return Array.from({ length: n }, () => {
      const x = 2 * uniform() - 1;
      const label = uniform() < 1 / (1 + Math.exp(-(model[0]! * x + model[1]!))) ? 1 : -1;
      return { x, label };
    });
  });
}

const signed = (rows: ReturnType<typeof population>[number]): SignedRows => ({
  rows: Float64Array.from(rows.flatMap(({ x, label }) => [label * x, label])),
  n: rows.length,
  d,
});

function clipped(values: Float64Array): Float64Array {
  const norm = Math.hypot(...values);
  return values.map((value) => value * Math.min(1, 1 / norm));
}

/** Mean over tasks of what they upload, in its standard errors. */
function meanInErrors(uploads: readonly Float64Array[]): number[] {
  return Array.from({ length: d }, (_, k) => {
    const values = uploads.map((upload) => upload[k]!);
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
    const square = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length;
    return mean / Math.sqrt(square / values.length);
  });
}

const diagonal = Float64Array.of(scales[0]!, 0, 0, scales[1]!);

// Within 4 standard errors: false alarms 1e-4 by the normal law, for other seeds.
test("the mean is 0 at the effects of tasks with four negatives in five, and far from it without the points", () => {
  const effects = Float64Array.of(0.5, -3);
  const tasks = population([...effects], 1000, 4, 7).map(signed);
  const scores = tasks.map((task) => sent(infer(task, { mean: effects, root: diagonal })!.mean));
  const centerOf = scoreCenters({ effects, scales }, sent);
  const centred = scores.map((score, i) => {
    const center = centerOf(tasks[i]!);
    return clipped(score.map((value, k) => value - center[k]!));
  });
  for (const errors of meanInErrors(centred)) expect(Math.abs(errors)).toBeLessThan(4);
  expect(Math.abs(meanInErrors(scores.map(clipped))[1]!)).toBeGreaterThan(8);
});

test("points follow from a task's features, whatever its labels, and are 0 where labels are even", () => {
  const [rows] = population([0, 0], 1, 6, 3);
  const other = rows!.map(({ x, label }, k) => ({ x, label: k % 2 ? label : -label }));
  const at = (effects: number[], task: typeof other) => [
    ...scoreCenters({ effects: Float64Array.from(effects), scales }, sent)(signed(task)),
  ];
  expect(at([1, -2], other)).toEqual(at([1, -2], rows!));
  expect(at([1, -2], other)).not.toEqual([0, 0]);
  expect(at([0, 0], rows!)).toEqual([0, 0]);
});

// A fixed seed: nothing is left to chance.
thoroughTest(
  "where nearly all labels are negative the intercept is about right, and a task never seen predicted about as well as by the labels' share",
  async () => {
    const named = (tasks: ReturnType<typeof population>) =>
      TaskSet.from(
        tasks.map((rows, i) => ({
          name: `task ${i}`,
          x: rows.map(({ x }) => [x]),
          y: rows.map(({ label }) => label),
        })),
      );
    const effects = [0.3, -3.5];
    const train = named(population(effects, 400, 4, 11));
    const test = named(population(effects, 1000, 4, 12));
    const share = train.y.filter((y) => y > 0).length / train.size;
    const positives = test.y.filter((y) => y > 0).length / test.size;
    const byShare = -positives * Math.log(share) - (1 - positives) * Math.log(1 - share);
    let [sum, intercept] = [0, 0];
    const seeds = someOf([1, 2], 2);
    for (const seed of seeds) {
      const model = await new MpMixed({
        loss: "logistic",
        epsilon: 1,
        delta: "papers",
        scale: "unit",
        random: { mode: "seeded", seed },
      }).fit(train);
      sum += scoreNewTasks(model, test)!.logLoss! / seeds.length;
      intercept += model.components!["fixedEffects"]!.data.at(1)! / seeds.length;
    }
    // Clipped from 0, scores left 1.08 times the loss, and an intercept of -4.8.
    expect(sum).toBeLessThan(1.04 * byShare);
    expect(Math.abs(intercept - effects[1]!)).toBeLessThan(1.2);
  },
);
