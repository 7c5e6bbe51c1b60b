import fc from "fast-check";
import { expect, test } from "vitest";
import { foldPasses } from "../../../src/learning/local-selection/fold-passes.js";
import { FoldBatch } from "../../../src/learning/local-selection/folds.js";
import { fallsBack } from "../../../src/learning/local-selection/fallback.js";
import { FALLBACK, FOLDS } from "../../../src/learning/local-selection/thresholds.js";
import { makeTasks } from "../tasks.js";

const { errors } = FALLBACK.rounds;

/** Tasks whose shared models lose `times` as much as their own, on rows whose losses vary. */
const tasksOf = fc.array(
  fc.record({
    rows: fc.integer({ min: 1, max: 17 }),
    times: fc.constantFrom(0.5, 1, 2, 5, 40),
    seed: fc.integer({ min: 1, max: 1000 }),
  }),
  { minLength: 1, maxLength: 12 },
);

/** @param missing entries that are not in the batch, from the end. */
function lay(tasks: readonly { rows: number; times: number; seed: number }[], missing: number) {
  const data = makeTasks({ m: tasks.length, d: 2, rows: (i) => tasks[i]!.rows });
  const { offsets } = data;
  const singleTask = new Float64Array(data.size);
  const whole = new Float64Array(data.size);
  const fitted = new Float64Array(data.size);
  tasks.forEach(({ times, seed }, i) => {
    for (let row = offsets[i]!; row < offsets[i + 1]!; row++) {
      singleTask[row] = 1 + Math.sin(seed * row);
      whole[row] = times * (1 + Math.cos(seed + 3 * row));
      fitted[row] = 1 + Math.cos(seed * seed + row);
    }
  });
  const entries = tasks.flatMap(({ rows }, task) =>
    Array.from({ length: rows > 1 ? Math.min(rows, FOLDS) : 0 }, (_, fold) => ({ task, fold })),
  );
  const kept = entries.slice(0, entries.length - missing);
  const batch = new FoldBatch(
    data,
    0,
    Uint32Array.from(kept, ({ task }) => task),
    Uint32Array.from(kept, ({ fold }) => fold),
  );
  return { batch, offsets, singleTask, whole, fitted, entries: kept };
}

/** Goes through all passes; how often each entry was asked for, and the losses as they are then known. */
function goThrough({ batch, offsets, singleTask, whole, fitted }: ReturnType<typeof lay>) {
  const asked = new Uint32Array(batch.owners.length);
  const shared = new Float64Array(whole.length);
  for (const entries of foldPasses(batch, { offsets, singleTask, shared, fitted, errors })) {
    for (const entry of entries) {
      asked[entry]!++;
      const task = batch.owners[entry]!;
      const first = offsets[task]! + batch.folds[entry]!;
      for (let row = first; row < offsets[task + 1]!; row += FOLDS) shared[row] = whole[row]!;
    }
  }
  return { asked, shared };
}

test("tasks fall back as with all folds, and those that do not have had all of them", () => {
  let leftOut = 0;
  fc.assert(
    fc.property(tasksOf, (tasks) => {
      const laid = lay(tasks, 0);
      const { offsets, singleTask, whole, batch } = laid;
      const { asked, shared } = goThrough(laid);
      const pair = { loss: "squared", offsets, singleTask } as const;
      const falls = fallsBack({ ...pair, shared }, FALLBACK.rounds);
      expect(falls).toEqual(fallsBack({ ...pair, shared: whole }, FALLBACK.rounds));
      asked.forEach((times, entry) => {
        expect(times).toBeLessThanOrEqual(1);
        if (times === 0) leftOut++;
        if (falls[batch.owners[entry]!] === 0) expect(times).toBe(1);
      });
    }),
    { numRuns: 300, seed: 9 },
  );
  expect(leftOut).toBeGreaterThan(300);
});

test("tasks whose folds are in several batches have all of them replayed", () => {
  const laid = lay([{ rows: 15, times: 40, seed: 7 }], 2);
  const { asked } = goThrough(laid);
  expect(asked).toEqual(new Uint32Array(3).fill(1));
  const { asked: all } = goThrough(lay([{ rows: 15, times: 40, seed: 7 }], 0));
  expect(all.includes(0)).toBe(true);
});

test("the first pass has the fold of every task on which models that have seen its rows lose most", () => {
  const laid = lay(
    [
      { rows: 13, times: 5, seed: 3 },
      { rows: 4, times: 1, seed: 8 },
    ],
    0,
  );
  const { batch, offsets, fitted } = laid;
  const means = laid.entries.map(({ task, fold }) => {
    const rows = Array.from(fitted.subarray(offsets[task]!, offsets[task + 1]!)).filter(
      (_, row) => row % FOLDS === fold,
    );
    return rows.reduce((a, b) => a + b, 0) / rows.length;
  });
  const shared = new Float64Array(fitted.length);
  const [first] = foldPasses(batch, { ...laid, shared, errors });
  const hardest = [0, 1].map((task) => {
    const most = Math.max(...means.filter((_, entry) => batch.owners[entry] === task));
    return means.indexOf(most);
  });
  expect([...first!]).toEqual(hardest);
});
