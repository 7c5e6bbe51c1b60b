/** Liars among the owners: what they do to the plain mean, and what is left of that with a robust one; who refuses it. */
import { describe, expect, test } from "vitest";
import { OptionError } from "../../../../src/core/index.js";
import { TaskSet } from "../../../../src/data/index.js";
import { CuratorRounds } from "../../../../src/federation/curator/rounds/curator-rounds.js";
import { makePlan } from "../../../../src/federation/index.js";
import { shareMechanisms } from "../../../../src/federation/secure-aggregation/plan/mechanism.js";
import { parties } from "../../../../src/federation/secure-aggregation/plan/parties.js";
import { Pmtl, PrivateFedAvg, PpSgd } from "../../../../src/learning/index.js";
import type { Aggregate } from "../../../../src/learning/round/statistic/robust-sum.js";
import { loadModel, saveModel } from "../../../../src/model/index.js";

const seeded = { mode: "seeded", seed: "robust" } as const;
const trimmed: Aggregate = { kind: "trimmed-mean", share: 0.25 };
const median: Aggregate = { kind: "median-of-means", groups: 9 };
const [m, n] = [120, 30];
const truth = [0.8, -0.5, 0.3, 0.1];

/** Tasks of one model; the targets of every fifth are turned around and large where there are liars. */
function tasksWith(liars: boolean): TaskSet {
  return TaskSet.from(
    Array.from({ length: m }, (_, i) => {
      const x = Array.from({ length: n }, (_, r) =>
        truth.map((_, j) => Math.sin(1 + 7 * i + 3 * r + 5 * j * r + j)),
      );
      const sign = liars && i % 5 === 2 ? -30 : 1;
      return {
        name: `t${i}`,
        x,
        y: x.map((row) => sign * row.reduce((sum, value, j) => sum + value * truth[j]!, 0)),
      };
    }),
  );
}

const options = {
  epsilon: 100,
  delta: 1e-5,
  rounds: 20,
  clip: 1,
  localSteps: 2,
  intercept: false,
  safeguard: false,
  random: seeded,
} as const;

/** How far the shared model is from the truth. */
async function errorOf(aggregate: Aggregate, liars: boolean): Promise<number> {
  const model = await new PrivateFedAvg({ ...options, aggregate }).fit(tasksWith(liars));
  return Math.hypot(...truth.map((value, j) => model.weights[j]! - value));
}

describe("liars in the data", () => {
  test("carry the mean away, a trimmed mean far less; without them it costs little", async () => {
    const mean: Aggregate = { kind: "mean" };
    const [plain, robust] = [await errorOf(mean, true), await errorOf(trimmed, true)];
    expect(plain).toBeGreaterThan(5 * robust);
    const [honest, price] = [await errorOf(mean, false), await errorOf(trimmed, false)];
    expect(honest).toBeLessThan(0.02);
    expect(price).toBeLessThan(0.03);
  });

  test("cost what the mean costs: the same charges and guarantee, at larger noise a mean", async () => {
    const data = tasksWith(false);
    const fits = [undefined, trimmed, median].map((aggregate) =>
      new PrivateFedAvg({ ...options, ...(aggregate ? { aggregate } : {}) }).fit(data),
    );
    const [mean, cut, middle] = await Promise.all(fits);
    expect(cut!.guarantee).toEqual(mean!.guarantee);
    expect(middle!.guarantee).toEqual(mean!.guarantee);
    const scale = (model: typeof mean) => (model!.history[0] as { noiseScale: number }).noiseScale;
    expect(scale(cut) / scale(mean)).toBeCloseTo(m / (m - 2 * 30), 12);
    expect(scale(middle) / scale(mean)).toBeCloseTo(m / Math.floor(m / 9), 12);
    expect(loadModel(saveModel(cut!)).weights).toEqual(cut!.weights);
  });
});

describe("liars on the wire", () => {
  const sizes = { m: 40, d: 2, rows: 400, mostRows: 12 };
  const planOf = (aggregate: Aggregate) =>
    makePlan({
      run: "rounds",
      method: "pmtl",
      features: ["a", "b"],
      minimumTasks: sizes.m,
      options: { epsilon: 1e9, delta: 1e-4, rounds: 1, clip: 1, intercept: false, aggregate, random: seeded }, // prettier-ignore
    });

  /** The shared model after a round in which so many of forty lie as loudly as they can. */
  function moved(aggregate: Aggregate, liars: number): Float64Array {
    const rounds = new CuratorRounds(planOf(aggregate), sizes, []);
    rounds.open();
    for (let i = 0; i < sizes.m; i++) {
      const lies = (i * 7) % sizes.m < liars;
      rounds.put(i, lies ? Float64Array.of(-1e9, 1e9) : Float64Array.of(0.2, 0.1));
    }
    const { broadcast } = rounds.close();
    rounds.dispose();
    return broadcast;
  }

  test("a quarter of all is left out whole; one liar more is still held to the clip", () => {
    expect(moved({ kind: "mean" }, 10)[0]).toBeLessThan(0.01);
    expect(moved(trimmed, 10)[0]).toBeCloseTo(0.2, 3);
    expect(moved(trimmed, 10)[1]).toBeCloseTo(0.1, 3);
    expect(moved(trimmed, 11)[0]).toBeGreaterThan(0.2 - 1 / 20);
    expect(moved(median, 3)[0]).toBeCloseTo(0.2, 3);
  });
});

describe("refused", () => {
  test("with a sample of the tasks, and with too few tasks", async () => {
    const sampling = { kind: "fixed-size", size: 5 } as const;
    for (const aggregate of [trimmed, median]) {
      expect(() => new Pmtl({ aggregate, sampling })).toThrow(
        "aggregate: a task that is not drawn",
      );
      expect(() => new PpSgd({ aggregate, sampling })).toThrow(OptionError);
    }
    const few = tasksWith(false).select(["t0", "t1", "t2"]);
    await expect(new Pmtl({ ...options, aggregate: trimmed }).fit(few)).rejects.toThrow(
      "a trimmed mean of 3 tasks leaves out 0",
    );
    expect(() => new Pmtl({ aggregate: { kind: "median-of-means", groups: 4 } })).toThrow(
      "an odd number of groups",
    );
  });

  test("where the curator sees no vectors", () => {
    const sizes = { m: 40, d: 2, rows: 400, mostRows: 12 };
    const noiseShares = shareMechanisms({ parties: parties({ participants: 40, threshold: 30, colluding: 5 }) }); // prettier-ignore
    const releases = (aggregate: Aggregate) =>
      new Pmtl({ ...options, aggregate }).halves.releases({ sizes, outputs: 1, noiseShares });
    expect(() => releases(trimmed)).toThrow("secure or verified sums sees no vectors");
    expect(releases({ kind: "mean" }).stages).toHaveLength(1);
  });
});
