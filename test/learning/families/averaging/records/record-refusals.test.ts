/** What PMTL, FedAvg and FedProx that hide single records refuse, by name. */
import { describe, expect, test } from "vitest";
import { TaskSet } from "../../../../../src/data/index.js";
import { makeEstimator, Pmtl, PrivateFedProx } from "../../../../../src/learning/index.js";

const random = { mode: "seeded", seed: "records" } as const;
/** As TensorFlow.js models are. */
const ofOnesOwn = { parameters: 1, valueAndGradient: () => 0 };
const given = { unit: "record", epsilon: 1, delta: 1e-4, random } as const;

describe("refused by name", () => {
  test.each([
    [{ model: "network" }, /^pmtl: model:/],
    [{ model: ofOnesOwn, unit: "both" }, /^pmtl: model:/],
    [{ delta: 0 }, /^pmtl: mechanism:/],
    [{ sampling: { kind: "fixed-size", size: 2 } }, /sampling: of tasks/],
    [{ aggregate: { kind: "trimmed-mean", share: 0.1 } }, /aggregate: gradients of rows/],
    [{ choice: "pooled" }, /choice: its votes hide whole tasks/],
    [{ update: "from-local" }, /update, lastSteps/],
    [{ lastSteps: false }, /update, lastSteps/],
    [{ recordRate: 0.5 }, /recordRate: amplification/],
    [{ unit: "both", recordRate: 0.5, adjacency: "zero-out" }, /recordRate: batches of rows/],
    [{ recordRate: 0.5, adjacency: "zero-out", rowsPerPerson: 2 }, /recordRate: a person/],
    [
      { recordRate: 0.5, adjacency: "zero-out", taskEpsilons: { "task-1": 0.5 } },
      /recordRate: with owners/,
    ],
    [{ unit: "both", ownModel: "noisy" }, /ownModel: a model made of releases/],
    [{ unit: "task", ownModel: "noisy" }, /ownModel: a model made of releases/],
    [{ unit: "task", recordRate: 0.5 }, /recordRate: batches of rows/],
    [{ unit: "task", rowsPerPerson: 2 }, /^rowsPerPerson: the unit "task"/],
    [{ unit: "task", taskEpsilons: { "task-1": 0.5 } }, /^taskEpsilons: owners/],
    [{ taskEpsilons: { "task-1": 0.5 }, tasksPerPerson: 2 }, /^taskEpsilons: a person/],
    [{ ownModel: "noisy", finetune: { kind: "vanilla" } }, /finetune: uses rows without noise/],
    [{ ownModel: "noisy", choice: "local" }, /choice: uses rows/],
    [{ ownModel: "noisy", safeguard: true }, /safeguard: uses rows/],
    [{ ownModel: "noisy", localSteps: "solve" }, /localSteps: with ownModel/],
    [{ ownModel: "noisy", lossScale: "sum" }, /lossScale/],
    [{ recordClip: 0 }, /recordClip/],
    [{ recordRate: 0 }, /recordRate/],
  ] as const)("%j", (options, message) => {
    expect(() => makeEstimator("pmtl", { ...given, ...(options as object) })).toThrow(message);
  });

  test("only what looks at rows again is refused of a method that makes no steps of its own", () => {
    const noisy = { ...given, ownModel: "noisy" } as const;
    expect(() => new PrivateFedProx({ ...noisy, localSteps: "solve" })).not.toThrow();
    expect(() => new PrivateFedProx({ ...noisy, finetune: { kind: "vanilla", steps: 3, stepSize: 1, strength: 0 } })).toThrow(/finetune/); // prettier-ignore
  });

  test("rows with weights, sparse rows, and persons with more rows than the bound", async () => {
    const [first, second] = [[1, 2], [3, 4]].map((y, i) => ({ name: `t${i}`, x: [[1], [2]], y })); // prettier-ignore
    const fit = (set: TaskSet) => new Pmtl(given).fit(set);
    const weighted = TaskSet.from([first!, second!].map((one) => ({ ...one, weights: [1, 2] })));
    await expect(fit(weighted)).rejects.toThrow(
      /pmtl takes no weights of rows, because what a record/,
    );
    const sparse = { indptr: [0, 1, 2], indices: [0, 0], values: [1, 2], shape: [2, 1] as const };
    const thin = TaskSet.from([{ name: "a", x: sparse, y: [1, 2] }, { name: "b", x: sparse, y: [1, 2] }]); // prettier-ignore
    await expect(fit(thin)).rejects.toThrow(/takes no sparse rows, because every row's gradient/);
    const shared = TaskSet.from([{ ...first!, persons: ["p", "p"] }, { ...second!, persons: ["q", "r"] }]); // prettier-ignore
    await expect(fit(shared)).rejects.toThrow(/^persons:/);
    await expect(new Pmtl({ ...given, rowsPerPerson: 2 }).fit(shared)).resolves.toBeDefined();
  });
});
