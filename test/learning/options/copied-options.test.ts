/** What an estimator was told stays what it was told: an object that its caller changes later, or between two looks, is not looked at again. */
import { expect, test } from "vitest";
import { MpMixed, Pmtl } from "../../../src/learning/index.js";
import { makeTasks } from "../tasks.js";

const tasks = makeTasks({ m: 6, d: 3, rows: () => 5 });

test("noise that was seeded for a draw is not called secure", async () => {
  let looks = 0;
  const random = {
    seed: "known",
    get mode() {
      return looks++ % 2 === 0 ? ("seeded" as const) : ("secure" as const);
    },
  };
  const estimator = new Pmtl({ rounds: 2, delta: 1e-3, random });
  const [one, other] = [await estimator.fit(tasks), await estimator.fit(tasks)];
  const same = one.weights.every((value, k) => value === other.weights[k]);
  expect(same).toBe(one.guarantee.noiseSource === "seeded");
  expect(one.guarantee.private).toBe(one.guarantee.noiseSource === "secure");
});

test("a source of noise that changes while a fit goes on changes nothing of it", async () => {
  const random = { mode: "secure" } as { mode: "secure" | "seeded"; seed: string };
  const estimator = new MpMixed({
    unit: "record",
    ownModel: "noisy",
    scale: "unit",
    random,
  });
  const onRound = () => Object.assign(random, { mode: "seeded", seed: "known" });
  const [one, other] = [await estimator.fit(tasks, { onRound }), await estimator.fit(tasks)];
  expect(one.recordGuarantee!.noiseSource).toBe("secure");
  expect(other.guarantee.noiseSource).toBe("secure");
});

test("a schedule that changes later is the one that was given", () => {
  const schedule = { kind: "geometric" as const, ratio: 0.5 };
  const { options } = new Pmtl({ schedule });
  schedule.ratio = 2;
  expect(options.schedule).toEqual({ kind: "geometric", ratio: 0.5 });
});

test("a public prior that changes once rows were seen is the one that was declared", () => {
  const publicPrior = { coefficients: { x1: 1 }, source: "a study" };
  const { options } = new MpMixed({ publicPrior });
  Object.assign(publicPrior, { source: "these rows" });
  publicPrior.coefficients.x1 = -3;
  expect(options.publicPrior).toEqual({ coefficients: { x1: 1 }, source: "a study" });
  const open = options.publicPrior as unknown as { coefficients: Record<string, number> };
  expect(() => (open.coefficients["x1"] = 5)).toThrow(TypeError);
});

test("a seed beside noise that is secure is refused, since it would be of no use", () => {
  const random = { mode: "secure", seed: 7 } as { mode: "secure" };
  expect(() => new Pmtl({ random })).toThrow(/random.*\{ mode: "seeded", seed \}/);
});
