/** What is stated of the fixed effects of labels: how far off the tasks that took part, the noise and a wide prior leave it. */
import { describe, expect, test } from "vitest";
import { StatedEffects } from "../../../../../../src/learning/families/mixed/labels/effects/stated-effects.js";
import { MixedModel, MpMixed } from "../../../../../../src/learning/index.js";
import { generator } from "../../../../../../bench/uniform-draws.js";
import { LEFT_OUT, someOf, thorough } from "../../../../../thorough.js";
import { drawnTasks } from "../drawn-labels.js";

/** Effects after as many scores as are asked, each of information 40 a coordinate and noise of the given deviation. */
function after(asked: number, noise: number, start: Float64Array): StatedEffects {
  const d = start.length;
  const diagonal = (value: number) =>
    Float64Array.from({ length: d * d }, (_, at) => (at % (d + 1) ? 0 : value));
  const stated = new StatedEffects(start, asked);
  for (let round = 0; round < asked; round++) {
    stated.receive({
      sum: new Float64Array(d).fill(12),
      deviation: noise,
      at: new Float64Array(d),
      context: {
        clip: 1,
        weight: 1,
        scales: new Float64Array(d).fill(1),
        metric: { directions: diagonal(1), factors: new Float64Array(d).fill(1) },
        pooled: { information: diagonal(40), errors: diagonal(0) },
      },
    });
  }
  return stated;
}

test("two rounds of the same tasks tell no more of a population than one, but average their noise", () => {
  // Before them next to nothing is known, so the effect is the mean of the two steps of Newton's method.
  const of = (noise: number) => after(2, noise, Float64Array.of(1e6)).belief();
  expect(of(0).mean[0]).toBeCloseTo(12 / 40, 6);
  expect(of(0).covariance[0]).toBeCloseTo(1 / 40, 6);
  expect(of(8).covariance[0]).toBeCloseTo(1 / 40 + 8 ** 2 / 2 / 40 ** 2, 6);
});

test("effects of which nothing was learned are as unsure as their prior is wide, wider only where tasks' models are larger", () => {
  const deviations = (start: Float64Array) => {
    const { mean, covariance } = after(1, 1e6, start).belief();
    mean.forEach((value) => expect(Math.abs(value)).toBeLessThan(1e-6));
    return [0, 1].map((j) => Math.sqrt(covariance[3 * j]!));
  };
  for (const [start, wanted] of [
    [0.01, [3, 3]],
    [25, [5, 5]],
  ] as const) {
    const found = deviations(new Float64Array(2).fill(start));
    found.forEach((value, j) => expect(value).toBeCloseTo(wanted[j]!, 6));
  }
});

test("effects that grow by a factor grow in what was measured of them", () => {
  const start = new Float64Array(2).fill(1e6);
  const [one, other] = [after(1, 3, start), after(1, 3, start)];
  other.rescale(2);
  other
    .belief()
    .mean.forEach((value, j) => expect(value / one.belief().mean[j]!).toBeCloseTo(2, 6));
  const [before, now] = [one.belief().covariance, other.belief().covariance];
  expect(now[0]! / before[0]!).toBeCloseTo(4, 6);
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

// 32 squares of mean 1: a false alarm in 10,000 at most, were the errors exact, and the seed is fixed.
describe.skipIf(!thorough)(`where the budget is large ${LEFT_OUT}`, () => {
  test.each([8, Infinity])("errors are of the size that is stated, at eps %d", async (epsilon) => {
    const found = await squareOfZ(epsilon, ORDINARY, 16);
    expect(found).toBeGreaterThan(0.3);
    expect(found).toBeLessThan(2);
  });
});

// 8 squares: a false alarm in 10,000 were the errors exact, and the seed is fixed. Errors that take the scales for known have 6.3 and 6.5.
test.each(someOf([8, Infinity], 2))(
  "effects that make nearly every label of a task the same are off by as much as their scales are unknown, at eps %d",
  async (epsilon) => {
    expect(await squareOfZ(epsilon, STRONG, 4)).toBeLessThan(4);
  },
);

/** Mean square of the errors of two slopes by their standard errors, of so many fits to tasks of seven rows. */
async function squareAtSmallBudget(declared: boolean, fits: number): Promise<number> {
  const { uniform, normal } = generator(5);
  const truth = [1.2, -0.8];
  let sum = 0;
  for (let fit = 0; fit < fits; fit++) {
    const { train } = drawnTasks(100, ["no", "yes"], (i) => {
      const w = truth.map((effect) => effect + 0.3 * normal());
      const b = normal() - 0.4;
      const rows = Array.from({ length: 7 }, () => [normal(), normal()]);
      const x = rows.map(([u, v]) =>
        declared ? [0.4 * u!, 0.4 * v!] : [1990 + 9 * u!, 0.02 * v! - 3],
      );
      const y = rows.map(([u, v]) =>
        uniform() < 1 / (1 + Math.exp(-w[0]! * u! - w[1]! * v! - b!)) ? "yes" : "no",
      );
      return { train: { name: `${i}`, x, y }, held: { name: `${i}`, x, y } };
    });
    const model = await new MpMixed({
      loss: "logistic",
      epsilon: 0.5,
      delta: 1e-3,
      scale: declared ? "unit" : "auto",
      random: { mode: "seeded", seed: fit },
    }).fit(train);
    expect(model.components["untold"] === undefined).toBe(declared);
    model
      .summary()
      .coefficients.slice(0, 2)
      .forEach(({ estimate, standardError }, j) => {
        const size = declared ? 0.4 : [9, 0.02][j]!;
        sum += ((estimate - truth[j]! / size) / standardError!) ** 2 / (2 * fits);
      });
  }
  return sum;
}

// 12 squares of mean 1, or 4 unless all are asked for: a false alarm in 100 were the errors exact, and the seed is fixed. Effects drawn
// to zero had 3 to 5.
const small = [
  ["by differences", false],
  ["of declared size", true],
] as const;
test.each(someOf<(typeof small)[number]>(small, 2))(
  "at small budgets effects %s are off by no more than is stated",
  async (_, declared) => {
    expect(await squareAtSmallBudget(declared, thorough ? 6 : 2)).toBeLessThan(
      thorough ? 2.2 : 3.3,
    );
  },
);
