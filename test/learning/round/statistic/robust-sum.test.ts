/** Sums that liars cannot carry away: what they are, how little one task moves them, and how little many do. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { openCore } from "../../../../src/core/index.js";
import { anAggregate } from "../../../../src/learning/families/averaging/option-kinds.js";
import {
  robustShape,
  robustSum,
  type Aggregate,
} from "../../../../src/learning/round/statistic/robust-sum.js";
import { computedStatistic } from "../../../../src/privacy/mechanisms/exact/computed-statistic.js";

const core = openCore();
const straight = (_round: number, m: number) => Array.from({ length: m }, (_, i) => i);

/** T of vectors of one length, [m][d], with the groups of an order. */
function combined(aggregate: Aggregate, vectors: readonly (readonly number[])[], order = straight) {
  const [m, d] = [vectors.length, vectors[0]!.length];
  const shape = robustShape(aggregate, m)!;
  const mark = core.arena.mark();
  const at = core.arena.copyOf(Float64Array.from(vectors.flat()));
  const out = core.arena.f64(d);
  robustSum(shape, order)(core, at, out, m, d, 1);
  const sum = [...core.arena.view(out, d)];
  core.arena.release(mark);
  return { sum, mean: sum.map((value) => value / shape.divisor), shape };
}

const norm = (v: readonly number[]) => Math.hypot(...v);
const held = (v: readonly number[], clip: number) =>
  norm(v) > clip ? v.map((value) => (value * clip) / norm(v) / (1 + 1e-15)) : [...v];

const trimmed = (share: number): Aggregate => ({ kind: "trimmed-mean", share });
const median = (groups: number): Aggregate => ({ kind: "median-of-means", groups });

describe("what they are", () => {
  test("a trimmed mean, by hand", () => {
    const { mean, shape } = combined(trimmed(0.25), [[5, 0], [1, 9], [2, -9], [-100, 1], [3, 2]].slice(0, 4)); // prettier-ignore
    expect(shape).toEqual({ groups: 4, left: 1, size: 1, divisor: 2 });
    expect(mean).toEqual([1.5, 0.5]);
  });

  test("a median of means of groups, one of them larger, in the order that was drawn", () => {
    const vectors = [[1], [2], [30], [40], [5], [7], [9]];
    // Groups {1, 2, 9}, {30, 40}, {5, 7}: means 4, 35, 6.
    const { mean, shape } = combined(median(3), vectors, () => [0, 1, 6, 3, 2, 5, 4]);
    expect(shape).toEqual({ groups: 3, left: 1, size: 2, divisor: 2 });
    expect(mean[0]).toBeCloseTo(6, 12);
  });

  test("of equal vectors they are these", () => {
    const vectors = Array.from({ length: 13 }, () => [0.5, -0.25]);
    for (const aggregate of [trimmed(0.1), trimmed(0.49), median(3), median(5)]) {
      combined(aggregate, vectors).mean.forEach((value, j) =>
        expect(value).toBeCloseTo(vectors[0]![j]!, 14),
      );
    }
  });

  test.each([
    [median(3), 5, "needs 6 tasks or more, got 5"],
    [trimmed(0.1), 9, "leaves out 0 of them at either end"],
    [trimmed(0.1), 1, "leaves out 0 of them"],
  ])("%j of %i tasks is refused", (aggregate, m, words) => {
    expect(() => robustShape(aggregate, m)).toThrow(words);
  });

  test("are written as they are read", () => {
    for (const [text, value] of [
      ["mean", { kind: "mean" }],
      ["median-of-means:5", median(5)],
      ["trimmed-mean:0.2", trimmed(0.2)],
    ] as const) {
      expect(anAggregate.accept(anAggregate.read!(text))).toEqual(value);
      expect(anAggregate.write!(value)).toBe(text);
    }
    for (const wrong of [
      "mean:2",
      "median-of-means",
      "median-of-means:4",
      "median-of-means:1",
      "trimmed-mean:0.5",
      "trimmed-mean:0",
      "other:3",
      3,
      null,
    ]) {
      expect(anAggregate.accept(anAggregate.read!(wrong)), String(wrong)).toBeUndefined();
    }
  });
});

/** A run's vectors, one task's other vector, and an aggregate that they are enough for. */
const neighbours = fc.integer({ min: 6, max: 24 }).chain((m) =>
  fc.integer({ min: 1, max: 4 }).chain((d) => {
    const vector = fc.array(
      fc.oneof(fc.double({ min: -2, max: 2, noNaN: true }), fc.constantFrom(0, -0, 1, -1, 1e-300)),
      { minLength: d, maxLength: d },
    );
    return fc.record({
      vectors: fc.array(vector, { minLength: m, maxLength: m }),
      other: vector,
      task: fc.nat({ max: m - 1 }),
      seed: fc.nat(),
      aggregate: fc.oneof(
        fc
          .constantFrom(0.05, 0.2, 0.35, 0.49)
          .filter((share) => share * m >= 1)
          .map(trimmed),
        fc
          .constantFrom(3, 5, 7, 9, 11)
          .filter((groups) => 2 * groups <= m)
          .map(median),
      ),
    });
  }),
);

/** An order that a seed gives. */
const shuffled = (seed: number) => (_round: number, m: number) =>
  straight(1, m)
    .map((i) => [((i + 1) * (2 * (seed % 1000) + 1) * 7919) % 10007, i] as const)
    .sort(([one], [two]) => one - two)
    .map(([, i]) => i);

describe("how little one task moves them", () => {
  test("no more than it moves the plain sum, in l2 and in l1, rounding as accounted", () => {
    fc.assert(
      fc.property(neighbours, ({ vectors, other, task, seed, aggregate }) => {
        const one = vectors.map((v) => held(v, 1));
        const two = one.map((v, i) => (i === task ? held(other, 1) : v));
        const sums = [one, two].map((rows) => combined(aggregate, rows, shuffled(seed)).sum);
        const moved = sums[0]!.map((value, j) => value - sums[1]![j]!);
        const own = one[task]!.map((value, j) => value - two[task]![j]!);
        const rounding = 2 * (one.length + 2) * 2 ** -53 * one.length;
        moved.forEach((value, j) =>
          expect(Math.abs(value)).toBeLessThanOrEqual(Math.abs(own[j]!) + rounding),
        );
        const { sensitivity } = computedStatistic(
          {
            statistic: "vector",
            tasks: one.length,
            dimension: moved.length,
            clip: 1,
            delta: 1e-5,
            adjacency: "replace",
          } as Parameters<typeof computedStatistic>[0],
          "frobenius",
        );
        expect(norm(moved)).toBeLessThanOrEqual(sensitivity);
      }),
      { seed: 18, numRuns: 2000 },
    );
  });

  test("and some move as much: the bound is not loose", () => {
    const rest = Array.from({ length: 10 }, (_, i) => [i < 5 ? -1 : 1]);
    const at = (value: number) => combined(trimmed(0.2), [[value], ...rest]).sum[0]!;
    expect(at(1) - at(-1)).toBe(2);
  });

  test("a plain sum of the kept tasks would not do with the divisor of all: noise is of what is kept", () => {
    for (const [aggregate, m] of [
      [trimmed(0.1), 100],
      [median(5), 103],
    ] as const) {
      const { divisor } = robustShape(aggregate, m)!;
      // One task moves the mean by 2 K / divisor, which the noise is divided by.
      const rows = Array.from({ length: m }, (_, i) => [((i * 37) % 101) / 101 - 0.5]);
      let most = 0;
      for (let task = 0; task < m; task++) {
        const moved = [-1, 1].map((value) => combined(aggregate, rows.map((v, i) => (i === task ? [value] : v))).mean[0]!); // prettier-ignore
        most = Math.max(most, moved[1]! - moved[0]!);
      }
      expect(most).toBeLessThanOrEqual(2 / divisor + 1e-12);
    }
  });
});

describe("how little liars move them", () => {
  const honest = Array.from({ length: 100 }, (_, i) => [
    0.3 + 0.02 * Math.sin(i),
    -0.1 + 0.02 * Math.cos(3 * i),
  ]);
  const lying = (count: number) => honest.map((v, i) => (i % 10 < count ? [-1, 0] : v));

  test("up to the share that is left out, whatever they say", () => {
    const plain = (rows: readonly number[][]) =>
      rows.reduce((sum, v) => sum + v[0]!, 0) / rows.length;
    expect(plain(lying(1))).toBeLessThan(0.18);
    for (const liars of [1, 2]) {
      const { mean } = combined(trimmed(0.25), lying(liars));
      // Kept values lie between honest ones: within the honest spread.
      expect(mean[0]).toBeGreaterThan(0.28);
      expect(mean[0]).toBeLessThan(0.32);
    }
  });

  test("of few in random groups: most groups have none of them", () => {
    const one = honest.map((v, i) => (i === 7 || i === 50 ? [-1, 0] : v));
    expect(combined(median(9), one, shuffled(3)).mean[0]).toBeGreaterThan(0.28);
  });
});
