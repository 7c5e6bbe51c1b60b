/** A federated run gives the bits of the local fit with the same seed, for every method. */
import { describe, expect, test } from "vitest";
import { Pipeline, TaskSet } from "../../src/data/index.js";
import { FEDERATED_METHODS, type Plan } from "../../src/federation/index.js";
import { inOnePlace } from "../../src/privacy/guarantee/guarantee-words.js";
import type { Guarantee, RecordGuarantee } from "../../src/privacy/index.js";
import { makeClasses, makeLabelled, makeTasks } from "../learning/tasks.js";
import { federate, localFit, planFor, shares, taskBits } from "./runs.js";
import { someOf } from "../thorough.js";

/** Rows with three entries each. */
function sparseTasks(
  { m, d, rows }: { m: number; d: number; rows: (i: number) => number },
  logistic: boolean,
): TaskSet {
  return TaskSet.from(
    Array.from({ length: m }, (_, i) => {
      const n = rows(i);
      const indices = Array.from({ length: n }, (_, j) => [
        (5 * i + 3 * j) % 13,
        13 + ((7 * j + i) % 13),
        26 + ((11 * j + 2 * i) % (d - 26)),
      ]).flat();
      const y = Array.from({ length: n }, (_, j) => Math.sin(3 * i + 7 * j));
      return {
        name: `task-${i}`,
        x: {
          indptr: Array.from({ length: n + 1 }, (_, j) => 3 * j),
          indices,
          values: indices.map((column, k) => 0.2 + 0.1 * ((column + k) % 4)),
          shape: [n, d] as const,
        },
        y: logistic ? y.map((value) => (value > 0 ? "yes" : "no")) : y,
      };
    }),
    logistic ? { labels: ["no", "yes"] } : {},
  );
}

/** Few rounds, where a method has them. */
const short = (method: string) => (["mp-mixed", "mp-subspace"].includes(method) ? {} : SHORT);
const SHORT = { rounds: 4, clip: 2 };
const squared = makeTasks({ m: 11, d: 6, rows: (i) => 5 + (i % 4) });

const CASES: readonly [string, Record<string, unknown>][] = [
  ["mp-low-rank", {}],
  ["mp-low-rank", { lossScale: "sum", stepSize: "own", intercept: true, clipIterate: false }],
  ["mp-low-rank", { delta: 0, epsilon: 50 }],
  ["mp-low-rank", { rowPrecision: "float32" }],
  ["mp-low-rank", { curator: "untrusted", recordEpsilon: 40 }],
  ["mp-group-sparse", {}],
  ["mp-low-rank-sparse", { initialLocal: "initial" }],
  ["mp-low-rank-sparse", { sharedPenalty: "l21", localPenalty: "l12" }],
  ["mp-feature-learning", { epsilon: 5 }],
  ["mp-feature-learning", { epsilon: 30, choice: "pooled", lossScale: "sum" }],
  ["mp-feature-learning", { sharing: "diagonal", intercept: true, safeguard: false }],
  ["mp-hierarchical", { epsilon: 20, choice: "pooled" }],
  ["mp-hierarchical", { epsilon: 20, uploadScaling: "clipped", choice: "local" }],
  ["mp-mixed", { epsilon: 5, scale: "unit" }],
  ["mp-mixed", { epsilon: 5, scale: "unit", unit: "record" }],
  // What nobody declared is learned: by votes on whole rows, and on differences within tasks.
  ["mp-mixed", { epsilon: 30 }],
  ["mp-mixed", { epsilon: 7 }],
  ["mp-feature-learning", { epsilon: 50, scale: "unit", unit: "record", rounds: 2 }],
  ["mp-mixed", { epsilon: 5, scale: "unit", unit: "both" }],
  ["mp-subspace", { epsilon: 5e3, rounds: 2 }],
  ["pmtl", { localSteps: "solve", intercept: true }],
  ["pmtl", { rowPrecision: "float32", choice: "local" }],
  ["pmtl", { aggregate: { kind: "median-of-means", groups: 3 } }],
  ["private-fedavg", { aggregate: { kind: "trimmed-mean", share: 0.2 } }],
  ["pmtl", { batchSize: 2, sampling: { kind: "fixed-size", size: 4 }, update: "from-local" }],
  // Where the noise of an allocation is found, which takes long, where all are asked for.
  ["pmtl", { sampling: { kind: "allocation", picks: 1 }, adjacency: "zero-out" }],
  ["pmtl", { sampling: { kind: "poisson", rate: 0.3 }, adjacency: "zero-out" }],
  ["pmtl", { localSteps: "solve", choice: "pooled", choiceShare: 0.3, epsilon: 20 }],
  ["pmtl", { unit: "record", localSteps: "solve" }],
  ["pmtl", { unit: "record", recordRate: 0.5, adjacency: "zero-out", choice: "local" }],
  ["pmtl", { unit: "both", localSteps: 3, intercept: false }],
  ["private-fedavg", { unit: "record", ownModel: "noisy" }],
  ["private-fedprox", { unit: "record", finetune: { kind: "mean-regularized" } }],
  ["private-fedprox", { finetune: { kind: "mean-regularized" }, batchSize: 3, choice: "local" }],
  ["private-fedavg", { model: "network", hiddenUnits: 3, finetune: { kind: "ewc" } }],
  ["private-fedprox", { sampling: { kind: "fixed-size", size: 5 }, finetune: { kind: "vanilla" } }],
  ["ppsgd", { batchSize: 2, sampling: { kind: "fixed-size", size: 4 }, choice: "local" }],
  [
    "pmtl-projected",
    { output: "average", choice: "local", sampling: { kind: "fixed-size", size: 4 } },
  ],
  ["joint-dp-sgd", { batchSize: 2, sampling: { kind: "fixed-size", size: 4 }, intercept: true }],
];

const CLASSIFIERS: readonly [string, Record<string, unknown>][] = [
  ["mp-low-rank", { loss: "logistic" }],
  ["mp-hierarchical", { loss: "logistic", epsilon: 20, intercept: true }],
  ["mp-mixed", { loss: "logistic", epsilon: 5, scale: "unit" }],
  ["mp-mixed", { loss: "softmax", epsilon: 5, scale: "unit" }],
  ["mp-mixed", { loss: "logistic", epsilon: 30 }],
  ["mp-mixed", { loss: "logistic", epsilon: 7 }],
  ["mp-mixed", { loss: "softmax", epsilon: 30 }],
  ["pmtl", { loss: "logistic", localSteps: "solve" }],
  ["pmtl", { loss: "logistic", unit: "record", ownModel: "exact" }],
  ["private-fedavg", { loss: "softmax", unit: "both" }],
  ["private-fedavg", { loss: "softmax", intercept: true, choice: "pooled", epsilon: 20 }],
  ["pmtl", { loss: "softmax", model: "network", hiddenUnits: 3 }],
];

/** The promise to records of a run as the local fit says it: the curator, if anyone, had all rows. */
function inOneFit(own: RecordGuarantee | null, run: { trust: string }, fit: { trust: string }) {
  if (own?.against !== "own model") return own?.against === "curator" ? inOnePlace(own) : own;
  return { ...own, trust: own.trust.replace(run.trust, fit.trust) };
}

async function expectSame(plan: Plan, tasks: TaskSet) {
  const local = await localFit(plan, tasks);
  const { models, curator } = await federate(plan, tasks);
  for (const [participant, names] of Object.entries(shares(tasks, 3))) {
    const model = models[participant]!;
    expect(model.taskNames).toEqual(names);
    for (const name of names) expect(taskBits(model, name)).toBe(taskBits(local, name));
    expect(model.guarantee).toEqual(curator.guarantee);
    const own = inOneFit(model.recordGuarantee, curator.guarantee, local.guarantee as Guarantee);
    expect(own).toEqual(local.recordGuarantee);
  }
  expect(curator.history).toEqual(local.history);
  // A run can be gone on with, so its ledger keeps under which terms; a fit without a journal cannot.
  expect({ ...curator.ledger.toJSON(), terms: undefined }).toEqual(local.ledger!.toJSON());
  // But for whom the owners trust: the local fit had all rows.
  const stated = inOnePlace({ ...curator.guarantee, notCharged: [] });
  expect(stated).toEqual({ ...local.guarantee, notCharged: [] });
}

describe("a federated run and the local fit with its seed", () => {
  test.each(someOf(CASES, 3))("%s %o: the same bits", async (method, options) => {
    await expectSame(
      planFor(squared, { method, options: { ...short(method), ...options } }),
      squared,
    );
  });

  test.each(someOf(CLASSIFIERS, 7))("%s %o: the same bits", async (method, options) => {
    const softmax = options["loss"] === "softmax";
    const sizes = { m: 9, d: 5, rows: () => 8 };
    const tasks = softmax ? makeClasses({ ...sizes, classes: 3 }) : makeLabelled(sizes);
    const classes = softmax ? ["a", "b", "c"] : ["no", "yes"];
    const plan = planFor(tasks, { method, classes, options: { ...short(method), ...options } });
    await expectSame(plan, tasks);
  });

  test("rows that the participants scale themselves", async () => {
    const raw = TaskSet.from(
      [...squared].map(({ name, x, y }) => ({ name, x: x.map((value) => 7 * value), y })),
    );
    const plan = planFor(raw, { method: "mp-low-rank", normalize: "rows", options: SHORT });
    const pipeline = Pipeline.fit(raw, [{ kind: "unit-rows" }]);
    const local = await localFit(plan, pipeline.apply(raw));
    const { models } = await federate(plan, raw);
    expect(taskBits(models["p0"]!, "task-0")).toBe(taskBits(local, "task-0"));
    expect(models["p0"]!.preprocessing?.pipeline).toEqual(pipeline.toJSON());
  });

  test("wider than a tile of the kernels", async () => {
    const tasks = makeTasks({ m: 7, d: 83, rows: (i) => 20 + 90 * (i % 2) });
    await expectSame(planFor(tasks, { method: "mp-low-rank", options: SHORT }), tasks);
    await expectSame(planFor(tasks, { method: "mp-feature-learning" }), tasks);
  });

  const SPARSE: readonly [string, Record<string, unknown>][] = [
    ["mp-low-rank", {}],
    ["mp-group-sparse", { normalize: "rows" }],
    ["mp-low-rank-sparse", {}],
    ["pmtl", { localSteps: "solve" }],
    ["pmtl", { choice: "local" }],
    ["private-fedavg", {}],
    ["private-fedprox", { loss: "logistic" }],
    ["mp-mixed", { epsilon: 5, scale: "unit" }],
    ["mp-mixed", { epsilon: 5, scale: "unit", normalize: "rows", unit: "record" }],
    ["mp-feature-learning", { epsilon: 5 }],
    ["mp-subspace", { epsilon: 5e3 }],
  ];

  test.each(someOf(SPARSE, 4))(
    "%s %o on sparse rows: the same bits",
    async (method, { normalize = "none", ...options }) => {
      const logistic = options["loss"] === "logistic";
      const tasks = sparseTasks({ m: 8, d: 40, rows: (i) => 6 + i }, logistic);
      const plan = planFor(tasks, {
        method,
        normalize: normalize as "none" | "rows",
        options: { ...short(method), ...options },
        ...(logistic ? { classes: ["no", "yes"] } : {}),
      });
      expect(tasks.sparse).toBeDefined();
      if (normalize === "none") return expectSame(plan, tasks);
      const local = await localFit(plan, Pipeline.fit(tasks, [{ kind: "unit-rows" }]).apply(tasks));
      const { models } = await federate(plan, tasks);
      return expect(taskBits(models["p0"]!, "task-0")).toBe(taskBits(local, "task-0"));
    },
  );

  test("every method that can run apart is among the cases", () => {
    const covered = new Set(CASES.map(([method]) => method));
    expect(FEDERATED_METHODS.filter((method) => !covered.has(method))).toEqual([]);
  });
});
