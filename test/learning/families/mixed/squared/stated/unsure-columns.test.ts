import { describe, expect, test } from "vitest";
import {
  partTold,
  varianceTold,
} from "../../../../../../src/learning/families/mixed/squared/stated/column-kinds.js";
import { clipWeight } from "../../../../../../src/learning/families/mixed/squared/clip-weight.js";
import { UnsureColumns } from "../../../../../../src/learning/families/mixed/squared/stated/unsure-columns.js";

const M = 100;
const diagonal = (values: readonly number[]) =>
  Float64Array.from({ length: values.length ** 2 }, (_, at) =>
    at % (values.length + 1) === 0 ? values[at / (values.length + 1)]! : 0,
  );

interface Seen {
  /** What columns tell of what is predicted. */
  readonly parts: readonly number[];
  /** Where scores are taken. */
  readonly at: readonly number[];
  /** Variance of the noise on scores, and deviation of that on information, where that is released. */
  readonly noise: number;
  readonly information?: number;
  /** The curvature along the first column, of what is predicted, and its noise. */
  readonly curvature?: number;
  readonly rough?: number;
  readonly perTask?: readonly number[];
  /** The effect that models use in the end. */
  readonly used?: number;
}

/** What is stated where scores are of effects of 1, and of an intercept of 0; each task tells 10 of each, clips leave all. */
function seen({
  parts,
  at,
  noise,
  information,
  curvature = 1,
  rough = 10,
  perTask,
  used = 1,
}: Seen) {
  const d = parts.length + 1;
  const whole = [...parts, 1];
  const told = diagonal(whole.map(() => 10));
  const covariance = diagonal(whole.map(() => 0.01));
  const columns = new UnsureColumns({ m: M, d, meanRows: d, perTask });
  for (const effect of at) {
    const effects = Float64Array.from(whole, (_, c) => (c === d - 1 ? 0 : effect));
    const score = effects.map((_, c) => (c === d - 1 ? 0 : 10 * M * parts[c]! * (1 - effect)));
    columns.add(
      {
        effects,
        score,
        told,
        spread: covariance,
        bound: 1e4,
        toBasis: diagonal(whole.map(() => 1)),
        information:
          information === undefined
            ? undefined
            : { sum: diagonal(whole.map((part) => 10 * M * part)), noise: information },
        curvature: {
          along: effects.map((_, c) => (c === 0 ? 1 : 0)),
          value: 10 * M * curvature,
          noise: 10 * M * rough,
        },
      },
      noise,
    );
  }
  const mean = Float64Array.from(whole, (_, c) => (c === d - 1 ? 0 : used));
  const scales = mean.map(() => 1);
  const { statedEffects, fixedEffectsCovariance } = columns.statement({
    scales,
    mean,
    covariance,
    told,
  })!.stated;
  return {
    effects: statedEffects && [...statedEffects],
    errors: whole.map((_, c) => Math.sqrt(fixedEffectsCovariance[c * (d + 1)]!)),
  };
}

/** By the noise of that many scores and the sampling of tasks alone. */
const usual = (noise: number, scores: number) =>
  Math.sqrt(noise / (10 * M) ** 2 / scores + 0.1 / M);

describe("columns that tell less than is predicted", () => {
  test("where all is as predicted, little is added to errors", () => {
    const { effects, errors } = seen({ parts: [1, 1], at: [0, 0.7, 0.95], noise: 100 });
    expect(effects).toBeUndefined();
    expect(errors[0]).toBeGreaterThan(usual(100, 3));
    expect(errors[0]).toBeLessThan(2 * usual(100, 3));
  });

  test("scores that keep pointing the same way make its error larger, of that column alone", () => {
    // Taken for a tenth of the effect, and again for a tenth of what is left.
    const used = 0.27;
    const { errors } = seen({ parts: [0.1, 1], at: [0, 0.1, 0.19], noise: 400, used });
    expect(1 - used).toBeLessThan(1.96 * errors[0]!);
    expect(1 - used).toBeGreaterThan(0.5 * errors[0]!);
  });

  test("an error is around the effect that models use: it counts how far that is drawn to zero", () => {
    const given = { parts: [1, 1], at: [0, 0.7, 0.95], noise: 100 };
    const [near, far] = [seen(given), seen({ ...given, used: 0.5 })];
    expect(0.5).toBeLessThan(1.96 * far.errors[0]!);
    expect(0.5).toBeGreaterThan(far.errors[0]!);
    expect(far.errors[0]).toBeGreaterThan(2 * near.errors[0]!);
  });

  test("information that was released says what it tells", () => {
    const given = { parts: [0.1, 1], at: [0, 0.7], noise: 2500 };
    const [told, open] = [seen({ ...given, information: 50 }), seen(given)];
    expect(told.errors[0]).toBeLessThan(open.errors[0]!);
    const used = 0.73;
    const { errors } = seen({ ...given, information: 50, used });
    expect(1 - used).toBeLessThan(1.96 * errors[0]!);
  });

  test("a curvature along the step says whether it was as long as predicted", () => {
    const unsure = { parts: [1, 1], at: [0], noise: 1e5 };
    const [open, told] = [seen(unsure), seen({ ...unsure, rough: 0.1 })];
    expect(told.errors[0]).toBeLessThan(open.errors[0]!);
    expect(told.errors[1]! / open.errors[1]!).toBeCloseTo(1, 1);
  });

  test("where noise says nothing of it, errors are wider than predicted", () => {
    const { errors } = seen({ parts: [1, 1], at: [0], noise: 1e4 });
    expect(errors[0]).toBeGreaterThan(1.15 * usual(1e4, 1));
  });

  test("of a declared one it is known what it tells, and with many columns all are as predicted", () => {
    const noisy = { parts: [1, 1], at: [0], noise: 3e5 };
    expect(seen({ ...noisy, perTask: [0] }).errors[0]).toBeLessThan(0.8 * seen(noisy).errors[0]!);
    const same = { parts: [0.1, 1], at: [0, 0.1, 0.19], noise: 400, used: 0.27 };
    const many = [0.1, ...new Array<number>(40).fill(1)];
    expect(seen({ ...same, parts: many }).errors[0]).toBeLessThan(0.5 * seen(same).errors[0]!);
  });

  test("of a declared one what scores say is stated, of others the effect that models use", () => {
    const given = { parts: [1, 1], at: [0, 0.7, 0.95], noise: 100, used: 0.5 };
    const { effects } = seen({ ...given, perTask: [0] });
    expect(effects![0]).toBeCloseTo(1, 1);
    expect(effects!.slice(1)).toEqual([0.5, 0]);
  });

  test("nothing is stated before the first score", () => {
    const columns = new UnsureColumns({ m: M, d: 1, meanRows: 1 });
    const one = Float64Array.of(1);
    expect(
      columns.statement({ scales: one, mean: one, covariance: one, told: one }),
    ).toBeUndefined();
  });
});

describe("what tasks tell of a column", () => {
  test("in a part of its range: less with its square, as far as the prior does not decide", () => {
    // Rows leave .01 unsure of the coefficient, and 25 times that in a fifth of the range.
    const wide = { spread: 100, told: 1 / 100.01, ofIntercept: 1 };
    const narrow = { spread: 0.01, told: 1 / 0.02, ofIntercept: 1 };
    expect(partTold(25, wide)).toBeCloseTo(100.01 / 100.25, 9);
    expect(partTold(25, narrow)).toBeCloseTo(0.02 / 0.26, 9);
    expect(varianceTold(25, narrow)).toBeCloseTo(0.26, 9);
    expect(partTold(1, narrow)).toBe(1);
  });

  test("constant within tasks: what the intercept tells times its square, 4/3 in the mean", () => {
    const told = { spread: 1e-9, told: 10, ofIntercept: 0.5 };
    expect(partTold("constant", told)).toBeCloseTo((0.5 * 4) / 3 / 10, 2);
    expect(partTold("constant", { ...told, told: 0.1 })).toBe(1);
  });
});

test("a clip's weight is the mean of bound by norm, and less of it turns with the effects", () => {
  const d = 3;
  const identity = diagonal([1, 1, 1]);
  const none = new Float64Array(d * d);
  const at = { effects: new Float64Array(d), spread: none, told: identity, inverse: identity };
  const found = { mean: new Float64Array(d), covariance: none };
  expect(clipWeight({ ...at, bound: 100 }, found, d)).toMatchObject({ weight: 1, turned: 1 });
  // Of three normals, the mean of 1 / norm is the root of 2 / pi.
  const { weight, turned } = clipWeight({ ...at, bound: 0.1 }, found, d);
  expect(weight / 0.1).toBeGreaterThan(0.9 * Math.sqrt(2 / Math.PI));
  expect(weight / 0.1).toBeLessThan(1.1 * Math.sqrt(2 / Math.PI));
  expect(turned).toBeCloseTo(2 / 3, 9);
  // Effects far from where scores are taken make these longer.
  const far = { ...found, mean: Float64Array.of(5, 0, 0) };
  expect(clipWeight({ ...at, bound: 0.1 }, far, d).weight).toBeLessThan(0.5 * weight);
});
