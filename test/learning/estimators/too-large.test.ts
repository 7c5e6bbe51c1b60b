/** Numbers whose squares sums cannot hold: fits without privacy, predictions and scores name their place; private fits and their scores hold them. */
import { expect, test } from "vitest";
import { TaskSet } from "../../../src/data/index.js";
import { makeEstimator, MeanRegularized } from "../../../src/learning/index.js";
import { pmtl, type PmtlOptions } from "../../../src/learning/estimators/pmtl.js";
import { PrivateEstimator } from "../../../src/learning/release/private-estimator.js";
import { METHODS } from "../../../src/learning/methods.js";
import { someOf } from "../../thorough.js";

const rows = (large: number) => [[1, 0], [0, large], [2, 3]]; // prettier-ignore
const tasksWith = (feature: number, target = 1, sparse = false) =>
  TaskSet.from(
    ["a", "b"].map((name, i) => {
      const x = rows(i === 1 ? feature : 1);
      const matrix = { indptr: [0, 2, 4, 6], indices: [0, 1, 0, 1, 0, 1], values: x.flat(), shape: [3, 2] as const }; // prettier-ignore
      return { name, x: sparse ? matrix : x, y: [0, i === 1 ? target : 1, 2] };
    }),
  );

const place = (column: string) =>
  new RegExp(`task "b", row 1, column "${column}": .*larger.*other units`);

const openly = METHODS.filter(({ privacy }) => privacy === null).map(({ name }) => name);
/** Fits at the edge take all rounds that they may. */
const fittedToo = someOf(openly, 4);

test.each(openly)("%s", async (name) => {
  const fit = async (data: TaskSet) => await makeEstimator(name, {}).fit(data);
  for (const sparse of [false, true])
    await expect(fit(tasksWith(1.01e60, 1, sparse))).rejects.toThrow(place("x2"));
  await expect(fit(tasksWith(1, -1e150))).rejects.toThrow(place("y"));
  if (!fittedToo.includes(name)) return;
  const model = await fit(tasksWith(1e60, 1e60));
  expect([...model.weights, model.objective].every(Number.isFinite)).toBe(true);
});

test("predictions and scores", async () => {
  const model = await new MeanRegularized().fit(tasksWith(1));
  expect(() => model.predict("b", rows(1e61))).toThrow(/^row 1, column "x2": .*larger/);
  expect(() => model.predict("b", rows(NaN))).toThrow(/^row 1: an entry is not finite/);
  expect(() => model.score(tasksWith(1e200, 1, true))).toThrow(place("x2"));
  const random = { mode: "seeded", seed: "large" };
  const hidden = await makeEstimator("pmtl", { epsilon: 1, delta: 1e-3, random }).fit(tasksWith(1e200)); // prettier-ignore
  expect(hidden.score(tasksWith(1e200, 1e200)).nmse).toBeGreaterThanOrEqual(0);
});

test("a method that states a guarantee holds them, though its descriptor forgets that it is private", async () => {
  class Forgetful extends PrivateEstimator<PmtlOptions> {
    constructor(options: Partial<PmtlOptions>) {
      super({ ...pmtl, name: "forgetful", privacy: null } as typeof pmtl, options);
    }
  }
  const options = { epsilon: 1, delta: 1e-3, rounds: 1 };
  const model = await new Forgetful(options).fit(tasksWith(1e200, 1e200));
  expect(model.guarantee.kind).toBe("joint");
  expect(model.weights.every(Number.isFinite)).toBe(true);
});

test.each(["dp-aggregation", "dp-task-relationship"])("%s holds them", async (name) => {
  const random = { mode: "seeded", seed: "held" };
  const fit = (large: number) =>
    makeEstimator(name, { epsilon: 1, delta: 1e-3, featureBound: 4, random }).fit(
      tasksWith(1, large),
    );
  const [far, held] = [await fit(1e200), await fit(1e60)];
  expect(far.weights.every(Number.isFinite)).toBe(true);
  expect([...far.weights]).toEqual([...held.weights]);
});
