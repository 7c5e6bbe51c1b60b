import { describe, expect, test } from "vitest";
import { worstNeighbours } from "../../../src/privacy/audit/neighbours.js";
import { sensitivity, type Statistic } from "../../../src/privacy/sensitivity.js";
import type { Adjacency } from "../../../src/privacy/events/event-kinds.js";

const STATISTICS: Statistic[] = ["covariance", "diagonal", "vector", "moment", "task-covariance", "augmented-covariance"]; // prettier-ignore

describe.each(["zero-out", "replace"] as Adjacency[])("worst neighbours under %s", (adjacency) => {
  test.each(STATISTICS)("of %s are as far apart as its sensitivity says", (statistic) => {
    // Below 1 the bound of the augmented covariance is not attained under replace.
    for (const clip of statistic === "augmented-covariance" ? [1, 2] : [0.5, 1, 2]) {
      const sizes = { statistic, tasks: 4, dimension: 3, clip };
      const { present, neighbour } = worstNeighbours(sizes, adjacency);
      const apart = Math.hypot(...present.map((x, k) => x - neighbour[k]!));
      expect(apart).toBeCloseTo(sensitivity({ ...sizes, adjacency, norm: "frobenius" }), 11);
    }
  });

  test.each(["covariance", "diagonal", "moment"] as const)("of %s with one number have no other direction", (statistic) => {
    const sizes = { statistic, tasks: 4, dimension: 1, clip: 2 };
    const { present, neighbour } = worstNeighbours(sizes, adjacency);
    expect([...present]).toEqual([statistic === "moment" ? 2 : 4]);
    expect([...neighbour]).toEqual([0]);
  });
}); // prettier-ignore
