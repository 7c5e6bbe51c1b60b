import { describe, expect, test } from "vitest";
import { createMechanism, MECHANISM_NAMES, type Mechanism } from "../../../src/privacy/index.js";
import { mechanismNamed } from "../../../src/privacy/mechanisms/catalogue.js";
import { audit, type MechanismAuditOptions } from "../../../src/learning/index.js";
import { someOf } from "../../thorough.js";

const seeded = { mode: "seeded", seed: "mechanisms" } as const;

const sound = MECHANISM_NAMES.filter((name) => mechanismNamed(name).sound);
const cases = sound.flatMap((mechanism) =>
  (["zero-out", "replace"] as const).flatMap((adjacency) =>
    [1, 4].map((rounds) => [mechanism, adjacency, rounds] as const),
  ),
);

// Fixed seed. A sound mechanism is called violated with probability at most 0.001 per audit, below
// 0.04 for all of them together.
describe("every sound mechanism passes", () => {
  const common = { trials: 4000, confidence: 0.999, random: seeded, dimension: 4 };
  const passes = async (options: MechanismAuditOptions) => {
    const report = await audit({ ...common, ...options });
    expect(report.checks.filter(({ passed }) => !passed)).toEqual([]);
    expect(report).toMatchObject({ verdict: "consistent", target: "mechanism", trials: 4000 });
    expect(report.proven.epsilon).toBeLessThanOrEqual(report.claim.epsilon);
    expect(report.proven.delta).toBeLessThanOrEqual(report.claim.delta);
    return report;
  };

  test.each(someOf(cases, 5))("%s, %s, %i rounds", async (mechanism, adjacency, rounds) => {
    const delta = mechanism.startsWith("gaussian") ? 0.05 : 0;
    const report = await passes({ mechanism, adjacency, rounds, epsilon: 1, delta });
    expect(report.checks.map(({ name }) => name)).toEqual([
      "charged",
      "charged-first",
      "noise-drawn",
      "noise-fresh",
    ]);
  });

  test.each(["task-covariance", "augmented-covariance"] as const)(
    "on the %s",
    async (statistic) => {
      for (const adjacency of someOf(["zero-out", "replace"] as const, 2)) {
        await passes({ mechanism: "gaussian", statistic, adjacency, delta: 0.05 });
        await passes({ mechanism: "two-sided-wishart", statistic, adjacency });
      }
    },
  );

  test.each(someOf(sound, 2))("%s in exact arithmetic", async (mechanism) => {
    const delta = mechanism.startsWith("gaussian") ? 0.05 : 0;
    const report = await passes({ mechanism, discrete: true, delta });
    expect(report.proven.epsilon).toBeGreaterThan(mechanism === "two-sided-wishart" ? 0.05 : 0.4);
  });

  test("one-sided Wishart noise with enough degrees of freedom", async () => {
    await passes({
      mechanism: "wishart",
      degreesOfFreedom: 12,
      delta: 0.01,
      adjacency: "zero-out",
    });
  });

  test.each(someOf([false, true], 2))(
    "a Poisson-sampled Gaussian mean, exact: %s",
    async (discrete) => {
      const sampling = { kind: "poisson", rate: 0.3 } as const;
      const options = { mechanism: "gaussian-mean", adjacency: "zero-out", sampling } as const;
      const report = await passes({ ...options, discrete, rounds: 4, delta: 0.05, epsilon: 0.5 });
      expect(report.proven.epsilon).toBeGreaterThan(0.05);
    },
  );
});

test("the Gaussian and Laplace audits come close to the claim", async () => {
  const common = { trials: 20_000, random: seeded, adjacency: "zero-out" } as const;
  const gaussian = await audit({ ...common, mechanism: "gaussian", delta: 0.05 });
  expect(gaussian.proven.epsilon).toBeGreaterThan(0.7);
  const laplace = await audit({ ...common, mechanism: "laplace-diagonal" });
  expect(laplace.proven.epsilon).toBeGreaterThan(0.85);
});

describe("the papers' Wishart noise", () => {
  const cases = [[2, 1], [12, 1], [5, 1], [5, 3]] as const; // prettier-ignore
  test.each(someOf(cases, 2))(
    "is caught under zero-out, d = %i, %i rounds",
    async (dimension, rounds) => {
      const epsilon = 0.1 * rounds;
      const report = await audit({
        mechanism: "wishart",
        adjacency: "zero-out",
        dimension,
        rounds,
        epsilon,
        trials: 8000,
        random: seeded,
      });
      expect(report).toMatchObject({
        verdict: "violated",
        claim: { epsilon, delta: 0, sound: false },
      });
      expect(report.evidence.delta).toMatchObject({ distinguisher: "support", falseAlarms: 0 });
      // The release gives the missing column away with probability 1 - exp(-eps), for every d.
      const truth = -Math.expm1(-epsilon);
      expect(report.proven.delta).toBeLessThanOrEqual(truth);
      expect(report.proven.delta).toBeGreaterThan(0.8 * truth);
      const { hits, trials } = report.evidence.delta;
      const standardError = Math.sqrt((truth * (1 - truth)) / trials);
      // 4.5 standard errors: a false alarm in 10^5.
      expect(Math.abs(hits / trials - truth)).toBeLessThan(4.5 * standardError);
      expect(report.proven.epsilon).toBeGreaterThan(3);
    },
  );

  test("is caught under replace", async () => {
    const options = { mechanism: "wishart", epsilon: 0.1, trials: 8000, random: seeded } as const;
    const report = await audit(options);
    expect(report).toMatchObject({ verdict: "violated", adjacency: "replace" });
  });

  test("of the older text is caught, and the more so the larger the units are", async () => {
    const proven = [];
    for (const clip of [1, 20]) {
      const report = await audit({
        ...({ mechanism: "wishart-older", adjacency: "zero-out" } as const),
        clip,
        epsilon: 0.1,
        trials: 8000,
        random: seeded,
      });
      expect(report).toMatchObject({ verdict: "violated", claim: { epsilon: 0.1, sound: false } });
      // The release gives the missing column away with probability 1 - exp(-K eps / 2).
      const truth = -Math.expm1((-clip * 0.1) / 2);
      expect(report.proven.delta).toBeLessThanOrEqual(truth);
      expect(report.proven.delta).toBeGreaterThan(0.7 * truth);
      proven.push(report.proven.delta);
    }
    expect(proven[1]).toBeGreaterThan(10 * proven[0]!);
  });

  test.each(["wishart", "wishart-older"] as const)(
    "%s on a diagonal is caught",
    async (mechanism) => {
      const options = {
        mechanism,
        statistic: "diagonal",
        adjacency: "zero-out",
        dimension: 1,
      } as const;
      const report = await audit({
        ...options,
        epsilon: 0.5,
        clip: 2,
        trials: 8000,
        random: seeded,
      });
      expect(report).toMatchObject({ verdict: "violated" });
      expect(report.evidence.delta).toMatchObject({ distinguisher: "support" });
    },
  );

  test("is caught with secure noise", async () => {
    // True delta 0.63; the chance that 500 held-out trials miss it is below 1e-60.
    const report = await audit({ mechanism: "wishart", epsilon: 1, trials: 1000, dimension: 3 });
    expect(report).toMatchObject({ verdict: "violated", noiseSource: "secure" });
  });
});

/** The same claim with noise of a budget `factor` times as large. */
function weakened(mechanism: Mechanism, factor: number): Mechanism {
  return {
    ...mechanism,
    perturb: (core, stream, at, budget, work) =>
      mechanism.perturb(core, stream, at, factor * budget, work),
  };
}

describe("halved noise is caught", () => {
  const halved = [
    ["gaussian", "covariance", 0.1, 0.1, 10_000],
    ["gaussian-diagonal", "diagonal", 0.1, 0.1, 10_000],
    ["gaussian-mean", "vector", 0.1, 0.1, 10_000],
    ["two-sided-wishart", "covariance", 1, 0, 20_000],
    ["laplace-diagonal", "diagonal", 1, 0, 10_000],
    ["spherical-laplace", "vector", 1, 0, 10_000],
  ] as const;
  test.each(someOf(halved, 2))("%s", async (name, statistic, epsilon, delta, trials) => {
    for (const adjacency of ["zero-out", "replace"] as const) {
      const mechanism = createMechanism({
        name,
        statistic,
        tasks: 10,
        dimension: 3,
        clip: 2,
        adjacency,
        delta,
      });
      const options = { dimension: 3, clip: 2, epsilon, delta, random: seeded };
      const faulty = await audit({ ...options, trials, mechanism: weakened(mechanism, 2) });
      expect(faulty.verdict).toBe("violated");
      expect(faulty.proven.epsilon).toBeGreaterThan(epsilon);
      // An attack on sound noise needs no power.
      const whole = await audit({ ...options, trials: 2000, mechanism });
      expect(whole.verdict).toBe("consistent");
    }
  });

  test("and so is noise that is not there or always the same", async () => {
    const mechanism = createMechanism({
      statistic: "diagonal",
      tasks: 10,
      dimension: 4,
      clip: 1,
      delta: 0,
    });
    const options = { dimension: 4, random: seeded, trials: 200 };
    const none = await audit({ ...options, mechanism: { ...mechanism, perturb: () => undefined } });
    expect(none.verdict).toBe("violated");
    expect(none.checks.find(({ name }) => name === "noise-drawn")!.passed).toBe(false);
    const constant: Mechanism = {
      ...mechanism,
      perturb: ({ arena }, _stream, at) =>
        arena.view(at, 4).forEach((x, k, view) => (view[k] = x + k + 1)),
    };
    const same = await audit({ ...options, mechanism: constant });
    expect(same.verdict).toBe("violated");
    expect(same.checks.find(({ name }) => name === "noise-fresh")!.passed).toBe(false);
  });
});

describe("the audit itself", () => {
  test("is the same for the same seed and reports its progress", async () => {
    const seen: number[] = [];
    const options = { mechanism: "gaussian", trials: 3000, random: seeded } as const;
    const one = await audit({ ...options, onTrial: (done) => seen.push(done) });
    expect(await audit(options)).toEqual(one);
    expect(seen.at(-1)).toBe(3000);
    expect(JSON.stringify(one)).not.toContain(seeded.seed);
  });

  test("stops when it is aborted", async () => {
    const signal = AbortSignal.abort(new Error("enough"));
    await expect(audit({ mechanism: "gaussian", signal })).rejects.toThrow("enough");
  });

  test("refuses what does not go together", async () => {
    await expect(audit({ mechanism: "gaussian", trials: 3 })).rejects.toThrow("trials: expected");
    await expect(audit({ mechanism: "gaussian", tasks: 2 })).rejects.toThrow("at least 3 tasks");
    await expect(audit({ mechanism: "laplace-diagonal", statistic: "covariance" })).rejects.toThrow(
      "laplace-diagonal",
    );
  });
});
