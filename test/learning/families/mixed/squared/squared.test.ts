import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { openCore } from "../../../../../src/core/index.js";
import { TaskSet } from "../../../../../src/data/index.js";
import { MpMixed, SingleTask } from "../../../../../src/learning/index.js";
import { SquaredExchange } from "../../../../../src/learning/families/mixed/squared/squared-exchange.js";
import {
  squaredReleases,
  squaredSteps,
} from "../../../../../src/learning/families/mixed/squared/squared-plan.js";
import { solveTasks } from "../../../../../src/learning/families/mixed/squared/solve/squared-solve.js";
import { TaskSpectra } from "../../../../../src/learning/families/mixed/spectra/task-spectra.js";
import { factor, multiply, transpose } from "../../../../../src/linalg/small-matrices.js";
import { receiveCovariance } from "../../../../../src/learning/families/mixed/squared/spread/squared-covariance.js";
import { COVARIANCE } from "../../../../../src/learning/families/mixed/squared/squared-settings.js";
import type { SquaredState } from "../../../../../src/learning/families/mixed/squared/squared-state.js";
import { expectNeighboursWithinSensitivity, withAnotherLastTask } from "../neighbours.js";
import { generator, mixedTasks } from "../tasks.js";
import { thorough } from "../../../../thorough.js";

/** Runs the exchange; noise in every sum where a generator is given. */
function run(tasks: ReturnType<typeof mixedTasks>, mu: number, noise?: () => number) {
  const { rows, sizes } = tasks;
  const steps = squaredSteps(sizes, mu);
  const releases = squaredReleases(steps, sizes);
  const exchange = new SquaredExchange(openCore(), rows, sizes, steps);
  const uploads = releases.map(({ statistic, length, fraction }, k) => {
    const upload = exchange.upload(k);
    const deviation = (statistic === "vector" ? 2 : Math.SQRT2) / (mu * Math.sqrt(fraction));
    const sum = new Float64Array(length);
    upload.forEach((value, at) => (sum[at % length]! += value));
    exchange.receive(
      k,
      noise ? sum.map((value) => value + deviation * noise()) : sum,
      noise ? deviation : 1e-9,
    );
    return upload;
  });
  return { releases, uploads, solved: exchange.solve() };
}

const EFFECTS = [0.8, -0.5, 0.3];

describe("the private mixed model, squared loss", () => {
  test("a task's log likelihood is that of its rows' normal distribution", () => {
    const { rows, d } = mixedTasks(3, 4, 5, EFFECTS);
    const l = factor(Float64Array.of(1, 0.2, 0, 0.2, 0.5, 0.1, 0, 0.1, 2), d);
    const zero = new Float64Array(d);
    const found: number[] = [];
    const spectra = new TaskSpectra(openCore(), rows, d);
    for (let i = 0; i < spectra.m; i++) found.push(spectra.of(i, zero, l).logLikelihood(1.7, 0.3));
    for (let i = 0; i < 4; i++) {
      const [from, to] = [rows.offsets[i]!, rows.offsets[i + 1]!];
      const n = to - from;
      const z = multiply(rows.x.subarray(from * d, to * d), l, n, d, d);
      const v = multiply(z, transpose(z, n, d), n, d, n).map(
        (value, k) => 1.7 * value + (k % (n + 1) === 0 ? 0.3 : 0),
      );
      const c = factor(v, n);
      // Forward substitution: |C^-1 y|^2 and log det.
      let cost = 0;
      const solved: number[] = [];
      for (let r = 0; r < n; r++) {
        let value = rows.y[from + r]!;
        for (let k = 0; k < r; k++) value -= c[r * n + k]! * solved[k]!;
        solved.push(value / c[r * n + r]!);
        cost += solved[r]! ** 2 + 2 * Math.log(c[r * n + r]!);
      }
      expect(found[i]).toBeCloseTo(-cost / 2, 6);
    }
  });

  test("without noise it finds the fixed effects and the noise, and the order of the variances", () => {
    const tasks = mixedTasks(7, 400, 8, EFFECTS);
    const { prior } = run(tasks, 1e6).solved;
    // Their sampling errors are about sqrt((.2^2 + .4^2 / 8) / 400) = .012, and .03 for the intercept: five of them.
    EFFECTS.forEach((effect, c) =>
      expect(Math.abs(prior.fixedEffects[c]! - effect)).toBeLessThan(c === 2 ? 0.16 : 0.07),
    );
    expect(prior.noise / 0.16).toBeGreaterThan(0.6);
    expect(prior.noise / 0.16).toBeLessThan(1.7);
    // Three Fisher steps from afar: the order of magnitude.
    expect(prior.covariance[8]! / 0.36).toBeGreaterThan(1 / 8);
    expect(prior.covariance[8]! / 0.36).toBeLessThan(8);
  });

  test("with no budget to speak of every task learns alone, or nearly so", () => {
    const tasks = mixedTasks(11, 30, 6, EFFECTS);
    const shared = run(tasks, 1e-4, generator(5)).solved.models;
    const alone = solveTasks(null, new TaskSpectra(openCore(), tasks.rows, tasks.d)).models;
    expect(errorOf(tasks, shared)).toBeLessThan(1.2 * errorOf(tasks, alone));
  });

  test.each([0, 1])(
    "a small budget costs few tasks little, be their models alike or not (%i)",
    (size) => {
      const tasks = mixedTasks(11, 30, 4, EFFECTS.map((effect) => size * effect)); // prettier-ignore
      const alone = solveTasks(null, new TaskSpectra(openCore(), tasks.rows, tasks.d)).models;
      const ratios = Array.from({ length: 8 }, (_, k) => {
        return (
          errorOf(tasks, run(tasks, 0.1, generator(k + 1)).solved.models) / errorOf(tasks, alone)
        );
      });
      // With one width for the fixed effects, and variances taken for sure, 1.15 and more.
      expect(ratios.reduce((sum, ratio) => sum + ratio, 0) / 8).toBeLessThan(1.08);
    },
  );

  test("a common noise that is fifty times too large costs a task little: its own rows tell", () => {
    const tasks = mixedTasks(19, 40, 6, EFFECTS);
    const { prior } = run(tasks, 10, generator(3)).solved;
    const errorUnder = (factor: number) => {
      const spectra = new TaskSpectra(openCore(), tasks.rows, tasks.d);
      return errorOf(tasks, solveTasks({ ...prior, noise: factor * prior.noise }, spectra).models);
    };
    // With hypotheses from a tenth of the common noise on, 1.27 times.
    expect(errorUnder(50)).toBeLessThan(1.15 * errorUnder(1));
  });

  test("at eps 1 sharing beats learning alone, and its 80 % intervals hold about 80 %", () => {
    const tasks = mixedTasks(13, 200, 4, EFFECTS);
    const mu = 0.3;
    const { models, covariances, noise } = run(tasks, mu, generator(9)).solved;
    const alone = solveTasks(null, new TaskSpectra(openCore(), tasks.rows, tasks.d)).models;
    expect(errorOf(tasks, models)).toBeLessThan(0.9 * errorOf(tasks, alone));
    const held = coverage(tasks, { models, covariances, noise });
    expect(held).toBeGreaterThan(0.72);
    expect(held).toBeLessThan(0.9);
  });

  test("under less noise the posterior is narrower, and over all hypotheses as wide as it is", () => {
    const tasks = mixedTasks(17, 40, 6, EFFECTS);
    // Variances are sure: else spread and noise stand in for each other, and a wider one may go with less of the other.
    const { noises } = run(tasks, 10, generator(3)).solved;
    const { levels, weights, parts } = noises!;
    const K = levels.length;
    let compared = 0;
    for (let i = 0; i < 40; i++) {
      const own = parts.subarray(i * K, (i + 1) * K);
      const mean = own.reduce((sum, part, k) => sum + part * weights[i * K + k]!, 0);
      expect(mean).toBeCloseTo(1, 9);
      // Of the shared kind: from a tenth of the common noise to ten times it, where the rows think it possible.
      for (let k = 1; k < 5; k++) {
        const possible = weights[i * K + k - 1]! > 1e-9 && weights[i * K + k]! > 1e-9;
        if (possible) expect(own[k]!).toBeGreaterThan(own[k - 1]!);
        if (possible) compared++;
      }
    }
    expect(compared).toBeGreaterThan(40);
  });

  const wild = fc.oneof(
    fc.constantFrom(0, 1, -1, 1e6, -1e6, 1e-12),
    fc.double({ min: -1e3, max: 1e3, noNaN: true }),
  );
  /** Three tasks of one, three and five rows; a constant in the third column. */
  const rowsOf = (values: readonly number[]) => ({
    x: Float64Array.from({ length: 27 }, (_, k) => (k % 3 === 2 ? 1 : values[k]!)),
    y: Float64Array.from(values.slice(27)),
    offsets: Uint32Array.of(0, 1, 4, 9),
  });

  test("whatever the rows, no upload is longer than 1 and moments have no negative inner products", () => {
    fc.assert(
      fc.property(fc.array(wild, { minLength: 36, maxLength: 36 }), (values) => {
        const rows = rowsOf(values);
        const sizes = { m: 3, d: 3, meanRows: 3 };
        const tasks = { rows, sizes, d: 3, test: { x: rows.x, y: rows.y } };
        const { releases, uploads } = run(tasks, 0.5, generator(1));
        releases.forEach(({ statistic, length }, k) => {
          const own = [0, 1, 2].map((i) => uploads[k]!.subarray(i * length, (i + 1) * length));
          const dot = (a: Float64Array, b: Float64Array) =>
            a.reduce((sum, value, j) => sum + value * b[j]!, 0);
          for (const upload of own) expect(dot(upload, upload)).toBeLessThanOrEqual(1 + 1e-12);
          if (statistic !== "moment") return;
          for (const a of own) for (const b of own) expect(dot(a, b)).toBeGreaterThan(-1e-12);
        });
      }),
      { numRuns: thorough ? 20 : 10, seed: 4 },
    );
  });

  test("information, directions and the shape are released where their noise leaves them, the curvature in any case", () => {
    const labelsOf = (m: number, d: number, mu: number, meanRows = 10) => {
      const sizes = { m, d, meanRows };
      return new Set(squaredReleases(squaredSteps(sizes, mu), sizes).map(({ label }) => label));
    };
    expect(labelsOf(200, 10, 0.15)).toEqual(new Set(["variances", "location", "curvature"]));
    const all = new Set(["variances", "location", "information", "curvature"]);
    expect(labelsOf(200, 13, 2, 4)).toEqual(all);
    expect(labelsOf(200, 13, 2)).toEqual(new Set([...all, "covariance"]));
    expect(labelsOf(200, 12, 2)).toEqual(new Set([...all, "shape"]));
    expect(labelsOf(20_000, 5, 0.15)).toEqual(new Set([...all, "shape"]));
  });

  test("without the matrix the fixed effects are found by the prediction and the curvature", () => {
    const tasks = mixedTasks(7, 400, 8, EFFECTS);
    const steps = squaredSteps(tasks.sizes, 0.05);
    expect(steps.at(-1)).toMatchObject({ information: 0, curvature: 0.1 });
    const exchange = new SquaredExchange(openCore(), tasks.rows, tasks.sizes, steps);
    squaredReleases(steps, tasks.sizes).forEach(({ length }, k) => {
      const sum = new Float64Array(length);
      exchange.upload(k).forEach((value, at) => (sum[at % length]! += value));
      exchange.receive(k, sum, 1e-9);
    });
    const { fixedEffects } = exchange.solve().prior;
    EFFECTS.forEach((effect, c) => expect(Math.abs(fixedEffects[c]! - effect)).toBeLessThan(0.15));
  });

  test.each([
    { part: 0.3, budget: "small", mu: 0.5 },
    { part: 0.5, budget: "large", mu: 50 },
  ])(
    "$part of the first variances, taken around zero, stays the tasks' at $budget budgets",
    ({ part, mu }) => {
      const sizes = { m: 3, d: 3, meanRows: 3 };
      const rows = rowsOf(Array.from({ length: 36 }, (_, k) => Math.sin(k)));
      const exchange = new SquaredExchange(openCore(), rows, sizes, squaredSteps(sizes, mu));
      exchange.upload(0);
      // Noise that drowns all: what is believed stays what it was.
      exchange.receive(0, new Float64Array(3), 1e9);
      const { covariance, unsure } = exchange.solve().prior;
      // Slopes start at a variance of 2 together, the intercept at 1; logarithms at a standard deviation of 1.5.
      const expected = [(part * 2) / 2, (part * 2) / 2, part];
      expected.forEach((value, c) => expect(covariance[c * 4]! / value).toBeCloseTo(1, 9));
      for (let k = 0; k < 3; k++) expect(unsure![k * 4]!).toBeCloseTo(1.5 ** 2, 9);
    },
  );

  test.each([
    ["with the information matrix and the shape", 40, true],
    ["without", 2, false],
  ])(
    "another task in the place of one moves no sum by more than its sensitivity, %s",
    (_, mu, released) => {
      const numbers = fc.array(wild, { minLength: 36, maxLength: 36 });
      const sizes = { m: 3, d: 3, meanRows: 3 };
      const steps = squaredSteps(sizes, mu);
      const core = openCore();
      const labels = squaredReleases(steps, sizes).map(({ label }) => label);
      expect(labels.includes("information")).toBe(released);
      expect(labels.includes("shape")).toBe(released);
      expect(labels).toContain("curvature");
      fc.assert(
        fc.property(numbers, numbers, fc.integer(), (values, others, seed) => {
          const mixed = withAnotherLastTask(values, others);
          const noise = generator(seed);
          const exchangeOf = (list: readonly number[]) =>
            new SquaredExchange(core, rowsOf(list), sizes, steps);
          expectNeighboursWithinSensitivity(
            [exchangeOf(values), exchangeOf(mixed)],
            squaredReleases(steps, sizes),
            noise,
            (most, fraction) => most / (mu * Math.sqrt(fraction)),
          );
        }),
        { numRuns: thorough ? 20 : 8, seed: 6 },
      );
    },
  );
});

function errorOf({ test, rows, d }: ReturnType<typeof mixedTasks>, models: Float64Array): number {
  let sum = 0;
  for (let i = 0; i + 1 < rows.offsets.length; i++) {
    for (let row = rows.offsets[i]!; row < rows.offsets[i + 1]!; row++) {
      let r = test.y[row]!;
      for (let c = 0; c < d; c++) r -= test.x[row * d + c]! * models[i * d + c]!;
      sum += r * r;
    }
  }
  return sum;
}

function coverage(
  { test, rows, d }: ReturnType<typeof mixedTasks>,
  {
    models,
    covariances,
    noise,
  }: { models: Float64Array; covariances: Float64Array; noise: Float64Array },
): number {
  let [inside, all] = [0, 0];
  const triangle = (d * (d + 1)) / 2;
  for (let i = 0; i + 1 < rows.offsets.length; i++) {
    for (let row = rows.offsets[i]!; row < rows.offsets[i + 1]!; row++) {
      const x = test.x.subarray(row * d, (row + 1) * d);
      let [r, variance, at] = [test.y[row]!, noise[i]!, i * triangle];
      for (let c = 0; c < d; c++) {
        r -= x[c]! * models[i * d + c]!;
        for (let e = 0; e <= c; e++) {
          variance += (c === e ? 1 : 2) * covariances[at++]! * x[c]! * x[e]!;
        }
      }
      all++;
      if (Math.abs(r) <= 1.2816 * Math.sqrt(variance)) inside++;
    }
  }
  return inside / all;
}

describe("MpMixed", () => {
  const { rows, test: held, d } = mixedTasks(17, 120, 5, EFFECTS);
  const setOf = (x: Float64Array, y: Float64Array) =>
    TaskSet.from(
      Array.from({ length: 120 }, (_, i) => ({
        name: `task ${i}`,
        x: Array.from({ length: 5 }, (_, r) =>
          Array.from(x.subarray((i * 5 + r) * d, (i * 5 + r) * d + d - 1)),
        ),
        y: Array.from(y.subarray(i * 5, (i + 1) * 5)),
      })),
    );
  const train = setOf(rows.x, rows.y);
  const options = { epsilon: 3, delta: 1e-3, scale: "unit" } as const;
  const random = { mode: "seeded", seed: 1 } as const;

  test("spends its budget on the planned releases and states it", async () => {
    const model = await new MpMixed({ ...options, random }).fit(train);
    const { guarantee, ledger } = model;
    expect(guarantee.kind).toBe("joint");
    expect(guarantee).toMatchObject({ delta: 1e-3, sound: true });
    expect(ledger!.spent().epsilon).toBeLessThanOrEqual(3);
    expect(ledger!.spent().epsilon).toBeGreaterThan(2.9);
    const alone = await new SingleTask({ intercept: true, lambda: 0.1 }).fit(train);
    const test = setOf(held.x, held.y);
    expect(model.score(test).nmse!).toBeLessThan(alone.score(test).nmse!);
    const { lower, upper } = model.predictInterval!("task 3", new Float64Array(2 * (d - 1)), 0.8);
    expect(lower[0]!).toBeLessThan(upper[0]!);
  });

  test("refuses what it does not have", () => {
    expect(() => new MpMixed({ intercept: false })).toThrow("intercept");
    expect(() => new MpMixed({ delta: 0 })).toThrow("delta");
  });
});

test("correlations within the noise's edge are left at the floor", () => {
  const [d, m, deviation] = [3, 50, 0.4];
  const state = { sizes: { m, d, meanRows: 5 } } as SquaredState;
  const edge = deviation * Math.sqrt(2 * d);
  const [within, beyond] = [0.5 * COVARIANCE.cut * edge, 20];
  // Packed lower triangle of a diagonal matrix.
  receiveCovariance(state, Float64Array.of(beyond, 0, within, 0, 0, 0), deviation);
  const floor = (COVARIANCE.floor * edge * d) / m + COVARIANCE.least;
  const kept = ((beyond - COVARIANCE.cut * edge) * d) / m + floor;
  const at = (k: number) => state.correlation![k * (d + 1)]!;
  expect(at(1) / at(0)).toBeCloseTo(floor / kept, 12);
  expect(at(2) / at(0)).toBeCloseTo(floor / kept, 12);
});

test("a second release of directions is read together with the first, whose noise is another", () => {
  const [d, m] = [3, 50];
  const fresh = () => ({ sizes: { m, d, meanRows: 5 } }) as SquaredState;
  const [one, other] = [
    Float64Array.of(30, 4, 12, -2, 3, 8),
    Float64Array.of(26, -6, 14, 5, 1, 10),
  ];
  const read = (sums: readonly Float64Array[], deviation: number) => {
    const state = fresh();
    for (const sum of sums) receiveCovariance(state, sum, deviation);
    return state.correlation;
  };
  // Where noise is large both count alike: as their mean does, with the noise of a mean.
  const loud = 40;
  const mean = one.map((value, k) => (value + other[k]!) / 2);
  const [found, wanted] = [read([one, other], loud), read([mean], loud / Math.SQRT2)];
  found.forEach((value, k) => expect(value).toBeCloseTo(wanted[k]!, 2));
  // Where there is none the last alone counts.
  const [quiet, last] = [read([one, other], 1e-6), read([other], 1e-6)];
  quiet.forEach((value, k) => expect(value).toBeCloseTo(last[k]!, 8));
});
