/** Joint methods without privacy on numbers as raw tables have them: columns of very different sizes, targets far larger than the penalty. */
import { describe, expect, test } from "vitest";
import { TaskSet } from "../../../src/data/index.js";
import { clusterRelationship } from "../../../src/learning/estimators/fixed-relationship.js";
import {
  FittedModel,
  FixedRelationship,
  makeEstimator,
  MeanRegularized,
} from "../../../src/learning/index.js";
import { generator } from "../../assembly/matrices.js";
import { someOf } from "../../thorough.js";

/** Three tasks of eight rows: a column of that size, one that is zero in all rows but one, and one of size 1; a few targets far off. */
function table(size: number, factor = 1) {
  const next = generator(5);
  return Array.from({ length: 3 }, (_, i) => {
    const x = Array.from({ length: 8 }, (_row, k) => [size * next(), k === 2 ? size : 0, next()]);
    const y = x.map(([, , own]) => factor * (10 + own! + next() + (next() > 0.7 ? 1000 : 0)));
    return { name: `t${i}`, x, y };
  });
}

/** Of size 100, rows fewer than features in two tasks. */
function shortTasks(factor: number) {
  const next = generator(1);
  return TaskSet.from(
    [1, 2, 5, 20].map((n, i) => {
      const x = Array.from({ length: n }, () => [next(), 100 + next(), next() > 0 ? 1 : 0]);
      const y = x.map(([a, b]) => factor * (a! + 0.1 * b! + next()));
      return { name: `t${i}`, x, y };
    }),
  );
}

/** With all its entries given one by one. */
const sparsely = ({ x, ...rest }: ReturnType<typeof table>[number]) => ({
  ...rest,
  x: {
    indptr: Array.from({ length: x.length + 1 }, (_, k) => 3 * k),
    indices: x.flatMap(() => [0, 1, 2]),
    values: x.flat(),
    shape: [x.length, 3] as const,
  },
});

const largest = (values: ArrayLike<number>) =>
  Array.from(values).reduce((most, value) => Math.max(most, Math.abs(value)), 0);

describe("fixed-relationship", () => {
  const relationship = clusterRelationship([0, 1, 0], 0.5);

  // Moves of the intercepts to where their slopes vanish went into the momentum, and models grew without end.
  test.each([1, 10, 100])("converges on a column of size %d", async (size) => {
    const options = { relationship, maxRounds: 5000 };
    const model = await new FixedRelationship(options).fit(TaskSet.from(table(size)));
    expect(model.certificate!.met).toBe(true);
    const predicted = [...TaskSet.from(table(size))].map(({ name, x }) => model.predict(name, x));
    expect(largest(predicted.flatMap((values) => [...values]))).toBeLessThan(1100);
  });

  test("what is not a number is not certified", async () => {
    const tasks = TaskSet.from(table(1));
    const first = await new FixedRelationship({ relationship }).fit(tasks);
    const warmStart = new FittedModel({ ...first, weights: first.weights.map(() => NaN) } as never);
    const fit = new FixedRelationship({ relationship, maxRounds: 1 }).fit(tasks, { warmStart });
    expect((await fit).certificate!.met).toBe(false);
  });
});

// Douglas-Rachford rounds divided rounding by a rho that fell without end.
test.each(someOf(["group-sparse", "trace-norm", "low-rank-sparse"], 3))(
  "%s: under a penalty that is nothing beside the targets models stay of the targets' size",
  async (method) => {
    const fit = async (factor: number) => {
      const options = { maxRounds: 40_000, tolerance: 1e-10 };
      const model = await makeEstimator(method, options).fit(shortTasks(factor));
      return [...model.weights, ...model.intercepts!].map((value) => value / factor);
    };
    const [plain, far] = [await fit(2 ** 20), await fit(2 ** 60)];
    expect(largest(far)).toBeLessThan(3 * largest(plain));
  },
  60_000,
);

describe("mean-regularized", () => {
  // A column whose squares are 1e-14 of another's was left out, and the certificate said that nothing was lost.
  test.each([1e3, 1e6, 1e9])("no column is too small beside one of size %d", async (size) => {
    const tasks = table(size);
    const dense = await new MeanRegularized().fit(TaskSet.from(tasks));
    const other = await new MeanRegularized().fit(TaskSet.from(tasks.map(sparsely)));
    expect([dense.certificate!.met, other.certificate!.met]).toEqual([true, true]);
    expect(Math.abs(dense.objective / other.objective - 1)).toBeLessThan(1e-6);
  });

  test.each([0.3, 3, 1e8])(
    "a column of %d in all rows, but for rounding, tells nothing",
    async (value) => {
      const rounded = (k: number) => value * (k % 3 === 0 ? 1 + 2 ** -52 : 1);
      const tasks = table(1).map(({ name, x, y }) => ({
        name,
        y,
        x: x.map((row, k) => [...row, rounded(k)]),
      }));
      const without = await new MeanRegularized().fit(TaskSet.from(table(1)));
      const model = await new MeanRegularized().fit(TaskSet.from(tasks));
      model.weights.forEach((weight, at) => {
        const expected = at % 4 === 3 ? 0 : without.weights[3 * Math.floor(at / 4) + (at % 4)]!;
        expect(Math.abs(weight - expected)).toBeLessThan(1e-4);
      });
    },
  );
});
