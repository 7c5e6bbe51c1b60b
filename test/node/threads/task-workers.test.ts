/**
 * Fits whose tasks lie on real threads, so it needs the built package; what is spread and how is tested in
 * test/learning/parallel.
 */
import { existsSync } from "node:fs";
import { fileURLToPath, pathToFileURL } from "node:url";
import { describe, expect, test } from "vitest";
import type * as entry from "../../../src/index.js";
import type * as nodeEntry from "../../../src/node/index.js";
import { makeTasks } from "../../learning/tasks.js";
import { runScript } from "../built.js";
import { someOf } from "../../thorough.js";

const built = fileURLToPath(new URL("../../../dist/node/index.js", import.meta.url));
const url = (path: string) => new URL(path, pathToFileURL(built)).href;
const random = { mode: "seeded", seed: 5 } as const;

async function load() {
  const { openTaskWorkers } = (await import(built)) as typeof nodeEntry;
  const { initialize, kernelBuild, makeEstimator } = (await import(
    url("../index.js")
  )) as typeof entry;
  return { openTaskWorkers, initialize, kernelBuild, makeEstimator };
}

describe.skipIf(!existsSync(built))("openTaskWorkers (skipped where dist/ is not built)", () => {
  const tasks = makeTasks({ m: 12, d: 5, rows: () => 10 });

  test.each(["mp-low-rank", "pmtl"])("%s: the bits of one thread on 2 and 4", async (method) => {
    const { openTaskWorkers, makeEstimator } = await load();
    const fit = (hooks = {}) => makeEstimator(method, { random, rounds: 5, clip: 2 }).fit(tasks, hooks); // prettier-ignore
    const alone = await fit();
    const workers = openTaskWorkers(4);
    for (const threads of someOf([4, 2], 2)) {
      const model = await fit({ threads, workers });
      expect(model.threads!.used).toBe(threads);
      expect(model.weights).toEqual(alone.weights);
      expect(model.history).toEqual(alone.history);
    }
    workers.close();
  });

  test("an abort ends threads that are at work", async () => {
    const { openTaskWorkers, makeEstimator } = await load();
    const workers = openTaskWorkers(2);
    const controller = new AbortController();
    // Of tasks that are drawn uploads are asked for when a round begins, and not done when its abort is seen.
    const sampling = { kind: "fixed-size", size: 6 };
    const sampled = { random, rounds: 3000, clip: 2, batchSize: 2, sampling };
    const long = makeEstimator("pmtl", sampled).fit(tasks, {
      threads: 2,
      workers,
      signal: controller.signal,
      onRound: ({ round }) => {
        if (round === 3) controller.abort(new Error("enough"));
      },
    });
    await expect(long).rejects.toThrow("enough");
    expect([workers.free, workers.started]).toEqual([1, 0]);
    workers.close();
  });

  test("what a thread cannot read fails whoever waits for it", async () => {
    const { openTaskWorkers } = await load();
    const workers = openTaskWorkers(2);
    const [worker] = workers.take(1);
    // V8 loses where a view begins that far into its memory, of which no page is ever touched.
    const far = new Float64Array(new SharedArrayBuffer(2 ** 31 + 64), 2 ** 31, 4);
    await expect(worker!.ask({ kind: "place", data: far })).rejects.toThrow();
    workers.close();
  });

  test("threads have the kernels of the fit's own", async () => {
    const { openTaskWorkers, makeEstimator, initialize, kernelBuild } = await load();
    const fused = makeTasks({ m: 6, d: 40, rows: () => 60 });
    const fit = (hooks = {}) => makeEstimator("mp-low-rank", { random, rounds: 3, clip: 2 }).fit(fused, hooks); // prettier-ignore
    const workers = openTaskWorkers(2);
    for (const build of ["scalar", "simd"] as const) {
      initialize({ build });
      expect(kernelBuild()).toBe(build);
      expect((await fit({ threads: 2, workers })).weights).toEqual((await fit()).weights);
    }
    workers.close();
  });

  test("a process ends although nobody closed the threads", async () => {
    const { ended } = runScript(
      `
      const { MpLowRank, simulate, tasksFromTable, TaskSet } = await import(args[0]);
      const rows = Array.from({ length: 6 }, (_, i) => ({ name: "t" + i, x: [[i / 9, 0.1], [0.2, i / 8]], y: [i, 1] }));
      const model = await new MpLowRank({ rounds: 2, random: { mode: "seeded", seed: 1 } })
        .fit(TaskSet.from(rows), { threads: 2, workers: mpmtl.openTaskWorkers(2) });
      writeSync(1, String(model.threads.used));`,
      url("../index.js"),
    );
    expect(await ended).toEqual({ code: 0, out: "2", err: "" });
  });
});
