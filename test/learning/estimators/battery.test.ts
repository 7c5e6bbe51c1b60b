/**
 * One battery of checks that every method must pass, whatever it is: methods that are added to the
 * registry are covered by being in it.
 */
import { describe, expect, test } from "vitest";
import { TaskSet } from "../../../src/data/index.js";
import {
  isPrivateMethod,
  makeEstimator,
  METHOD_NAMES,
  type FittedModel,
} from "../../../src/learning/index.js";
import { METHODS } from "../../../src/learning/methods.js";
import type { AnyDeclarations } from "../../../src/learning/options/option.js";
import { loadModel, saveModel } from "../../../src/model/index.js";
import { makeLabelled, makeTasks } from "../tasks.js";

const d = 4;
const tasks = makeTasks({ m: 6, d, rows: (i) => 5 + i });
const labelled = makeLabelled({ m: 6, d, rows: (i) => 5 + i });

/**
 * Options under which order cannot matter but for rounding: no noise to speak of, nothing drawn per
 * task, no folds.
 */
const CALM: Record<string, object> = {
  "mp-low-rank": { safeguard: false },
  "mp-group-sparse": { safeguard: false },
  "mp-low-rank-sparse": { safeguard: false },
  pmtl: { safeguard: false },
  "private-fedavg": { safeguard: false },
  "private-fedprox": { safeguard: false },
  "pmtl-projected": { safeguard: false },
  ppsgd: { safeguard: false },
  // Noise falls on every task's own block.
  "joint-dp-sgd": { epsilon: 1e30 },
  "dp-aggregation": { epsilon: 1e15, slopeBound: 1 },
  "dp-task-relationship": { epsilon: 1e15, slopeBound: 1, rounds: 1 },
};

/** What a method needs to know of data that nobody described. */
const KNOWN: Record<string, object> = { "mp-mixed": { scale: "unit" } };

function make(method: string, options: Record<string, unknown> = {}) {
  const random = isPrivateMethod(method)
    ? { random: { mode: "seeded", seed: "battery" }, delta: 1e-3 }
    : {};
  return makeEstimator(method, { ...random, ...KNOWN[method], ...options });
}

/** The task's rows, or a few of them. */
function pick(data: TaskSet, rows: (n: number) => number): TaskSet {
  const list = [...data].map(({ name, x, y, n }) => ({
    name,
    x: x.slice(0, rows(n) * data.d),
    y: y.slice(0, rows(n)),
  }));
  return TaskSet.from(list, { featureNames: data.featureNames });
}

/** The rows before any fit. */
const [xBefore, yBefore] = [tasks.x.slice(), tasks.y.slice()];

describe.each(METHOD_NAMES)("%s", (method) => {
  let fitted: Promise<FittedModel> | undefined;
  /** A fit of all tasks, one for all that is asked of it. */
  const fit = () => (fitted ??= make(method).fit(tasks));

  test("has a finite model for every task, and leaves its input as it was", async () => {
    const model = await fit();
    expect(model.taskNames).toEqual(tasks.names);
    expect(model.guarantee.kind !== "none").toBe(isPrivateMethod(method));
    expect(model.weights).toHaveLength(tasks.m * model.parameters);
    expect(model.weights.every(Number.isFinite)).toBe(true);
    expect(model.predict("task-0", tasks.x.subarray(0, 3 * tasks.d))).toHaveLength(3);
    expect(tasks.x).toEqual(xBefore);
    expect(tasks.y).toEqual(yBefore);
  });

  test("gives the same bits from the same seed", async () => {
    const [a, b] = [await fit(), await make(method).fit(tasks)];
    expect(a.weights).toEqual(b.weights);
  });

  test("saves and loads to the same bits", async () => {
    const model = await fit();
    const again = loadModel(saveModel(model));
    expect(again.weights).toEqual(model.weights);
    expect(again.guarantee).toEqual(model.guarantee);
    expect(again.ledger?.toJSON()).toEqual(model.ledger?.toJSON());
  });

  test("says what it guarantees, and its ledger holds what was planned and no more", async () => {
    const model = await fit();
    const { guarantee, ledger } = model;
    if (guarantee.kind === "none") {
      expect(guarantee.private).toBe(false);
      expect(ledger).toBeNull();
      return;
    }
    expect(guarantee.private).toBe(false);
    expect(guarantee.noiseSource).toBe("seeded");
    expect(ledger!.entries.length).toBeGreaterThan(0);
    if (ledger!.plan) expect(ledger!.entries.map(({ event }) => event)).toEqual(ledger!.plan);
    expect(ledger!.spent().epsilon).toBeLessThanOrEqual(ledger!.epsilon);
  });

  test("stops when it is told to", async () => {
    const gone = new AbortController();
    gone.abort(new Error("enough"));
    const stopped = make(method).fit(tasks, { signal: gone.signal });
    await expect(stopped).rejects.toThrow("enough");
  });

  test("manages one row a task", async () => {
    const model = await make(method).fit(pick(tasks, () => 1));
    expect(model.weights.every(Number.isFinite)).toBe(true);
  });

  test("manages a single task", async () => {
    const one = TaskSet.from([[...tasks][0]!], { featureNames: tasks.featureNames });
    const model = await make(method).fit(one);
    expect(model.m).toBe(1);
    expect(model.weights.every(Number.isFinite)).toBe(true);
  });

  test("labels: probabilities, and the labels themselves", async () => {
    const { loss } = METHODS.find(({ name }) => name === method)!.options as AnyDeclarations;
    if (!loss!.words!.includes("logistic")) {
      expect(() => make(method, { loss: "logistic" })).toThrow("loss: expected squared");
      return;
    }
    const model = await make(method, { loss: "logistic" }).fit(labelled);
    expect(model.classes).toEqual(["no", "yes"]);
    const given = model.predict("task-5", labelled.x.subarray(0, 3 * labelled.d));
    expect(given.every((p) => p >= 0 && p <= 1)).toBe(true);
    expect(model.score(labelled).accuracy).toBeGreaterThanOrEqual(0);
  });

  test("an order of tasks or rows is no information", async () => {
    const options = { ...(isPrivateMethod(method) ? { epsilon: 1e9 } : {}), ...CALM[method] };
    const model = await make(method, options).fit(tasks);
    const turned = TaskSet.from(
      [...tasks].reverse().map(({ name, x, y, n }) => ({
        name,
        x: Array.from({ length: n }, (_, j) => [...x.subarray((n - 1 - j) * d, (n - j) * d)]),
        y: [...y].reverse(),
      })),
      { featureNames: tasks.featureNames },
    );
    const other = await make(method, options).fit(turned);
    const scale = Math.max(...model.weights.map(Math.abs));
    for (const name of tasks.names) {
      const [a, b] = [model.forTask(name).weights, other.forTask(name).weights];
      a.forEach((value, k) => expect(Math.abs(value - b[k]!)).toBeLessThan(1e-5 * scale));
    }
  });

  test("manages tasks that are duplicates of one another", async () => {
    const [first] = [...tasks];
    const copies = TaskSet.from(
      Array.from({ length: 4 }, (_, i) => ({ name: `copy-${i}`, x: first!.x, y: first!.y })),
    );
    const model = await make(method).fit(copies);
    expect(model.weights.every(Number.isFinite)).toBe(true);
  });
});

const trusting = METHODS.filter(({ options }) => "curator" in options).map(({ name }) => name);

test.each(trusting)("%s: an untrusted curator costs a ledger of its own", async (method) => {
  const model = await make(method, { curator: "untrusted", recordEpsilon: 2 }).fit(tasks);
  expect(model.recordGuarantee).toMatchObject({ kind: "record", epsilon: 2, private: false });
  expect(model.recordLedger!.entries).toHaveLength(model.rounds);
  expect(model.recordLedger!.spent().epsilon).toBeLessThanOrEqual(2);
  expect(model.forTask("task-3").recordGuarantee).toEqual(model.recordGuarantee);
  const trusted = await make(method).fit(tasks);
  expect(trusted.recordGuarantee).toBeNull();
});

test("an untrusted curator's ledger holds as many rounds as are asked for", async () => {
  // Every charge is rounded up: 150 of them once did not fit the budget that they share.
  const options = { curator: "untrusted", rounds: 300, safeguard: false, delta: 1e-3 };
  const model = await make("mp-group-sparse", options).fit(tasks);
  expect(model.recordLedger!.entries).toHaveLength(300);
  expect(model.recordLedger!.spent().epsilon).toBeLessThanOrEqual(1);
});

/** Largest difference, relative to the largest weight. */
function apart(a: Float64Array, b: Float64Array): number {
  const scale = Math.max(...b.map(Math.abs));
  return a.reduce((most, value, k) => Math.max(most, Math.abs(value - b[k]!) / scale), 0);
}

describe.each(["mp-low-rank", "mp-group-sparse", "mp-low-rank-sparse"])("%s", (method) => {
  const options = { clip: 3, lambda: 0.2, rounds: 8, safeguard: false };
  const fit = async (given: object) =>
    (await make(method, { ...options, ...given }).fit(tasks)).weights;

  test.each(["gaussian", "pure"])("%s noise: as eps -> 0 the tasks share nothing", async (kind) => {
    const delta = kind === "pure" ? 0 : 1e-9;
    const alone = await fit({ epsilon: 1e9, lambda: 0 });
    expect(apart(await fit({ epsilon: 1e-9, delta }), alone)).toBeLessThan(1e-3);
    expect(apart(await fit({ epsilon: 1e9 }), alone)).toBeGreaterThan(1e-2);
  });

  test.each(["gaussian", "pure"])("%s noise: as eps -> infinity it goes away", async (kind) => {
    const given = { delta: kind === "pure" ? 0 : 1e-3, shift: 0 };
    const [a, b] = ["one", "other"].map((seed) =>
      fit({ ...given, epsilon: 1e12, random: { mode: "seeded", seed } }),
    );
    expect(apart(await a!, await b!)).toBeLessThan(1e-4);
  });
});

describe.each([
  "pmtl",
  "private-fedavg",
  "private-fedprox",
  "dp-aggregation",
  "dp-task-relationship",
])("%s", (method) => {
  test("as eps -> infinity the noise goes away", async () => {
    const [a, b] = ["one", "other"].map(async (seed) => {
      const options = { ...CALM[method], epsilon: 1e15, random: { mode: "seeded", seed } };
      return (await make(method, options).fit(tasks)).weights;
    });
    expect(apart(await a!, await b!)).toBeLessThan(1e-3);
  });
});
