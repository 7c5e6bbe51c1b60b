/** What all threads of a fit need alike is worked out once, a part by one thread, with the same bits for any number of them. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { openCore } from "../../../src/core/index.js";
import { SyntheticInformation } from "../../../src/learning/families/mixed/squared/synthetic-information.js";
import {
  NOISE_MULTIPLES,
  NOISE_PRIOR,
  UNSURE_COLUMN,
} from "../../../src/learning/families/mixed/squared/squared-settings.js";
import { makeEstimator } from "../../../src/learning/index.js";
import { divideWork } from "../../../src/learning/parallel/divide-work.js";
import type { CommonRequest } from "../../../src/learning/parallel/messages.js";
import { sumOfParts, type CommonWork } from "../../../src/learning/round/common-work.js";
import type { TaskWorker } from "../../../src/learning/workers/task-worker.js";
import { makeTasks } from "../tasks.js";
import { channelWorkers } from "./channel-workers.js";

/** Parts of numbers whose sum depends on its order, and who worked out which. */
function recorded(parts: number) {
  const computed: number[] = [];
  let taken: Float64Array | undefined;
  const valueOf = (part: number) => Math.sin(part + 1) * 10 ** ((part * 7) % 5);
  const work: CommonWork = {
    parts,
    length: 2,
    compute: (first, end) => {
      const values: number[] = [];
      for (let part = first; part < end; part++) {
        computed.push(part);
        values.push(valueOf(part), -valueOf(part));
      }
      return Float64Array.from(values);
    },
    take: (sum) => (taken = sum),
  };
  return { work, computed, taken: () => taken };
}

describe("work that all threads need", () => {
  test("every part is worked out once, and the sum is that of one thread", async () => {
    const sizes = fc.tuple(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 0, max: 20 }));
    await fc.assert(
      fc.asyncProperty(sizes, async ([parts, others]) => {
        const { work, computed, taken } = recorded(parts);
        const alone = sumOfParts(work, work.compute(0, parts));
        computed.length = 0;
        const worker = {
          ask: ({ first, end }: CommonRequest) => Promise.resolve(work.compute(first, end)),
        } as unknown as TaskWorker;
        const workers = new Array<TaskWorker>(others).fill(worker);
        const sum = await divideWork(work, workers, { stage: 0, round: 1 });
        expect(computed.toSorted((a, b) => a - b)).toEqual(Array.from({ length: parts }, (_, k) => k)); // prettier-ignore
        expect([...sum!]).toEqual([...alone]);
        expect(taken()).toBe(sum);
      }),
    );
    expect(await divideWork(undefined, [], "finish")).toBeNull();
  });

  test("a fit has its steps' synthetic tasks worked out in parts, and before the end once more, with what it states of fixed effects", async () => {
    const tasks = makeTasks({ m: 9, d: 4, rows: (i) => 5 + (i % 4) });
    const { workers, sent } = channelWorkers(3);
    const mixed = makeEstimator("mp-mixed", { epsilon: 5, scale: "unit" });
    const { ledger } = await mixed.fit(tasks, { workers, threads: 3 });
    workers.close();
    // Scores of the location are the method's rounds, which have no label.
    const labels = ledger!.entries.map(({ label }) => label ?? "location");
    const steps = labels.filter((label) => label === "variances" || label === "location").length;
    expect(steps).toBeGreaterThan(3);
    expect(sent["common"]).toBe(2 * (steps + 1 + UNSURE_COLUMN.passes + 1));
  });

  test("what is stated of the fixed effects has the same bits on any number of threads, and workers say nothing of it", async () => {
    const tasks = makeTasks({ m: 9, d: 4, rows: (i) => 5 + (i % 4) });
    const mixed = makeEstimator("mp-mixed", {
      epsilon: 5,
      scale: "unit",
      random: { mode: "seeded", seed: 1 },
    });
    const alone = await mixed.fit(tasks);
    for (const threads of [2, 3]) {
      const { workers, finished } = channelWorkers(threads);
      const { components } = await mixed.fit(tasks, { workers, threads });
      workers.close();
      expect(components).toEqual(alone.components);
      expect(Object.keys(components)).toContain("fixedEffectsCovariance");
      for (const { models } of finished) {
        expect(Object.keys(models.components!)).not.toContain("fixedEffectsCovariance");
      }
    }
  });

  test("what votes say of columns that nobody declared is concluded in parts", async () => {
    const tasks = makeTasks({ m: 9, d: 4, rows: (i) => 5 + (i % 4) });
    const fitOf = async (scale: "auto" | "unit") => {
      const { workers, sent } = channelWorkers(3);
      const { weights } = await makeEstimator("mixed-model", { scale }).fit(tasks, {
        workers,
        threads: 3,
      });
      workers.close();
      return { weights, common: sent["common"]! };
    };
    const [voted, unit] = [await fitOf("auto"), await fitOf("unit")];
    // Magnitudes and locations; spreads are concluded at once.
    expect(voted.common - unit.common).toBe(2 * 2);
    const alone = await makeEstimator("mixed-model", { scale: "auto" }).fit(tasks);
    expect(voted.weights).toEqual(alone.weights);
  });
});

test("of an intercept alone the synthetic tasks' mean information is a closed form; asked again it is there", () => {
  const [n, p, noise] = [7, 0.3, 0.5];
  const synthetic = new SyntheticInformation(openCore(), { m: 10, d: 1, meanRows: n });
  const expected = NOISE_MULTIPLES.reduce(
    (sum, multiple, j) => sum + (NOISE_PRIOR[j]! * n) / (noise * multiple + n * p),
    0,
  );
  expect(synthetic.information(Float64Array.of(p), noise)[0]).toBeCloseTo(expected, 9);
  expect(synthetic.work(Float64Array.of(p), noise)).toBeUndefined();
  expect(synthetic.work(Float64Array.of(p), 2 * noise)).toBeDefined();
  expect(synthetic.work(Float64Array.of(2 * p), noise)).toBeDefined();
});
