/**
 * PPSGD, PMTL of the workshop version and joint DP-SGD, at one and five rounds and with noise below rounding, against figures of
 * averaging.py, which was written from their descriptions and shares nothing with the library.
 */
import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { TaskSet } from "../../src/data/index.js";
import {
  JointDpSgd,
  makeEstimator,
  PmtlProjected,
  PpSgd,
  PrivateFedAvg,
} from "../../src/learning/index.js";
import { gaussianMu, type Guarantee } from "../../src/privacy/index.js";
import { makeTasks } from "../learning/tasks.js";
import { someOf, thorough } from "../thorough.js";

const figures = JSON.parse(
  readFileSync(new URL("./averaging.json", import.meta.url), "utf8"),
) as Record<string, number[]>;

const [m, d] = [5, 3];
const tasks = TaskSet.from(
  Array.from({ length: m }, (_, i) => ({
    name: `task-${i}`,
    x: Array.from({ length: 4 + i }, (__, j) =>
      Array.from({ length: d }, (___, k) => Math.sin(1.3 * i + 0.7 * j + 2.1 * k + 0.5)),
    ),
    y: Array.from({ length: 4 + i }, (__, j) => Math.cos(0.9 * i - 0.4 * j) * (1 + 0.3 * i)),
  })),
);

const seeded = { mode: "seeded", seed: "averaging" } as const;
const noiseless = { epsilon: 1e40, delta: 1e-6, random: seeded, intercept: false } as const;

function expectFigures(weights: Float64Array, name: string): void {
  expect(weights).toHaveLength(figures[name]!.length);
  weights.forEach((value, at) => expect(value).toBeCloseTo(figures[name]![at]!, 12));
}

describe.each(someOf([5, 1], 2))("%i rounds", (rounds) => {
  const plain = { ...noiseless, safeguard: false, rounds };

  test("PPSGD", async () => {
    const options = { ...plain, stepSize: 0.5, personalization: 0.6, clip: 0.4 };
    expectFigures((await new PpSgd(options).fit(tasks)).weights, `ppsgd ${rounds}`);
  });

  test.each([
    ["last", "projected"],
    ["average", "averaged"],
  ] as const)("PMTL of the workshop version, output %s", async (output, name) => {
    const options = {
      ...plain,
      stepSize: 0.7,
      lambda: 0.3,
      clip: 0.8,
      localSteps: 3,
      output,
      lastSteps: false,
    };
    expectFigures((await new PmtlProjected(options).fit(tasks)).weights, `${name} ${rounds}`);
  });

  test("joint DP-SGD", async () => {
    const options = { ...noiseless, rounds, stepSize: 0.5, lambda: 0.3, clip: 0.4 };
    expectFigures((await new JointDpSgd(options).fit(tasks)).weights, `joint ${rounds}`);
  });
});

test("PPSGD without personalization is FedAvg of one step", async () => {
  const common = { ...noiseless, safeguard: false, rounds: 4, clip: 0.3 };
  const one = await new PpSgd({ ...common, stepSize: 1, personalization: 0 }).fit(tasks);
  const fedavg = await new PrivateFedAvg({ ...common, stepSize: 1, localSteps: 1 }).fit(tasks);
  one.weights.forEach((value, at) => expect(value).toBeCloseTo(fedavg.weights[at]!, 12));
});

test("models of the workshop version stay in their ball", async () => {
  const options = { ...noiseless, safeguard: false, lastSteps: true, clip: 0.2, rounds: 3 };
  for (const output of ["last", "average"] as const) {
    const { weights } = await new PmtlProjected({ ...options, output }).fit(tasks);
    for (let i = 0; i < m; i++) {
      expect(Math.hypot(...weights.subarray(i * d, (i + 1) * d))).toBeLessThanOrEqual(0.2 + 1e-12);
    }
  }
});

const CASES: readonly [string, Record<string, unknown>][] = [
  ["ppsgd", { stepSize: 0.4 }],
  ["pmtl-projected", { output: "average" }],
  ["joint-dp-sgd", { stepSize: 0.4 }],
];

describe.each(CASES)("%s", (method, options) => {
  test("one task moves what is released by no more than its sensitivity", async () => {
    // Whatever the task becomes, and whatever the others are: first rounds of two fits that differ in one task.
    const size = fc.double({ min: 0.01, max: 1e3, noNaN: true });
    await fc.assert(
      fc.asyncProperty(
        size,
        size,
        fc.integer({ min: 0, max: m - 1 }),
        async (clip, scale, which) => {
          const changed = TaskSet.from(
            [...tasks].map(({ name, x, y, n }, i) => ({
              name,
              x: Array.from({ length: n }, (_, j) => Array.from(x.subarray(j * d, (j + 1) * d))),
              y: Array.from(y, (value) => (i === which ? -scale * value : value)),
            })),
          );
          const first = async (data: TaskSet) => {
            let exact = new Float64Array(0);
            const estimator = makeEstimator(method, {
              ...options,
              clip,
              rounds: 1,
              random: seeded,
              delta: 1e-6,
              safeguard: undefined,
              ...(method === "joint-dp-sgd" ? {} : { safeguard: false }),
            });
            await estimator.fit(data, {
              observe: ({ stage, values }) => {
                if (stage === "exact") exact = values.slice();
              },
            });
            return exact;
          };
          const [one, other] = [await first(tasks), await first(changed)];
          const apart = Math.hypot(...one.map((value, at) => value - other[at]!));
          expect(one.length).toBe(method === "joint-dp-sgd" ? m * d : d);
          expect(apart).toBeLessThanOrEqual(2 * clip * (1 + 1e-9));
        },
      ),
      { numRuns: 15, seed: 19 },
    );
  });

  test("is charged as one Gaussian of all rounds, exactly", async () => {
    const data = makeTasks({ m: 8, d: 3, rows: () => 5 });
    const model = await makeEstimator(method, {
      ...options,
      rounds: 7,
      epsilon: 1.5,
      delta: 1e-5,
      random: seeded,
    }).fit(data);
    const { epsilon, delta, sound } = model.guarantee as Guarantee;
    expect(sound).toBe(true);
    expect(epsilon).toBeLessThanOrEqual(1.5);
    const scale = model.history[0]!["noiseScale"]! * (method === "joint-dp-sgd" ? 1 : data.m);
    // T Gaussians of sensitivity 2 C and deviation sigma are one of mu = sqrt(T) 2 C / sigma.
    const mu = (Math.sqrt(7) * 2) / scale;
    expect(mu).toBeLessThanOrEqual(gaussianMu(1.5, 1e-5));
    expect(mu).toBeGreaterThan(0.999 * gaussianMu(1.5, 1e-5));
    expect(delta).toBeLessThanOrEqual(1e-5);
  });

  // The search for their noise takes a second a method.
  const some = thorough || method === "joint-dp-sgd";
  test.skipIf(!some)("Poisson samples are charged as the subsampled Gaussian", async () => {
    const data = makeTasks({ m: 20, d: 3, rows: () => 5 });
    const fit = (sampling: object) =>
      makeEstimator(method, {
        ...options,
        rounds: 10,
        epsilon: 1,
        delta: 1e-4,
        random: seeded,
        adjacency: "zero-out",
        sampling,
      }).fit(data);
    const [all, some] = [await fit({ kind: "all" }), await fit({ kind: "poisson", rate: 0.2 })];
    const scaleOf = (model: typeof all, expected: number) =>
      model.history[0]!["noiseScale"]! * (method === "joint-dp-sgd" ? 1 : expected);
    expect(scaleOf(some, 4)).toBeLessThan(scaleOf(all, 20) / 2);
    const replaced = { ...options, sampling: { kind: "poisson", rate: 0.2 } };
    expect(() => makeEstimator(method, replaced)).toThrow("amplification by Poisson sampling");
  });
});
