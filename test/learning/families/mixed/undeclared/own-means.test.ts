/** Labels learned from features about their task's mean: the way back against predictions, and fits that start from them. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { TaskSet } from "../../../../../src/data/index.js";
import {
  aboutMeans,
  fromMeans,
} from "../../../../../src/learning/families/mixed/undeclared/own-means.js";
import { differencesIn } from "../../../../../src/learning/families/mixed/undeclared/differences.js";
import { LearnedScaleExchange } from "../../../../../src/learning/families/mixed/undeclared/learned-scale.js";
import {
  scalePlan,
  scaleReleases,
} from "../../../../../src/learning/families/mixed/undeclared/scale-plan.js";
import { whyNoUnseenTasks } from "../../../../../src/learning/fitted/unseen/unseen-task.js";
import { givenUnits } from "../../../../../src/learning/families/mixed/units/units.js";
import {
  fitNewTask,
  makeEstimator,
  MpMixed,
  SingleTask,
} from "../../../../../src/learning/index.js";
import { loadModel, saveModel } from "../../../../../src/model/index.js";
import { LEFT_OUT, someOf, thorough } from "../../../../thorough.js";
import { generator } from "../tasks.js";
import { expectNeighboursWithinSensitivity, withAnotherLastTask } from "../neighbours.js";

const value = fc.double({ min: -10, max: 10, noNaN: true });

/** x^T P x of a packed lower triangle. */
function quadratic(packed: Float64Array, x: readonly number[]): number {
  let [sum, at] = [0, 0];
  x.forEach((a, c) => {
    for (let e = 0; e <= c; e++) sum += (e === c ? 1 : 2) * packed[at++]! * a * x[e]!;
  });
  return sum;
}

test("models of rows about their task's mean predict for the rows as they were, with the same doubt", () => {
  const numbers = fc.array(value, { minLength: 40, maxLength: 40 });
  fc.assert(
    fc.property(numbers, numbers, (list, models) => {
      const x = Float64Array.from({ length: 21 }, (_, k) => (k % 3 === 2 ? 1 : list[k]!));
      const given = {
        x,
        y: new Float64Array(7),
        offsets: [0, 3, 7],
        weights: Float64Array.from({ length: 7 }, (_, k) => 0.5 + Math.abs(list[30 + (k % 5)]!)),
      };
      const { rows, means } = aboutMeans(given);
      // Weighted sums about the means vanish.
      for (const [from, to] of [
        [0, 3],
        [3, 7],
      ] as const) {
        // prettier-ignore
        for (const c of [0, 1]) {
          let sum = 0;
          for (let row = from; row < to; row++) sum += given.weights[row]! * rows.x[row * 3 + c]!;
          expect(Math.abs(sum)).toBeLessThan(1e-9);
        }
      }
      const inner = {
        models: Float64Array.from(models.slice(0, 6)),
        covariances: Float64Array.from(models.slice(6, 18)),
        noise: new Float64Array(2),
        alone: new Float64Array(2),
        mixtures: {
          weights: Float64Array.of(0.4, 0.6, 1, 0),
          means: Float64Array.from(models.slice(18, 30)),
          covariances: Float64Array.from([...models, ...models].slice(0, 24)),
        },
      };
      const outer = fromMeans(inner, means, [2]);
      for (let row = 0; row < 7; row++) {
        const i = row < 3 ? 0 : 1;
        const [there, here] = [rows.x, x].map((all) => [...all.subarray(row * 3, row * 3 + 3)]);
        const dot = (w: Float64Array, v: readonly number[]) =>
          v.reduce((sum, a, c) => sum + a * w[c]!, 0);
        const near = (a: number, b: number) => expect(Math.abs(a - b)).toBeLessThan(1e-7);
        const own = (all: Float64Array, size: number) => all.subarray(i * size, (i + 1) * size);
        near(dot(own(outer.models, 3), here!), dot(own(inner.models, 3), there!));
        near(
          quadratic(own(outer.covariances, 6), here!),
          quadratic(own(inner.covariances, 6), there!),
        );
        for (const k of [0, 1]) {
          const part = (all: Float64Array, size: number) =>
            own(all, 2 * size).subarray(k * size, (k + 1) * size);
          near(
            dot(part(outer.mixtures!.means, 3), here!),
            dot(part(inner.mixtures.means, 3), there!),
          );
          near(
            quadratic(part(outer.mixtures!.covariances, 6), here!),
            quadratic(part(inner.mixtures.covariances, 6), there!),
          );
        }
      }
    }),
    { seed: 41, numRuns: 100 },
  );
});

test("another task moves no sum of votes by more than its sensitivity", () => {
  const wild = fc.oneof(fc.constantFrom(0, 1, -1, 1e12, -1e12, 1e-12), value);
  const numbers = fc.array(wild, { minLength: 36, maxLength: 36 });
  const plan = scalePlan({ columns: 2, m: 148, meanRows: 3, loss: "logistic" }, 0.1);
  expect(plan.within).toBe(true);
  const exchangeOf = (list: readonly number[]) => {
    const rows = {
      x: Float64Array.from({ length: 27 }, (_, k) => (k % 3 === 2 ? 1 : list[k]!)),
      y: Float64Array.from(list.slice(27), (v) => (v > 0 ? 1 : -1)),
      offsets: Uint32Array.of(0, 1, 4, 9),
    };
    return new LearnedScaleExchange(
      rows,
      { columns: [0, 1], plan, known: givenUnits(3), rangeSize: 1 },
      () => ({ upload: () => new Float64Array(), receive: () => undefined, solve: () => { throw new Error("not asked"); } }), // prettier-ignore
      { untold: [2], differences: () => differencesIn("logistic", rows, [2]) },
    );
  };
  fc.assert(
    fc.property(numbers, numbers, fc.integer(), (values, others, seed) => {
      expectNeighboursWithinSensitivity(
        [exchangeOf(values), exchangeOf(withAnotherLastTask(values, others))],
        scaleReleases(plan, 2),
        generator(seed),
        () => 1,
      );
    }),
    { numRuns: 40, seed: 4 },
  );
});

/** Tasks of columns that lie anywhere: labels by 1.5 a - b and a level of the task's own. */
function tasksOf(m: number, n: number, classes: number, offset = 0) {
  const next = generator(9);
  return TaskSet.from(
    Array.from({ length: m }, (_, i) => {
      const level = 0.5 * next();
      const place = 40 * next();
      const rows = Array.from({ length: n }, () => [next(), next()] as const);
      const scores = rows.map(([a, b]) => 1.5 * a - b + level + next());
      return {
        name: `task ${i}`,
        x: rows.map(([a, b]) => [1990 + offset + place + 7 * a, 300 * b - offset]),
        y: scores.map((score) => (classes === 2 ? (score > 0 ? 1 : -1) : Math.min(Math.max(Math.round(score / 2) + 1, 0), 2))), // prettier-ignore
      };
    }),
  );
}

const LOSSES = someOf([["logistic", 2], ["softmax", 3]] as const, 2); // prettier-ignore

describe.each(LOSSES)("a fit of labels by differences, %s", async (loss, classes) => {
  const random = { mode: "seeded", seed: 3 } as const;
  const options = { loss, epsilon: 0.3, delta: 1e-3, random };
  const split = (offset = 0) => tasksOf(140, 16, classes, offset).splitBy((row: number) => row < 6);
  const { train, test: held } = split();
  const model = await new MpMixed(options).fit(train);

  test.skipIf(classes > 2 || !thorough)(`is what auto takes ${LEFT_OUT}`, async () => {
    const auto = await makeEstimator("auto", options).fit(train);
    expect([...auto.weights]).toEqual([...model.weights]);
  });

  test("is better than learning alone, for one vote of a column", async () => {
    expect(model.ledger!.entries[0]!.label).toBe("scale: differences");
    expect(model.ledger!.spent().epsilon).toBeLessThanOrEqual(options.epsilon);
    const alone = await new SingleTask({ loss }).fit(train);
    expect(model.score(held).logLoss!).toBeLessThan(0.95 * alone.score(held).logLoss!);
  });

  test("does not see where columns lie", async () => {
    const moved = await new MpMixed(options).fit(split(4096).train);
    const largest = Math.max(...model.weights.map(Math.abs));
    model.weights.forEach((w, at) => {
      expect(Math.abs(moved.weights[at]! - w)).toBeLessThan(1e-6 * largest);
    });
  });

  test("states slopes alone, and gives its own tasks what it would give them later, also from a file", () => {
    const names = model.summary().coefficients.map(({ name }) => name);
    expect(names).toHaveLength(classes === 2 ? 2 : 6);
    expect(names.join()).not.toContain("intercept");
    expect(model.predictNew).toBeUndefined();
    expect(whyNoUnseenTasks(model)).toMatch(/no task's level.*--ranges/);
    const later = fitNewTask(loadModel(saveModel(model)), train);
    const { x } = held.task("task 7");
    const [one, two] = [model, later].map((of) => of.predict("task 7", x));
    one!.forEach((p, at) => expect(two![at]).toBeCloseTo(p, 9));
  });
});
