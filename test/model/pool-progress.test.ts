/**
 * Progress of fits in a pool, through a channel as between threads; real threads are in test/node/threads/fit-pool.test.ts.
 */
import { describe, expect, test } from "vitest";
import { runFitJob, taskArrays, WorkerPool, type FitProgress } from "../../src/model/index.js";
import { pacedRounds } from "../../src/model/paced-rounds.js";
import { makeTasks } from "../learning/tasks.js";
import { channelPool } from "./channel-pool.js";
import { fakeWorkers } from "./fake-workers.js";

const train = taskArrays(makeTasks({ m: 6, d: 3, rows: () => 8 }));
const job = {
  method: "mp-low-rank",
  options: { rounds: 150, clip: 2, random: { mode: "seeded", seed: 1 } },
  train,
};

describe("onRound of a fit in a pool", () => {
  test("is told the first round and the last, few between, and of each its number alone", async () => {
    const { pool } = channelPool(1);
    const told: FitProgress[] = [];
    const result = await pool.run(job, { onRound: (progress) => told.push(progress) });
    expect(told[0]).toEqual({ round: 1, rounds: 150 });
    expect(told.at(-1)).toEqual({ round: 150, rounds: 150 });
    expect(told.length).toBeLessThan(150);
    for (const progress of told) expect(Object.keys(progress)).toEqual(["round", "rounds"]);
    expect(result).toEqual(await runFitJob(job));
    await pool.run(job);
    pool.close();
  });

  test("an error that it throws ends the fit; the next one has another worker", async () => {
    const { pool, count } = channelPool(1);
    const onRound = () => {
      throw new Error("no such bar");
    };
    await expect(pool.run(job, { onRound })).rejects.toThrow("no such bar");
    expect(count).toMatchObject({ started: 1, ended: 1 });
    expect((await pool.run(job)).model.length).toBeGreaterThan(0);
    expect(count.started).toBe(2);
    pool.close();
  });

  test("ends with the fit: after an abort nothing is told", async () => {
    const { pool } = channelPool(1);
    const controller = new AbortController();
    let told = 0;
    const run = pool.run(job, {
      signal: controller.signal,
      onRound: () => {
        told++;
        controller.abort(new Error("enough"));
      },
    });
    await expect(run).rejects.toThrow("enough");
    await pool.run(job);
    expect(told).toBe(1);
    pool.close();
  });

  test("is refused where it is no function", () => {
    const { pool } = channelPool(1);
    expect(() => pool.run(job, { onRound: 3 as never })).toThrow(
      "onRound: expected a function, got number",
    );
    pool.close();
  });
});

test("a worker is asked for progress only where somebody takes it", async () => {
  const { open, workers } = fakeWorkers();
  const pool = new WorkerPool<string, string>(open, 1);
  const told: unknown[] = [];
  const first = pool.run("a", { onProgress: (progress) => told.push(progress) });
  const second = pool.run("b");
  workers[0]!.reply({ id: 0, progress: "half" });
  workers[0]!.reply({ id: 1, progress: "of another" });
  workers[0]!.reply({ id: 0, result: "A" });
  workers[0]!.reply({ id: 1, result: "B" });
  expect(await Promise.all([first, second])).toEqual(["A", "B"]);
  expect(told).toEqual(["half"]);
  expect(workers[0]!.posted.map((request) => "told" in request)).toEqual([true, false]);
});

test("rounds are told every 50 ms at most, whatever they found", () => {
  const told: FitProgress[] = [];
  const tell = pacedRounds((progress) => told.push(progress));
  for (let round = 1; round <= 1000; round++) tell({ round, rounds: 1000, objective: 3 } as never);
  expect(told[0]).toEqual({ round: 1, rounds: 1000 });
  expect(told.at(-1)).toEqual({ round: 1000, rounds: 1000 });
  expect(told.length).toBeLessThan(20);
});
