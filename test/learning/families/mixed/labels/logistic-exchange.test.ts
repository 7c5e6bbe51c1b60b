/**
 * The private mixed model with the logistic loss: plan, sizes of uploads, recovery without noise and the way back
 * to learning alone with much of it.
 */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { LogisticExchange } from "../../../../../src/learning/families/mixed/labels/logistic-exchange.js";
import { linkMoments } from "../../../../../src/learning/models/logistic-link.js";
import { logisticPlan } from "../../../../../src/learning/families/mixed/labels/logistic-plan.js";
import type { MixedExchange } from "../../../../../src/learning/families/mixed/exchange.js";
import type { LogisticRows } from "../../../../../src/learning/families/mixed/labels/logistic-tasks.js";
import { generator } from "../../../../../bench/uniform-draws.js";
import { expectNeighboursWithinSensitivity, withAnotherLastTask } from "../neighbours.js";
import { thorough, thoroughTest } from "../../../../thorough.js";

/** Tasks with common slopes and own intercepts. */
function randomIntercepts(m: number, slopes: readonly number[], scale: number, seed: number) {
  const { uniform, normal } = generator(seed);
  const d = slopes.length + 1;
  const offsets = [0];
  const x: number[] = [];
  const y: number[] = [];
  const intercepts: number[] = [];
  for (let i = 0; i < m; i++) {
    const intercept = -0.5 + scale * normal();
    intercepts.push(intercept);
    const n = 4 + Math.floor(5 * uniform());
    for (let k = 0; k < n; k++) {
      const row = slopes.map(() => 2 * uniform() - 1);
      const logOdds = row.reduce((sum, value, j) => sum + value * slopes[j]!, intercept);
      x.push(...row, 1);
      y.push(uniform() < 1 / (1 + Math.exp(-logOdds)) ? 1 : -1);
    }
    offsets.push(y.length);
  }
  const data = { x: Float64Array.from(x), y: Float64Array.from(y), offsets };
  return { data, intercepts, sizes: { m, d, meanRows: y.length / m } };
}

/** Runs all releases; `noise` is in units of a release's own deviation. */
function converse(
  exchange: MixedExchange,
  plan: ReturnType<typeof logisticPlan>,
  mu: number,
  noise: () => number,
) {
  plan.forEach(({ statistic, length, fraction }, k) => {
    const deviation = (statistic === "moment" ? Math.SQRT2 : 2) / (mu * Math.sqrt(fraction));
    const sum = new Float64Array(length);
    exchange.upload(k).forEach((value, i) => (sum[i % length]! += value));
    exchange.receive(
      k,
      sum.map((value) => value + (deviation && deviation * noise())),
      deviation,
    );
  });
  return exchange.solve();
}

function solve({ data, sizes }: ReturnType<typeof randomIntercepts>, mu: number, seed = 1) {
  const plan = logisticPlan(sizes, mu);
  const { normal } = generator(seed);
  return converse(new LogisticExchange(data, sizes, mu, plan), plan, mu, normal);
}

/** Expected log-loss of new rows of all tasks. */
function expectedLoss(
  { models, covariances }: ReturnType<MixedExchange["solve"]>,
  slopes: readonly number[],
  intercepts: readonly number[],
) {
  const { uniform } = generator(99);
  const d = slopes.length + 1;
  const out = { logMean: 0, slope: 0, curvature: 0 };
  let sum = 0;
  const rows = 20;
  intercepts.forEach((intercept, i) => {
    for (let k = 0; k < rows; k++) {
      const x = [...slopes.map(() => 2 * uniform() - 1), 1];
      const truth = slopes.reduce((total, slope, j) => total + slope * x[j]!, intercept);
      const p = 1 / (1 + Math.exp(-truth));
      let mean = 0;
      let variance = 0;
      let at = (i * d * (d + 1)) / 2;
      for (let a = 0; a < d; a++) {
        mean += models[i * d + a]! * x[a]!;
        for (let b = 0; b <= a; b++)
          variance += (a === b ? 1 : 2) * x[a]! * x[b]! * covariances[at++]!;
      }
      expect(variance).toBeGreaterThanOrEqual(0);
      sum -= p * linkMoments(mean, variance, out).logMean;
      sum -= (1 - p) * linkMoments(-mean, variance, out).logMean;
    }
  });
  return sum / rows / intercepts.length;
}

describe("the plan", () => {
  test("spends the whole budget whatever the sizes", () => {
    fc.assert(
      fc.property(
        fc.record({ m: fc.integer({ min: 3, max: 10000 }), d: fc.integer({ min: 1, max: 60 }) }),
        fc.double({ min: 1e-6, max: 1e3, noNaN: true }),
        (sizes, mu) => {
          const plan = logisticPlan({ ...sizes, meanRows: 5 }, mu);
          expect(plan.reduce((sum, { fraction }) => sum + fraction, 0)).toBeCloseTo(1, 12);
          for (const { fraction } of plan) expect(fraction).toBeGreaterThan(0);
        },
      ),
    );
  });
});

describe("a run", () => {
  const slopes = [1, -0.8, 0];
  const tasks = randomIntercepts(150, slopes, 1.2, 3);

  test("recovers effects and scales without noise, and beats learning alone", () => {
    const found = solve(tasks, Infinity);
    const { fixedEffects, covariance, stated } = found.prior;
    const { fixedEffectsCovariance } = stated();
    [...slopes, -0.5].forEach((value, j) => {
      // The standard error of a maximum-likelihood fit to these 900 rows is about .15.
      expect(Math.abs(fixedEffects[j]! - value)).toBeLessThan(0.5);
      expect(fixedEffectsCovariance[j * 5]!).toBeGreaterThan(0);
    });
    expect(Math.sqrt(covariance[15]!)).toBeGreaterThan(0.7);
    expect(Math.sqrt(covariance[15]!)).toBeLessThan(2);
    expect(Math.sqrt(covariance[0]!)).toBeLessThan(0.6);
    const alone = expectedLoss(solve(tasks, 1e-6), slopes, tasks.intercepts);
    const loss = expectedLoss(found, slopes, tasks.intercepts);
    expect(loss).toBeLessThan(alone - 0.005);
    expect(alone).toBeLessThan(Math.LN2);
  });

  thoroughTest(
    "where the signal is large and effects are steep four rounds come nearer to them than two",
    () => {
      const steep = [3, -3, 2, -2, 1];
      const { data, sizes } = randomIntercepts(300, steep, 1, 11);
      const mu = 4;
      const off = (plan: ReturnType<typeof logisticPlan>, seed: number) => {
        const exchange = new LogisticExchange(data, sizes, mu, plan);
        const { fixedEffects } = converse(exchange, plan, mu, generator(seed).normal).prior;
        return steep.reduce((sum, slope, j) => sum + (fixedEffects[j]! - slope) ** 2, 0);
      };
      const [four, two] = [logisticPlan(sizes, mu), logisticPlan(sizes, (2 * sizes.d) / sizes.m)];
      expect([four.length, two.length]).toEqual([11, 7]);
      const seeds = [1, 2, 3];
      const mean = (plan: typeof four) => seeds.reduce((sum, seed) => sum + off(plan, seed), 0);
      expect(mean(four)).toBeLessThan(mean(two));
    },
    240_000,
  );

  thoroughTest("ends with learning alone where the noise says nothing", () => {
    // Two draws of noise at a budget of almost nothing give the same models: neither is listened to.
    const [one, other] = [solve(tasks, 1e-6, 1), solve(tasks, 1e-6, 2)];
    for (const weight of one.alone) expect(weight).toBeGreaterThan(0.9);
    one.models.forEach((value, i) => expect(Math.abs(value - other.models[i]!)).toBeLessThan(0.05));
  });

  test("gives a task the same bits in a batch of its own", () => {
    const mu = 1;
    const small = randomIntercepts(5, slopes, 1, 4);
    const plan = logisticPlan(small.sizes, mu);
    const whole = new LogisticExchange(small.data, small.sizes, mu, plan);
    const d = small.sizes.d;
    const [from, to] = [small.data.offsets[2]!, small.data.offsets[3]!];
    const own: LogisticRows = {
      x: small.data.x.slice(from * d, to * d),
      y: small.data.y.slice(from, to),
      offsets: [0, to - from],
    };
    const single = new LogisticExchange(own, small.sizes, mu, plan);
    plan.forEach(({ length }, k) => {
      const uploads = whole.upload(k);
      expect(single.upload(k)).toEqual(uploads.slice(2 * length, 3 * length));
      const sum = new Float64Array(length);
      uploads.forEach((value, i) => (sum[i % length]! += value));
      whole.receive(k, sum, 1);
      single.receive(k, sum, 1);
    });
    expect(single.solve().models).toEqual(whole.solve().models.slice(2 * d, 3 * d));
  });
});

describe("uploads", () => {
  /** Separable, constant, empty and huge tasks among ordinary ones. */
  function wildTasks(): { data: LogisticRows; sizes: { m: number; d: number; meanRows: number } } {
    const d = 3;
    const rows: [number[], number][][] = [
      [
        [[1, 1, 1], 1],
        [[-1, -1, 1], -1],
        [[1, 0.5, 1], 1],
        [[-1, 0, 1], -1],
      ],
      Array.from({ length: 40 }, () => [[1, 1, 1], 1] as [number[], number]),
      [],
      [
        [[1e300, -1e300, 1], 1],
        [[1e200, 1, 1], -1],
      ],
      [
        [[1e8, -1e8, 1], -1],
        [[3e7, 1, 1], 1],
      ],
      [[[NaN, 0, 1], 1]],
    ];
    const offsets = [0];
    for (const task of rows) offsets.push(offsets.at(-1)! + task.length);
    const all = rows.flat();
    return {
      data: {
        x: Float64Array.from(all.flatMap(([x]) => x)),
        y: Float64Array.from(all, ([, y]) => y),
        offsets,
      },
      sizes: { m: rows.length, d, meanRows: 8 },
    };
  }

  test.each([0.1, 2, Infinity])("have norm at most 1 whatever the rows, at mu = %f", (mu) => {
    const { data, sizes } = wildTasks();
    const plan = logisticPlan(sizes, mu);
    const exchange = new LogisticExchange(data, sizes, mu, plan);
    const { normal } = generator(5);
    plan.forEach(({ length, statistic, fraction }, k) => {
      const uploads = exchange.upload(k);
      const rows = Array.from({ length: sizes.m }, (_, i) =>
        uploads.slice(i * length, (i + 1) * length),
      );
      const dot = (a: Float64Array, b: Float64Array) => a.reduce((s, x, i) => s + x * b[i]!, 0);
      for (const a of rows) {
        expect(Math.sqrt(dot(a, a))).toBeLessThanOrEqual(1 + 1e-12);
        // Replacing one task by another moves the sum by no more than the release is charged for.
        for (const b of rows) {
          if (statistic === "moment") expect(dot(a, b)).toBeGreaterThanOrEqual(-1e-12);
          const apart = Math.sqrt(dot(a, a) - 2 * dot(a, b) + dot(b, b));
          expect(apart).toBeLessThanOrEqual((statistic === "moment" ? Math.SQRT2 : 2) + 1e-9);
        }
      }
      const sum = new Float64Array(length);
      uploads.forEach((value, i) => (sum[i % length]! += value));
      const deviation = (statistic === "moment" ? Math.SQRT2 : 2) / (mu * Math.sqrt(fraction));
      exchange.receive(
        k,
        sum.map((value) => value + (deviation && deviation * normal())),
        deviation,
      );
    });
    const found = exchange.solve();
    for (const value of [...found.models, ...found.covariances])
      expect(Number.isFinite(value)).toBe(true);
  });

  test("move no sum by more than its sensitivity if one task is another, whatever was received", () => {
    const wild = fc.oneof(
      fc.constantFrom(0, 1, -1, 1e6, -1e6, 1e-12),
      fc.double({ min: -1e3, max: 1e3, noNaN: true }),
    );
    const offsets = [0, 1, 4, 9];
    const rowsOf = (numbers: readonly number[]): LogisticRows => ({
      x: Float64Array.from({ length: 27 }, (_, k) => (k % 3 === 2 ? 1 : numbers[k]!)),
      y: Float64Array.from(numbers.slice(27), (value) => (value < 0 ? -1 : 1)),
      offsets,
    });
    const sizes = { m: 3, d: 3, meanRows: 3 };
    const mu = 20;
    const plan = logisticPlan(sizes, mu);
    const lists = fc.array(wild, { minLength: 36, maxLength: 36 });
    fc.assert(
      fc.property(lists, lists, fc.integer(), (numbers, others, seed) => {
        const exchangeOf = (list: readonly number[]) =>
          new LogisticExchange(rowsOf(list), sizes, mu, plan);
        expectNeighboursWithinSensitivity(
          [exchangeOf(numbers), exchangeOf(withAnotherLastTask(numbers, others))],
          plan,
          generator(seed).normal,
          (most, fraction) => most / (mu * Math.sqrt(fraction)),
        );
      }),
      { numRuns: thorough ? 10 : 5, seed: 6 },
    );
  });
});

test("columns must add up to the coordinates", () => {
  const { data, sizes } = randomIntercepts(5, [1, 1], 1, 1);
  const plan = logisticPlan(sizes, 1);
  expect(
    () => new LogisticExchange(data, sizes, 1, plan, { columns: [{ kind: "levels", levels: 3 }] }),
  ).toThrowError(/expected 2 coordinates without the constant, got 3/);
});
