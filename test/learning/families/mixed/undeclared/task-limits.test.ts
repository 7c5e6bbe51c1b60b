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
  const limitsOf = (
    alone: number[],
    denied: number[],
    places: number[],
    { slope = 0, targetSize = 1 } = {},
  ) => {
    const of = {
      models: Float64Array.from(places.flatMap(() => [slope, 0])),
      alone: Float64Array.from(alone),
      denied: Uint8Array.from(denied),
    };
    const limits = taskLimits(of, { ...units, targetSize }, tasksAt(places));
    const { shape, data } = limits["taskFeatureLimits"]!;
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

  test("let no slope take a prediction farther than four sizes of the target beyond the task's rows", () => {
    const near = (places: number[], slope: number, targetSize: number) =>
      limitsOf([0.5], [0], places, { slope, targetSize })[0]!;
    for (const slope of [20, -20]) {
      const [lower, upper] = near([2], slope, 5);
      expect(lower).toBeCloseTo(1.9 - 1, 12);
      expect(upper).toBeCloseTo(2.1 + 1, 12);
    }
    // Slopes that are not steep stay with what was voted for, on either side alone, too.
    expect(near([2], 2, 5)).toEqual([-8, 8]);
    const [lower, upper] = near([7], 5, 5);
    expect(lower).toBeCloseTo(6.9 - 4, 12);
    expect(upper).toBe(8);
    // In order, where the rows lie outside what was voted for; and a task that denies it has its own rows'.
    expect(near([30], 1e9, 5)).toEqual([8, 8]);
    const [denied] = limitsOf([1], [1], [2], { slope: 1e9 });
    expect(denied).toEqual(limitsOf([1], [1], [2])[0]);
  });

  test("of a declared feature stay what they were", () => {
    const of = {
      models: Float64Array.of(1e9, 0),
      alone: Float64Array.of(0.5),
      denied: new Uint8Array(1),
    };
    const { data } = taskLimits(of, givenUnits(2), tasksAt([2]))["taskFeatureLimits"]!;
    expect([...data]).toEqual([-8, 8]);
  });
});
