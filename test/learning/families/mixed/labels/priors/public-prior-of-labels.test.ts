/** A public logistic regression as the center of a mixed model of labels: what it is worth, and that nothing else changes. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { DataError } from "../../../../../../src/core/index.js";
import { TaskSet } from "../../../../../../src/data/index.js";
import { LogisticExchange } from "../../../../../../src/learning/families/mixed/labels/logistic-exchange.js";
import { logisticPlan } from "../../../../../../src/learning/families/mixed/labels/logistic-plan.js";
import {
  Auto,
  fitNewTask,
  MpMixed,
  publicSharedPrior,
  sharedPrior,
  SingleTask,
  type PublicPrior,
} from "../../../../../../src/learning/index.js";
import { generator } from "../../../../../../bench/uniform-draws.js";
import { drawnTasks } from "../drawn-labels.js";
import { expectNeighboursWithinSensitivity, withAnotherLastTask } from "../../neighbours.js";
import { thoroughTest } from "../../../../../thorough.js";

/** Tasks with common slopes 2 and -3 of features of size 5 around 10, and own intercepts. */
function labelledTasks(m: number, seed: number) {
  const { uniform, normal } = generator(seed);
  const task = (i: number) => {
    const intercept = normal();
    const rows = (n: number) => {
      const u = Array.from({ length: n }, () => [2 * uniform() - 1, 2 * uniform() - 1]);
      const y = u.map(([a, b]) =>
        uniform() < 1 / (1 + Math.exp(3 * b! - 2 * a! - intercept)) ? "yes" : "no",
      );
      return { name: `task ${i}`, x: u, y };
    };
    return { train: rows(4), held: rows(10) };
  };
  return drawnTasks(m, ["no", "yes"], task);
}

const { train, held } = labelledTasks(80, 5);
const prior = (factor: number): PublicPrior => ({
  coefficients: { x1: 2 * factor, x2: -3 * factor },
  intercept: 0,
  source: "a study",
});
const fit = (epsilon: number, publicPrior: PublicPrior | null) =>
  new MpMixed({
    loss: "logistic",
    epsilon,
    publicPrior,
    delta: 1e-4,
    scale: "unit",
    random: { mode: "seeded", seed: 3 },
  }).fit(train);
/** Fits at eps 1 that several tests look at. */
const [helpedFit, plainFit] = [fit(1, prior(1)), fit(1, null)];

thoroughTest(
  "a good one is worth most at a small budget; from a bad one a large budget comes back",
  async () => {
    const loss = async (epsilon: number, given: PublicPrior | null) =>
      (await fit(epsilon, given)).score(held).logLoss!;
    const alone = (await new SingleTask({ loss: "logistic" }).fit(train)).score(held).logLoss!;
    const [plain, helped] = [await loss(0.1, null), await loss(0.1, prior(0.9))];
    expect(helped).toBeLessThan(plain - 0.05);
    expect(helped).toBeLessThan(alone);
    const [large, recovered] = [await loss(20, null), await loss(20, prior(-1))];
    expect(recovered).toBeLessThan(large + 0.05);
    expect(recovered).toBeLessThan(alone);
  },
);

test("the guarantee says that it was declared public, and as much is spent as without it", async () => {
  const [one, other] = [await helpedFit, await plainFit];
  expect(one.guarantee).toMatchObject({
    note: expect.stringContaining("uses a prior declared public (a study)") as string,
  });
  expect(one.ledger!.spent()).toEqual(other.ledger!.spent());
  expect(new Auto({ loss: "logistic", epsilon: 0.01, delta: 1e-4, publicPrior: prior(1), scale: "unit" }).choose(train)) // prettier-ignore
    .toMatchObject({ method: "mp-mixed" });
});

thoroughTest("zero everywhere is no prior but for rounding", async () => {
  const [one, other] = [await fit(1, prior(0)), await plainFit];
  const { data } = other.components["fixedEffects"]!;
  one.components["fixedEffects"]!.data.forEach((value, j) =>
    expect(value).toBeCloseTo(data[j]!, 9),
  );
  one.weights.forEach((value, k) => expect(value).toBeCloseTo(other.weights[k]!, 6));
});

test("with next to no budget tasks never seen are predicted about as the public model does of a population", async () => {
  const model = await fit(1e-3, prior(0.8));
  for (const [a, b] of [
    [0.9, -0.5],
    [-0.3, 0.8],
    [0, 0],
  ] as const) {
    // prettier-ignore
    const published = 1 / (1 + Math.exp(-(1.6 * a - 2.4 * b)));
    // The factor by which effects shrink with the spread of tasks is approximate.
    const [found] = model.predictNew!(Float64Array.of(a, b));
    expect(Math.abs(found! - published)).toBeLessThan(0.07);
  }
});

test("a later task is given its model of the fit, to the bit", async () => {
  const model = await helpedFit;
  const later = fitNewTask(sharedPrior(model), train.select(["task 4", "task 60"]));
  const x = [[0.4, -0.7]];
  for (const name of later.taskNames)
    expect(later.predict(name, x)).toEqual(model.predict(name, x));
  expect(later.components["alone"]!.data[1]).toBe(model.components["alone"]!.data[60]);
});

test("a task of its own starts from it with nothing fitted at all, and none at all is predicted by it", async () => {
  const names = train.names.slice(0, 30);
  const few = train.select(names).splitBy((row) => row < 2).train;
  const after = held.select(names);
  const shared = publicSharedPrior(prior(0.8), few, { loss: "logistic" });
  const own = fitNewTask(shared, few);
  expect(own.guarantee).toMatchObject({ kind: "none" });
  expect(own.classes).toEqual(["no", "yes"]);
  const alone = await new SingleTask({ loss: "logistic" }).fit(few);
  expect(own.score(after).logLoss!).toBeLessThan(alone.score(after).logLoss! - 0.05);
  const [found] = own.predictNew!(Float64Array.of(0.9, -0.5));
  expect(Math.abs(found! - 1 / (1 + Math.exp(-(1.6 * 0.9 + 2.4 * 0.5))))).toBeLessThan(0.06);
  const numbers = TaskSet.from([{ name: "a", x: [[1, 2]], y: [3] }]);
  expect(() => publicSharedPrior(prior(1), numbers, { loss: "logistic" })).toThrow(DataError);
  expect(() => publicSharedPrior(prior(1), few)).toThrow(/holds labels, not numbers/);
});

test("no sum moves by more than its sensitivity if one task is another, whatever the public model", () => {
  const offsets = [0, 1, 4, 9];
  const wild = fc.oneof(
    fc.constantFrom(0, 1, -1, 1e6, -1e6),
    fc.double({ min: -1e3, max: 1e3, noNaN: true }),
  );
  const lists = fc.array(wild, { minLength: 36, maxLength: 36 });
  const center = fc.array(fc.double({ min: -20, max: 20, noNaN: true }), { minLength: 3, maxLength: 3 }); // prettier-ignore
  const sizes = { m: 3, d: 3, meanRows: 3 };
  const mu = 20;
  const plan = logisticPlan(sizes, mu);
  fc.assert(
    fc.property(lists, lists, center, fc.integer(), (numbers, others, around, seed) => {
      const exchangeOf = (list: readonly number[]) => {
        const x = Float64Array.from({ length: 27 }, (_, k) => (k % 3 === 2 ? 1 : list[k]!));
        const y = Float64Array.from(list.slice(27), (value) => (value < 0 ? -1 : 1));
        const rows = { x, y, offsets };
        return new LogisticExchange(rows, sizes, mu, plan, { center: Float64Array.from(around) });
      };
      expectNeighboursWithinSensitivity(
        [exchangeOf(numbers), exchangeOf(withAnotherLastTask(numbers, others))],
        plan,
        generator(seed).normal,
        (most, fraction) => most / (mu * Math.sqrt(fraction)),
      );
    }),
    { numRuns: 10, seed: 6 },
  );
});
