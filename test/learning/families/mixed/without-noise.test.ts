/**
 * The references without privacy: the mixed model against the best predictor by the true prior, one regression for all
 * against least squares.
 */
import { expect, test, vi } from "vitest";
import { TaskSet } from "../../../../src/data/index.js";
import { MixedModel, MpMixed, Pooled, SingleTask } from "../../../../src/learning/index.js";
import { apply, invertDefinite } from "../../../../src/linalg/small-matrices.js";
import { saveModel } from "../../../../src/model/index.js";
import { channelWorkers } from "../../parallel/channel-workers.js";
import { makeClasses, makeLabelled } from "../../tasks.js";
import { mixedTasks } from "./tasks.js";
import { someOf } from "../../../thorough.js";

const EFFECTS = [0.8, -0.5, 0.3];
const { rows, test: held, sizes } = mixedTasks(7, 200, 6, EFFECTS);
const d = EFFECTS.length;

/** Without the constant, which a fit adds. */
function asTasks({ x, y }: { x: Float64Array; y: Float64Array }): TaskSet {
  const from = (i: number) => rows.offsets[i]!;
  return TaskSet.from(
    Array.from({ length: sizes.m }, (_, i) => ({
      name: `t${i}`,
      x: Array.from({ length: from(i + 1) - from(i) }, (__, k) =>
        Array.from(x.subarray((from(i) + k) * d, (from(i) + k) * d + d - 1)),
      ),
      y: Array.from(y.subarray(from(i), from(i + 1))),
    })),
  );
}
const train = asTasks(rows);
const weighted = TaskSet.from(
  [...train].map(({ name, x, y, n }) => ({
    name,
    x,
    y,
    weights: Array.from({ length: n }, (_, row) => 1 + (row % 3)),
  })),
);
const after = asTasks(held);

/** Mean squared error of E[w | rows] under the prior that the tasks were drawn from: no predictor has less. */
function errorOfTruth(): number {
  const variances = EFFECTS.map((_, c) => (c === d - 1 ? 0.36 : 0.04));
  let sum = 0;
  for (let i = 0; i < sizes.m; i++) {
    const [from, to] = [rows.offsets[i]!, rows.offsets[i + 1]!];
    const precision = new Float64Array(d * d);
    const pull = EFFECTS.map((a, c) => a / variances[c]!);
    variances.forEach((v, c) => (precision[c * d + c] = 1 / v));
    for (let row = from; row < to; row++) {
      const at = rows.x.subarray(row * d, row * d + d);
      at.forEach((value, c) => {
        pull[c]! += (value * rows.y[row]!) / 0.16;
        at.forEach((other, e) => (precision[c * d + e]! += (value * other) / 0.16));
      });
    }
    const w = apply(invertDefinite(precision, d), Float64Array.from(pull), d, d);
    for (let row = from; row < to; row++) {
      let own = 0;
      w.forEach((value, c) => (own += value * held.x[row * d + c]!));
      sum += (own - held.y[row]!) ** 2;
    }
  }
  return sum / held.y.length;
}

function errorOf(model: { outputs(tasks: TaskSet): Float64Array }): number {
  const outputs = model.outputs(after);
  return after.y.reduce((sum, y, k) => sum + (outputs[k]! - y) ** 2, 0) / after.size;
}

test("the mixed model without noise predicts as the true prior does, and its private counterpart comes to it", async () => {
  const model = await new MixedModel({ scale: "unit" }).fit(train);
  const [least, alone] = [errorOfTruth(), errorOf(await new SingleTask().fit(train))];
  expect(errorOf(model)).toBeLessThan(1.06 * least);
  expect(errorOf(model)).toBeLessThan(alone - 0.5 * (alone - least));
  expect(model.guarantee).toMatchObject({ kind: "none", private: false });
  const random = { mode: "seeded", seed: 1 } as const;
  const counterpart = await new MpMixed({ scale: "unit", epsilon: 1e5, random }).fit(train);
  // What clipping to the budget's width leaves.
  const { data } = counterpart.components["fixedEffects"]!;
  data.forEach((value, c) =>
    expect(Math.abs(value - model.components["fixedEffects"]!.data[c]!)).toBeLessThan(0.02),
  );
  expect(model.predictInterval!("t0", Float64Array.of(1, 1), 0.8).upper[0]).toBeGreaterThan(
    model.predict("t0", [[1, 1]])[0]!,
  );
});

test("it takes labels, learns undeclared sizes, and refuses a warm start", async () => {
  const labelled = makeLabelled({ m: 10, d: 3, rows: () => 12 });
  const model = await new MixedModel({ loss: "logistic" }).fit(labelled);
  expect(model.score(labelled).logLoss).toBeLessThan(Math.LN2);
  const raw = TaskSet.from(
    [...train].map(({ name, x, y }) => ({
      name,
      x: x.map((value) => 1000 + 50 * value),
      y: y.map((value) => 300 * value - 4000),
    })),
    { featureNames: train.featureNames },
  );
  const scaled = await new MixedModel().fit(raw);
  const same = await new MixedModel({ scale: "unit" }).fit(train);
  expect(scaled.score(raw).nmse).toBeLessThan(1.05 * same.score(train).nmse!);
  await expect(async () => new MixedModel().fit(train, { warmStart: same })).rejects.toThrow(
    "warmStart",
  );
});

const spread = [
  ["declared sizes", { scale: "unit" }, train],
  ["columns that nobody declared", {}, train],
  ["labels", { loss: "logistic", scale: "unit" }, makeLabelled({ m: 12, d: 2, rows: () => 8 })],
  ["weighted rows", {}, weighted],
] as const;
test.each(someOf(spread, 4))(
  "the mixed model has the bits of one thread on several: %s",
  async (_, options, tasks) => {
    const alone = await new MixedModel(options).fit(tasks);
    expect(alone.threads).toEqual({ used: 1, why: "no workers were given" });
    for (const count of someOf([3, 2], 2)) {
      const { workers } = channelWorkers(count);
      const model = await new MixedModel(options).fit(tasks, { workers, threads: count });
      workers.close();
      expect(model.threads!.used).toBe(count);
      expect(saveModel(model)).toEqual(saveModel(alone));
      expect(model.objective).toBe(alone.objective);
    }
  },
);

test("the mixed model without noise ends with the reason of an abort, wherever it is", async () => {
  const reason = new Error("enough");
  const { workers } = channelWorkers(2);
  for (const threads of [1, 2]) {
    const controller = new AbortController();
    const fit = new MixedModel().fit(train, { workers, threads, signal: controller.signal });
    controller.abort(reason);
    await expect(fit).rejects.toBe(reason);
  }
  workers.close();
});

test("one regression for all is that of all rows as one task's, and least squares where rows are many", async () => {
  const model = await new Pooled().fit(train);
  const one = TaskSet.from([{ name: "all", x: train.x, y: train.y }], {
    featureNames: train.featureNames,
  });
  const own = await new SingleTask().fit(one);
  for (let i = 0; i < train.m; i++) {
    expect(model.weights.subarray(2 * i, 2 * i + 2)).toEqual(own.weights);
    expect(model.intercepts![i]).toBe(own.intercepts![0]);
  }
  const gram = new Float64Array(d * d);
  const cross = new Float64Array(d);
  for (let row = 0; row < rows.y.length; row++) {
    for (let c = 0; c < d; c++) {
      cross[c]! += rows.x[row * d + c]! * rows.y[row]!;
      for (let e = 0; e < d; e++) gram[c * d + e]! += rows.x[row * d + c]! * rows.x[row * d + e]!;
    }
  }
  const [first, second, constant] = apply(invertDefinite(gram, d), cross, d, d);
  expect(model.weights[0]).toBeCloseTo(first!, 2);
  expect(model.weights[1]).toBeCloseTo(second!, 2);
  expect(model.intercepts![0]).toBeCloseTo(constant!, 2);
});

test("one regression for all takes two classes and several", async () => {
  const labelled = makeLabelled({ m: 10, d: 3, rows: () => 10 });
  const two = await new Pooled({ loss: "logistic" }).fit(labelled);
  expect(two.predict("task-0", [[0, 0, 0]])[0]).toBeCloseTo(
    two.predict("task-9", [[0, 0, 0]])[0]!,
    15,
  );
  const classes = makeClasses({ m: 10, d: 3, rows: () => 10, classes: 3 });
  const three = await new Pooled({ loss: "softmax" }).fit(classes);
  expect(three.certificate?.met).toBe(true);
  expect(three.score(classes).logLoss).toBeLessThan(Math.log(3));
});

test("an abort by whoever waits for a turn of the event loop ends a fit between two sums", async () => {
  let now = 0;
  const clock = vi.spyOn(performance, "now").mockImplementation(() => (now += 100));
  const controller = new AbortController();
  const why = new Error("enough");
  try {
    const fit = new MixedModel().fit(train, { signal: controller.signal });
    setImmediate(() => controller.abort(why));
    await expect(fit).rejects.toBe(why);
  } finally {
    clock.mockRestore();
  }
});
