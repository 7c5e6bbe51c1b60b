/**
 * Real worker threads, so it needs the built package; the pool itself is tested in test/model.
 */
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { describe, expect, test } from "vitest";
import { crossValidate } from "../../../src/learning/index.js";
import { runFitJob, taskArrays } from "../../../src/model/index.js";
import type * as coreEntry from "../../../src/core/index.js";
import type * as nodeEntry from "../../../src/node/index.js";
import { makeTasks } from "../../learning/tasks.js";
import { temporaryFolder } from "../../temporary.js";
import { someOf } from "../../thorough.js";

const built = fileURLToPath(new URL("../../../dist/node/index.js", import.meta.url));

describe.skipIf(!existsSync(built))("openFitPool (skipped where dist/ is not built)", () => {
  const tasks = makeTasks({ m: 8, d: 5, rows: () => 10 });
  const train = taskArrays(tasks);
  const jobs = [0, 1, 2, 3, 4].map((seed) => ({
    method: "mp-low-rank",
    options: { rounds: 5, clip: 2, random: { mode: "seeded", seed } },
    train,
    test: train,
  }));

  test("gives the bits of this thread, whatever the number of workers", async () => {
    const { openFitPool } = (await import(built)) as typeof nodeEntry;
    const here = await Promise.all(jobs.map(runFitJob));
    for (const size of someOf([3, 1], 2)) {
      const pool = openFitPool(size);
      const results = await Promise.all(jobs.map((job) => pool.run(job)));
      pool.close();
      expect(results).toEqual(here);
    }
  });

  test("makes the fits of a cross-validation", async () => {
    const { openFitPool } = (await import(built)) as typeof nodeEntry;
    const how = {
      method: "mp-low-rank",
      options: jobs[0]!.options,
      seed: "cv",
      folds: 3,
      candidates: [{ lambda: 1 }, { lambda: 0.1 }],
    };
    const pool = openFitPool(2);
    const there = await crossValidate(tasks, { ...how, pool });
    pool.close();
    expect(there).toEqual(await crossValidate(tasks, how));
  });

  test("tells rounds while a fit runs", async () => {
    const { openFitPool } = (await import(built)) as typeof nodeEntry;
    const pool = openFitPool(1);
    const told: number[] = [];
    await pool.run(jobs[0]!, { onRound: ({ round, rounds }) => told.push(round / rounds) });
    pool.close();
    expect(told.length).toBeGreaterThan(1);
    expect(told.at(-1)).toBe(1);
  });

  test("passes a worker's refusal on and works on; an abort ends the job only", async () => {
    const { openFitPool } = (await import(built)) as typeof nodeEntry;
    const pool = openFitPool(1);
    const bad = pool.run({ method: "mp-low-rank", options: { epsilon: -1 }, train });
    await expect(bad).rejects.toMatchObject({ code: "OPTION" });
    await expect(bad).rejects.toThrow(/epsilon/);
    const controller = new AbortController();
    const long = pool.run(
      { ...jobs[0]!, options: { rounds: 1e6, clip: 2, random: { mode: "seeded", seed: 1 } } },
      { signal: controller.signal },
    );
    const next = pool.run(jobs[1]!);
    setTimeout(() => {
      controller.abort(new Error("enough"));
    }, 50);
    await expect(long).rejects.toThrow("enough");
    expect((await next).test!.nmse).toBeGreaterThan(0);
    pool.close();
  });

  test("a script that a bundler left behind: what to do", async () => {
    const { openThreadPool } = (await import(built)) as typeof nodeEntry;
    const pool = openThreadPool<number, number>(
      new URL("../not-there.js", pathToFileURL(built)),
      1,
    );
    await expect(pool.run(1)).rejects.toThrow(
      /not-there\.js.*leave the package out of the bundle/s,
    );
    pool.close();
  });

  test("a script that a bundler copied without its kind: the same", async () => {
    const { openThreadPool } = (await import(built)) as typeof nodeEntry;
    const folder = temporaryFolder();
    writeFileSync(join(folder, "package.json"), '{ "type": "commonjs" }');
    writeFileSync(join(folder, "copied.js"), 'import { parentPort } from "node:worker_threads";');
    const pool = openThreadPool<number, number>(pathToFileURL(join(folder, "copied.js")), 1);
    await expect(pool.run(1)).rejects.toThrow(
      /copied\.js, is no longer a module.*leave the package out of the bundle.*serverExternalPackages/s,
    );
    pool.close();
  });

  test("has the kernels that this thread chose", async () => {
    const url = (path: string) => new URL(path, pathToFileURL(built)).href;
    const { openThreadPool } = (await import(built)) as typeof nodeEntry;
    const { initialize } = (await import(url("../index.js"))) as typeof coreEntry;
    const script =
      `import { serveJobs } from ${JSON.stringify(url("index.js"))};` +
      `import { kernelBuild } from ${JSON.stringify(url("../index.js"))};` +
      `serveJobs(async () => kernelBuild());`;
    for (const build of ["scalar", "simd"] as const) {
      initialize({ build });
      const pool = openThreadPool<null, string>(new URL(`data:text/javascript,${script}`), 1);
      expect([await pool.run(null), await pool.run(null)]).toEqual([build, build]);
      pool.close();
    }
  });
});
