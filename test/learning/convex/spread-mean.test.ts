/** Newton's method on the mean with its tasks on several threads: the bits of one, progress, abort and failure. */
import { describe, expect, test } from "vitest";
import { TaskSet } from "../../../src/data/index.js";
import { MeanRegularized, type FitOptions, type FittedModel } from "../../../src/learning/index.js";
import { saveModel } from "../../../src/model/index.js";
import { channelWorkers } from "../parallel/channel-workers.js";
import { makeLabelled, makeTasks } from "../tasks.js";
import { sparse, table, type Shape } from "./sparse-tables.js";
import { someOf } from "../../thorough.js";

const sizes = { m: 9, d: 5, rows: (i: number) => 4 + (i % 5) };
const DATA = {
  squared: makeTasks(sizes),
  logistic: makeLabelled({ ...sizes, rows: (i) => 16 + (i % 5) }),
};
const LOSSES = ["squared", "logistic"] as const;
type Given = ConstructorParameters<typeof MeanRegularized>[0];

const bits = (model: FittedModel) =>
  JSON.stringify([
    Buffer.from(saveModel(model)).toString("base64"),
    model.history,
    model.objective,
    model.certificate,
    model.rounds,
  ]);

const fit = (given: Given, tasks: TaskSet, hooks: FitOptions = {}) =>
  new MeanRegularized(given).fit(tasks, hooks);

/** The fit on one thread, once those on `counts` threads were found to be the same. */
async function same(given: Given, tasks: TaskSet, counts: number[], hooks: FitOptions = {}) {
  const alone = await fit(given, tasks, hooks);
  for (const threads of counts) {
    const { workers } = channelWorkers(threads);
    const model = await fit(given, tasks, { ...hooks, workers, threads });
    workers.close();
    expect(model.threads!.used).toBe(threads);
    expect(bits(model)).toBe(bits(alone));
  }
  return alone;
}

describe.each(LOSSES)("%s: the bits of one thread", (loss) => {
  test.each<[string, Given]>([
    ["defaults", {}],
    ["sums, no intercept", { intercept: false, lambda: 1e-3, lossScale: "sum" }],
    ["a large penalty", { lambda: 1e9 }],
  ])("%s", async (_, given) => {
    const { certificate } = await same({ ...given, loss }, DATA[loss], someOf([4, 2], 2));
    expect(certificate!.met).toBe(true);
  });

  test.each([
    ["fewer rows than features", { m: 7, d: 12, rows: (i: number) => 3 + (i % 4) }],
    ["one feature", { m: 5, d: 1, rows: (i: number) => 3 + i }],
  ])("%s", async (_, shape) => {
    await same(
      { loss, maxRounds: 8 },
      loss === "squared" ? makeTasks(shape) : makeLabelled(shape),
      someOf([4, 2], 2),
    );
  });

  test("rows of different weights", async () => {
    const all = DATA[loss];
    const sampleWeights = Float64Array.from(all.y, (__, row) => 1 + ((row * 7) % 5));
    const weighted = TaskSet.adopt({ ...all.arrays(), sampleWeights });
    const model = await same({ loss }, weighted, [3]);
    expect(bits(model)).not.toBe(bits(await fit({ loss }, all)));
  });
});

test("a warm start and progress", async () => {
  const warmStart = await fit({ loss: "logistic", lambda: 1 }, DATA.logistic);
  const seen: unknown[] = [];
  const hooks = { warmStart, onRound: (round: unknown) => seen.push(round) };
  const { rounds } = await same({ loss: "logistic", tolerance: 1e-12 }, DATA.logistic, [3], hooks);
  expect(rounds).toBeGreaterThan(0);
  expect(seen.slice(rounds)).toEqual(seen.slice(0, rounds));
});

test("ends when it is aborted", async () => {
  const { workers } = channelWorkers(2);
  const controller = new AbortController();
  const stopped = fit({ loss: "logistic", tolerance: 1e-15 }, DATA.logistic, {
    workers,
    threads: 2,
    signal: controller.signal,
    onRound: () => controller.abort(new Error("enough")),
  });
  await expect(stopped).rejects.toThrow("enough");
  expect(workers.free).toBe(1);
  workers.close();
});

test.each(["total", "receive", "finish"])("fails where a worker dies at %s", async (kind) => {
  const { workers, crashAt } = channelWorkers(2);
  crashAt(kind);
  const given = { workers, threads: 2 };
  const failed = fit({ tolerance: 1e-15 }, DATA.squared, given);
  await expect(failed).rejects.toThrow("a thread ended: out of memory");
  workers.close();
});

describe.each(LOSSES)("%s, sparse rows: the bits of one thread", (loss) => {
  const labels = loss === "logistic";
  test.each<[string, Shape, Given]>([
    ["tall", { m: 6, d: 9, rows: (i) => 25 + i, entries: 2 }, {}],
    ["weighted", { m: 6, d: 9, rows: (i) => 25 + i, entries: 2, weights: true }, {}],
    ["wide", { m: 30, d: 14, rows: (i) => 6 + (i % 3), entries: 3 }, { intercept: false }],
    ["one entry", { m: 30, d: 14, rows: (i) => 9 + (i % 3), entries: 1 }, {}],
  ])("%s", async (_, shape, given) => {
    const tasks = sparse(table({ ...shape, labels }), shape.d);
    const { certificate } = await same({ ...given, loss }, tasks, someOf([4, 2], 2));
    expect(certificate!.met).toBe(true);
  });

  test("from a warm start", async () => {
    const tasks = sparse(table({ m: 7, d: 30, rows: (i) => 12 + i, entries: 2, labels }), 30);
    const warmStart = await fit({ loss, lambda: 1 }, tasks);
    await same({ loss, tolerance: 1e-12 }, tasks, [3], { warmStart });
  });
});

test.each(["total", "receive", "finish"])(
  "sparse rows: fails where a worker dies at %s",
  async (kind) => {
    const { workers, crashAt } = channelWorkers(2);
    crashAt(kind);
    const tasks = sparse(table({ m: 6, d: 9, rows: () => 12, entries: 2 }), 9);
    await expect(fit({}, tasks, { workers, threads: 2 })).rejects.toThrow("out of memory");
    workers.close();
  },
);
