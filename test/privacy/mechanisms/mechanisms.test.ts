import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { openCore } from "../../../src/core/index.js";
import { epsilonOf } from "../../../src/privacy/accounting/account.js";
import { gaussianEpsilon } from "../../../src/privacy/accounting/gdp.js";
import { MECHANISM_NAMES, mechanismNamed } from "../../../src/privacy/mechanisms/catalogue.js";
import { createMechanism } from "../../../src/privacy/mechanisms/create.js";
import type { Mechanism } from "../../../src/privacy/mechanisms/mechanism.js";
import { sensitivity, type Statistic } from "../../../src/privacy/sensitivity.js";
import { eigh } from "../../../src/linalg.js";
import { openStream } from "../../../src/random/index.js";
import type { PrivacyEvent } from "../../../src/privacy/events/event-kinds.js";

/** The statistic of models given as rows, by plain loops. */
function compute(statistic: Statistic, rows: number[][]): number[] {
  const u = statistic === "augmented-covariance" ? rows.map((w) => [...w, 1]) : rows;
  const d = u[0]!.length;
  const dot = (a: number[], b: number[]) => a.reduce((sum, x, k) => sum + x * b[k]!, 0);
  if (statistic === "vector") return u[0]!.map((_, j) => u.reduce((sum, w) => sum + w[j]!, 0));
  if (statistic === "task-covariance") return u.flatMap((a) => u.map((b) => dot(a, b)));
  const full = Array.from({ length: d }, (_, i) =>
    Array.from({ length: d }, (_, j) => u.reduce((sum, w) => sum + w[i]! * w[j]!, 0)),
  );
  return statistic === "diagonal" ? full.map((row, i) => row[i]!) : full.flat();
}

const frobenius = (x: number[]) => Math.hypot(...x);

/** Sum of absolute eigenvalues of a symmetric matrix, or the l1 norm of a vector. */
function nuclear(statistic: Statistic, x: number[]): number {
  if (statistic === "diagonal" || statistic === "vector") {
    return x.reduce((sum, value) => sum + Math.abs(value), 0);
  }
  const n = Math.round(Math.sqrt(x.length));
  return eigh(Float64Array.from(x), n).values.reduce((sum, value) => sum + Math.abs(value), 0);
}

describe("sensitivities", () => {
  const statistics = [
    "covariance",
    "diagonal",
    "task-covariance",
    "augmented-covariance",
    "vector",
  ] as const;
  const model = fc.array(fc.double({ min: -1, max: 1, noNaN: true }), {
    minLength: 3,
    maxLength: 3,
  });
  const clip = (w: number[], k: number) => {
    const norm = Math.hypot(...w);
    return w.map((x) => x / Math.max(1, norm / k));
  };

  test.each(statistics)("of %s hold for random neighbours", (statistic) => {
    fc.assert(
      fc.property(
        fc.array(model, { minLength: 4, maxLength: 4 }),
        model,
        fc.constantFrom("replace", "zero-out"),
        fc.double({ min: 0.3, max: 1.2, noNaN: true }),
        (models, other, adjacency, k) => {
          const before = models.map((w) => clip(w, k));
          const swap = adjacency === "replace" ? clip(other, k) : [0, 0, 0];
          const after = [swap, ...before.slice(1)];
          const x = compute(statistic, before);
          const change = compute(statistic, after).map((value, i) => value - x[i]!);
          const options = { statistic, adjacency, clip: k, tasks: 4, dimension: 3 } as const;
          const slack = 1 + 1e-9;
          expect(frobenius(change)).toBeLessThanOrEqual(
            sensitivity({ ...options, norm: "frobenius" }) * slack,
          );
          expect(nuclear(statistic, change)).toBeLessThanOrEqual(
            sensitivity({ ...options, norm: "nuclear" }) * slack,
          );
        },
      ),
      { seed: 5 },
    );
  });

  test("are attained: the bounds are not loose", () => {
    const e = (i: number, x = 1) => [0, 1, 2].map((j) => (i === j ? x : 0));
    const attained = (statistic: Statistic, from: number[][], to: number[][]) => {
      const x = compute(statistic, from);
      return compute(statistic, to).map((value, i) => value - x[i]!);
    };
    const at = (statistic: Statistic, adjacency: "replace" | "zero-out", m: number) => ({
      statistic,
      adjacency,
      clip: 1,
      tasks: m,
      dimension: 3,
    });
    // Orthogonal models swap; all tasks equal and one turns round, or vanishes.
    const swap = attained("covariance", [e(0), e(1)], [e(2), e(1)]);
    expect(frobenius(swap)).toBeCloseTo(
      sensitivity({ ...at("covariance", "replace", 2), norm: "frobenius" }),
      12,
    );
    const same = [e(0), e(0), e(0), e(0)];
    const turned = attained("task-covariance", same, [e(0, -1), ...same.slice(1)]);
    expect(frobenius(turned)).toBeCloseTo(
      sensitivity({ ...at("task-covariance", "replace", 4), norm: "frobenius" }),
      12,
    );
    expect(nuclear("task-covariance", turned)).toBeCloseTo(
      sensitivity({ ...at("task-covariance", "replace", 4), norm: "nuclear" }),
      9,
    );
    const gone = attained("task-covariance", same, [e(0, 0), ...same.slice(1)]);
    expect(nuclear("task-covariance", gone)).toBeCloseTo(
      sensitivity({ ...at("task-covariance", "zero-out", 4), norm: "nuclear" }),
      9,
    );
  });

  test("of the task covariance need a second task", () => {
    const options = { statistic: "task-covariance", adjacency: "replace", clip: 1 } as const;
    expect(() => sensitivity({ ...options, tasks: 1, dimension: 3, norm: "nuclear" })).toThrow(
      "tasks: expected an integer >= 2, got 1",
    );
  });

  test("of moments under replace are those of two orthogonal ones, rounded up", () => {
    const options = { statistic: "moment", adjacency: "replace", tasks: 3, dimension: 4 } as const;
    for (const clip of [0.3, 1, 7]) {
      const ratio = sensitivity({ ...options, clip, norm: "frobenius" }) / (clip * Math.SQRT2);
      expect(ratio).toBeGreaterThan(1 + 2 ** -41);
      expect(ratio).toBeLessThan(1 + 2 ** -39);
    }
  });

  // 1e-160 squared is 9.99989e-321, so the noise would be scaled below the sensitivity.
  test.each([1e-160, 1e-200, 1e160])("are refused where doubles lose them (clip %f)", (clip) => {
    const options = { statistic: "covariance", adjacency: "replace", tasks: 3 } as const;
    expect(() => sensitivity({ ...options, clip, dimension: 3, norm: "frobenius" })).toThrow(
      `clip: expected a bound whose sensitivity lies between 1e-280 and 1e280, got ${clip}`,
    );
  });
});

const base = { statistic: "covariance", tasks: 6, dimension: 4, clip: 1.5, delta: 1e-5 } as const;

describe("choice by name", () => {
  test("auto looks at the statistic and delta", () => {
    const name = (statistic: Statistic, delta: number) =>
      createMechanism({ ...base, statistic, delta }).name;
    expect(name("covariance", 1e-5)).toBe("gaussian");
    expect(name("task-covariance", 0)).toBe("two-sided-wishart");
    expect(name("diagonal", 1e-5)).toBe("gaussian-diagonal");
    expect(name("diagonal", 0)).toBe("laplace-diagonal");
    expect(name("vector", 0)).toBe("spherical-laplace");
  });

  test("refuses what does not go together", () => {
    expect(() => createMechanism({ ...base, name: "laplace-diagonal" })).toThrow(
      'mechanism: expected one of gaussian, two-sided-wishart, wishart, wishart-older for the statistic "covariance", got "laplace-diagonal"',
    );
    expect(() => createMechanism({ ...base, name: "gaussian", delta: 0 })).toThrow(
      'expected delta > 0 for mechanism "gaussian"',
    );
    const sampling = { kind: "poisson", rate: 0.1 } as const;
    expect(() => createMechanism({ ...base, statistic: "vector", sampling })).toThrow(
      'adjacency: expected "zero-out" for a Poisson-subsampled Gaussian',
    );
    expect(() => createMechanism({ ...base, name: "wishart", degreesOfFreedom: 4 })).toThrow(
      "degreesOfFreedom: expected at least dimension + 1 = 5, got 4",
    );
    expect(() => createMechanism({ ...base, name: "wishart", discrete: true })).toThrow(
      'discrete: expected another mechanism than "wishart", which has no exact form',
    );
  });

  test.each(MECHANISM_NAMES)("%s refuses every statistic that is not its own", (name) => {
    const { statistics, make, makeExact } = mechanismNamed(name);
    const all = ["covariance", "augmented-covariance", "task-covariance", "diagonal", "vector", "moment"] as const; // prettier-ignore
    for (const statistic of all) {
      const sizes = { statistic, tasks: 6, dimension: 4, clip: 1.5 };
      const created = (discrete: boolean) => () =>
        createMechanism({ ...sizes, name, delta: 1e-5, discrete });
      if (statistics.includes(statistic)) {
        expect(make(sizes)).toMatchObject({ name, statistic });
        expect(created(false)()).toMatchObject({ name, statistic, exact: false });
        if (makeExact) expect(created(true)()).toMatchObject({ name, statistic, exact: true });
        continue;
      }
      expect(() => make(sizes), statistic).toThrow(/^statistic: expected /);
      for (const discrete of [true, false])
        expect(created(discrete), statistic).toThrow(/^mechanism: expected one of /);
    }
  });

  test("a fixed-size sample gets no amplification", () => {
    const sampling = { kind: "fixed-size", size: 2 } as const;
    const mechanism = createMechanism({ ...base, statistic: "vector", sampling });
    expect(mechanism.event(0.5).kind).toBe("gaussian");
  });
});

/** Entry-wise noise of repeated draws at budget b. */
function draws(
  mechanism: Mechanism,
  length: number,
  budget: number,
  repeats: number,
): Float64Array[] {
  const core = openCore();
  const random = openStream(core, { mode: "seeded", seed: "mechanisms" });
  const at = core.arena.zeros(length);
  const work = core.arena.bytes(mechanism.workspace(core) + 16);
  return Array.from({ length: repeats }, () => {
    core.arena.view(at, length).fill(0);
    mechanism.perturb(core, random, at, budget, work);
    return core.arena.view(at, length).slice();
  });
}

const moment = (samples: Float64Array[], entry: number, power: number) =>
  samples.reduce((sum, x) => sum + x[entry]! ** power, 0) / samples.length;

// 4000 draws: a mean of squares of heavy-ish noise has a relative standard error below 0.06, so a
// limit of 0.3 is five of them: a false alarm less than once in a million runs; the seed is fixed.
describe("noise has the scale its event states (fixed seed, five standard errors)", () => {
  const repeats = 4000;
  const d = 4;
  test.each(["gaussian", "discrete"])("%s matrix", (kind) => {
    const mechanism = createMechanism({ ...base, name: "gaussian", discrete: kind === "discrete" });
    const sigma = mechanism.noiseScale(0.7);
    const samples = draws(mechanism, d * d, 0.7, repeats);
    expect(moment(samples, 0, 2) / sigma ** 2).toBeGreaterThan(0.7);
    expect(moment(samples, 0, 2) / sigma ** 2).toBeLessThan(1.3);
    expect((2 * moment(samples, 1, 2)) / sigma ** 2).toBeGreaterThan(0.7);
    expect((2 * moment(samples, 1, 2)) / sigma ** 2).toBeLessThan(1.3);
    for (const x of samples.slice(0, 20)) expect(x[1]).toBe(x[d]);
  });

  test("two-sided Wishart: variance 4(n+1)v^2 on the diagonal, half of it off", () => {
    const mechanism = createMechanism({ ...base, name: "two-sided-wishart" });
    const v = mechanism.noiseScale(0.7);
    expect(v).toBeCloseTo((2 * 1.5 ** 2) / (2 * 0.7), 12);
    const samples = draws(mechanism, d * d, 0.7, repeats);
    const variance = 4 * (d + 1) * v * v;
    expect(Math.abs(moment(samples, 0, 2) / variance - 1)).toBeLessThan(0.3);
    expect(Math.abs((2 * moment(samples, 1, 2)) / variance - 1)).toBeLessThan(0.3);
  });

  test("one-sided Wishart: mean nu v on the diagonal, positive definite", () => {
    const mechanism = createMechanism({ ...base, name: "wishart" });
    const v = mechanism.noiseScale(0.7);
    expect(v).toBeCloseTo(1.5 ** 2 / (2 * 0.7), 12);
    const samples = draws(mechanism, d * d, 0.7, repeats);
    expect(Math.abs(moment(samples, 5, 1) / ((d + 1) * v) - 1)).toBeLessThan(0.1);
    for (const x of samples.slice(0, 50)) expect(eigh(x, d).values.at(-1)).toBeGreaterThan(0);
  });

  test("the older text's one-sided Wishart: scale K / eps, degrees of freedom not to be chosen", () => {
    const mechanism = createMechanism({ ...base, name: "wishart-older" });
    expect(mechanism.noiseScale(0.7)).toBeCloseTo(1.5 / 0.7, 12);
    expect(mechanism.event(0.7)).toMatchObject({ degreesOfFreedom: d + 1, nominal: 0.7 });
  });

  test.each(["wishart", "wishart-older"] as const)(
    "%s on a diagonal: chi-squares of d + 1 degrees of freedom",
    (name) => {
      const mechanism = createMechanism({ ...base, name, statistic: "diagonal" });
      const v = mechanism.noiseScale(0.7);
      const samples = draws(mechanism, d, 0.7, repeats);
      for (let j = 0; j < d; j++) {
        const mean = moment(samples, j, 1);
        expect(Math.abs(mean / ((d + 1) * v) - 1)).toBeLessThan(0.1);
        const variance = moment(samples, j, 2) - mean ** 2;
        expect(Math.abs(variance / (2 * (d + 1) * v * v) - 1)).toBeLessThan(0.4);
      }
    },
  );

  test.each([
    ["laplace-diagonal", "diagonal", 2],
    ["gaussian-diagonal", "diagonal", 1],
    ["gaussian-mean", "vector", 1],
    // Each coordinate of the l2-Laplace law: E ||b||^2 / d = (d + 1) scale^2.
    ["spherical-laplace", "vector", 5],
  ] as const)("%s", (name, statistic, variance) => {
    const mechanism = createMechanism({ ...base, name, statistic });
    const scale = mechanism.noiseScale(0.7);
    const samples = draws(mechanism, d, 0.7, repeats);
    for (let j = 0; j < d; j++) {
      expect(Math.abs(moment(samples, j, 2) / (variance * scale ** 2) - 1)).toBeLessThan(0.4);
    }
  });
});

describe("the shift covers the negative part", () => {
  // At most 1 % of draws may go beyond; 1000 draws with true rate 0.01 exceed 30 less than once in 10^6.
  test.each([1, 2, 5, 12])("of two-sided Wishart and Gaussian noise, n = %i", (n) => {
    for (const name of ["two-sided-wishart", "gaussian"] as const) {
      const mechanism = createMechanism({ ...base, dimension: n, name });
      const tau = mechanism.shift(1);
      const beyond = draws(mechanism, n * n, 1, 1000).filter(
        (x) => -eigh(x, n).values.at(-1)! > tau,
      );
      expect(beyond.length).toBeLessThan(30);
    }
  });
});

describe("discrete Gaussian noise", () => {
  const mechanism = createMechanism({ ...base, name: "gaussian", discrete: true });

  test("lies on the grid whatever the values were", () => {
    const event = mechanism.event(0.5);
    if (event.kind !== "discrete-gaussian") expect.unreachable();
    const core = openCore();
    const random = openStream(core, { mode: "seeded", seed: 1 });
    const at = core.arena.f64(16);
    const values = Float64Array.from({ length: 16 }, (_, i) => Math.sin((i % 4) + (i >> 2)));
    core.arena.view(at, 16).set(values);
    mechanism.perturb(core, random, at, 0.5, core.arena.bytes(16));
    for (const x of core.arena.view(at, 16)) expect(Number.isInteger(x / event.grid)).toBe(true);
  });

  test("costs what the Gaussian does, to six digits, and never less", () => {
    for (const mu of [0.01, 0.3, 2]) {
      const event = mechanism.event(mu);
      if (event.kind !== "discrete-gaussian") expect.unreachable();
      const events = new Array<PrivacyEvent>(25).fill(event);
      const real = (event.sensitivity + event.grid * base.dimension) / event.sigma;
      expect(real).toBeLessThanOrEqual(mu);
      for (const delta of [1e-10, 1e-4]) {
        const epsilon = epsilonOf(events, { delta });
        const exact = gaussianEpsilon(5 * real, delta);
        expect(epsilon).toBeGreaterThanOrEqual(exact * (1 - 1e-9));
        expect(epsilon).toBeLessThan(exact * (1 + 1e-5) + 1e-7);
        // An independent theorem, zCDP, lies above.
        expect(epsilonOf(events, { delta, accountant: "rdp" })).toBeGreaterThanOrEqual(epsilon);
      }
    }
  });

  test("refuses a budget beyond the sampler's range", () => {
    expect(() => mechanism.event(1e9)).toThrow(
      "expected a budget within the exact sampler's range",
    );
  });
});
