/** Shared priors on raw tables: `priorStrength: "wide"`, and what a task has of learning alone then. */
import { expect, test } from "vitest";
import { simulate, TaskSet } from "../../../../../src/data/index.js";
import { Auto, makeEstimator, type FittedModel } from "../../../../../src/learning/index.js";
import { someOf } from "../../../../thorough.js";

/** Tasks of so many raw columns in unlike units; slopes that all have, or none. */
function rawTables(common: boolean, seed: number) {
  const { train, test } = simulate({ pattern: "low-rank", tasks: 150, features: 24, seed });
  const unit = (j: number) => 10 ** ((j % 5) - 1);
  const slope = (j: number) => ((j * 7) % 11) - 5;
  // Of each task's own: half of what a row's target is.
  const noise = (value: number) => 8 * Math.sin(1e4 * value);
  const given = (tasks: TaskSet) =>
    TaskSet.from(
      [...tasks].map(({ name, x, y }, i) => {
        const rows = Array.from(y, (_, row) => Array.from(x.subarray(row * 24, (row + 1) * 24)));
        const own = (row: readonly number[]) =>
          row.reduce((sum, z, j) => sum + z * (common ? slope(j) : 5 * Math.sin(i * 24 + j)), 0);
        return {
          name,
          x: rows.map((row) => row.map((z, j) => unit(j) * (z + (j % 3)))),
          y: rows.map((row, k) => own(row) + noise(y[k]! + row[0]!)),
        };
      }),
    );
  return { train: given(train), test: given(test) };
}

const seeded = { delta: "papers", random: { mode: "seeded", seed: "wide" } } as const;
const fitOf = (method: string, train: TaskSet, options: object = {}): Promise<FittedModel> =>
  makeEstimator(method, { ...seeded, priorStrength: "wide", ...options }).fit(train);

test.each(["mp-hierarchical", "mp-feature-learning"])(
  "%s: where no release says anything every task has its model of single-task",
  async (method) => {
    const { train, test } = rawTables(true, 1);
    const alone = await makeEstimator("single-task").fit(train);
    const model = await fitOf(method, train, { epsilon: 0.01 });
    expect(model.history.every((round) => round["rank"] === 0)).toBe(true);
    const [own, other] = [alone.score(test).nmse!, model.score(test).nmse!];
    expect(Math.abs(own / other - 1)).toBeLessThan(1e-9);
    // Without the safeguard there is nothing to keep.
    const unguarded = await fitOf(method, train, { epsilon: 0.01, safeguard: false });
    expect(unguarded.weights).not.toEqual(model.weights);
  },
);

test("auto on raw tables of many columns: better than alone where slopes are alike, no worse where nothing is", async () => {
  const tables = [[true, 0.95], [false, 1.01]] as const; // prettier-ignore
  for (const [common, ratio] of someOf<(typeof tables)[number]>(tables, 2)) {
    const { train, test } = rawTables(common, 2);
    const alone = (await makeEstimator("single-task").fit(train)).score(test).nmse!;
    const model = await new Auto({ epsilon: 1, ...seeded }).fit(train);
    expect(model.method).toBe("mp-hierarchical");
    expect(model.score(test).nmse! / alone).toBeLessThan(ratio);
  }
});

test("wide is for the squared loss, and says so by name", () => {
  expect(() =>
    makeEstimator("mp-hierarchical", { priorStrength: "wide", loss: "logistic" }),
  ).toThrow(/mp-hierarchical: priorStrength: "wide" is for the squared loss/);
});
