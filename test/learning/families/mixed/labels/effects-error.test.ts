/** Standard errors of the fixed effects of labels: what the tasks that took part and the noise leave unsure. */
import { expect, test } from "vitest";
import { effectsError } from "../../../../../src/learning/families/mixed/labels/effects-error.js";
import {
  fixedEffects,
  type Measurement,
} from "../../../../../src/learning/families/mixed/labels/logistic-scores.js";
import { MixedModel, MpMixed } from "../../../../../src/learning/index.js";
import { generator } from "../../../uniform-draws.js";
import { someOf, thorough } from "../../../../thorough.js";
import { drawnTasks } from "./drawn-labels.js";

/** Scores of one effect in two rounds, with information 40 and noise of the given deviation in each. */
const rounds = (noise: number): Measurement[] =>
  [1, 2].map(() => ({
    ...{ design: Float64Array.of(40), value: Float64Array.of(12) },
    ...{ error: Float64Array.of(40 / 2 + noise ** 2), sampling: Float64Array.of(Math.sqrt(40)) },
  }));

test("two rounds of the same tasks tell no more of a population than one, but average their noise", () => {
  // Before them next to nothing is known, so the effect is the mean of the two steps of Newton's method.
  const of = (noise: number) => {
    const all = rounds(noise);
    return effectsError(all, fixedEffects(all, Float64Array.of(1e6)), 2)[0]!;
  };
  expect(of(0)).toBeCloseTo(1 / 40, 6);
  expect(of(8)).toBeCloseTo(1 / 40 + 8 ** 2 / 2 / 40 ** 2, 6);
});

test("a slope that is drawn to zero is off by as much as slopes are large", () => {
  const [d, noise] = [3, 0.5];
  const diagonal = (value: number) =>
    Float64Array.from({ length: d * d }, (_, at) => (at % (d + 1) ? 0 : value));
  // Of two slopes one stands out, so that some slopes are large.
  const measured = {
    ...{ design: diagonal(1), value: Float64Array.of(0, 3, 1) },
    ...{ error: diagonal(noise), sampling: new Float64Array(d * d) },
  };
  const belief = fixedEffects([measured], Float64Array.of(1, 1, 1));
  const error = effectsError([measured], belief, 1);
  const [kept, free] = [belief.gain[0]!, belief.unmeasured[0]!];
  expect(kept).toBeLessThan(0.3);
  expect(free).toBeGreaterThan(3 * belief.prior[0]!);
  expect(error[0]).toBeCloseTo(kept ** 2 * noise + (1 - kept) ** 2 * free, 9);
  expect(error[0]).toBeGreaterThan(2 * belief.covariance[0]!);
  // Of the one that stands out it is the noise.
  expect(error[4]).toBeCloseTo(belief.covariance[4]!, 1);
});

/** A slope and an intercept of a population, and how far tasks lie apart in each. */
interface Population {
  readonly truth: readonly [number, number];
  readonly spread: readonly [number, number];
}

/** Mean square of (estimate - truth) / standard error over replicated fits, of slope and intercept. */
async function squareOfZ(
  epsilon: number,
  { truth, spread }: Population,
  fits: number,
): Promise<number> {
  const { uniform, normal } = generator(21);
  let sum = 0;
  for (let fit = 0; fit < fits; fit++) {
    const { train } = drawnTasks(80, ["no", "yes"], (i) => {
      const [w, b] = [truth[0] + spread[0] * normal(), truth[1] + spread[1] * normal()];
      const x = Array.from({ length: 6 }, () => [2 * uniform() - 1]);
      const y = x.map(([a]) => (uniform() < 1 / (1 + Math.exp(-w * a! - b)) ? "yes" : "no"));
      const rows = { name: `${i}`, x, y };
      return { train: rows, held: rows };
    });
    const given = { loss: "logistic", scale: "unit" } as const;
    const random = { mode: "seeded", seed: fit } as const;
    const model =
      epsilon === Infinity
        ? await new MixedModel(given).fit(train)
        : await new MpMixed({ ...given, epsilon, delta: 1e-3, random }).fit(train);
    model.summary().coefficients.forEach(({ estimate, standardError }, j) => {
      sum += ((estimate - truth[j]!) / standardError!) ** 2 / (2 * fits);
    });
  }
  return sum;
}

const ORDINARY: Population = { truth: [1, -0.4], spread: [0.3, 1] };
const STRONG: Population = { truth: [-8, 1], spread: [1, 4] };

// 32 squares of mean 1, or 16 unless all are asked for: a false alarm in 10,000 or 2,000 at most, were the errors exact, and the
// seed is fixed. Effects are drawn to zero at small budgets, which no standard error holds.
test.each(someOf([8, Infinity], 2))(
  "errors are of the size that is stated, at eps %d",
  async (epsilon) => {
    const found = await squareOfZ(epsilon, ORDINARY, thorough ? 16 : 8);
    expect(found).toBeGreaterThan(thorough ? 0.3 : 0.2);
    expect(found).toBeLessThan(thorough ? 2 : 2.7);
  },
);

// 8 squares: a false alarm in 10,000 were the errors exact, and the seed is fixed. Errors that take the scales for known have 6.3 and 6.5.
test.each(someOf([8, Infinity], 2))(
  "effects that make nearly every label of a task the same are off by as much as their scales are unknown, at eps %d",
  async (epsilon) => {
    expect(await squareOfZ(epsilon, STRONG, 4)).toBeLessThan(4);
  },
);
