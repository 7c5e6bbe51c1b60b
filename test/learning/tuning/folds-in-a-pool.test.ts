/** Cross-validation whose fits a pool makes: the result of one thread, progress, abort, errors. */
import { describe, expect, test } from "vitest";
import {
  crossValidate,
  expandGrid,
  HiddenLayerNetwork,
  type CrossValidationOptions,
  type FoldJob,
} from "../../../src/learning/index.js";
import { TaskSet } from "../../../src/data/index.js";
import { channelPool } from "../../model/channel-pool.js";
import { makeClasses, makeLabelled, makeTasks } from "../tasks.js";

const tasks = makeTasks({ m: 5, d: 3, rows: (i) => 6 + i, noise: 0.3 });
const random = { mode: "seeded", seed: 4 };
const common = { seed: "cv", folds: 3 };
const alone: CrossValidationOptions = {
  ...common,
  method: "single-task",
  candidates: expandGrid({ lambda: [10, 0.1, 0.001] }),
};
const failure = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    (error: Error) => error,
  );

describe("crossValidate in a pool", () => {
  // One label of the last class in all: the fold that holds it out cannot be scored on it.
  const rare = makeClasses({ m: 4, d: 3, rows: () => 8, classes: 3 });
  const private_ = { ...common, method: "mp-low-rank", options: { random, rounds: 3, clip: 2 } };
  const CASES: readonly [string, TaskSet, CrossValidationOptions][] = [
    ["numbers", tasks, alone],
    ["one standard error", tasks, { ...alone, oneStandardError: true }],
    ["private", tasks, { ...private_, candidates: expandGrid({ lambda: [1, 0.1], clip: [1, 2] }) }],
    ["joint", tasks, { ...common, method: "trace-norm", candidates: expandGrid({ lambda: [1, 0.1] }) }], // prettier-ignore
    ["labels", makeLabelled({ m: 4, d: 3, rows: () => 8 }), { ...alone, options: { loss: "logistic" } }], // prettier-ignore
    ["classes", rare, { ...alone, options: { loss: "softmax" } }],
    ["a fold of one label", TaskSet.from([
      { name: "a", x: [[1], [2], [3], [4]], y: ["yes", "no", "no", "no"] },
    ]), { ...alone, options: { loss: "logistic" } }], // prettier-ignore
    ["a constant fold", TaskSet.from([
      { name: "a", x: [[1], [2], [3], [4], [5], [6]], y: [1, 1, 1, 1, 2, 3] },
    ]), alone], // prettier-ignore
  ];

  test.each(CASES)("%s: the bits of one thread", async (what, data, how) => {
    const seen: Record<string, [number, number][]> = { here: [], pool: [] };
    const here = await crossValidate(data, { ...how, onFit: (...of) => seen["here"]!.push(of) });
    for (const size of [1, 3]) {
      seen["pool"] = [];
      const { pool, count } = channelPool(size);
      const there = await crossValidate(data, {
        ...how,
        pool,
        onFit: (...of) => seen["pool"]!.push(of),
      });
      pool.close();
      expect(there).toEqual(here);
      expect(count.jobs).toBe(seen["here"]!.length);
      expect(count.started).toBe(size);
      if (what === "a constant fold") expect(count.undefined).toBeGreaterThan(0);
      expect(seen["pool"]).toEqual(seen["here"]);
    }
    const total = seen["here"]!.length;
    expect(seen["here"]).toEqual(Array.from({ length: total }, (_, i) => [i + 1, total]));
  });

  test("an abort ends the fits, and the pool goes on to others", async () => {
    const { pool, count } = channelPool(2);
    const controller = new AbortController();
    const reason = new Error("enough");
    const { signal } = controller;
    const onFit = (made: number) => made === 3 && controller.abort(reason);
    const hooks = { pool, signal, onFit: (made: number) => void onFit(made) };
    expect(await failure(crossValidate(tasks, { ...alone, ...hooks }))).toBe(reason);
    // Two workers made three fits and were at others; none was started for those that waited.
    expect(count.started).toBe(2);
    expect(count.jobs).toBeLessThan(7);
    expect(await failure(crossValidate(tasks, { ...alone, ...hooks }))).toBe(reason);
    expect(count.started).toBe(2);
    expect(await crossValidate(tasks, { ...alone, pool })).toEqual(
      await crossValidate(tasks, alone),
    );
    pool.close();
    expect(count.ended).toBe(count.started);
  });

  test("a fit that fails ends the others, with its code and message", async () => {
    const long = TaskSet.from(
      [...tasks].map(({ name, x, y }) => ({ name, x: x.map((value) => 9 * value), y })),
    );
    const how = { ...private_, candidates: expandGrid({ lambda: [1, 0.1, 0.01] }) };
    const here = await failure(crossValidate(long, how));
    const { pool, count } = channelPool(1);
    const there = await failure(crossValidate(long, { ...how, pool }));
    expect(there).toMatchObject({ code: "DATA", message: here!.message });
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(count.jobs).toBeLessThan(4);
    expect(count.started).toBe(1);
    pool.close();
  });

  test("refuses before any fit: options of any candidate, options that hold code, what is no pool", async () => {
    const { pool, count } = channelPool(1);
    const bad = { ...alone, candidates: [{ lambda: 1 }, { lambda: -1 }] };
    const inPool = await failure(crossValidate(tasks, { ...bad, pool }));
    expect(inPool?.message).toMatch(/^single-task: lambda: /);
    expect(inPool).toEqual(await failure(crossValidate(tasks, bad)));
    const coded = { ...common, method: "private-fedavg", candidates: [{}, { rounds: 2 }] };
    const model = new HiddenLayerNetwork({
      features: 3,
      hiddenUnits: 2,
      outputs: 1,
      activation: "tanh",
      loss: "squared",
    });
    const options = { random, rounds: 1, clip: 1, model };
    expect((await failure(crossValidate(tasks, { ...coded, options, pool })))?.message).toBe(
      "pool: the options hold code, which stays on its thread; leave it out",
    );
    const none = { run: 1 } as never;
    expect((await failure(crossValidate(tasks, { ...alone, pool: none })))?.message).toBe(
      "pool: expected a pool of openFitPool or openWebFitPool",
    );
    expect(count.started).toBe(0);
  });

  test("stops what waits where the caller's own hook throws", async () => {
    let ended = 0;
    const pool = {
      run: (_: FoldJob, { signal }: { signal?: AbortSignal } = {}) => {
        signal!.addEventListener("abort", () => ended++);
        return Promise.resolve(1);
      },
    };
    const onFit = () => {
      throw new Error("no more");
    };
    const stopped = await failure(crossValidate(tasks, { ...alone, pool, onFit }));
    expect(stopped?.message).toBe("no more");
    expect(ended).toBe(9);
  });
});
