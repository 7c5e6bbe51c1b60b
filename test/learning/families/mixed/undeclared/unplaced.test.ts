/** Effects of columns of which the votes do not say where they lie have no standard error; all others have one. */
import { expect, test } from "vitest";
import { summaryLines } from "../../../../../src/cli/fitted/summary-text.js";
import { TaskSet } from "../../../../../src/data/index.js";
import { MpMixed } from "../../../../../src/learning/index.js";
import { loadModel, saveModel } from "../../../../../src/model/index.js";
import { generator } from "../tasks.js";

const [PLACES, SIZES] = [
  [1990, 3],
  [9, 0.02],
] as const;

/** Tasks with two columns far from zero against their spread, like years and like a pH. */
function tasksOf(m: number) {
  const normal = generator(31);
  return TaskSet.from(
    Array.from({ length: m }, (_, i) => {
      const level = normal();
      const within = Array.from({ length: 12 }, () => [normal(), normal()]);
      return {
        name: `${i}`,
        x: within.map((row) => row.map((value, j) => PLACES[j]! + SIZES[j]! * value)),
        y: within.map(([a, b]) => level + a! - 0.6 * b! + 0.5 * normal()),
      };
    }),
  );
}

/** With little budget about half of all draws leave places open (28 of 60): the seed is of one that does. */
const fitOf = (m: number, epsilon: number) =>
  new MpMixed({ epsilon, delta: 1e-3, random: { mode: "seeded", seed: "places2" } }).fit(
    tasksOf(m),
  );

test("with little budget some have none, nor has the intercept, also from a file, and people are told why", async () => {
  const model = await fitOf(80, 1);
  const { coefficients } = model.summary();
  const open = coefficients.filter(({ standardError }) => standardError === null);
  expect(open.map(({ name }) => name)).toContain("(intercept)");
  expect(open.length).toBeGreaterThan(1);
  expect(loadModel(saveModel(model)).summary()).toEqual(model.summary());
  const text = summaryLines(model.summary()).join("\n");
  expect(text).toContain("std. error");
  expect(text).toContain("the noise left open where the column's values lie");
});

test("with much of it all have one, within four of which the effects lie", async () => {
  const { coefficients } = (await fitOf(300, 10)).summary();
  const truth = [1 / SIZES[0], -0.6 / SIZES[1]];
  truth.forEach((effect, j) => {
    const { estimate, standardError } = coefficients[j]!;
    // Of two normal errors one is beyond four with a probability of 1.3e-4; seeded.
    expect(Math.abs(estimate - effect)).toBeLessThan(4 * standardError!);
  });
  expect(coefficients.every(({ standardError }) => standardError !== null)).toBe(true);
});
