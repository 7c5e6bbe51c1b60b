/** Whether rows of one task differ in weight is its own affair: given the releases, nobody else computes anything else. */
import { expect, test } from "vitest";
import { TaskSet } from "../../../src/data/index.js";
import { makeEstimator, type Candidate } from "../../../src/learning/index.js";
import { ALL_METHODS } from "../../../src/learning/estimators/all.js";
import { rowsFor, rowsTaken } from "../../../src/learning/options/rows-taken.js";
import { publicSizes } from "../../../src/learning/release/public-sizes.js";
import { RunRecord } from "../../../src/learning/tuning/held-out.js";
import { Ledger } from "../../../src/privacy/index.js";
import { makeTasks } from "../tasks.js";

const tasks = makeTasks({ m: 12, d: 3, rows: () => 6 });
const weighted = (weights: (task: number, row: number) => number) =>
  TaskSet.from(
    [...tasks].map(({ name, x, y }, i) => ({
      name,
      x,
      y,
      weights: Array.from(y, (_, row) => weights(i, row)),
    })),
  );
const here = weighted(() => 2);
const there = weighted((task, row) => (task === 3 ? row + 1 : 2));

test.each<[string, Candidate]>([
  ["mp-low-rank", { clip: 2, choice: "pooled" }],
  ["mp-low-rank", { clip: 2, initialPenalty: 0.1, choice: "pooled" }],
  ["mp-group-sparse", { clip: 2, choice: "local" }],
  ["pmtl", { choice: "pooled" }],
  ["mp-mixed", { scale: "unit" }],
])("%s %o", async (method, options) => {
  const estimator = makeEstimator(method, {
    ...options,
    epsilon: 3,
    random: { mode: "seeded", seed: 1 },
  });
  const record = new RunRecord(publicSizes(here), (planned) => new Ledger(planned));
  const uploadsOf = async (data: TaskSet) => {
    const uploads: Float64Array[][] = [];
    const model = await estimator.fit(data, {
      journal: record,
      observe: ({ stage, d, m, values }) => {
        if (stage !== "uploads") return;
        uploads.push(Array.from({ length: m }, (_, i) => values.slice(i * d, (i + 1) * d)));
      },
    });
    return { uploads, models: data.names.map((name) => model.forTask(name).weights) };
  };
  const one = await uploadsOf(here);
  const two = await uploadsOf(there);
  expect(one.uploads.length).toBeGreaterThan(3);
  one.uploads.forEach((uploads, round) => {
    const moved = uploads.flatMap((own, i) =>
      own.some((value, k) => value !== two.uploads[round]![i]![k]) ? [i] : [],
    );
    expect(moved.filter((i) => i !== 3)).toEqual([]);
  });
  one.models.forEach((own, i) => {
    if (i !== 3) expect(two.models[i]).toEqual(own);
  });
});

test("nor is a method refused for what is one task's own", () => {
  const refusals = (data: TaskSet) =>
    ALL_METHODS.flatMap((method) =>
      ["task", "record"].map((unit) => {
        try {
          rowsFor(method.name, rowsTaken(method, { loss: "logistic", unit }), data);
          return undefined;
        } catch (error) {
          return (error as Error).message;
        }
      }),
    );
  expect(refusals(there)).toEqual(refusals(here));
  expect(new Set(refusals(here)).size).toBeGreaterThan(2);
  expect(new Set(refusals(tasks))).toEqual(new Set([undefined]));
});
