/**
 * The safeguard of PMTL, FedAvg and FedProx: tasks that are clearly better off alone stay alone.
 */
import { describe, expect, test } from "vitest";
import { TaskSet } from "../../../../src/data/index.js";
import { makeEstimator, type RoundView } from "../../../../src/learning/index.js";
import { openCore } from "../../../../src/core/index.js";
import { placeTasks } from "../../../../src/learning/tasks/resident-tasks.js";
import { ownModels } from "../../../../src/learning/tasks/own-models/own-models.js";
import { makeClasses, makeLabelled, makeTasks } from "../../tasks.js";
import { someOf } from "../../../thorough.js";

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
  return ownModels(placeTasks(data, options, { core }).tasks);
}

describe.each(METHODS)("%s", (method) => {
  const lambda = method === "private-fedavg" ? {} : { lambda: 1 };
  const common = { epsilon: 1e6, delta: 1e-3, rounds: 30, clip: 6, random, ...lambda };
  const fit = (options: object, data = tasks) =>
    makeEstimator(method, { ...common, ...options }).fit(data);
  const row = (values: Float64Array, i: number) => [...values.subarray(d * i, d * (i + 1))];

  const some = [
    { intercept: false },
    { intercept: false, batchSize: 16, finetune: { kind: "mean-regularized", strength: 3 } },
    { intercept: true },
  ];
  test.each(someOf(some, 2))(
    "the task unlike the others keeps its own model, the others what they share: %o",
    async (options) => {
      const bare = await fit({ ...options, safeguard: false });
      const safe = await fit(options);
      const alone = aloneModels(tasks, options.intercept);
      expect(row(safe.weights, m - 1)).toEqual(row(alone.weights, m - 1));
      if (safe.intercepts) expect(safe.intercepts[m - 1]).toBe(alone.intercepts[m - 1]);
      const kept = tasks.names.filter((_, i) => {
        const same = row(safe.weights, i).every((value, k) => value === row(bare.weights, i)[k]);
        return same && safe.intercepts?.[i] === bare.intercepts?.[i];
      });
      // One standard error: of 39, about six are alone by chance; sixteen or more, one time in 5,000.
      expect(kept.length).toBeGreaterThanOrEqual(m - 16);
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

  test("networks stay unguarded unless asked, and their tasks then choose one model", async () => {
    const network = { model: "network", hiddenUnits: 3, rounds: 2, localSteps: 2 };
    const [auto, off] = await Promise.all(
      ["auto", false].map((safeguard) => fit({ ...network, safeguard })),
    );
    expect(auto!.weights).toEqual(off!.weights);
    const small = makeTasks({ m: 4, d, rows: (i) => 1 + 3 * i });
    const model = await fit({ ...network, safeguard: true, choice: "local" }, small);
    expect(model.weights.every(Number.isFinite)).toBe(true);
  });
});

/** Three classes that follow from the first feature, the other way round in the last task. */
function classesUnlike(): TaskSet {
  return TaskSet.from(
    [...makeTasks({ m: 16, d, rows: () => 24 })].map(({ name, x, n }, i) => ({
      name,
      x,
      y: Array.from({ length: n }, (_, j) => {
        const side = x[j * d]! > 0.2 ? 2 : x[j * d]! < -0.2 ? 0 : 1;
        return i === 15 ? 2 - side : side;
      }),
    })),
  );
}

const models: object[] = [
  {},
  { intercept: true },
  { model: "network", hiddenUnits: 4, stepSize: 0.5 },
];
test.each(someOf(models, 2))(
  "several classes: the task unlike the others keeps a model of the same family, %o",
  async (options) => {
    const data = classesUnlike();
    const given = { loss: "softmax", epsilon: 1e6, delta: 1e-3, rounds: 10, clip: 30, random };
    const fit = (safeguard: boolean) =>
      makeEstimator("private-fedavg", { ...given, ...options, safeguard }).fit(data);
    const [bare, safe] = [await fit(false), await fit(true)];
    const accuracy = (model: typeof bare) => model.score(data.select(["task-15"])).accuracy ?? NaN;
    expect(accuracy(safe)).toBeGreaterThan(accuracy(bare) + 0.2);
    const size = safe.parameters;
    const same = data.names.filter((_, i) =>
      safe.weights
        .subarray(i * size, (i + 1) * size)
        .every((w, k) => w === bare.weights[i * size + k]),
    );
    expect(same.length).toBeGreaterThanOrEqual(13);
    expect(safe.guarantee).toEqual(bare.guarantee);
  },
);

test("alone with several classes is ridge with the strength that the folds chose", async () => {
  const data = makeClasses({ m: 3, d: 2, rows: () => 15, classes: 3 });
  // Nothing but noise is shared, so that all tasks are better off alone.
  const options = { loss: "softmax", epsilon: 1e-6, delta: 1e-9, clip: 50, random } as const;
  const model = await makeEstimator("private-fedavg", { ...options, rounds: 2 }).fit(data);
  for (let i = 0; i < 3; i++) {
    const alone = await Promise.all(
      [1, 0.1, 0.01, 0.001].map((lambda) =>
        makeEstimator("single-task", { loss: "softmax", lambda }).fit(data),
      ),
    );
    const own = model.forTask(data.names[i]!).weights;
    const apart = alone.map((of) =>
      Math.hypot(...of.forTask(data.names[i]!).weights.map((w, k) => w - own[k]!)),
    );
    expect(Math.min(...apart)).toBeLessThan(0.02 * (1 + Math.hypot(...own)));
  }
});

test("where every message is noise, every task stays alone", async () => {
  const options = { epsilon: 1e-3, delta: 1e-5, rounds: 3, lambda: 50, intercept: false, random };
  const safe = await makeEstimator("pmtl", { ...options, localSteps: "solve" }).fit(tasks);
  expect(safe.weights).toEqual(aloneModels(tasks).weights);
});
