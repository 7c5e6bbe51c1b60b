/** A fit whose tasks are spread over workers has the bits of one thread, whatever their number. */
import fc from "fast-check";
import { afterEach, describe, expect, test, vi } from "vitest";
import { ALL_METHODS } from "../../../src/learning/estimators/all.js";
import { makeEstimator, type FittedModel } from "../../../src/learning/index.js";
import type { TaskSet } from "../../../src/data/index.js";
import { saveModel } from "../../../src/model/index.js";
import { configurations, worldsOf } from "../../property/configurations.js";
import { someOf, thorough, thoroughTest } from "../../thorough.js";
import { makeClasses, makeLabelled, makeTasks } from "../tasks.js";
import { channelWorkers } from "./channel-workers.js";

afterEach(() => vi.unstubAllGlobals());

/** All that a fit ends with. */
const bits = (model: FittedModel) =>
  JSON.stringify([
    Buffer.from(saveModel(model)).toString("base64"),
    model.history,
    model.objective,
    model.guarantee,
    model.ledger?.toJSON(),
    model.recordGuarantee,
    model.recordLedger?.toJSON(),
  ]);

type Given = Record<string, unknown>;

const random = { mode: "seeded", seed: 7 };
const fit = (method: string, options: Given, tasks: TaskSet, hooks = {}) =>
  makeEstimator(method, { random, ...options }).fit(tasks, hooks);

async function expectSame(method: string, options: Given, tasks: TaskSet, threads: number[]) {
  const alone = await fit(method, options, tasks);
  expect(alone.threads).toEqual({ used: 1, why: "no workers were given" });
  for (const count of threads) {
    const { workers } = channelWorkers(count);
    const model = await fit(method, options, tasks, { workers, threads: count });
    workers.close();
    expect(model.threads!.used).toBe(count);
    expect(bits(model)).toBe(bits(alone));
  }
}

const squared = makeTasks({ m: 9, d: 4, rows: (i) => 5 + (i % 4) });
const CASES: readonly [string, Given][] = [
  ["mp-low-rank", { rounds: 3, clip: 2, curator: "untrusted", recordEpsilon: 40 }],
  ["mp-low-rank", { rounds: 3, clip: 2, initial: Float64Array.from({ length: 36 }, (_, k) => k / 36) }], // prettier-ignore
  ["mp-group-sparse", { rounds: 3, clip: 2 }],
  // A vote on the bound, and rounds in units of it.
  ["mp-low-rank", { rounds: 3, clip: "auto", epsilon: 30 }],
  ["pmtl", { rounds: 3, clip: "auto", epsilon: 30, batchSize: 2 }],
  ["joint-dp-sgd", { rounds: 2, clip: "auto", epsilon: 30 }],
  ["mp-group-sparse", { rounds: 3, clip: 2, rowPrecision: "float32" }],
  ["pmtl", { rounds: 3, rowPrecision: "float32", choice: "local" }],
  ["mp-low-rank-sparse", { rounds: 3, clip: 2 }],
  ["mp-feature-learning", { epsilon: 30, choice: "pooled" }],
  ["mp-hierarchical", { epsilon: 20 }],
  ["mp-hierarchical", { epsilon: 300, priorStrength: "wide" }],
  ["mp-hierarchical", { epsilon: 0.01, priorStrength: "wide" }],
  ["mp-hierarchical", { epsilon: 20, scale: "unit", unit: "both" }],
  ["mp-mixed", { epsilon: 5, scale: "unit" }],
  ["mp-mixed", { epsilon: 5e3 }],
  ["mp-mixed", { epsilon: 5, scale: "unit", publicPrior: { coefficients: { x1: 1, x2: 0, x3: 0, x4: 0 } } }], // prettier-ignore
  ["mp-mixed", { epsilon: 5, scale: "unit", unit: "record", ownModel: "noisy" }],
  [
    "pmtl",
    {
      rounds: 3,
      unit: "record",
      ownModel: "noisy",
      localSteps: 3,
      recordRate: 0.5,
      adjacency: "zero-out",
    },
  ],
  ["private-fedavg", { rounds: 3, unit: "both", choice: "local" }],
  ["mp-subspace", { epsilon: 5e3, rounds: 1 }],
  ["pmtl", { rounds: 3, clip: 2, batchSize: 2, sampling: { kind: "fixed-size", size: 4 } }],
  ["pmtl", { rounds: 3, clip: 2, localSteps: "solve", choice: "pooled", epsilon: 20 }],
  ["private-fedprox", { rounds: 3, clip: 2, finetune: { kind: "ewc" }, choice: "local" }],
  ["private-fedavg", { rounds: 3, clip: 2, model: "network", hiddenUnits: 3 }],
  ["ppsgd", { rounds: 3, clip: 2, choice: "local" }],
  ["pmtl-projected", { rounds: 3, clip: 2, output: "average", choice: "local" }],
  ["joint-dp-sgd", { rounds: 3, clip: 2, batchSize: 2 }],
];

describe("a spread fit", () => {
  test.each(someOf([...CASES].reverse(), 2))(
    "%s %o: the bits of one thread",
    async (method, options) => {
      await expectSame(method, options, squared, someOf([4, 2], 2));
    },
  );

  thoroughTest("of classes", async () => {
    const sizes = { m: 7, d: 3, rows: () => 8 };
    const options = { rounds: 3, clip: 2 };
    await expectSame("mp-mixed", { loss: "logistic", scale: "unit", epsilon: 5 }, makeLabelled(sizes), [3]); // prettier-ignore
    await expectSame("mp-mixed", { loss: "softmax", scale: "unit", epsilon: 5 }, makeClasses({ ...sizes, classes: 3 }), [3]); // prettier-ignore
    await expectSame("private-fedavg", { ...options, loss: "softmax" }, makeClasses({ ...sizes, classes: 3 }), [3]); // prettier-ignore
  });

  test("without shared memory: arrays go there and back", async () => {
    vi.stubGlobal("SharedArrayBuffer", undefined);
    await expectSame("mp-low-rank", { rounds: 4, clip: 2 }, squared, [2, 3]);
    await expectSame("pmtl", { rounds: 4, clip: 2, choice: "pooled", epsilon: 20 }, squared, [3]);
  });

  test("every private method whose tasks work apart is among the cases", () => {
    const covered = new Set(CASES.map(([method]) => method));
    const apart = ALL_METHODS.filter(({ halves, inCodeOnly }) => halves && !inCodeOnly);
    expect(apart.map(({ name }) => name).filter((name) => !covered.has(name))).toEqual([]);
  });

  const divided = ALL_METHODS.filter(({ halves }) => halves);
  test("of any method and options", { timeout: 600_000 }, async () => {
    let spread = 0;
    await fc.assert(
      fc.asyncProperty(
        configurations(divided),
        fc.integer({ min: 2, max: 4 }),
        async (of, count) => {
          const { method, options, present } = worldsOf(of);
          const run = (hooks: object) =>
            Promise.resolve()
              .then(() => method.make(options).fit(present, hooks))
              .then(bits)
              // A task may run away, which the file of the models says.
              .catch((error: Error) => `${error.name}: ${error.message}`);
          const { workers, sent } = channelWorkers(count);
          const [one, many] = [await run({}), await run({ workers, threads: count })];
          workers.close();
          expect(many).toBe(one);
          spread += sent["finish"] ? 1 : 0;
        },
      ),
      { numRuns: thorough ? 40 : 5, seed: 2 },
    );
    expect(spread).toBeGreaterThan(thorough ? 5 : 2);
  });
});
