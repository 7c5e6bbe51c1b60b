/**
 * Newton's method on the mean of the tasks ends where F is nothing but rounding: at tasks that their models fit exactly.
 */
import { expect, test } from "vitest";
import { MeanRegularized } from "../../../src/learning/index.js";
import { newtonOnTheMean } from "../../../src/learning/convex/mean/newton.js";
import type { MeanProblem } from "../../../src/learning/convex/mean/problem.js";
import { makeTasks } from "../tasks.js";

test("a value that no step lowers ends the rounds, however large a decrease is promised", async () => {
  let evaluated = 0;
  const stuck: MeanProblem = {
    evaluate: () => {
      evaluated++;
      return { value: 4e-33, gradient: Float64Array.of(1e-20) };
    },
    newtonStep: (gradient) => gradient,
    gap: () => ({ objective: 4e-33, relative: 1, interceptResidual: 0 }),
  };
  const limits = { tolerance: 1e-8, maxRounds: 1000 };
  const { rounds, certificate } = await newtonOnTheMean(stuck, new Float64Array(1), limits, {});
  expect(rounds).toBe(1);
  expect(evaluated).toBeLessThan(50);
  expect(certificate.met).toBe(false);
});

test("a task with as many rows as parameters is fitted in a few rounds", async () => {
  for (let k = 0; k < 40; k++) {
    const tasks = makeTasks({ m: 1, d: 4, rows: () => 5, seed: `exact ${k}` });
    const { history } = await new MeanRegularized().fit(tasks);
    expect(history.length).toBeLessThan(20);
    expect(history.at(-1)!["objective"]).toBeLessThan(1e-20);
  }
});
