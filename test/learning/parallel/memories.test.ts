/** Rows that one memory cannot hold lie in several: in a smaller address space, so that it takes no gigabytes. */
import { afterEach, describe, expect, test, vi } from "vitest";
import { HostError } from "../../../src/core/index.js";
import { TaskSet } from "../../../src/data/index.js";
import { makeEstimator, type FitOptions } from "../../../src/learning/index.js";
import { decideThreads } from "../../../src/learning/parallel/threads.js";
import { memoriesFor } from "../../../src/learning/parallel/memories.js";
import { batchSize, residentBytes } from "../../../src/learning/tasks/resident-size.js";
import { thorough, thoroughTest } from "../../thorough.js";
import { makeTasks } from "../tasks.js";
import { channelWorkers } from "./channel-workers.js";

const MIB = 2 ** 20;
const space = vi.hoisted(() => ({ bytes: 2 ** 32 }));
vi.mock("../../../src/core/address-space.js", () => ({
  get ADDRESS_SPACE() {
    return space.bytes;
  },
}));
afterEach(() => void (space.bytes = 2 ** 32));

const tasks = makeTasks({ m: 24, d: 20, rows: (i) => 2450 + 50 * (i % 3) });
const random = { mode: "seeded", seed: 5 } as const;
const failure = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    (error: Error) => error,
  );
const fitOf =
  (method: string, given: object = {}, data = tasks) =>
  (hooks: FitOptions = {}) =>
    makeEstimator(method, { random, rounds: 2, clip: 2, epsilon: 5, ...given }).fit(data, hooks);
const fit = fitOf("mp-low-rank");
/** Of all tasks: about 10 MiB. */
const needs = residentBytes(batchSize(tasks));

describe("rows that one memory cannot hold", () => {
  const cases: [string, object][] = [
    ["mp-low-rank", {}],
    ...(thorough
      ? ([
          ["pmtl", { intercept: true }],
          ["mp-group-sparse", {}],
          ["private-fedavg", { unit: "both" }],
          ["private-fedprox", {}],
          ["mp-feature-learning", { rounds: undefined, clip: undefined }],
        ] as [string, object][])
      : []),
  ];
  test.each(cases)("%s %o: are spread by themselves, to the same bits", async (method, given) => {
    const run = fitOf(method, given);
    const alone = await run();
    space.bytes = 8 * MIB;
    expect(needs).toBeGreaterThan(space.bytes);
    const { workers, count } = channelWorkers(1);
    const model = await run({ workers });
    expect(model.threads).toEqual({
      used: 2,
      why: "fewer threads' memories would not hold the rows",
    });
    expect(count.started).toBe(1);
    expect(model.weights).toEqual(alone.weights);
    expect(model.objective).toBe(alone.objective);
    workers.close();
  });

  thoroughTest(
    "take no more threads than that where there is little work, and as many as are asked for",
    async () => {
      space.bytes = 8 * MIB;
      const { workers } = channelWorkers(4);
      const [auto, four] = [await fit({ workers }), await fit({ workers, threads: 4 })];
      expect([auto.threads!.used, four.threads!.used]).toEqual([2, 4]);
      expect(four.weights).toEqual(auto.weights);
      workers.close();
    },
  );

  test("are refused before anything is spent, with what to do", async () => {
    space.bytes = 8 * MIB;
    const size = `A fit of 24 tasks, ${tasks.size} rows, 20 features needs 0.01 GiB, and a thread's WebAssembly memory holds 0.01`;
    const refusal = (why: string) =>
      `${size}: its tasks fit on 2 threads or more, but ${why}; nothing was started. Give the fit workers ` +
      `(openTaskWorkers, with threads 2 or "auto"), or use fewer rows, features or tasks.`;
    const none = await failure(fit());
    expect(none).toBeInstanceOf(HostError);
    expect(none!.message).toBe(refusal("no workers were given"));
    const { workers, sent } = channelWorkers(4);
    const one = await failure(fit({ workers, threads: 1 }));
    expect(one!.message).toBe(refusal("one was asked for"));
    space.bytes = needs / 24;
    expect((await failure(fit({ workers })))!.message).toMatch(
      /: one task alone is larger, and a task is not divided; nothing was started/,
    );
    expect(sent).toEqual({});
    workers.close();
  });

  test("do not fall back on one memory where a worker fails", async () => {
    space.bytes = 8 * MIB;
    const { workers, crashAt } = channelWorkers(2);
    crashAt("place");
    const error = await failure(fit({ workers }));
    expect(error).toMatchObject({ code: "WORKER", message: "a thread ended: out of memory" });
    workers.close();
  });
});

test("as few threads as hold the tasks, none with more than its memory", () => {
  for (const bytes of [0.5 * MIB, 1.5 * MIB, 8 * MIB, 12 * MIB]) {
    space.bytes = bytes;
    const { least, roomy } = memoriesFor(tasks, residentBytes);
    expect(least).toBeGreaterThanOrEqual(Math.ceil(needs / bytes));
    expect(roomy).toBeGreaterThanOrEqual(least);
    if (bytes === 12 * MIB) expect([least, roomy]).toEqual([1, 1]);
  }
  expect(memoriesFor(tasks)).toEqual({ least: 1, roomy: 1, bytes: 0 });
});

test("memory goes before work and before a limit on threads, but not before the number of tasks", () => {
  const question = { asked: "auto", m: 9, work: 1, free: 2, started: 1, memories: 4 } as const;
  expect(decideThreads(question).used).toBe(4);
  expect(decideThreads({ ...question, asked: 3 }).used).toBe(3);
  expect(decideThreads({ ...question, m: 3 }).used).toBe(3);
  expect(decideThreads({ ...question, work: 1e12, free: 8 }).used).toBe(8);
});

test("rows in shared memory are not copied for a worker", async () => {
  const { x, y, offsets, names, featureNames, targetName } = tasks;
  const shared = (values: Float64Array) => {
    const copy = new Float64Array(new SharedArrayBuffer(values.byteLength));
    copy.set(values);
    return copy;
  };
  const set = TaskSet.adopt({
    x: shared(x),
    y: shared(y),
    offsets,
    names,
    featureNames,
    targetName,
  });
  const { workers } = channelWorkers(3);
  const slices = vi.spyOn(Float64Array.prototype, "slice");
  const model = await fitOf("mp-low-rank", {}, set)({ workers, threads: 3 });
  const longest = Math.max(
    ...slices.mock.results.map(({ value }) => (value as Float64Array).length),
  );
  slices.mockRestore();
  expect(longest).toBeLessThan((tasks.size * tasks.d) / 6);
  expect(model.weights).toEqual((await fit()).weights);
  workers.close();
});
