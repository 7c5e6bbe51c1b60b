/**
 * The safeguard of PMTL, FedAvg and FedProx: tasks that are clearly better off alone stay alone.
 */
import { describe, expect, test } from "vitest";
import { TaskSet } from "../../src/data/index.js";
import { makeEstimator, type RoundView } from "../../src/learning/index.js";
import { openCore } from "../../src/core/index.js";
import { placeTasks } from "../../src/learning/estimators/estimator.js";
import { ridgeByLeaveOneOut } from "../../src/learning/local/ridge.js";
import { makeClasses, makeLabelled, makeTasks } from "./tasks.js";

const random = { mode: "seeded", seed: "alike" } as const;
const METHODS = ["pmtl", "private-fedavg", "private-fedprox"] as const;
const d = 4;
const m = 40;

/** Tasks with one model, but for the last, whose targets have the other sign. */
function oneUnlike(): TaskSet {
  const like = [...makeTasks({ m, d, rows: () => 20, noise: 0.3 })];
  const w = [2, -1, 4, 1];
  return TaskSet.from(
    like.map(({ name, x, y, n }, i) => ({
      name,
      x,
      y: Float64Array.from({ length: n }, (_, j) => {
        const signal = w.reduce((sum, value, k) => sum + value * x[j * d + k]!, 0);
        return (i === m - 1 ? -1 : 1) * signal + Math.sin(7 * y[j]!);
      }),
    })),
  );
}

const tasks = oneUnlike();

function aloneModels(data: TaskSet, intercept = false) {
  const core = openCore();
  const options = { loss: "squared", lossScale: "mean", intercept } as const;
  return ridgeByLeaveOneOut(placeTasks(data, options, { core }).tasks);
}

describe.each(METHODS)("%s", (method) => {
  const lambda = method === "private-fedavg" ? {} : { lambda: 1 };
  const common = { epsilon: 1e6, delta: 1e-3, rounds: 30, clip: 6, random, ...lambda };
  const fit = (options: object, data = tasks) =>
    makeEstimator(method, { ...common, ...options }).fit(data);
  const row = (values: Float64Array, i: number) => [...values.subarray(d * i, d * (i + 1))];

  test.each([
    {},
    { intercept: true },
    { batchSize: 16, finetune: { kind: "mean-regularized", strength: 3 } },
  ])(
    "the task unlike the others keeps its own model, the others what they share: %o",
    async (options) => {
      const bare = await fit({ ...options, safeguard: false });
      const safe = await fit(options);
      const alone = aloneModels(tasks, "intercept" in options);
      expect(row(safe.weights, m - 1)).toEqual(row(alone.weights, m - 1));
      if (safe.intercepts) expect(safe.intercepts[m - 1]).toBe(alone.intercepts[m - 1]);
      const kept = tasks.names.filter((_, i) => {
        const same = row(safe.weights, i).every((value, k) => value === row(bare.weights, i)[k]);
        return same && safe.intercepts?.[i] === bare.intercepts?.[i];
      });
      // Two standard errors: of 39, about one is alone by chance; five or more, one time in 300.
      expect(kept.length).toBeGreaterThanOrEqual(m - 5);
      expect(safe.components["shared"]).toEqual(bare.components["shared"]);
    },
  );

  test("looking back releases nothing and changes no statement", async () => {
    const released = async (safeguard: boolean, sampling: object) => {
      const views: number[][] = [];
      const observe = ({ stage, values }: RoundView) => void views.push([stage.length, ...values]);
      const model = await makeEstimator(method, { ...common, safeguard, sampling }).fit(tasks, {
        observe,
      });
      const { ledger, guarantee, history } = model;
      return { views, ledger: ledger!.toJSON(), guarantee, history };
    };
    for (const sampling of [{ kind: "all" }, { kind: "fixed-size", size: 5 }]) {
      expect(await released(true, sampling)).toEqual(await released(false, sampling));
    }
  });

  test("labels", async () => {
    const labelled = makeLabelled({ m: 5, d: 3, rows: (i) => 1 + 4 * i });
    const model = await fit({ loss: "logistic", intercept: true, epsilon: 0.01 }, labelled);
    expect(model.weights.every(Number.isFinite)).toBe(true);
    expect(model.intercepts!.every(Number.isFinite)).toBe(true);
  });

  test("where there is no single-task model to compare with, it is off, and refused if asked for", async () => {
    for (const options of [{ loss: "softmax" }, { model: "network" }]) {
      expect(() => makeEstimator(method, { ...options, safeguard: true })).toThrow("safeguard");
    }
    const classes = makeClasses({ m: 4, d: 3, rows: () => 9, classes: 3 });
    const [auto, off] = await Promise.all(
      ["auto", false].map((safeguard) => fit({ loss: "softmax", safeguard }, classes)),
    );
    expect(auto!.weights).toEqual(off!.weights);
  });
});

test("where every message is noise, every task stays alone", async () => {
  const options = { epsilon: 1e-3, delta: 1e-5, rounds: 3, lambda: 50, random };
  const safe = await makeEstimator("pmtl", { ...options, localSteps: "solve" }).fit(tasks);
  expect(safe.weights).toEqual(aloneModels(tasks).weights);
});
