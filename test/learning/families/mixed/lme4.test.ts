/** The mixed model without noise beside lme4's `lmer` on simulated tasks: numbers by R 4 and lme4, maximum of the restricted likelihood. */
import { expect, test } from "vitest";
import { TaskSet } from "../../../../src/data/index.js";
import { MixedModel } from "../../../../src/learning/index.js";

/** Park and Miller's generator, which R's doubles hold, too. */
let state = 20;
const uniform = () => (state = (state * 16807) % 2147483647) / 2147483647;
const normal = () => Array.from({ length: 12 }, uniform).reduce((sum, value) => sum + value, -6);

const tasks = Array.from({ length: 60 }, (_, i) => {
  const w = [-0.4 + 0.7 * normal(), 0.8 + 0.3 * normal(), -0.5 + 0.3 * normal()];
  const x: number[][] = [];
  const y = Array.from({ length: 8 }, () => {
    const row = [4 * uniform() - 2, 4 * uniform() - 2];
    x.push(row);
    return w[0]! + w[1]! * row[0]! + w[2]! * row[1]! + 0.5 * normal();
  });
  return { name: `${i + 1}`, x, y };
});
const model = await new MixedModel({ scale: "unit" }).fit(TaskSet.from(tasks));

/** lmer(y ~ x1 + x2 + (1 | id) + (0 + x1 | id) + (0 + x2 | id)): slopes, the intercept last. */
const LMER = {
  effects: [0.81167273, -0.53368419, -0.37000347],
  errors: [0.050066348, 0.046304954, 0.085834952],
  deviations: [0.34031, 0.30703, 0.63286],
  models: {
    "1": [0.7600649, -0.5673294, -0.4774143],
    "7": [0.8718139, -0.5020525, 0.9366678],
    "30": [0.9033876, -0.4785069, -0.1786364],
  },
} as const;

test("effects, their standard errors and the deviations between tasks are about those of lmer", () => {
  model.summary().coefficients.forEach(({ estimate, standardError, betweenTasks }, c) => {
    // Noises of tasks differ here, so heavy tails count less.
    expect(Math.abs(estimate - LMER.effects[c]!)).toBeLessThan(0.5 * LMER.errors[c]!);
    expect(Math.abs(Math.log(standardError! / LMER.errors[c]!))).toBeLessThan(0.15);
    expect(Math.abs(Math.log(betweenTasks / LMER.deviations[c]!))).toBeLessThan(0.15);
  });
});

test("tasks' own models are about its predictions of the random effects", () => {
  for (const [name, expected] of Object.entries(LMER.models)) {
    const i = model.taskNames.indexOf(name);
    const own = [...model.weights.subarray(2 * i, 2 * i + 2), model.intercepts![i]!];
    // A third of the deviation that they have given eight rows.
    own.forEach((value, c) => expect(Math.abs(value - expected[c]!)).toBeLessThan(0.08));
  }
});
