import { describe, expect, test } from "vitest";
import { fitNewTask, MpMixed, sharedPrior } from "../../../../../src/learning/index.js";
import {
  unseenCovariance,
  unseenHypotheses,
} from "../../../../../src/learning/families/mixed/squared/unseen-task.js";
import type { FittedModel } from "../../../../../src/learning/fitted/fitted-model.js";
import { TaskSet } from "../../../../../src/data/index.js";
import { mixedTasks } from "../tasks.js";

const diagonal = (...values: number[]) => {
  const d = values.length;
  return Float64Array.from({ length: d * d }, (_, at) =>
    at % (d + 1) === 0 ? values[at / (d + 1)]! : 0,
  );
};

describe("what is said of a task never seen", () => {
  const effects = Float64Array.of(1, 0, 0.2);
  const covariance = diagonal(0.5, 0.5, 2);

  test("where variances are sure, C and three tenths of the error of the effects", () => {
    const error = diagonal(1, 2, 3);
    const of = unseenCovariance(effects, covariance, error, new Float64Array(9));
    expect([...of]).toEqual([...diagonal(0.5 + 0.3, 0.5 + 0.6, 2 + 0.9)]);
  });

  test("where nothing is known of them, variances are a fifth of the way back from where they were drawn to", () => {
    const belief = diagonal(1.5 ** 2, 1.5 ** 2, 1.5 ** 2);
    const of = unseenCovariance(effects, covariance, new Float64Array(9), belief);
    // Half of the slopes' second moment is in common: drawn by exp(-4 / 2) to what C is.
    const factor = Math.exp((0.2 * 4) / 2);
    [0.5, 0.5, 2].forEach((value, c) => expect(of[c * 4]! / value).toBeCloseTo(factor, 12));
  });

  test("weights sum to 1, around the covariance and the common noise", () => {
    for (const settled of [true, false]) {
      const { weights, spreads, noises } = unseenHypotheses(2, settled);
      expect(weights.reduce((sum, weight) => sum + weight)).toBeCloseTo(1, 12);
      const middle = weights.indexOf(Math.max(...weights));
      expect([spreads[middle], noises[middle]]).toEqual([1, 2]);
    }
  });
});

describe("intervals of tasks never seen", async () => {
  const [M, ROWS] = [60, 6];
  const { rows, test: held } = mixedTasks(5, M, ROWS, [0.8, -0.5, 0.3]);
  const setOf = ({ x, y }: { x: Float64Array; y: Float64Array }, from: number, to: number) =>
    TaskSet.from(
      Array.from({ length: to - from }, (_, k) => {
        const range = Array.from({ length: ROWS }, (_, r) => (from + k) * ROWS + r);
        return {
          name: `task ${from + k}`,
          x: range.map((r) => [x[r * 3]!, x[r * 3 + 1]!]),
          y: range.map((r) => y[r]!),
        };
      }),
    );
  const random = { mode: "seeded", seed: 4 } as const;
  const train = setOf(rows, 0, 40);
  const model = await new MpMixed({ epsilon: 1, delta: 1e-3, random, scale: "unit" }).fit(train);
  const unseen = setOf(held, 40, M);

  test("are of that covariance; saved models of older versions have C and the whole error of the effects", () => {
    const { newTaskCovariance, ...components } = model.components;
    const before = model.withComponents(components);
    const at = Float64Array.of(0, 0);
    const widthOf = (of: FittedModel) => {
      const { lower, upper } = of.predictInterval!(null, at, 0.8);
      return upper[0]! - lower[0]!;
    };
    const [all, error] = [components["covariance"]!.data, components["releaseCovariance"]!.data];
    const narrower = newTaskCovariance!.data[8]! < all[8]! + error[8]!;
    expect(widthOf(model) < widthOf(before)).toBe(narrower);
    expect(before.predictNew!(unseen.x)).toEqual(model.predictNew!(unseen.x));
  });

  test("are the same of a model that later tasks were given", () => {
    const later = fitNewTask(sharedPrior(model), unseen);
    const [one, two] = [model, later].map((of) => of.predictInterval!(null, unseen.x, 0.8));
    expect(two).toEqual(one);
  });
});
