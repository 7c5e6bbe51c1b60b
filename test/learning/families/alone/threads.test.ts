/** `single-task` over threads: the bits, errors and abort of one. */
import { describe, expect, test } from "vitest";
import { TaskSet } from "../../../../src/data/index.js";
import { makeEstimator, type FitOptions } from "../../../../src/learning/index.js";
import { saveModel } from "../../../../src/model/index.js";
import { channelWorkers } from "../../parallel/channel-workers.js";
import { makeClasses, makeLabelled, makeTasks } from "../../tasks.js";

const sizes = { m: 9, d: 4, rows: (i: number) => 5 + (i % 4) };
const squared = makeTasks(sizes);
const labelled = makeLabelled(sizes);
const classes = makeClasses({ ...sizes, classes: 3 });

/** The same tasks with weights of their rows, and with their features as sparse rows. */
const weighted = TaskSet.from(
  [...squared].map(({ name, x, y, n }) => ({
    name,
    x,
    y,
    weights: Array.from({ length: n }, (_, j) => 1 + (j % 3)),
  })),
);
const sparse = TaskSet.from(
  [...squared].map(({ name, x, y, n }) => {
    const d = squared.d;
    const indptr = Array.from({ length: n + 1 }, (_, j) => j * d);
    const indices = Array.from({ length: n * d }, (_, k) => k % d);
    return { name, y, x: { indptr, indices, values: Array.from(x), shape: [n, d] as const } };
  }),
);

const fit = (options: object, tasks: TaskSet, hooks: FitOptions = {}) =>
  makeEstimator("single-task", { ...options }).fit(tasks, hooks);
const lasso = { lambda: 0.05, penalty: "l1" };
const failure = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    (error: Error) => error,
  );

describe("single-task over threads", () => {
  test.each([
    ["tasks' own models", {}, squared],
    ["without intercepts", { intercept: false }, squared],
    ["losses summed", { lossScale: "sum" }, squared],
    ["weighted rows", {}, weighted],
    ["sparse rows", {}, sparse],
    ["labels", { loss: "logistic" }, labelled],
    ["ridge", { lambda: 0.1 }, squared],
    ["ridge, sparse rows", { lambda: 0.1 }, sparse],
    ["ridge, labels", { lambda: 0.1, loss: "logistic" }, labelled],
    ["lasso", lasso, squared],
    [
      "lasso, no intercepts, losses summed",
      { ...lasso, intercept: false, lossScale: "sum" },
      squared,
    ],
    ["lasso, weighted rows", lasso, weighted],
    ["lasso, sparse rows", lasso, sparse],
    ["lasso, labels", { ...lasso, loss: "logistic" }, labelled],
    ["classes", { loss: "softmax" }, classes],
    ["classes and a given penalty", { loss: "softmax", lambda: 0.3, intercept: false }, classes],
  ])("has the bits of one thread: %s", async (_, options, tasks) => {
    const alone = await fit(options, tasks);
    expect(alone.threads).toEqual({ used: 1, why: "no workers were given" });
    for (const count of [2, 4]) {
      const { workers } = channelWorkers(count);
      const model = await fit(options, tasks, { workers, threads: count });
      workers.close();
      expect(model.threads!.used).toBe(count);
      expect(saveModel(model)).toEqual(saveModel(alone));
      expect(model.objective).toBe(alone.objective);
      expect(model.certificate).toEqual(alone.certificate);
    }
  });

  test("starts at a model that was fitted before on every thread", async () => {
    const before = await fit(lasso, squared);
    const { workers } = channelWorkers(3);
    const again = await fit(lasso, squared, { workers, threads: 3, warmStart: before });
    workers.close();
    expect(before.rounds).toBeGreaterThan(0);
    expect([again.rounds, again.threads!.used]).toEqual([0, 3]);
    expect(again.weights).toEqual(before.weights);
  });

  test("names the task whose system is singular", async () => {
    const alike = TaskSet.from(
      [...squared].map(({ name, x, y }, i) => ({ name, y, x: i === 7 ? x.map(() => 1) : x })),
    );
    const options = { lambda: 1e-300, intercept: false };
    const { workers } = channelWorkers(3);
    const alone = await failure(fit(options, alike));
    expect(alone?.message).toMatch(/^task "task-7": the local problem has no unique minimum/);
    const spread = await failure(fit(options, alike, { workers, threads: 3 }));
    expect(spread?.message).toBe(alone!.message);
    workers.close();
  });

  test("takes no second thread by itself for a fit of a millisecond", async () => {
    const { workers, count } = channelWorkers(2);
    expect((await fit({}, squared, { workers })).threads!.why).toMatch(/too few for a second/);
    expect(count.started).toBe(0);
  });

  test("refuses numbers beyond what can be squared in the words of one thread", async () => {
    const huge = TaskSet.from(
      [...squared].map(({ name, x, y }, i) => ({ name, x: i > 6 ? x.map(() => 1e200) : x, y })),
    );
    const { workers } = channelWorkers(3);
    const alone = await failure(fit({}, huge));
    expect(alone?.message).toMatch(/task-7.*expected a number within/);
    expect(await failure(fit({}, huge, { workers, threads: 3 }))).toEqual(alone);
    workers.close();
  });

  test("is aborted while it works, and ends the workers that do", async () => {
    const { workers } = channelWorkers(2);
    const reason = new Error("enough");
    const hooks = () => {
      const controller = new AbortController();
      setImmediate(() => controller.abort(reason));
      return { workers, threads: 2, signal: controller.signal };
    };
    const many = makeClasses({ m: 300, d: 20, rows: () => 30, classes: 4 });
    expect(await failure(fit({ loss: "softmax" }, many, hooks()))).toBe(reason);
    expect(await failure(fit({ loss: "softmax" }, many, { ...hooks(), threads: 1 }))).toBe(reason);
    expect(workers.free).toBe(1);
    const aborted = { signal: AbortSignal.abort(reason) };
    expect(await failure(fit({}, squared, aborted))).toBe(reason);
    workers.close();
  });

  test("fails where a worker dies at its work", async () => {
    const { workers, crashAt } = channelWorkers(2);
    crashAt("finish");
    const error = await failure(fit({}, squared, { workers, threads: 2 }));
    expect(error).toMatchObject({ code: "WORKER", message: "a thread ended: out of memory" });
    workers.close();
  });
});
