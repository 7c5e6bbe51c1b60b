import { describe, expect, test } from "vitest";
import {
  afterScore,
  startEffects,
} from "../../../../../src/learning/families/mixed/squared/effects-belief.js";
import { EFFECTS } from "../../../../../src/learning/families/mixed/squared/squared-settings.js";
import { diagonal } from "../../../../../src/linalg/small-matrices.js";

const SCALES = Float64Array.of(1.5, 0.7, 0.8);
const d = SCALES.length;
const identity = diagonal(new Float64Array(d).fill(1));

interface Score {
  /** Diagonal of the information, the score around where the effects were then, standard deviation of the noise. */
  readonly told: readonly number[];
  readonly seen: readonly number[];
  readonly at: readonly number[];
  readonly deviation: number;
}

/** Two releases. */
const SCORES: readonly Score[] = [
  { told: [40, 30, 25], seen: [-13, 2, 9], at: [0, 0, 0], deviation: 11 },
  { told: [30, 45, 45], seen: [-9, -4, 12], at: [-0.2, 0.1, 0.1], deviation: 14 },
];

const believed = (scores: readonly Score[]) =>
  scores.reduce(
    (belief, { told, seen, at, deviation }) =>
      afterScore(belief, {
        effects: Float64Array.from(at),
        toBasis: identity,
        deviation,
        information: { matrix: diagonal(told), variance: 0 },
        score: Float64Array.from(seen),
      }),
    startEffects(SCALES),
  );

/** Of one effect, by sums over a fine grid: its posterior moments, and the likelihood of every size. */
function summed(scores: readonly Score[], c: number, weights: ArrayLike<number>) {
  const { sizes } = c === d - 1 ? EFFECTS.intercept : EFFECTS.slopes;
  const parts = sizes.map((size) => {
    const variance = size * SCALES[c]!;
    const [step, reach] = [Math.sqrt(variance) / 40, 8 * Math.sqrt(variance)];
    let [total, first, second] = [0, 0, 0];
    for (let a = -reach; a <= reach; a += step) {
      let cost = (a * a) / variance;
      for (const { told, seen, at, deviation } of scores)
        cost += ((seen[c]! - told[c]! * (a - at[c]!)) / deviation) ** 2;
      const p = (Math.exp(-cost / 2) * step) / Math.sqrt(2 * Math.PI * variance);
      [total, first, second] = [total + p, first + p * a, second + p * a * a];
    }
    return { total, first, second };
  });
  const sum = (of: "total" | "first" | "second") =>
    parts.reduce((value, part, k) => value + weights[k]! * part[of], 0);
  const mean = sum("first") / sum("total");
  return {
    mean,
    variance: sum("second") / sum("total") - mean ** 2,
    sizes: parts.map(({ total }, k) => (weights[k]! * total) / sum("total")),
  };
}

/** Weights of the slopes' sizes that the effects tell, by the sums of what each says of them. */
function weightsOf(scores: readonly Score[]) {
  const { prior, count } = EFFECTS.slopes;
  let weights: readonly number[] = prior;
  for (let pass = 0; pass < 60; pass++) {
    const said = [0, 1].map((c) => summed(scores, c, weights).sizes);
    weights = prior.map((part, k) => (count * part + said[0]![k]! + said[1]![k]!) / (count + 2));
  }
  return weights;
}

describe("the fixed effects under a prior of few large ones", () => {
  test.each([1, 2])("after %i scores mean and covariance are the posterior's", (count) => {
    const scores = SCORES.slice(0, count);
    const { mean, error } = believed(scores);
    const weights = weightsOf(scores);
    for (let c = 0; c < d; c++) {
      const own = summed(scores, c, c === d - 1 ? EFFECTS.intercept.prior : weights);
      // Of coefficients that the scores do not couple, expectation propagation is exact but for the passes left out.
      expect(mean[c]!).toBeCloseTo(own.mean, 3);
      expect(error[c * (d + 1)]!).toBeCloseTo(own.variance, 3);
      for (let e = 0; e < c; e++) expect(error[c * d + e]!).toBeCloseTo(0, 12);
    }
  });

  test("with nothing said the effects are zero, as unsure as the prior is wide", () => {
    const { mean, error } = startEffects(SCALES);
    const { slopes, intercept } = EFFECTS;
    const width = ({ sizes, prior }: { sizes: readonly number[]; prior: readonly number[] }) =>
      sizes.reduce((sum, size, k) => sum + size * prior[k]!, 0);
    expect([...mean]).toEqual([0, 0, 0]);
    SCALES.forEach((scale, c) =>
      expect(error[c * (d + 1)]! / (scale * width(c === d - 1 ? intercept : slopes))).toBeCloseTo(
        1,
        4,
      ),
    );
  });

  test("a score no larger than its noise moves the effects less than a prior of one width would", () => {
    const { mean } = believed([{ ...SCORES[0]!, seen: [-8, 8, 6] }]);
    const { told, deviation } = SCORES[0]!;
    [-8, 8, 6].forEach((seen, c) => {
      const usual = (SCALES[c]! * told[c]! * seen) / (told[c]! ** 2 * SCALES[c]! + deviation ** 2);
      expect(mean[c]! / usual).toBeGreaterThan(0);
      expect(mean[c]! / usual).toBeLessThan(0.8);
    });
  });

  test("one large effect keeps its size beside others that are noise", () => {
    const seen = [400, 3, -2];
    const { told } = SCORES[0]!;
    const { mean } = believed([{ ...SCORES[0]!, seen }]);
    expect(mean[0]! / (seen[0]! / told[0]!)).toBeCloseTo(1, 1);
    expect(Math.abs(mean[1]!) / (seen[1]! / told[1]!)).toBeLessThan(0.7);
  });

  test("coupled effects without much noise are where the score says", () => {
    const belief = startEffects(SCALES);
    const matrix = Float64Array.of(40, 25, 0, 25, 30, 5, 0, 5, 20);
    const { mean, error } = afterScore(belief, {
      effects: new Float64Array(d),
      toBasis: identity,
      deviation: 1e-3,
      information: { matrix, variance: 0 },
      score: Float64Array.of(-3, 4, 2),
    });
    // Nearly no noise: the solution of G a = score.
    const score = [0, 1, 2].map((i) =>
      [0, 1, 2].reduce((sum, j) => sum + matrix[i * d + j]! * mean[j]!, 0),
    );
    [-3, 4, 2].forEach((expected, i) => expect(score[i]!).toBeCloseTo(expected, 4));
    for (let c = 0; c < d; c++) expect(error[c * (d + 1)]!).toBeLessThan(1e-6);
  });
});
