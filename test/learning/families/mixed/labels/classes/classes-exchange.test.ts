/**
 * The private mixed model with several classes: plan, sizes of the stacked uploads, and each class against the exchange of
 * two classes that it stands for.
 */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { modelsAgainstPredicted } from "../../../../../../src/learning/families/mixed/labels/classes/against-predicted.js";
import { ClassesExchange } from "../../../../../../src/learning/families/mixed/labels/classes/classes-exchange.js";
import { classesPlan } from "../../../../../../src/learning/families/mixed/labels/classes/classes-plan.js";
import type {
  MixedExchange,
  MixedRelease,
} from "../../../../../../src/learning/families/mixed/exchange.js";
import { LogisticExchange } from "../../../../../../src/learning/families/mixed/labels/logistic-exchange.js";
import { logisticPlan } from "../../../../../../src/learning/families/mixed/labels/logistic-plan.js";
import { generator } from "../../../../../../bench/uniform-draws.js";
import { expectNeighboursWithinSensitivity, withAnotherLastTask } from "../../neighbours.js";
import { someOf, thorough } from "../../../../../thorough.js";

/** Tasks of three classes along one feature, with intercepts of their own; d = 2. */
function threeClasses(m: number, seed: number, classes = 3) {
  const { uniform, normal } = generator(seed);
  const offsets = [0];
  const [x, y]: number[][] = [[], []];
  for (let i = 0; i < m; i++) {
    const own = Array.from({ length: classes }, () => 0.7 * normal());
    const n = 3 + Math.floor(4 * uniform());
    for (let k = 0; k < n; k++) {
      const value = 2 * uniform() - 1;
      const odds = own.map((level, c) => Math.exp(level + 2 * (c - 1) * value));
      let left = uniform() * odds.reduce((a, b) => a + b, 0);
      const label = odds.findIndex((part) => (left -= part) < 0);
      x!.push(value, 1);
      y!.push(label < 0 ? classes - 1 : label);
    }
    offsets.push(y!.length);
  }
  const data = { x: Float64Array.from(x!), y: Float64Array.from(y!), offsets };
  return { data, sizes: { m, d: 2, meanRows: y!.length / m, classes } };
}

const deviationOf = ({ statistic, fraction }: MixedRelease, mu: number) =>
  (statistic === "moment" ? Math.SQRT2 : 2) / (mu * Math.sqrt(fraction));

const summed = (uploads: Float64Array, length: number) => {
  const sum = new Float64Array(length);
  uploads.forEach((value, at) => (sum[at % length]! += value));
  return sum;
};

/** Runs all releases; `noise` is in units of a release's own deviation. Returns what was received. */
function converse(
  exchange: MixedExchange,
  plan: readonly MixedRelease[],
  mu: number,
  noise: () => number,
) {
  return plan.map((release, k) => {
    const deviation = deviationOf(release, mu);
    const sum = summed(exchange.upload(k), release.length);
    const received = sum.map((value) => value + (deviation && deviation * noise()));
    exchange.receive(k, received, deviation);
    return { received, deviation };
  });
}

const close = (a: ArrayLike<number>, b: ArrayLike<number>, digits = 9) => {
  expect(a.length).toBe(b.length);
  for (let k = 0; k < a.length; k++) expect(a[k]!).toBeCloseTo(b[k]!, digits);
};

/** Of arrays [batch, C, n] or [C, n] one class. */
const ofClass = (data: Float64Array, c: number, classes: number, batch: number) => {
  const size = data.length / (classes * batch);
  return Float64Array.from({ length: batch * size }, (_, at) => {
    const [i, j] = [Math.floor(at / size), at % size];
    return data[(i * classes + c) * size + j]!;
  });
};

test("the plan spends the whole budget whatever the sizes, in the releases of two classes with a class's part of it", () => {
  const sizes = fc.record({
    m: fc.integer({ min: 3, max: 10000 }),
    d: fc.integer({ min: 1, max: 40 }),
    classes: fc.integer({ min: 2, max: 30 }),
  });
  fc.assert(
    fc.property(sizes, fc.double({ min: 1e-6, max: 1e3, noNaN: true }), (given, mu) => {
      const plan = classesPlan({ ...given, meanRows: 5 }, mu);
      expect(plan.reduce((sum, { fraction }) => sum + fraction, 0)).toBeCloseTo(1, 12);
      const two = logisticPlan({ ...given, meanRows: 5 }, mu / Math.sqrt(given.classes));
      expect(plan.map(({ length }) => length)).toEqual(
        two.map(({ length }) => length * given.classes),
      );
      expect(plan.map(({ statistic, label }) => [statistic, label])).toEqual(
        two.map(({ statistic, label }) => [statistic, label]),
      );
    }),
  );
});

describe("a run", () => {
  const { data, sizes } = threeClasses(12, 3);
  const { m, classes } = sizes;
  const against = (c: number) => ({ ...data, y: data.y.map((y) => (y === c ? 1 : -1)) });

  test.each(someOf([2, Infinity], 2))(
    "is each class's own run with the budget mu / sqrt(C), at mu = %f",
    (mu) => {
      const whole = new ClassesExchange(data, sizes, mu);
      const told = converse(whole, classesPlan(sizes, mu), mu, generator(4).normal);
      const found = whole.solve();
      const own = mu / Math.sqrt(classes);
      const plan = logisticPlan(sizes, own);
      const root = Math.sqrt(classes);
      const each = Array.from(
        { length: classes },
        (_, c) => new LogisticExchange(against(c), sizes, own, plan),
      );
      plan.forEach((release, k) => {
        const { received, deviation } = told[k]!;
        // The noise that the class is told of is that of its own budget.
        expect(deviation * root).toBeCloseTo(deviationOf(release, own), 9);
        each.forEach((one, c) => {
          one.upload(k);
          const slice = received.slice(c * release.length, (c + 1) * release.length);
          one.receive(
            k,
            slice.map((value) => value * root),
            deviation * root,
          );
        });
      });
      const first = each.map((one) => one.solve());
      const models = modelsAgainstPredicted(data, first, (c, added) =>
        each[c]!.solveAgain(added, first[c]!),
      );
      first.forEach(({ prior }, c) => {
        close(ofClass(found.models, c, classes, m), models[c]!.models);
        close(ofClass(found.alone, c, classes, m), models[c]!.alone);
        close(ofClass(found.mixtures!.means, c, classes, m), models[c]!.mixtures!.means);
        close(ofClass(found.prior.fixedEffects, c, classes, 1), prior.fixedEffects);
        close(ofClass(found.prior.covariance, c, classes, 1), prior.covariance);
      });
    },
  );

  test("of two classes is, without noise, the logistic run of their labels, and its mirror image", () => {
    const two = threeClasses(15, 9, 2);
    const whole = new ClassesExchange(two.data, two.sizes, Infinity);
    converse(whole, classesPlan(two.sizes, Infinity), Infinity, () => 0);
    const plan = logisticPlan(two.sizes, Infinity);
    const signed = { ...two.data, y: two.data.y.map((y) => 2 * y - 1) };
    const one = new LogisticExchange(signed, two.sizes, Infinity, plan);
    converse(one, plan, Infinity, () => 0);
    const found = whole.solve();
    const binary = one.solve();
    close(ofClass(found.models, 1, 2, 15), binary.models);
    close(ofClass(found.covariances, 1, 2, 15), binary.covariances);
    // The public synthetic tasks have no mirror image, and neither has what is made of them.
    ofClass(found.models, 0, 2, 15).forEach((value, at) =>
      expect(Math.abs(value + binary.models[at]!)).toBeLessThan(0.1),
    );
  });

  test("gives a task the same bits in a batch of its own", () => {
    const plan = classesPlan(sizes, 1);
    const whole = new ClassesExchange(data, sizes, 1);
    const [from, to] = [data.offsets[2]!, data.offsets[3]!];
    const own = {
      x: data.x.slice(2 * from, 2 * to),
      y: data.y.slice(from, to),
      offsets: [0, to - from],
    };
    const single = new ClassesExchange(own, sizes, 1);
    plan.forEach(({ length }, k) => {
      const uploads = whole.upload(k);
      expect(single.upload(k)).toEqual(uploads.slice(2 * length, 3 * length));
      for (const one of [whole, single]) one.receive(k, summed(uploads, length), 1);
    });
    const size = 2 * classes;
    expect(single.solve().models).toEqual(whole.solve().models.slice(2 * size, 3 * size));
  });

  test("with a class that no task has is as sure of that as the rows are many, and finite", () => {
    const more = { ...sizes, classes: 4 };
    const exchange = new ClassesExchange(data, more, 3);
    converse(exchange, classesPlan(more, 3), 3, generator(8).normal);
    const { models, covariances, prior } = exchange.solve();
    for (const value of [...models, ...covariances, ...prior.fixedEffects]) {
      expect(Number.isFinite(value)).toBe(true);
    }
    const levels = [0, 1, 2, 3].map((c) => {
      const own = ofClass(models, c, 4, m).filter((_, at) => at % 2 === 1);
      return own.reduce((sum, value) => sum + value, 0) / m;
    });
    expect(levels[3]!).toBeLessThan(Math.min(...levels.slice(0, 3)) - 0.5);
  });
});

test("sums move by no more than their sensitivity if one task is another, whatever was received", () => {
  const wild = fc.oneof(
    fc.constantFrom(0, 1, -1, 1e6, -1e6, 1e-12),
    fc.double({ min: -1e3, max: 1e3, noNaN: true }),
  );
  const rowsOf = (numbers: readonly number[]) => ({
    x: Float64Array.from({ length: 27 }, (_, k) => (k % 3 === 2 ? 1 : numbers[k]!)),
    y: Float64Array.from(numbers.slice(27), (value) => Math.abs(Math.trunc(value)) % 3),
    offsets: [0, 1, 4, 9],
  });
  const sizes = { m: 3, d: 3, meanRows: 3, classes: 3 };
  const mu = 20;
  const lists = fc.array(wild, { minLength: 36, maxLength: 36 });
  fc.assert(
    fc.property(lists, lists, fc.integer(), (numbers, others, seed) => {
      const exchangeOf = (list: readonly number[]) => new ClassesExchange(rowsOf(list), sizes, mu);
      expectNeighboursWithinSensitivity(
        [exchangeOf(numbers), exchangeOf(withAnotherLastTask(numbers, others))],
        classesPlan(sizes, mu),
        generator(seed).normal,
        (most, fraction) => most / (mu * Math.sqrt(fraction)),
      );
    }),
    { numRuns: thorough ? 8 : 4, seed: 6 },
  );
});

test("uploads have norm at most 1, and those of moments inner products that are never negative", () => {
  const numbers = fc.array(
    fc.tuple(
      fc.oneof(fc.constantFrom(0, 1e200, -1e8), fc.double({ min: -50, max: 50, noNaN: true })),
      fc.integer({ min: 0, max: 3 }),
    ),
    { minLength: 9, maxLength: 9 },
  );
  const sizes = { m: 3, d: 2, meanRows: 3, classes: 4 };
  fc.assert(
    fc.property(numbers, fc.constantFrom(0.1, 5, 1e3), fc.integer(), (rows, mu, seed) => {
      const x = Float64Array.from(rows.flatMap(([value]) => [value, 1]));
      const y = Float64Array.from(rows, ([, label]) => label);
      const exchange = new ClassesExchange({ x, y, offsets: [0, 2, 5, 9] }, sizes, mu);
      const { normal } = generator(seed);
      classesPlan(sizes, mu).forEach((release, k) => {
        const { length, statistic } = release;
        const uploads = exchange.upload(k);
        const own = [0, 1, 2].map((i) => uploads.subarray(i * length, (i + 1) * length));
        const dot = (a: Float64Array, b: Float64Array) => a.reduce((s, v, i) => s + v * b[i]!, 0);
        for (const a of own) {
          expect(dot(a, a)).toBeLessThanOrEqual(1 + 1e-12);
          for (const b of own) {
            if (statistic === "moment") expect(dot(a, b)).toBeGreaterThanOrEqual(-1e-12);
          }
        }
        const deviation = deviationOf(release, mu);
        exchange.receive(
          k,
          summed(uploads, length).map((value) => value + deviation * normal()),
          deviation,
        );
      });
    }),
    { numRuns: thorough ? 8 : 4, seed: 2 },
  );
});
