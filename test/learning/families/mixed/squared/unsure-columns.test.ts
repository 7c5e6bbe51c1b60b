import { describe, expect, test } from "vitest";
import { UnsureColumns } from "../../../../../src/learning/families/mixed/squared/unsure-columns.js";

const identity = (d: number, by = 1) =>
  Float64Array.from({ length: d * d }, (_, at) => (at % (d + 1) === 0 ? by : 0));

/** Scores of effects of 1 at 0 and on the way, of columns that tell such parts of what is predicted, 100 each. */
function seen(parts: readonly number[], at: readonly number[], noise: number) {
  const d = parts.length + 1;
  const columns = new UnsureColumns(d);
  for (const effect of at) {
    const score = Float64Array.from({ length: d }, (_, c) =>
      c === d - 1 ? 0 : 100 * parts[c]! * (1 - effect),
    );
    const effects = Float64Array.from({ length: d }, (_, c) => (c === d - 1 ? 0 : effect));
    const information = { matrix: identity(d, 100), variance: 0 };
    columns.add(
      { effects, toBasis: identity(d), information, score, deviation: Math.sqrt(noise) },
      noise,
    );
  }
  return columns.factors(new Float64Array(d).fill(1), [], new Float64Array(d).fill(0.001), 2)!;
}

describe("columns that tell less than is predicted", () => {
  test("where all is as predicted, little is added to errors", () => {
    const factors = seen([1, 1], [0, 0.5, 0.9], 4);
    expect(factors[0]).toBeGreaterThan(0.6);
    expect(factors[0]).toBeLessThan(1.1);
  });

  test("scores that keep pointing the same way make its error larger, of that column alone", () => {
    // Taken for a tenth of the effect, and again for a tenth of what is left.
    const factors = seen([0.1, 1], [0, 0.1, 0.2], 4);
    expect(factors[0]).toBeGreaterThan(2);
  });

  test("where noise says nothing of it, errors are wider than predicted", () => {
    const factors = seen([1, 1], [0], 100 ** 2);
    expect(factors[0]).toBeGreaterThan(1);
  });

  test("with too many columns nothing is said, and a declared one stays as it is", () => {
    expect(seen(new Array<number>(100).fill(1), [0], 4)).toBeUndefined();
    const d = 2;
    const columns = new UnsureColumns(d);
    const information = { matrix: identity(d, 100), variance: 0 };
    const zero = new Float64Array(d);
    columns.add({ effects: zero, toBasis: identity(d), information, score: zero, deviation: 1 }, 1);
    expect(columns.factors(new Float64Array(d).fill(1), [0], zero, 2)).toEqual(
      new Float64Array(d).fill(1),
    );
  });
});
