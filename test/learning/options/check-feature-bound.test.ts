import fc from "fast-check";
import { expect, test } from "vitest";
import { openCore } from "../../../src/core/index.js";
import { TaskSet } from "../../../src/data/index.js";
import { checkFeatureBound } from "../../../src/learning/options/check-feature-bound.js";
import { placeTasks } from "../../../src/learning/tasks/resident-tasks.js";

const options = { loss: "squared", lossScale: "mean", intercept: true } as const;

/** The message of what is thrown, or nothing. */
function refusal(check: () => void): string | undefined {
  try {
    check();
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

/** Rows of norm below 1 but for some, whose places are given: of task and row, the first in order. */
function lay(sizes: readonly number[], d: number, long: readonly number[]) {
  const x = sizes.map((n, i) =>
    Array.from({ length: n }, (_, row) =>
      Array.from({ length: d }, (_, j) => Math.sin(1 + i + 7 * row + 3 * j) / Math.sqrt(d)),
    ),
  );
  const rows = x.flat();
  const at = long.map((place) => place % rows.length);
  for (const place of at) rows[place]![place % d] = 3;
  const tasks = x.map((of, i) => ({ name: `task ${i}`, x: of, y: of.map(() => 0) }));
  let left = at.length > 0 ? Math.min(...at) : -1;
  const task = sizes.findIndex((n) => (left < n ? true : ((left -= n), false)));
  return {
    data: TaskSet.from(tasks),
    first: at.length > 0 ? `task "task ${task}", row ${left}:` : "",
  };
}

test("the first long row is named, by the kernel that looks at rows in a core as by the loop that looks at any", () => {
  const sizes = fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 1, maxLength: 5 });
  const places = fc.array(fc.nat(100), { maxLength: 3 });
  fc.assert(
    fc.property(sizes, fc.integer({ min: 1, max: 9 }), places, (sizes, d, long) => {
      const { data, first } = lay(sizes, d, long);
      for (const rowPrecision of [undefined, "float64", "float32"] as const) {
        const placed = rowPrecision
          ? placeTasks(data, { ...options, rowPrecision }, { core: openCore() }).tasks
          : undefined;
        const said = refusal(() => {
          checkFeatureBound(data, 1, placed);
        });
        if (first === "") expect(said).toBeUndefined();
        else expect(said).toContain(first);
        checkFeatureBound(data, 4, placed);
      }
    }),
    { numRuns: 60 },
  );
});

test("what is read of placed rows is the copy that is fitted", () => {
  const { data } = lay([2, 3], 4, []);
  const { tasks } = placeTasks(data, options, { core: openCore() });
  tasks.core.arena.view(tasks.x, data.size * 4)[9] = 2;
  checkFeatureBound(data, 1);
  expect(() => {
    checkFeatureBound(data, 1, tasks);
  }).toThrow(/task "task 1", row 0:/);
});
