/** What PMTL, FedAvg and FedProx that hide single records cost and promise, against closed forms. */
import { describe, expect, test } from "vitest";
import { makeEstimator, Pmtl, PrivateFedAvg } from "../../../../../src/learning/index.js";
import { loadModel, saveModel } from "../../../../../src/model/index.js";
import { releasesOf } from "../../../../../src/learning/release/private-estimator.js";
import type { PrivacyEvent } from "../../../../../src/privacy/index.js";
import { makeTasks } from "../../../tasks.js";

const sizes = { m: 5, d: 3, rows: (i: number) => 4 + i };
const tasks = makeTasks(sizes);
const N = tasks.size;
const random = { mode: "seeded", seed: "records" } as const;
const given = { unit: "record", epsilon: 1, delta: 1e-4, random } as const;
const planOf = (options: object, method = "pmtl") =>
  releasesOf(makeEstimator(method, { ...given, ...options }) as Pmtl, tasks);

/** Phi by its series, which nothing in src computes. */
function normalCdf(z: number): number {
  let term = z;
  let sum = z;
  for (let k = 1; k < 400; k++) sum += term *= (z * z) / (2 * k + 1);
  return 0.5 + (sum * Math.exp((-z * z) / 2)) / Math.sqrt(2 * Math.PI);
}
/** delta of mu-GDP at eps: Balle and Wang (2018), Theorem 8. */
const deltaOf = (mu: number, eps: number) =>
  normalCdf(-eps / mu + mu / 2) - Math.exp(eps) * normalCdf(-eps / mu - mu / 2);
const sigmaOf = (event: PrivacyEvent) => (event as { sigma: number }).sigma;
/** mu of releases by what a row of norm C adds at most. */
const muOf = (events: readonly PrivacyEvent[], moved: number) =>
  Math.sqrt(events.reduce((sum, event) => sum + (moved / sigmaOf(event)) ** 2, 0));

/** C times the tasks over the rows, as uploads are in units of the mean number of rows. */
const unitOf = (clip: number) => (clip * sizes.m) / N;

describe("accounting", () => {
  test.each([
    ["replace", 2],
    ["zero-out", 1],
  ] as const)("%s: the closed form of T Gaussian releases", (adjacency, times) => {
    const { stages, ledger, unit } = planOf({ adjacency, rounds: 7, recordClip: 3 });
    expect(unit).toBe("record");
    expect(stages).toHaveLength(1);
    const delta = deltaOf(muOf(ledger.plan, times * unitOf(3)), 1);
    expect(delta).toBeLessThanOrEqual(1e-4);
    expect(delta).toBeGreaterThan(0.999e-4);
  });

  test("one round over Poisson samples of rows: the closed form of a mixture of two normals", () => {
    const rate = 0.3;
    const { ledger } = planOf({ adjacency: "zero-out", rounds: 1, recordRate: rate });
    expect(ledger.plan[0]!.kind).toBe("subsampled-gaussian");
    const sigma = sigmaOf(ledger.plan[0]!) / unitOf(1);
    // P = (1 - q) N(0) + q N(1) against Q = N(0): log P/Q > eps from t on.
    const t = sigma ** 2 * Math.log((Math.exp(1) - 1 + rate) / rate) + 0.5;
    const above = (mean: number) => 1 - normalCdf((t - mean) / sigma);
    const removed = (1 - rate) * above(0) + rate * above(1) - Math.exp(1) * above(0);
    expect(removed).toBeLessThanOrEqual(1e-4);
    expect(removed).toBeGreaterThan(0.98e-4);
    // The same noise would cost more if all rows counted.
    expect(deltaOf(1 / sigma, 1)).toBeGreaterThan(5e-4);
  });

  test("own releases are paid by the same budget, all others see less", async () => {
    const options = { ...given, ownModel: "noisy", localSteps: 4, rounds: 3 } as const;
    const { guarantee, recordGuarantee, recordLedger, ledger } = await new Pmtl(options).fit(tasks);
    expect(recordGuarantee).toMatchObject({ against: "own model", epsilon: 1, delta: 1e-4, sound: true }); // prettier-ignore
    expect(recordLedger!.entries.map(({ label }) => label)).toEqual(["shared", "shared", "shared", "own", "own", "own", "own"]); // prettier-ignore
    const whole = deltaOf(muOf(recordLedger!.plan!, 2 * unitOf(1)), 1);
    expect(whole).toBeLessThanOrEqual(1e-4);
    expect(whole).toBeGreaterThan(0.999e-4);
    expect(guarantee.epsilon).toBeLessThan(0.8);
    expect(deltaOf(muOf(ledger!.plan!, 2 * unitOf(1)), guarantee.epsilon)).toBeLessThanOrEqual(
      1e-4,
    );
  });

  test("both: tasks by the clip, and a record's own epsilon by its part of it", () => {
    const { ledger, recordOf, unit } = planOf({
      unit: "both",
      rounds: 4,
      clip: 1.5,
      recordClip: 2,
    });
    expect(unit).toBe("task");
    expect(deltaOf(muOf(ledger.plan, 2 * 1.5), 1) / 1e-4).toBeGreaterThan(0.999);
    expect(deltaOf(muOf(ledger.plan, 2 * 1.5), 1)).toBeLessThanOrEqual(1e-4);
    const own = deltaOf(muOf(ledger.plan, 2 * unitOf(2)), recordOf!.epsilon);
    expect(own).toBeLessThanOrEqual(1e-4);
    expect(own).toBeGreaterThan(0.99e-4);
    expect(recordOf!.epsilon).toBeLessThan(0.5);
  });

  test("a person of two rows in each of two tasks costs what four records do", () => {
    const person = { rowsPerPerson: 2, tasksPerPerson: 2 };
    const { ledger } = planOf({ ...person, rounds: 3 });
    const delta = deltaOf(muOf(ledger.plan, 4 * 2 * unitOf(1)), 1);
    expect(delta).toBeLessThanOrEqual(1e-4);
    expect(delta).toBeGreaterThan(0.999e-4);
  });

  test("a default delta is of all records", () => {
    expect(planOf({ delta: "papers" }).ledger.delta).toBeCloseTo(1 / (N * Math.log(N)), 12);
    expect(planOf({ delta: "papers", unit: "both" }).ledger.delta).toBeCloseTo(1 / (5 * Math.log(5)), 12); // prettier-ignore
  });

  test("an owner with an epsilon of its own is heard less, and told its own account", async () => {
    const taskEpsilons = { "task-1": 0.25 };
    for (const ownModel of ["exact", "noisy"] as const) {
      const model = await new PrivateFedAvg({ ...given, taskEpsilons, ownModel }).fit(tasks);
      const [low, full] = [model.forTask("task-1"), model.forTask("task-2")];
      expect(low.guarantee).toMatchObject({ epsilon: 0.25, unit: "record" });
      expect(full.guarantee).toMatchObject({ epsilon: 1 });
      if (ownModel === "noisy") expect(low.recordGuarantee).toMatchObject({ epsilon: 0.25 });
    }
    const { owners, ledger } = releasesOf(new Pmtl({ ...given, taskEpsilons }), tasks);
    const { weight, sensitivities } = owners![1]!;
    expect(weight).toBeLessThan(0.4);
    expect(sensitivities[0]! / (2 * unitOf(1))).toBeCloseTo(weight, 4);
    const delta = deltaOf(muOf(ledger.plan, 2 * weight * unitOf(1)), 0.25);
    expect(delta).toBeLessThanOrEqual(1e-4);
    expect(delta).toBeGreaterThan(0.99e-4);
  });

  test("a saved model says the same", async () => {
    const taskEpsilons = { "task-1": 0.25 };
    for (const [method, options] of [
      ["pmtl", { ownModel: "noisy", localSteps: 2, taskEpsilons }],
      ["private-fedavg", { ownModel: "noisy", taskEpsilons }],
      ["private-fedprox", { unit: "both" }],
    ] as const) {
      const model = await makeEstimator(method, { ...given, ...options }).fit(tasks);
      const again = loadModel(saveModel(model));
      for (const name of ["task-0", "task-1"]) {
        const [one, other] = [model.forTask(name), again.forTask(name)];
        expect(other.guarantee).toEqual(one.guarantee);
        expect(other.recordGuarantee).toEqual(one.recordGuarantee);
        expect([...other.weights]).toEqual([...one.weights]);
      }
      expect(again.protection).toEqual(model.protection);
    }
  });

  test("what an owner with an epsilon of its own adds is scaled by its factor, and the mean reckons with it", async () => {
    const firstRound = async (options: object) => {
      const seen: Record<string, Float64Array> = {};
      const fitted = await new PrivateFedAvg({ ...given, ownModel: "noisy", ...options }).fit(
        tasks,
        {
          observe: ({ stage, round, values }) => {
            if (round === 1) seen[stage] = values.slice();
          },
        },
      );
      expect(fitted.rounds).toBe(10);
      return seen as Record<"uploads" | "released" | "broadcast", Float64Array>;
    };
    const taskEpsilons = { "task-1": 0.25 };
    const [all, scaled] = [await firstRound({}), await firstRound({ taskEpsilons })];
    const { owners } = releasesOf(new PrivateFedAvg({ ...given, ownModel: "noisy", taskEpsilons }), tasks); // prettier-ignore
    const factors = owners!.map(({ weight }) => weight);
    all.uploads.forEach((value, k) =>
      expect(scaled.uploads[k]! / value).toBeCloseTo(factors[Math.floor(k / 4)]!, 12),
    );
    const counted = tasks.taskSizes.reduce((sum, n, i) => sum + factors[i]! * n, 0);
    const divisor = (counted * sizes.m) / N;
    scaled.released.forEach((value, k) =>
      expect(scaled.broadcast[k]).toBeCloseTo(value / divisor, 12),
    );
  });

  test("whoever has a model is told what it protects", async () => {
    const secure = { ...given, random: { mode: "secure" } } as const;
    const table = async (options: object, method = "pmtl") => {
      const model = await makeEstimator(method, { ...secure, ...options }).fit(tasks);
      const lines = model.forTask("task-2").protection;
      return ["other tasks", "own model", "all models", "curator"].map(
        (party) => lines.find(({ of, against }) => of === "record" && against === party)!.epsilon,
      );
    };
    expect(await table({})).toEqual([1, null, null, null]);
    expect(await table({ ownModel: "noisy" }, "private-fedavg")).toEqual([1, 1, 1, null]);
    const [others, own, all, curator] = await table({ ownModel: "noisy" });
    expect(others).toBeLessThan(0.8);
    expect([own, all, curator]).toEqual([1, 1, null]);
    const both = await table({ unit: "both" });
    expect(both[0]).toBeLessThan(1);
    expect(both.slice(1)).toEqual([null, null, null]);
  });
});
