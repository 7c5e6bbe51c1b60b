/** Joint methods without noise on several threads: the bits of one, progress, abort and what cannot be spread. */
import { afterEach, describe, expect, test, vi } from "vitest";
import type { TaskSet } from "../../../src/data/index.js";
import { makeEstimator, type FitOptions, type FittedModel } from "../../../src/learning/index.js";
import { TaskWorker } from "../../../src/learning/workers/task-worker.js";
import { saveModel } from "../../../src/model/index.js";
import { channelWorkers } from "../parallel/channel-workers.js";
import { makeLabelled, makeTasks } from "../tasks.js";
import { sparse, table } from "./sparse-tables.js";
import { someOf } from "../../thorough.js";

afterEach(() => vi.unstubAllGlobals());

const sizes = { m: 9, d: 5, rows: (i: number) => 4 + (i % 5) };
const DATA = { squared: makeTasks(sizes), logistic: makeLabelled(sizes) };
type Loss = keyof typeof DATA;
type Given = Readonly<Record<string, unknown>>;

const METHODS: readonly [string, Given][] = [
  ["group-sparse", { lambda: 0.02 }],
  ["trace-norm", { lambda: 0.02, intercept: true }],
  ["low-rank-sparse", { lambda: 0.05, lambda2: 0.02, intercept: true }],
  ["low-rank-sparse", { sharedPenalty: "l21", localPenalty: "l12", lambda2: 0.05 }],
  ["task-relationship", {}],
];

const bits = (model: FittedModel) =>
  JSON.stringify([
    Buffer.from(saveModel(model)).toString("base64"),
    model.history,
    model.objective,
    model.certificate,
    model.rounds,
  ]);

const fit = (method: string, options: Given, tasks: TaskSet, hooks: FitOptions = {}) =>
  makeEstimator(method, options).fit(tasks, hooks);

async function expectSame(method: string, given: Given, tasks: TaskSet, counts: number[]) {
  const alone = await fit(method, given, tasks);
  expect(alone.certificate!.met).toBe(true);
  expect(alone.threads).toEqual({ used: 1, why: "no workers were given" });
  for (const threads of counts) {
    const { workers } = channelWorkers(threads);
    const model = await fit(method, given, tasks, { workers, threads });
    workers.close();
    expect(model.threads!.used).toBe(threads);
    expect(bits(model)).toBe(bits(alone));
  }
}

describe.each(["squared", "logistic"] as const)("%s", (loss: Loss) => {
  test.each(METHODS)("%s %o: the bits of one thread", async (method, given) => {
    await expectSame(method, { ...given, loss }, DATA[loss], someOf([4, 2], 2));
  });
});

test.each([
  ["trace-norm", { loss: "logistic", lambda: 0.02 }],
  ["trace-norm", { lambda: 0.02, intercept: false }],
  ["low-rank-sparse", { lambda: 0.05, lambda2: 0.02 }],
  // By gradient steps.
  ["group-sparse", { lambda: 0.02 }],
  ["group-sparse", { loss: "logistic", lambda: 0.01, intercept: true }],
  ["low-rank-sparse", { sharedPenalty: "l21", lambda: 0.02, lambda2: 0.02 }],
  ["low-rank-sparse", { sharedPenalty: "l21", localPenalty: "frobenius", lambda: 0.02 }],
  ["task-relationship", { lambda: 0.01, lambda2: 0.01 }],
])("sparse rows, %s %o: the bits of one thread", async (method, given) => {
  const shape = { m: 9, d: 8, rows: (i: number) => 12 + i, entries: 2, weights: true };
  const rows = table({ ...shape, labels: "loss" in given });
  await expectSame(method, given, sparse(rows, shape.d), someOf([4, 2], 2));
});

test("few of many directions are followed from round to round", async () => {
  const shape = { m: 40, d: 100, rows: () => 30, entries: 4 };
  const tasks = sparse(table(shape), shape.d);
  const given = { lambda: 0.02, lambda2: 0.05, tolerance: 1e-10 };
  await expectSame("task-relationship", given, tasks, [2]);
});

test("without shared memory: arrays go there and back", async () => {
  vi.stubGlobal("SharedArrayBuffer", undefined);
  await expectSame("trace-norm", { lambda: 0.02 }, DATA.squared, [2, 3]);
  await expectSame("group-sparse", { lambda: 0.02, loss: "logistic" }, DATA.logistic, [3]);
  const shape = { m: 9, d: 8, rows: () => 12, entries: 2 };
  await expectSame("group-sparse", { lambda: 0.02 }, sparse(table(shape), shape.d), [3]);
});

test("where sums of outer products are formed on the way", async () => {
  const many = makeTasks({ m: 400, d: 50, rows: () => 13 });
  await expectSame("trace-norm", { lambda: 5, tolerance: 1e-4 }, many, [2, 3]);
});

test("from a warm start of two parts", async () => {
  const given = { lambda: 0.05, lambda2: 0.02, intercept: true };
  const warmStart = await fit("low-rank-sparse", { ...given, tolerance: 1e-3 }, DATA.squared);
  const alone = await fit("low-rank-sparse", given, DATA.squared, { warmStart });
  const { workers } = channelWorkers(3);
  const hooks = { workers, threads: 3, warmStart };
  const spread = await fit("low-rank-sparse", given, DATA.squared, hooks);
  workers.close();
  expect(spread.threads!.used).toBe(3);
  expect(bits(spread)).toBe(bits(alone));
  expect(alone.rounds).toBeLessThan((await fit("low-rank-sparse", given, DATA.squared)).rounds);
});

test("tells of every round, and ends when it is aborted", async () => {
  const { workers, count } = channelWorkers(3);
  const [alone, spread]: [unknown[], unknown[]] = [[], []];
  const given = { lambda: 0.02, tolerance: 1e-12, maxRounds: 30 };
  await fit("group-sparse", given, DATA.squared, { onRound: (round) => alone.push(round) });
  const hooks = { workers, threads: 3, onRound: (round: unknown) => spread.push(round) };
  await fit("group-sparse", given, DATA.squared, hooks);
  expect(alone.length).toBeGreaterThan(8);
  expect(spread).toEqual(alone);
  const controller = new AbortController();
  const stopped = fit("group-sparse", given, DATA.squared, {
    workers,
    threads: 3,
    signal: controller.signal,
    onRound: ({ round }) => round === 3 && controller.abort(new Error("enough")),
  });
  await expect(stopped).rejects.toThrow("enough");
  // Two more threads can be had at once: whoever owed an answer was ended.
  expect(workers.free).toBe(2);
  workers.close();
  expect(count.ended).toBe(count.started);
});

test.each(["upload", "receive", "finish"])("fails where a worker dies at %s", async (kind) => {
  const { workers, crashAt } = channelWorkers(2);
  crashAt(kind);
  await expect(fit("trace-norm", {}, DATA.squared, { workers, threads: 2 })).rejects.toThrow(
    "a thread ended: out of memory",
  );
  workers.close();
});

describe("tasks of few rows and many features", () => {
  const wide = { m: 6, d: 30, rows: (i: number) => 3 + i };
  test.each<[string, Given]>([
    ["group-sparse", { lambda: 0.3 }],
    ["group-sparse", { lambda: 0.02, loss: "logistic" }],
    ["trace-norm", { lambda: 0.1, intercept: true }],
    ["low-rank-sparse", { lambda: 0.05, lambda2: 0.04 }],
    ["low-rank-sparse", { lambda: 0.05, lambda2: 0.04, loss: "logistic" }],
    ["task-relationship", { loss: "logistic", lambda: 1e-4 }],
  ])("%s %o: the bits of one thread", async (method, given) => {
    const tasks = given["loss"] === "logistic" ? makeLabelled(wide) : makeTasks(wide);
    await expectSame(method, given, tasks, someOf([4, 2], 2));
  });
});

test("gradient steps of sparse rows start their momentum over, end when aborted, and take a warm start", async () => {
  const shape = { m: 9, d: 8, rows: (i: number) => 12 + i, entries: 2 };
  const tasks = sparse(table(shape), shape.d);
  const given = { lambda: 0.02, tolerance: 1e-10 };
  const alone = await fit("group-sparse", given, tasks);
  // Of convex momentum that never starts over the error falls as one over the square of the rounds: to 1e-10 in some 10^5 of them.
  expect(alone.certificate!.met).toBe(true);
  expect(alone.rounds).toBeLessThan(2000);
  const { workers } = channelWorkers(3);
  const controller = new AbortController();
  const stopped = fit("group-sparse", given, tasks, {
    workers,
    threads: 3,
    signal: controller.signal,
    onRound: ({ round }) => round === 3 && controller.abort(new Error("enough")),
  });
  await expect(stopped).rejects.toThrow("enough");
  const hooks = { workers, threads: 3, warmStart: alone };
  const again = await fit("group-sparse", given, tasks, hooks);
  workers.close();
  expect(again.rounds).toBeLessThan(5);
});

test("a worker is sent models to start from, but no zeros", async () => {
  const { workers } = channelWorkers(2);
  const asked = vi.spyOn(TaskWorker.prototype, "ask");
  const sent = vi.spyOn(TaskWorker.prototype, "send");
  const starts = () =>
    [...asked.mock.calls, ...sent.mock.calls]
      .map(([request]) => request as { readonly kind: string; readonly start: unknown })
      .filter(({ kind }) => kind === "place")
      .map(({ start }) => start);
  const cold = await fit("group-sparse", {}, DATA.squared, { workers, threads: 2 });
  await fit("mean-regularized", {}, DATA.squared, { workers, threads: 2 });
  expect(starts()).toEqual([null, null]);
  await fit("group-sparse", {}, DATA.squared, { workers, threads: 2, warmStart: cold });
  expect(starts().filter((start) => start instanceof Float64Array)).toHaveLength(1);
  vi.restoreAllMocks();
  workers.close();
});
