/** Methods' halves on integer sums with noise in shares, without the masks in between. */
import { describe, expect, test } from "vitest";
import { openCore } from "../../../src/core/core.js";
import { aggregationTerms } from "../../../src/federation/secure-aggregation/plan/terms.js";
import { collusionTable } from "../../../src/federation/secure-aggregation/plan/collusion.js";
import { noisyIntegers } from "../../../src/federation/secure-aggregation/run/contribution.js";
import { parties } from "../../../src/federation/secure-aggregation/plan/parties.js";
import { shareMechanisms } from "../../../src/federation/secure-aggregation/plan/mechanism.js";
import { unpackStatistic } from "../../../src/federation/secure-aggregation/integers/fixed-point.js";
import type { DividedEstimator } from "../../../src/learning/release/private-estimator.js";
import { publicSizes } from "../../../src/learning/release/public-sizes.js";
import { MpFeatureLearning, MpHierarchical, MpLowRank, Pmtl } from "../../../src/learning/index.js";
import { epsilonOf, gaussianEpsilon } from "../../../src/privacy/index.js";
import { openStream } from "../../../src/random/index.js";
import { makeTasks } from "../../learning/tasks.js";

const data = makeTasks({ m: 12, d: 5, rows: () => 20 });
const sizes = publicSizes(data);
const numbers = parties({ participants: 12, colluding: 2 });
const shareOptions = { parties: numbers };

/** All rounds on integer sums; the models and what was charged. */
async function fitOnSums({ halves }: DividedEstimator) {
  const releases = halves.releases({
    sizes,
    outputs: 1,
    noiseShares: shareMechanisms(shareOptions),
  });
  const terms = aggregationTerms(releases, shareOptions);
  const curatorCore = openCore();
  const curator = halves.curator({ core: curatorCore, sizes, outputs: 1, releases });
  const owners = data.names.map((name, i) => {
    const core = openCore();
    return {
      core,
      random: openStream(core, { mode: "seeded", seed: i }),
      half: halves.participants({
        core,
        data: data.select([name]),
        sizes,
        positions: [i],
        classes: null,
        start: curator.start,
        releases,
      }),
    };
  });
  let round = 0;
  for (const [k, stage] of curator.stages.entries()) {
    for (let i = 0; i < stage.rounds; i++) {
      const { grid } = terms[round]!;
      const now = terms[round++]!;
      const sum = new Float64Array(grid.entries);
      for (const { core, random, half } of owners) {
        const participants = half.stages[k]!;
        const vector = core.arena
          .view(participants.upload(round), participants.uploadLength)
          .slice();
        random.select(round);
        noisyIntegers(core, random, now, vector).forEach((x, at) => (sum[at]! += x));
      }
      const statistic = new Float64Array(stage.curator.statisticLength);
      unpackStatistic(grid.statistic, sum, grid.dimension, grid.step, statistic);
      stage.curator.release(statistic, round);
      const { broadcast, broadcastLength } = stage.curator;
      const bytes = curatorCore.arena.view(broadcast, broadcastLength).slice();
      for (const { core, half } of owners) {
        half.stages[k]!.receive(core.arena.copyOf(bytes), round, i === stage.rounds - 1);
      }
    }
  }
  const weights: number[] = [];
  for (const { half } of owners) {
    await half.finish?.();
    weights.push(...half.models().weights);
  }
  return { weights, curator, terms };
}

const RANDOM = { mode: "seeded", seed: "local" } as const;
/** So little noise that rounding, order of sums and noise together leave models within 1e-3. */
const LOUD = { epsilon: 1e9, delta: 1e-5, random: RANDOM };
const METHODS: Record<string, DividedEstimator> = {
  "mp-low-rank": new MpLowRank({ ...LOUD, rounds: 4, lambda: 0.05 }),
  "mp-feature-learning": new MpFeatureLearning({ ...LOUD, choice: "pooled" }),
  "mp-feature-learning diagonal": new MpFeatureLearning({ ...LOUD, sharing: "diagonal" }),
  "mp-hierarchical": new MpHierarchical(LOUD),
  pmtl: new Pmtl({ ...LOUD, epsilon: 1e7, rounds: 3 }),
};

describe("methods on secure sums", () => {
  test.each(Object.keys(METHODS))(
    "%s: with next to no noise, the models of a local fit",
    async (name) => {
      const { weights, curator, terms } = await fitOnSums(METHODS[name]!);
      const local = await METHODS[name]!.fit(data);
      expect(terms).toHaveLength(curator.ledger.entries.length);
      const largest = Math.max(...local.weights.map(Math.abs));
      weights.forEach((w, i) => {
        expect(Math.abs(w - local.weights[i]!)).toBeLessThan(1e-3 * largest);
      });
    },
  );

  test("the budget is kept, and the guarantee names the honest shares", async () => {
    const { curator } = await fitOnSums(
      new MpLowRank({ epsilon: 2, delta: 1e-5, rounds: 3, random: RANDOM }),
    );
    const { epsilon, delta } = curator.ledger.spent();
    expect(epsilon).toBeLessThanOrEqual(2);
    expect(epsilon).toBeGreaterThan(1.999);
    expect(delta).toBe(1e-5);
    expect(curator.guarantee([]).why).toContain("at least 7 honest shares");
  });

  test("halves on sums refuse vectors, and the other way round", () => {
    const { halves } = METHODS["mp-low-rank"]!;
    const core = openCore();
    const on = (noiseShares?: ReturnType<typeof shareMechanisms>) =>
      halves.curator({
        core,
        sizes,
        outputs: 1,
        releases: halves.releases({ sizes, outputs: 1, noiseShares }),
      }).stages[0]!.curator;
    const at = core.arena.zeros(60);
    expect(() => on(shareMechanisms(shareOptions)).round(at, 1)).toThrow(
      "noise is added in noise shares",
    );
    expect(() => on().release(new Float64Array(25), 1)).toThrow("noise is drawn here");
  });
});

describe("the guarantee for every number of colluders", () => {
  const { halves } = new MpLowRank({ epsilon: 1, delta: 1e-5, rounds: 5, random: RANDOM });
  const noiseShares = shareMechanisms(shareOptions);
  const events = halves.releases({ sizes, outputs: 1, noiseShares }).ledger.plan;

  test("n = 12, t = 9, c = 2: rows for 0, 2, 5 and all 11 others", () => {
    const rows = collusionTable(events, numbers, 1e-5);
    expect(rows.map(({ colluding, honest }) => [colluding, honest])).toEqual([
      [0, 9],
      [2, 7],
      [5, 4],
      [11, 1],
    ]);
    expect(rows[1]!.epsilon).toBeLessThanOrEqual(1 + 1e-12);
    rows.forEach(({ epsilon }, i) => {
      if (i > 0) expect(epsilon).toBeGreaterThan(rows[i - 1]!.epsilon);
    });
  });

  test("each is the Gaussian guarantee of that many shares, and never below it", () => {
    const [event] = events;
    if (event?.kind !== "discrete-gaussian") expect.unreachable();
    const squares = events.map(
      (e) => (e.kind === "discrete-gaussian" ? e.sensitivity / e.sigma : 0) ** 2,
    );
    const mu = Math.sqrt(squares.reduce((sum, x) => sum + x));
    for (const { honest, epsilon } of collusionTable(events, numbers, 1e-5)) {
      const exact = gaussianEpsilon(mu * Math.sqrt(7 / honest), 1e-5);
      expect(epsilon).toBeGreaterThanOrEqual(exact * (1 - 1e-12));
      expect(epsilon).toBeLessThan(exact * (1 + 1e-4));
    }
    const { shares: _, ...plain } = event;
    expect(() => collusionTable([plain], numbers, 1e-5)).toThrow("expected noise in shares");
    expect(epsilonOf(events, { delta: 1e-5 })).toBeLessThanOrEqual(1);
  });
});
