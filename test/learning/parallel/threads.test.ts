import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { TaskSet } from "../../../src/data/index.js";
import { joinModels } from "../../../src/learning/parallel/join-models.js";
import { arraysOf, taskRanges } from "../../../src/learning/parallel/task-ranges.js";
import { crossesWhole } from "../../../src/learning/parallel/crossing-options.js";
import { crossed, crossing } from "../../../src/learning/workers/crossing-errors.js";
import { mixedWork } from "../../../src/learning/families/mixed/mixed-work.js";
import { decideThreads, missedWork } from "../../../src/learning/parallel/threads.js";
import { DataError, OptionError } from "../../../src/core/index.js";
import { BudgetExceededError } from "../../../src/privacy/index.js";

const sizes = fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1, maxLength: 40 });

function tasksOf(rows: readonly number[], d: number): TaskSet {
  const input = rows.map((n, i) => ({
    name: `t${i}`,
    x: Array.from({ length: n }, (_, j) => Array.from({ length: d }, (_, k) => i + j / 100 + k)),
    y: Array.from({ length: n }, (_, j) => i - j),
  }));
  return TaskSet.from(input);
}

test("ranges are contiguous, none empty, and none heavier than its share by more than a task", () => {
  fc.assert(
    fc.property(sizes, fc.integer({ min: 1, max: 4 }), fc.nat(40), (rows, d, at) => {
      const tasks = tasksOf(rows, d);
      const count = 1 + (at % tasks.m);
      const ranges = taskRanges(tasks, count);
      expect(ranges.length).toBe(count);
      expect([ranges[0]!.first, ranges.at(-1)!.end]).toEqual([0, tasks.m]);
      ranges.slice(1).forEach(({ first }, k) => expect(first).toBe(ranges[k]!.end));
      const weight = rows.map((n) => n + d);
      const total = weight.reduce((a, b) => a + b, 0);
      for (const { first, end } of ranges) {
        expect(end).toBeGreaterThan(first);
        const own = weight.slice(first, end).reduce((a, b) => a + b, 0);
        // Cut points are the first tasks that reach k / count of the whole.
        expect(own).toBeLessThanOrEqual(total / count + Math.max(...weight));
      }
    }),
    { seed: 1 },
  );
});

test("the arrays of ranges are the set's, put together again", () => {
  fc.assert(
    fc.property(sizes, fc.nat(40), (rows, at) => {
      const tasks = tasksOf(rows, 3);
      const parts = taskRanges(tasks, 1 + (at % tasks.m)).map((range) =>
        TaskSet.adopt(arraysOf(tasks, range)),
      );
      expect(parts.flatMap((part) => [...part])).toEqual([...tasks]);
    }),
    { seed: 2 },
  );
});

test("models of batches are put together in order; what all say the same is taken once", () => {
  const part = (from: number, m: number) => ({
    losses: Float64Array.from({ length: m }, (_, i) => from + i),
    models: {
      weights: Float64Array.from({ length: 2 * m }, (_, k) => 2 * from + k),
      intercepts: Float64Array.from({ length: m }, (_, i) => -from - i),
      components: {
        rows: { shape: [m, 1], data: Float64Array.from({ length: m }, (_, i) => 10 * (from + i)) },
        common: { shape: [3], data: Float64Array.of(1, 2, 3) },
      },
    },
  });
  expect(joinModels([part(0, 2), part(2, 3), part(5, 1)], ["rows"])).toEqual(part(0, 6));
});

test("auto never takes more threads than are worth their start, can be had, or have a task", () => {
  const of = (work: number, m: number, free: number, started: number) =>
    decideThreads({ asked: "auto", m, work, free, started }).used;
  expect(of(1e6, 100, 16, 16)).toBe(1);
  expect(of(1e8, 100, 16, 1)).toBe(1);
  expect(of(1e8, 100, 2, 2)).toBe(2);
  expect(of(1e12, 100, 16, 1)).toBe(16);
  expect(of(1e12, 3, 16, 1)).toBe(3);
  expect(of(1e12, 100, 1, 1)).toBe(1);
});

test("labels of few columns are work too: the link is asked of every row, however few its features", () => {
  const sizes = { m: 2000, d: 3, rows: 12_000, mostRows: 6 };
  const takes = (loss: "squared" | "logistic", outputs = 1) => mixedWork(loss, { sizes, outputs });
  const used = (work: number) =>
    decideThreads({ asked: "auto", m: sizes.m, work, free: 2, started: 1 }).used;
  expect(used(takes("squared"))).toBe(1); // some tenths of a second
  expect(used(takes("logistic"))).toBe(2); // 12 s
  expect(takes("logistic", 3)).toBe(3 * takes("logistic"));
});

describe("fits one after the other", () => {
  /** The threads that each of some fits takes on workers that are kept, and what a thread's start costs in their work. */
  const START = 1e8;
  function follow(works: readonly number[], free = 16): number[] {
    let [started, missed] = [1, 0];
    return works.map((work) => {
      const question = { asked: "auto", m: 1000, work, free, started, missed } as const;
      const { used } = decideThreads(question);
      missed = used > started ? 0 : missed + missedWork(question, used);
      started = Math.max(started, used);
      return used;
    });
  }

  test("start a thread once those before missed as much as its start takes", () => {
    // Half of 6e7 each: four are 1.2e8. A third of it is 2e7, so that five more start a third thread.
    expect(follow(Array<number>(9).fill(6e7))).toEqual([1, 1, 1, 2, 2, 2, 2, 2, 3]);
    expect(follow(Array<number>(9).fill(6e7), 2)).toEqual([1, 1, 1, 2, 2, 2, 2, 2, 2]);
    // Of less than what a thread that is up is worth nothing adds up.
    expect(follow(Array<number>(1000).fill(9e6))).toEqual(Array<number>(1000).fill(1));
    expect(follow([1e12, 6e7], 16)).toEqual([16, 12]);
  });

  test("cost at most twice what they would have with foreknowledge, but for what is too little for a thread", () => {
    const works = fc.array(fc.integer({ min: 1, max: 400 }), { minLength: 1, maxLength: 40 });
    fc.assert(
      fc.property(works, (millions) => {
        const fits = millions.map((k) => 1e6 * k);
        const used = follow(fits, 2);
        const worth = fits.map((work) => (work >= 1e7 ? work / 2 : 0));
        const first = used.findIndex((threads, k) => threads === 2 && worth[k]! > 0);
        const missed = worth.slice(0, first < 0 ? undefined : first);
        const cost = missed.reduce((a, b) => a + b, 0) + (first < 0 ? 0 : START);
        const best = Math.min(
          worth.reduce((a, b) => a + b, 0),
          START,
        );
        expect(cost).toBeLessThanOrEqual(2 * best);
      }),
      { seed: 3 },
    );
  });

  test("count nothing where the caller says how many, or none is left", () => {
    const question = { asked: "auto", m: 1000, work: 6e7, free: 2, started: 1 } as const;
    expect(missedWork(question, 1)).toBe(3e7);
    expect(missedWork({ ...question, asked: 1 }, 1)).toBe(0);
    expect(missedWork({ ...question, free: 1 }, 1)).toBe(0);
    expect(missedWork({ ...question, m: 1 }, 1)).toBe(0);
    // A thread that is up and was left out was not missed.
    expect(missedWork({ ...question, free: 3, started: 3 }, 2)).toBe(0);
  });
});

test("errors come out as what they were", () => {
  for (const error of [new DataError("a"), new OptionError("b"), new RangeError("c")]) {
    const there = crossed(structuredClone(crossing(error)));
    expect(there).toEqual(error);
    expect(there.constructor).toBe(error.constructor);
  }
  const ledger = new BudgetExceededError(1, 2, 1, "eps");
  expect(crossed(crossing(ledger))).toMatchObject({ code: ledger.code, message: ledger.message });
});

test("options cross whole unless they hold code", () => {
  expect(crossesWhole({ a: [1, { b: null }], c: new Float64Array(2), d: "x" })).toBe(true);
  expect(crossesWhole({ a: [() => 1] })).toBe(false);
  class Model {
    readonly name = "own";
  }
  expect(crossesWhole({ model: new Model() })).toBe(false);
});
