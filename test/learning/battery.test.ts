/**
 * One battery of checks that every method must pass, whatever it is: methods that are added to the
 * registry are covered by being in it.
 */
import { describe, expect, test } from "vitest";
import { TaskSet } from "../../src/data/index.js";
import { isPrivateMethod, makeEstimator, METHOD_NAMES } from "../../src/learning/index.js";
import { loadModel, saveModel } from "../../src/model/index.js";
import { makeTasks } from "./tasks.js";

const tasks = makeTasks({ m: 6, d: 4, rows: (i) => 5 + i });

function make(method: string, options: Record<string, unknown> = {}) {
  const budget = method.startsWith("dp-") || isPrivateMethod(method);
  const random = budget ? { random: { mode: "seeded", seed: "battery" }, delta: 1e-3 } : {};
  return makeEstimator(method, { ...random, ...options });
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

describe.each(METHOD_NAMES)("%s", (method) => {
  test("has a finite model for every task, and leaves its input as it was", async () => {
    const [x, y] = [tasks.x.slice(), tasks.y.slice()];
    const model = await make(method).fit(tasks);
    expect(model.taskNames).toEqual(tasks.names);
    expect(model.weights).toHaveLength(tasks.m * model.parameters);
    expect(model.weights.every(Number.isFinite)).toBe(true);
    expect(model.predict("task-0", tasks.x.subarray(0, 3 * tasks.d))).toHaveLength(3);
    expect(tasks.x).toEqual(x);
    expect(tasks.y).toEqual(y);
  });

  test("gives the same bits from the same seed", async () => {
    const [a, b] = [await make(method).fit(tasks), await make(method).fit(tasks)];
    expect(a.weights).toEqual(b.weights);
  });

  test("saves and loads to the same bits", async () => {
    const model = await make(method).fit(tasks);
    const again = loadModel(saveModel(model));
    expect(again.weights).toEqual(model.weights);
    expect(again.guarantee).toEqual(model.guarantee);
    expect(again.ledger?.toJSON()).toEqual(model.ledger?.toJSON());
  });

  test("says what it guarantees, and its ledger holds what was planned and no more", async () => {
    const model = await make(method).fit(tasks);
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
    const fit = make(method).fit(tasks, { signal: gone.signal });
    if (method === "single-task") await expect(fit).resolves.toBeDefined();
    else await expect(fit).rejects.toThrow("enough");
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

  test("manages tasks that are duplicates of one another", async () => {
    const [first] = [...tasks];
    const copies = TaskSet.from(
      Array.from({ length: 4 }, (_, i) => ({ name: `copy-${i}`, x: first!.x, y: first!.y })),
    );
    const model = await make(method).fit(copies);
    expect(model.weights.every(Number.isFinite)).toBe(true);
  });
});

test.each(METHOD_NAMES.filter((name) => name.startsWith("mp-")))(
  "%s: an untrusted curator costs a ledger of its own",
  async (method) => {
    const model = await make(method, { curator: "untrusted", recordEpsilon: 2 }).fit(tasks);
    expect(model.recordGuarantee).toMatchObject({ kind: "record", epsilon: 2, private: false });
    expect(model.recordLedger!.entries).toHaveLength(model.rounds);
    expect(model.recordLedger!.spent().epsilon).toBeLessThanOrEqual(2);
    const trusted = await make(method).fit(tasks);
    expect(trusted.recordGuarantee).toBeNull();
  },
);
