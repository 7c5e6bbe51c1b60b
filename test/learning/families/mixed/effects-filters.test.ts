import { describe, expect, test } from "vitest";
import {
  averageFilters,
  startFilters,
  updateFilters,
} from "../../../../src/learning/families/mixed/effects-filters.js";
import { EFFECTS } from "../../../../src/learning/families/mixed/squared-settings.js";
import { diagonal } from "../../../../src/linalg/small-matrices.js";

const d = 2;
const identity = diagonal([1, 1]);
const [slopes, intercept] = [1.5, 0.8];
/** Two releases of scores: information, score around where the effects were then, standard deviation of the noise. */
const SCORES = [
  { told: [40, 0, 0, 25], seen: [-13, 9], at: [0, 0], deviation: 11 },
  { told: [30, 6, 6, 45], seen: [-9, 12], at: [-0.2, 0.1], deviation: 14 },
];

function filtered(scores: typeof SCORES) {
  return scores.reduce(
    (filters, { told, seen, at, deviation }) =>
      updateFilters(filters, {
        ...{ effects: Float64Array.from(at), basis: identity, toBasis: identity },
        ...{ information: { matrix: Float64Array.from(told), variance: 0 }, deviation },
        score: Float64Array.from(seen),
      }),
    startFilters(diagonal([slopes, intercept])),
  );
}

/** Moments of the posterior by sums over a fine grid of effects: no filter, no matrix inverse. */
function summed(scores: typeof SCORES) {
  const normal = (x: number, variance: number) => Math.exp(-(x * x) / (2 * variance));
  const density = (x: number, variance: number, { sizes, prior }: typeof EFFECTS.slopes) =>
    sizes.reduce((sum, size, k) => {
      return sum + (prior[k]! * normal(x, size * variance)) / Math.sqrt(size * variance);
    }, 0);
  let [total, u, v, uu, uv, vv] = [0, 0, 0, 0, 0, 0];
  for (let a = -2; a <= 2; a += 0.01) {
    for (let b = -2; b <= 2; b += 0.01) {
      let p =
        density(a, slopes, EFFECTS.slopes) *
        density(b, intercept, EFFECTS.intercept as unknown as typeof EFFECTS.slopes);
      for (const { told, seen, at, deviation } of scores) {
        const [x, y] = [a - at[0]!, b - at[1]!];
        p *= normal(seen[0]! - told[0]! * x - told[1]! * y, deviation ** 2);
        p *= normal(seen[1]! - told[2]! * x - told[3]! * y, deviation ** 2);
      }
      [total, u, v] = [total + p, u + p * a, v + p * b];
      [uu, uv, vv] = [uu + p * a * a, uv + p * a * b, vv + p * b * b];
    }
  }
  const mean = [u / total, v / total];
  const cross = uv / total - mean[0]! * mean[1]!;
  return {
    mean,
    error: [uu / total - mean[0]! ** 2, cross, cross, vv / total - mean[1]! ** 2],
  };
}

describe("filters of the fixed effects under hypotheses on their size", () => {
  test.each([1, 2])("after %i scores mean and covariance are the posterior's", (count) => {
    const found = averageFilters(filtered(SCORES.slice(0, count)));
    const expected = summed(SCORES.slice(0, count));
    // The grid's step is a thirtieth of the narrowest hypothesis' deviation; the filter adds 1e-9 to the noise.
    for (let c = 0; c < d; c++) expect(found.mean[c]!).toBeCloseTo(expected.mean[c]!, 4);
    for (let k = 0; k < d * d; k++) expect(found.error[k]!).toBeCloseTo(expected.error[k]!, 4);
  });

  test("a score no larger than its noise moves the effects less than one filter of the usual width would", () => {
    const one = { ...SCORES[0]!, seen: [-8, 6] };
    const { mean } = averageFilters(filtered([one]));
    [slopes, intercept].forEach((variance, c) => {
      const told = one.told[c * 3]!;
      const usual =
        (variance * told * one.seen[c]!) / (told * variance * told + one.deviation ** 2);
      expect(mean[c]! / usual).toBeGreaterThan(0);
      expect(mean[c]! / usual).toBeLessThan(0.8);
    });
  });

  test("a score far beyond its noise moves them as far as it would under the widest hypothesis", () => {
    const far = { ...SCORES[0]!, seen: [400, -250] };
    const { mean } = averageFilters(filtered([far]));
    const widest = [
      slopes * EFFECTS.slopes.sizes.at(-1)!,
      intercept * EFFECTS.intercept.sizes.at(-1)!,
    ];
    widest.forEach((variance, c) => {
      const told = far.told[c * 3]!;
      const moved =
        (variance * told * far.seen[c]!) / (told * variance * told + far.deviation ** 2);
      expect(mean[c]! / moved).toBeCloseTo(1, 2);
    });
  });
});
