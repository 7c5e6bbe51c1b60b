/** The plan of releases: budgets, shares, order, and what it refuses. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { openCore } from "../../../src/core/index.js";
import { checkOptions } from "../../../src/learning/options/configured-estimator.js";
import {
  releaseOptions,
  type ReleaseOptions,
} from "../../../src/learning/options/private-options.js";
import { planReleases, stageNoise } from "../../../src/learning/release/plan-releases.js";
import { PrivateReleases } from "../../../src/learning/release/private-releases.js";
import type { StageRequest } from "../../../src/learning/release/stage-request.js";
import { noiseScaleAt, reportedRounds } from "../../../src/learning/round/release-plan.js";
import { deltaOf, gaussianMu, Ledger, type PrivacyEvent } from "../../../src/privacy/index.js";

const optionsOf = (options: Partial<ReleaseOptions>) =>
  checkOptions<ReleaseOptions>("plan", { delta: 1e-5, ...options }, releaseOptions);

/** mu of a Gaussian event, exact or not. */
function muOf(event: PrivacyEvent): number {
  if (event.kind === "gaussian" || event.kind === "discrete-gaussian")
    return event.sensitivity / event.sigma;
  return expect.unreachable();
}

const m = 40;
const size = { m, d: 6 };
/** As a mixed model asks for them: vectors, matrices and counts, each with a clip and a share of its own. */
const MIXED: readonly StageRequest[] = [
  { statistic: "vector", m, d: 9, clip: 1, rounds: 1, budgetShare: 0.05 },
  { statistic: "augmented-covariance", ...size, clip: 2, rounds: 1, budgetShare: 0.4 },
  { statistic: "vector", m, d: 4, clip: 1, rounds: 3, budgetShare: 0.15 },
  { statistic: "covariance", ...size, clip: 0.5, rounds: 2 },
  { statistic: "vector", m, d: 5, clip: 1, rounds: 1, budgetShare: 0.1, label: "choice" },
];

describe("a plan", () => {
  test("gives every stage its share of mu^2, and the main one what is left", () => {
    const options = optionsOf({ epsilon: 2, noise: "float" });
    const plan = planReleases({ options, tasks: m, stages: MIXED });
    const whole = gaussianMu(2, 1e-5) ** 2;
    const shares = plan.stages.map(({ events }) =>
      events.reduce((sum, event) => sum + muOf(event) ** 2 / whole, 0),
    );
    MIXED.forEach(({ budgetShare = 0.3 }, k) => expect(shares[k]).toBeCloseTo(budgetShare, 9));
    expect(plan.main).toBe(plan.stages[3]);
    expect(plan.stages.map(({ first }) => first)).toEqual([1, 2, 3, 6, 8]);
    expect(plan.stages.map(({ length }) => length)).toEqual([9, 49, 4, 36, 5]);
    expect(reportedRounds(plan)).toBe(7);
    expect(plan.ledger.plan).toEqual(plan.stages.flatMap(({ events }) => events));
    // Noise in units of each statistic's own sensitivity.
    expect(noiseScaleAt(plan.main, 1)).toBeCloseTo(
      (Math.SQRT2 * 0.25) / Math.sqrt((0.3 * whole) / 2),
      9,
    );
  });

  test("in exact and in pure noise stays within the budget, in one currency", () => {
    const exact = planReleases({ options: optionsOf({}), tasks: m, stages: MIXED });
    expect(new Set(exact.ledger.plan.map(({ kind }) => kind))).toEqual(
      new Set(["discrete-gaussian"]),
    );
    expect(deltaOf(exact.ledger.plan, { epsilon: 1 })).toBeLessThanOrEqual(1e-5);
    const pure = planReleases({ options: optionsOf({ delta: 0 }), tasks: m, stages: MIXED });
    expect(pure.stages.map(({ mechanism }) => mechanism.name)).toEqual([
      "spherical-laplace",
      "two-sided-wishart",
      "spherical-laplace",
      "two-sided-wishart",
      "spherical-laplace",
    ]);
    expect(new Ledger(pure.ledger).epsilon).toBe(1);
  });

  test("is a function of its arguments: twice the same, whatever the noise mode", () => {
    const request = { options: optionsOf({}), tasks: m, stages: MIXED };
    const again = { ...request, options: optionsOf({ random: { mode: "seeded", seed: 1 } }) };
    expect(planReleases(again).ledger.plan).toEqual(planReleases(request).ledger.plan);
  });

  test("a stage with a share is planned alone as within the whole, in any currency", () => {
    for (const [mechanism, delta] of [
      ["auto", 1e-5],
      ["auto", 0],
      ["wishart", 1e-5],
    ] as const) {
      // prettier-ignore
      const stages: StageRequest[] = [
        { statistic: "covariance", ...size, clip: 1, rounds: 2 },
        { statistic: "vector", m, d: 4, clip: 1, rounds: 1, budgetShare: 0.1 },
      ];
      const request = { options: optionsOf({ mechanism, delta }), tasks: m, stages };
      const { budgets, events, mechanism: own } = stageNoise(request, stages[1]!);
      const planned = planReleases(request).stages[1]!;
      expect(budgets).toEqual(planned.budgets);
      expect(events).toEqual(planned.events);
      expect(own.name).toBe(
        delta > 0 && mechanism === "auto" ? "gaussian-mean" : "spherical-laplace",
      );
    }
  });

  test("for one record is at the record's budget", () => {
    const stages = [{ statistic: "vector", ...size, clip: 1, rounds: 2 }] as const;
    const { ledger, groupSize } = planReleases({
      options: optionsOf({ noise: "float" }),
      tasks: m,
      stages,
      groupSize: 20,
    });
    expect(groupSize).toBe(20);
    expect(ledger.epsilon).toBeCloseTo(1 / 20, 12);
    expect(ledger.delta).toBeLessThan(1e-5 / 20 / Math.E);
  });

  test("any shares below 1 fit the ledger, at what they were asked for", () => {
    const share = fc.double({ min: 1e-3, max: 0.3, noNaN: true });
    fc.assert(
      fc.property(
        fc.tuple(share, share, share),
        fc.double({ min: 0.1, max: 20, noNaN: true }),
        fc.constantFrom("exact", "float"),
        fc.integer({ min: 1, max: 9 }),
        (shares, epsilon, noise, rounds) => {
          const stages: StageRequest[] = [
            ...shares.map((part, k) => ({
              statistic: k === 1 ? "covariance" : "vector",
              m: 30,
              d: 4,
              clip: 2,
              rounds: k + 1,
              budgetShare: part,
              schedule: { kind: "polynomial", exponent: k },
            })),
            { statistic: "diagonal", m: 30, d: 4, clip: 1, rounds },
          ] as StageRequest[];
          const plan = planReleases({
            options: optionsOf({ epsilon, noise } as never),
            tasks: 30,
            stages,
          });
          const ledger = new Ledger(plan.ledger);
          expect(ledger.plan).toHaveLength(6 + rounds);
          const spent = plan.ledger.plan.reduce((sum, event) => sum + muOf(event) ** 2, 0);
          const whole = gaussianMu(epsilon, 1e-5) ** 2;
          expect(spent / whole).toBeLessThanOrEqual(1 + 1e-9);
          expect(spent / whole).toBeGreaterThan(0.998);
        },
      ),
      { numRuns: 40, seed: 14 },
    );
  });

  test.each([
    ["no stage that takes what is left", [{ ...MIXED[0]! }]],
    ["two that do", [MIXED[3]!, MIXED[3]!]],
    ["shares of 1 and more", [MIXED[3]!, { ...MIXED[0]!, budgetShare: 1 }]],
    ["a share of nothing", [MIXED[3]!, { ...MIXED[0]!, budgetShare: 0 }]],
    ["a negative share", [MIXED[3]!, { ...MIXED[0]!, budgetShare: -0.1 }]],
    ["a share that is no number", [MIXED[3]!, { ...MIXED[0]!, budgetShare: NaN }]],
  ])("refuses %s", (_, stages) => {
    expect(() => planReleases({ options: optionsOf({}), tasks: m, stages })).toThrow("stages:");
  });
});

describe("releases", () => {
  test("follow the plan: each stage its own numbers, no stage another's, and none twice", () => {
    const core = openCore();
    const options = optionsOf({ random: { mode: "seeded", seed: "plan" } });
    const plan = planReleases({ options, tasks: m, stages: MIXED });
    const releases = new PrivateReleases(plan, { core, random: options.random });
    const at = core.arena.f64(49);
    const seen = plan.stages.flatMap((stage, k) =>
      Array.from({ length: stage.rounds }, (_, t) => {
        core.arena.view(at, 49).fill(0);
        releases.stages[k]!.perturb(at, stage.first + t);
        const scale = noiseScaleAt(stage, t + 1);
        return Array.from(core.arena.view(at, 4), (x) => x / scale);
      }),
    );
    expect(releases.ledger.entries.map(({ round }) => round)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    expect(releases.ledger.entries.map(({ label }) => label)).toEqual([
      ...new Array<undefined>(7).fill(undefined),
      "choice",
    ]);
    expect(new Set(seen.map((x) => x[0]!.toFixed(6))).size).toBe(8);
    expect(() => {
      releases.stages[0]!.perturb(at, 2);
    }).toThrow("expected a release of this stage, 1 to 1, got 2");
    expect(() => {
      releases.stages[4]!.perturb(at, 8);
    }).toThrow("round: expected 9");
    releases.close();
  });
});
