/** What one record has of a plan whose noise hides tasks: closed forms of Gaussian noise. */
import { expect, test } from "vitest";
import { planReleases } from "../../../src/learning/release/plan-releases.js";
import { withRecordAccount } from "../../../src/learning/release/record-account.js";
import { epsilonOf, gaussianEpsilon, gaussianEvent } from "../../../src/privacy/index.js";

const options = {
  epsilon: 2,
  delta: 1e-5,
  adjacency: "replace",
  mechanism: "auto",
  noise: "float",
  random: { mode: "seeded", seed: "account" },
} as const;
const sizes = { m: 50, d: 4, clip: 6 };
const plan = planReleases({
  options,
  tasks: 50,
  stages: [
    { ...sizes, statistic: "vector", rounds: 3, budgetShare: 0.4, label: "first" },
    { ...sizes, statistic: "moment", rounds: 2 },
  ],
});

/** sigma of every release, and the change that a bound of 1 allows: 2 of a vector, sqrt(2) of a moment. */
const noises = plan.stages.flatMap(({ events, statistic }) =>
  events.map((event) => ({
    sigma: (event as { sigma: number }).sigma,
    change: statistic === "vector" ? 2 : Math.SQRT2,
    whole: (event as { sensitivity: number }).sensitivity,
  })),
);
const epsilonFor = (changeOf: (one: (typeof noises)[number]) => number) =>
  gaussianEpsilon(Math.sqrt(noises.reduce((sum, one) => sum + (changeOf(one) / one.sigma) ** 2, 0)), 1e-5); // prettier-ignore

test("a record is accounted with its own bound over all releases, at the plan's delta", () => {
  expect(noises).toHaveLength(5);
  for (const clip of [0.5, 1, 2]) {
    const { recordOf, ...rest } = withRecordAccount(plan, { records: 500, clip });
    expect(recordOf!.delta).toBe(1e-5);
    expect(recordOf!.epsilon / epsilonFor(({ change }) => clip * change)).toBeCloseTo(1, 6);
    expect(rest).toEqual(plan);
  }
});

test("no record moves a sum by more than its task does, a person in several tasks by as many tasks", () => {
  const person = { rowsPerPerson: 2, tasksPerPerson: 3 };
  const epsilon = (clip: number, given?: typeof person) =>
    withRecordAccount(plan, { records: 500, clip, person: given }).recordOf!.epsilon;
  expect(epsilon(100) / epsilonFor(({ whole }) => whole)).toBeCloseTo(1, 6);
  expect(epsilon(100, person) / epsilonFor(({ whole }) => 3 * whole)).toBeCloseTo(1, 6);
  expect(epsilon(1, person)).toBe(epsilon(1));
  expect(withRecordAccount(plan, { records: 500, clip: 1, person }).person).toEqual(person);
  expect("person" in withRecordAccount(plan, { records: 500, clip: 1 })).toBe(false);
  // That is what the accountant says of the same noise.
  const events = noises.map(({ sigma, whole: sensitivity }) => gaussianEvent({ sigma, sensitivity, adjacency: "replace" })); // prettier-ignore
  expect(epsilon(100)).toBeCloseTo(epsilonOf(events, { delta: 1e-5 }), 12);
});

test("a record that adds nothing may move its task's upload twice as far as to zero", () => {
  // Rows of 2 and of -1 of a task whose upload is held to 1: with both of them 1, without the first -1.
  const zeroOut = planReleases({
    options: { ...options, adjacency: "zero-out" },
    tasks: 50,
    stages: [{ ...sizes, clip: 1, statistic: "vector", rounds: 1 }],
  });
  const [event] = zeroOut.stages[0]!.events as unknown as { sigma: number }[];
  const epsilonAt = (clip: number) =>
    withRecordAccount(zeroOut, { records: 500, clip }).recordOf!.epsilon;
  for (const clip of [0.5, 1, 1.5, 2])
    expect(epsilonAt(clip) / gaussianEpsilon(clip / event!.sigma, 1e-5)).toBeCloseTo(1, 6);
  expect(epsilonAt(3)).toBe(epsilonAt(2));
});

test("noise that is not Gaussian is refused", () => {
  const pure = planReleases({
    options: { ...options, delta: 0 },
    tasks: 50,
    stages: [{ ...sizes, statistic: "vector", rounds: 1 }],
  });
  expect(() => withRecordAccount(pure, { records: 9, clip: 1 })).toThrow('got "spherical-laplace"');
});
