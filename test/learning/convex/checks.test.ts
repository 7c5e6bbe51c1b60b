/** When the gap of gradient steps is evaluated: at every tenth round, and before it where it is about to be small enough. */
import { expect, test } from "vitest";
import { nextCheck } from "../../../src/learning/convex/solvers/problem.js";

const check = (round: number, gap: number) => ({ round, gap, objective: 1 });

test.each([
  [1, []],
  [10, [check(1, 1)]],
  // Four digits in nine rounds: two more in five.
  [16, [check(1, 1e-2), check(10, 1e-6)]],
  [20, [check(1, 1e-2), check(10, 1e-4)]],
  [30, [check(10, 1e-4), check(20, 1e-3)]],
  [30, [check(10, 1e-4), check(20, 1e-4)]],
  [17, [check(10, 1e-5), check(15, 1.01e-8)]],
  [20, [check(10, 1e-5), check(19, 1.01e-8)]],
  [20, [check(1, 1e-2), check(10, NaN)]],
])("round %d after %o", (round, history) => {
  expect(nextCheck(history, 1e-8)).toBe(round);
});
