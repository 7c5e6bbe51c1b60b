import { describe, expect, test } from "vitest";
import { MpLowRank, type GradientMethodOptions } from "../../../src/learning/index.js";
import { deltaOf } from "../../../src/privacy/index.js";
import type { Guarantee } from "../../../src/privacy/index.js";
import { openCore } from "../../../src/core/index.js";
import {
  releaseOptions,
  type ReleaseOptions,
} from "../../../src/learning/options/private-options.js";
import { checkOptions } from "../../../src/learning/options/configured-estimator.js";
import { planReleases } from "../../../src/learning/release/plan-releases.js";
import { PrivateReleases } from "../../../src/learning/release/private-releases.js";
import { makeTasks } from "../tasks.js";

const tasks = makeTasks({ m: 8, d: 5, rows: () => 8 });

async function fit(options: Partial<GradientMethodOptions>) {
  const random = { mode: "seeded", seed: "form" } as const;
  const model = await new MpLowRank({ rounds: 4, clip: 2, delta: 1e-4, random, ...options }).fit(
    tasks,
  );
  return {
    guarantee: model.guarantee as Guarantee,
    events: model.ledger!.entries.map(({ event }) => event),
  };
}

describe("the form of the noise", () => {
  test("is exact by default where it is cheap, and the guarantee says so", async () => {
    const { guarantee, events } = await fit({});
    expect(new Set(events.map(({ kind }) => kind))).toEqual(new Set(["discrete-gaussian"]));
    expect(guarantee.why).toContain("exact integer arithmetic");
    expect(guarantee).toMatchObject({
      mechanism: "gaussian",
      epsilon: 1,
      delta: 1e-4,
      sound: true,
    });
    expect(deltaOf(events, { epsilon: 1 })).toBeLessThanOrEqual(1e-4);
  });

  test("is exact at every size", async () => {
    // 5 x 5 x 801 entries.
    expect((await fit({ rounds: 801 })).events[0]!.kind).toBe("discrete-gaussian");
  });

  test("is exact under delta 0 too: at the size of the floating-point noise", async () => {
    const exact = await fit({ delta: 0 });
    const float = await fit({ delta: 0, noise: "float" });
    expect(exact.guarantee.mechanism).toBe("two-sided-wishart");
    expect(exact.guarantee.why).toContain("integer arithmetic");
    expect(float.guarantee.why).toContain("proven for real numbers only");
    const scale = (events: readonly unknown[]) => (events[0] as { scale: number }).scale;
    expect(scale(exact.events)).toBeGreaterThanOrEqual(scale(float.events));
    expect(scale(exact.events)).toBeLessThan(1.002 * scale(float.events));
  });

  test("is floating-point when asked for, or where no exact form is", async () => {
    expect((await fit({ noise: "float" })).events[0]!.kind).toBe("gaussian");
    expect((await fit({ mechanism: "wishart" })).guarantee.sound).toBe(false);
    await expect(fit({ mechanism: "wishart", noise: "exact" })).rejects.toThrow(
      /expected another mechanism than "wishart"/,
    );
    // Beyond the sampler's range.
    expect((await fit({ epsilon: 1e40 })).guarantee.why).toContain("proven for real numbers only");
    await expect(fit({ epsilon: 1e40, noise: "exact" })).rejects.toThrow(
      /within the exact sampler's range/,
    );
  });

  test("exact noise costs less than a thousandth more than floating-point noise", async () => {
    const sigma = async (noise: "exact" | "float") =>
      ((await fit({ noise })).events[0] as unknown as { sigma: number }).sigma;
    const [exact, float] = [await sigma("exact"), await sigma("float")];
    expect(exact).toBeGreaterThanOrEqual(float);
    expect(exact).toBeLessThan(1.001 * float);
  });
});

test("a round's noise is drawn once: a second release under it is refused, and nothing charged", () => {
  const core = openCore();
  const options = checkOptions<ReleaseOptions>("rounds", { delta: 1e-3 }, releaseOptions);
  const plan = planReleases({
    options,
    tasks: 4,
    stages: [{ statistic: "covariance", m: 4, d: 2, clip: 1, rounds: 3 }],
  });
  const releases = new PrivateReleases(plan, { core, random: options.random });
  const rounds = releases.stages[0]!;
  const at = core.arena.zeros(4);
  rounds.perturb(at, 1);
  expect(() => rounds.perturb(at, 1)).toThrow("round: expected 2, the next release, got 1");
  expect(releases.ledger.entries).toHaveLength(1);
  expect(() => rounds.perturb(at, 3)).toThrow("round: expected 2");
  releases.close();
});
