/** Medians, their standard errors, and shares of the way that benches print. */
import { describe, expect, it } from "vitest";

type List = readonly number[];
interface Means {
  mean: (list: List) => number;
  median: (list: List) => number;
  standardError: (list: List) => number;
  bootstrapError: (list: List, statistic: (drawn: List) => number) => number;
}
interface Closed {
  closedShares: (given: {
    alone: List;
    references: readonly List[];
    found: readonly List[];
  }) => number[][] | undefined;
  worseWithMore: (found: readonly List[], epsilons: List) => string[];
}

const load = async <T>(file: string) =>
  (await import(
    /* @vite-ignore */ new URL(`../../bench/accuracy/${file}`, import.meta.url).href
  )) as T;

const { mean, median, standardError, bootstrapError } = await load<Means>("means.js");
const { closedShares, worseWithMore } = await load<Closed>("tables/closed.js");

describe("median", () => {
  it("is the middle value, or the middle of two", () => {
    expect(median([9, 1, 10])).toBe(9);
    expect(median([10, 9, 2, 1])).toBe(5.5);
  });
});

describe("bootstrapError", () => {
  const list = Array.from({ length: 40 }, (_, k) => (k * 17) % 40);

  it("is that of the mean in closed form, within five of its own errors", () => {
    const exact = standardError(list) * Math.sqrt((list.length - 1) / list.length);
    // The error of a standard deviation of 2000 values is 1 / sqrt(4000) of it.
    expect(Math.abs(bootstrapError(list, mean) / exact - 1)).toBeLessThan(5 / Math.sqrt(4000));
  });

  it("prints the same again", () => {
    expect(bootstrapError(list, median)).toBe(bootstrapError(list, median));
  });
});

describe("closedShares", () => {
  const alone = [1, 1.2, 1.1];

  it("is 0 for alone, 1 for the best reference, between them by its mean way", () => {
    const best = [0.8, 0.9, 0.7];
    const shares = closedShares({
      alone,
      references: [[0.9, 1, 0.9], best, [0.1, NaN, 0.1]],
      found: [alone, best, alone.map((value, k) => value + 0.15 * (k - 1) - 0.15)],
    })!;
    const [none, whole, half] = shares.map(mean);
    expect(none).toBe(0);
    expect(whole).toBeCloseTo(1, 12);
    // The way is .3 in the mean.
    expect(half).toBeCloseTo(0.5, 12);
  });

  it("says nothing where the way is within a standard error of 0", () => {
    const reference = [0.7, 1.6, 0.9];
    expect(closedShares({ alone, references: [reference], found: [alone] })).toBeUndefined();
  });
});

describe("worseWithMore", () => {
  it("names neighbouring budgets whose paired difference stands out of its chance, and by how much", () => {
    const errors = [
      [10, 20, 30],
      [11, 21.5, 31.5],
      // As much in the mean, but by one split alone.
      [11, 21.5, 35.5],
      [9, 12, 13],
    ];
    expect(worseWithMore(errors, [0.3, 1, 3, 10])).toEqual(["eps 1 than 0.3 by 6.7 %"]);
    expect(worseWithMore(errors.slice(0, 1), [1])).toEqual([]);
  });
});
