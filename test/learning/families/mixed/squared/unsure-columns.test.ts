import { describe, expect, test } from "vitest";
import { UnsureColumns } from "../../../../../src/learning/families/mixed/squared/unsure-columns.js";

const identity = (d: number, by = 1) =>
  Float64Array.from({ length: d * d }, (_, at) => (at % (d + 1) === 0 ? by : 0));

interface Seen {
  /** What columns tell of what is predicted. */
  readonly parts: readonly number[];
  /** Where scores are taken. */
  readonly at: readonly number[];
  /** Variance of the noise on scores. */
  readonly noise: number;
  /** Curvatures along the first column, of 100 that are predicted, and their noise. */
  readonly curvature?: number;
  readonly rough?: number;
  /** What the sizes of effects are multiples of. */
  readonly scale?: number;
}

/** Factors where scores are of effects of 1, 100 each, and the stated ones are 1. */
function seen({ parts, at, noise, curvature = 100, rough = 1e4, scale = 1 }: Seen) {
  const d = parts.length + 1;
  const columns = new UnsureColumns(d);
  for (const effect of at) {
    const score = Float64Array.from({ length: d }, (_, c) =>
      c === d - 1 ? 0 : 100 * parts[c]! * (1 - effect),
    );
    const effects = Float64Array.from({ length: d }, (_, c) => (c === d - 1 ? 0 : effect));
    const information = { matrix: identity(d, 100), variance: 0 };
    const along = Float64Array.from({ length: d }, (_, c) => (c === 0 ? 1 : 0));
    columns.add(
      { effects, toBasis: identity(d), information, score, deviation: Math.sqrt(noise) },
      noise,
      { along, value: curvature, noise: rough, information: identity(d, 100) },
    );
  }
  const error = identity(d, noise / 100 ** 2 / at.length);
  const located = {
    ...{ scales: new Float64Array(d).fill(scale), error },
    mean: Float64Array.from({ length: d }, (_, c) => (c === d - 1 ? 0 : 1)),
  };
  return columns.factors(located, [], new Float64Array(d).fill(0.001), 2);
}

describe("columns that tell less than is predicted", () => {
  test("where all is as predicted, little is added to errors", () => {
    const factors = seen({ parts: [1, 1], at: [0, 0.5, 0.9], noise: 4 })!;
    expect(factors[0]).toBeGreaterThan(0.6);
    expect(factors[0]).toBeLessThan(1.1);
  });

  test("scores that keep pointing the same way make its error larger, of that column alone", () => {
    // Taken for a tenth of the effect, and again for a tenth of what is left.
    const factors = seen({ parts: [0.1, 1], at: [0, 0.1, 0.2], noise: 4 })!;
    expect(factors[0]).toBeGreaterThan(2);
    expect(factors[1]).toBeLessThan(1.1);
  });

  test("a curvature along the step says whether it was as long as predicted", () => {
    const unsure = { parts: [1, 1], at: [0], noise: 100, scale: 30 };
    const [open, told, low] = [
      seen(unsure)!,
      seen({ ...unsure, rough: 20 })!,
      seen({ ...unsure, rough: 20, curvature: 10 })!,
    ];
    expect(told[0]).toBeLessThan(0.8 * open[0]!);
    expect(low[0]).toBeGreaterThan(1.2 * open[0]!);
    expect(told[1]! / open[1]!).toBeCloseTo(1, 9);
  });

  test("where noise says nothing of it, errors are wider than predicted", () => {
    const [factor] = seen({ parts: [1, 1], at: [0], noise: 100, scale: 30 })!;
    expect(factor).toBeGreaterThan(1);
  });

  test("with too many columns nothing is said, and a declared one stays as it is", () => {
    expect(seen({ parts: new Array<number>(100).fill(1), at: [0], noise: 4 })).toBeUndefined();
    const d = 2;
    const columns = new UnsureColumns(d);
    const information = { matrix: identity(d, 100), variance: 0 };
    const zero = new Float64Array(d);
    columns.add(
      { effects: zero, toBasis: identity(d), information, score: zero, deviation: 1 },
      1,
      { along: Float64Array.of(1, 0), value: 100, noise: 1, information: identity(d, 100) },
    );
    const located = { scales: new Float64Array(d).fill(1), mean: zero, error: identity(d, 0.1) };
    expect(columns.factors(located, [0], zero, 2)).toEqual(new Float64Array(d).fill(1));
  });
});
