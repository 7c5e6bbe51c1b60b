/** What features are held within where columns were voted on. */
import { describe, expect, test } from "vitest";
import { TaskSet } from "../../../../../src/data/index.js";
import { taskLimits } from "../../../../../src/learning/families/mixed/undeclared/task-limits.js";
import { givenUnits } from "../../../../../src/learning/families/mixed/units/units.js";

/** Tasks of one feature and rows near `at`. */
function tasksAt(places: readonly number[]): TaskSet {
  return TaskSet.from(
    places.map((at, i) => ({
      name: `t${i}`,
      x: [[at - 0.1], [at], [at + 0.1]],
      y: [i, i + 1, i + 3],
    })),
  );
}

describe("limits where columns were voted on", () => {
  const units = { ...givenUnits(2), voted: [0] };
  const limitsOf = (alone: number[], denied: number[], places: number[]) => {
    const of = { alone: Float64Array.from(alone), denied: Uint8Array.from(denied) };
    const { shape, data } = taskLimits(of, units, tasksAt(places))["taskFeatureLimits"]!;
    expect(shape).toEqual([places.length, 2, 1]);
    return places.map((_, i) => [data[2 * i]!, data[2 * i + 1]!] as const);
  };

  test("are those of all tasks, but for one that learns alone, which keeps near its rows, too", () => {
    const [other, near, denied] = limitsOf([0.9, 0.95, 1], [0, 0, 1], [2, 2, 2]);
    expect(other).toEqual([-8, 8]);
    expect(near![0]).toBeGreaterThan(-8);
    expect(near![0]).toBeLessThan(1.9);
    expect(near![1]).toBeGreaterThan(2.1);
    expect(near![1]).toBeLessThan(8);
    expect(near).toEqual(denied);
  });

  test("of such a task never go beyond those of all, and stay in order where its rows do", () => {
    const [across, outside, denied] = limitsOf([1, 1, 1], [0, 0, 1], [7.95, 30, 30]);
    expect(across![0]).toBeLessThan(7.9);
    expect(across![1]).toBe(8);
    expect(outside).toEqual([8, 8]);
    // Its own rows alone say where a task is that denies the votes.
    expect(denied![0]).toBeGreaterThan(8);
    expect(denied![0]).toBeLessThan(29.9);
    expect(denied![1]).toBeGreaterThan(30.1);
  });
});
