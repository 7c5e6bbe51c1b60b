import { describe, expect, test } from "vitest";
import { fixedMomentum, restartedMomentum } from "../../../src/learning/steps/momentum.js";

/** min (1/2) sum c_j x_j^2 by w = v - g(v)/L, v = w + beta (w - w'): f after each round. */
function descend(beta: (round: number) => number, rounds: number, smallest: number): number[] {
  const curvature = Array.from({ length: 60 }, (_, j) => smallest ** (j / 59));
  let [w, v] = [curvature.map(() => 1), curvature.map(() => 1)];
  return Array.from({ length: rounds }, (_, t) => {
    const next = v.map((x, j) => x * (1 - curvature[j]!));
    // beta of the next round carries the step just made.
    v = next.map((x, j) => x + beta(t + 2) * (x - w[j]!));
    w = next;
    return w.reduce((sum, x, j) => sum + (curvature[j]! * x * x) / 2, 0);
  });
}

describe("momentum", () => {
  test("convex: (t - 1)/(t + 2), so 0, 1/4, 2/5, 1/2, 4/7 in the first rounds", () => {
    const { beta } = fixedMomentum("convex", 0, 1);
    expect([1, 2, 3, 4, 5].map(beta)).toEqual([0, 1 / 4, 2 / 5, 1 / 2, 4 / 7]);
    expect(beta(1000)).toBe(999 / 1002);
  });

  test("convex: within 2 L ||x0 - x*||^2 / (t + 1)^2 of the optimum after t rounds", () => {
    const { beta } = fixedMomentum("convex", 0, 1);
    for (const smallest of [1e-2, 1e-4, 1e-6]) {
      descend(beta, 400, smallest).forEach((value, i) => {
        expect(value).toBeLessThanOrEqual((2 * 60) / (i + 2) ** 2);
      });
    }
  });

  test("strongly convex: (1 - sqrt(mu/L))/(1 + sqrt(mu/L)) in every round; none: 0", () => {
    const { beta } = fixedMomentum("strongly-convex", 0.04, 1);
    expect([1, 7].map(beta)).toEqual([0.8 / 1.2, 0.8 / 1.2]);
    expect(fixedMomentum("strongly-convex", 2, 1).beta(3)).toBe(0);
    expect(fixedMomentum("none", 0.5, 1).beta(9)).toBe(0);
  });

  test("restarted: the same weights, counted from the restart", () => {
    const { beta, restart } = restartedMomentum();
    expect([1, 2, 3].map(beta)).toEqual([0, 1 / 4, 2 / 5]);
    restart!(3);
    expect([3, 4, 5].map(beta)).toEqual([0, 1 / 4, 2 / 5]);
  });
});
