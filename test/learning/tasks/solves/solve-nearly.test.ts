/**
 * Logistic models under a prior so nearly singular that rounding keeps some from the tolerance.
 */
import { expect, test } from "vitest";
import { TaskSet } from "../../../../src/data/index.js";
import { seededUniforms } from "../../../../src/data/split/shuffle.js";
import {
  solveTasks,
  type QuadraticPrior,
} from "../../../../src/learning/tasks/solves/local-solves.js";
import { placeTasks, type ResidentTasks } from "../../../../src/learning/tasks/resident-tasks.js";
import { solveNearly } from "../../../../src/learning/tasks/solves/solve-nearly.js";

const d = 3;
const TOLERANCE = 1e-11;
const uniform = seededUniforms("nearly", "rows");

/** Rows that hardly differ, as of a year beside small numbers, whose labels alternate. */
const inputs = Array.from({ length: 60 }, (_, i) => ({
  name: `t${i}`,
  x: Array.from({ length: 8 }, () => [1 - 1e-4 * uniform(), 1e-3 * uniform(), 1e-3 * uniform()]),
  y: Array.from({ length: 8 }, (__, j) => (j % 2 === 0 ? "a" : "b")),
}));

const place = (tasks: typeof inputs) =>
  placeTasks(TaskSet.from(tasks), { loss: "logistic", lossScale: "mean", intercept: true }).tasks;

/** Strong in all directions but one, where it is weaker by twelve orders of magnitude. */
function placePrior({ core: { arena } }: ResidentTasks): QuadraticPrior {
  const precision = arena.zeros(d * d);
  const direction = [0.6, 0.64, 0.48];
  const values = arena.view(precision, d * d);
  for (let at = 0; at < d * d; at++) {
    const [j, k] = [Math.floor(at / d), at % d];
    values[at] = 1e-10 * ((j === k ? 1e12 : 0) - (1e12 - 1) * direction[j]! * direction[k]!);
  }
  return { precision, center: 0 };
}

function solved(tasks: ResidentTasks, solve: typeof solveNearly) {
  const { arena } = tasks.core;
  const at = { weights: arena.zeros(tasks.m * d), intercepts: arena.zeros(tasks.m) };
  solve(tasks, placePrior(tasks), at, TOLERANCE);
  return {
    weights: [...arena.view(at.weights, tasks.m * d)],
    intercepts: [...arena.view(at.intercepts, tasks.m)],
  };
}

test("they have models all the same, each the one that it has without the others, to the bit", () => {
  const alone = inputs.map((one) => solved(place([one]), solveNearly));
  const failing = inputs.filter((one) => {
    try {
      solved(place([one]), solveTasks);
      return false;
    } catch {
      return true;
    }
  });
  // Some, but not all: else nothing is shown.
  expect(failing.length).toBeGreaterThan(1);
  expect(failing.length).toBeLessThan(inputs.length / 2);
  const all = solved(place(inputs), solveNearly);
  expect(all.weights).toEqual(alone.flatMap(({ weights }) => weights));
  expect(all.intercepts).toEqual(alone.flatMap(({ intercepts }) => intercepts));
  expect(all.weights.every(Number.isFinite)).toBe(true);
});
