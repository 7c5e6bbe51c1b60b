/** Records hidden by noise in shares: sensitivities of integers, accounts per number of colluders, and whole runs. */
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { openCore } from "../../../src/core/core.js";
import { CuratorRounds } from "../../../src/federation/curator/rounds/curator-rounds.js";
import { ParticipantRounds } from "../../../src/federation/participant/participant-rounds.js";
import { plannedMethod } from "../../../src/federation/protocol/plan/planned-method.js";
import { aggregationGrid } from "../../../src/federation/secure-aggregation/integers/numbers.js";
import { aggregationTerms } from "../../../src/federation/secure-aggregation/plan/terms.js";
import { noisyIntegers } from "../../../src/federation/secure-aggregation/run/contribution.js";
import { parties } from "../../../src/federation/secure-aggregation/plan/parties.js";
import { shareMechanism } from "../../../src/federation/secure-aggregation/plan/mechanism.js";
import { roundToGrid } from "../../../src/federation/secure-aggregation/integers/parts.js";
import { shareOptionsOf } from "../../../src/federation/secure-aggregation/plan/planned.js";
import { verifiedMechanism } from "../../../src/federation/verified-sums/plan/mechanism.js";
import { rowMoments } from "../../../src/learning/families/mixed/records/record-moments.js";
import { makeEstimator } from "../../../src/learning/index.js";
import { noiseScaleAt } from "../../../src/learning/round/release-plan.js";
import {
  createMechanism,
  epsilonOf,
  gaussianEpsilon,
  protectionTable,
} from "../../../src/privacy/index.js";
import { openStream } from "../../../src/random/index.js";
import { keyOf, streamNumber } from "../../../src/random/stream-numbers.js";
import { AGGREGATION, n, owner, planOf, run, tasks, weightsOf } from "./secure-run.js";
import { someOf } from "../../thorough.js";

const sizes = { m: 7, d: 4, rows: 105, mostRows: 15 };
const planFor = (options: object, aggregation = {}) =>
  planOf("mp-mixed", { unit: "record", scale: "unit", epsilon: 1, ...options }, aggregation);

describe("integers of parts of vectors", () => {
  const d = 3;
  const length = ((d + 1) * (d + 2)) / 2;
  const row = fc.array(fc.double({ min: -9, max: 9, noNaN: true }), { minLength: d, maxLength: d });
  const rowsOf = (list: readonly (readonly number[])[]) => ({
    x: Float64Array.from(list.flatMap(([a, b]) => [a!, b!, 1])),
    y: Float64Array.from(list, (one) => one[2]!),
    offsets: [0, list.length],
  });
  const integers = (list: readonly (readonly number[])[], grid: ReturnType<typeof gridAt>) => {
    const q = new Float64Array(length);
    roundToGrid(rowMoments(rowsOf(list), d, 4), q, grid.lattice);
    return q;
  };
  const gridAt = (perUnit: number, precision: number) =>
    aggregationGrid({
      statistic: "vector",
      tasks: 9,
      dimension: length,
      adjacency: "replace",
      precision,
      clip: 9,
      parts: { sensitivity: Math.SQRT2 * perUnit, perUnit },
    });

  // A coarse grid, where rounding is a part of it that counts.
  test.each([4, 6, 18])(
    "a record replaced moves them by at most the sensitivity, %i bits",
    (bits) => {
      const grid = gridAt(1, bits);
      expect(grid.rounded).toBe(true);
      fc.assert(
        fc.property(fc.array(row, { minLength: 1, maxLength: 8 }), row, (list, other) => {
          const [a, b] = [integers(list, grid), integers([other, ...list.slice(1)], grid)];
          const moved = a.reduce((sum, value, k) => sum + (value - b[k]!) ** 2, 0);
          expect(BigInt(moved) <= grid.squaredSensitivity).toBe(true);
        }),
        { seed: 17, numRuns: 300 },
      );
    },
  );

  test("a person in two tasks: both vectors' changes, and the rounding of both", () => {
    const grid = gridAt(2, 4);
    fc.assert(
      fc.property(fc.array(row, { minLength: 2, maxLength: 5 }), row, row, (list, one, two) => {
        const before = [integers(list, grid), integers(list.slice(1), grid)];
        const after = [
          integers([one, ...list.slice(1)], grid),
          integers([two, ...list.slice(2)], grid),
        ];
        const moved = before[0]!.reduce(
          (sum, _, k) =>
            sum + (before[0]![k]! + before[1]![k]! - after[0]![k]! - after[1]![k]!) ** 2,
          0,
        );
        expect(BigInt(moved) <= grid.squaredSensitivity).toBe(true);
      }),
      { seed: 18, numRuns: 300 },
    );
  });

  test("the sensitivity is that of real numbers and the rounding, in grid steps, and no more", () => {
    for (const perUnit of [1, 3]) {
      const { squaredSensitivity, step } = gridAt(perUnit, 8);
      const exact = (Math.SQRT2 * perUnit) / step + perUnit * Math.sqrt(length);
      expect(Math.sqrt(Number(squaredSensitivity))).toBeGreaterThanOrEqual(exact);
      expect(Math.sqrt(Number(squaredSensitivity))).toBeLessThan(exact + 1);
    }
  });

  test("rounding is to nearest, and what is not finite is refused", () => {
    const { lattice } = gridAt(1, 6);
    const q = new Float64Array(2);
    roundToGrid(Float64Array.of(2.6 * lattice.grid, -0.4 * lattice.grid), q, lattice);
    expect([...q]).toEqual([3, 0]);
    expect(() => roundToGrid(Float64Array.of(1, NaN), q, lattice)).toThrow("finite");
    expect(() => roundToGrid(Float64Array.of(1, Infinity), q, lattice)).toThrow("finite");
  });

  test("a sum of other statistics has no parts, and a proof of a norm knows whole vectors only", () => {
    const asked = {
      ...({ statistic: "covariance", tasks: 5, dimension: 3, clip: 1, delta: 1e-5 } as const),
      vectors: { clip: 4, perUnit: 1 },
    };
    const numbers = parties({ participants: 5, colluding: 1 });
    expect(() => shareMechanism(asked, { parties: numbers })).toThrow("statistic: expected a sum");
    expect(() => verifiedMechanism({ ...asked, statistic: "vector" })).toThrow(/^unit: a proof/);
  });
});

/** (sensitivity / sigma)^2 summed, of each release's sensitivity. */
const muOf = (events: readonly object[], sensitivities: readonly number[]) =>
  Math.sqrt(
    events.reduce(
      (sum, event, k) => sum + (sensitivities[k]! / (event as { sigma: number }).sigma) ** 2,
      0,
    ),
  );
/** Of one record: sums of outer products, of differences, and how far tasks lie apart. */
const SENSITIVITIES = [Math.SQRT2, Math.SQRT2, 2];

describe("the account", () => {
  const releasesOf = (options: object, aggregation = {}) =>
    plannedMethod(planFor(options, aggregation), sizes).releases;

  test("a record's epsilon is the closed form of the honest shares' noise", () => {
    const { ledger } = releasesOf({});
    const mu = muOf(ledger.plan, SENSITIVITIES);
    const exact = gaussianEpsilon(mu, 1e-4);
    expect(exact).toBeLessThanOrEqual(1);
    expect(exact).toBeGreaterThan(0.999);
    expect(epsilonOf(ledger.plan, { delta: 1e-4 })).toBeLessThanOrEqual(1);
  });

  test("with nobody missing and nobody colluding the noise is the centre's, not every owner's", () => {
    const shared = releasesOf({}, { threshold: n, colluding: 0 });
    const { halves } = makeEstimator("mp-mixed", planFor({}).options) as never as {
      halves: { releases: (context: object) => typeof shared };
    };
    const central = halves.releases({ sizes, outputs: 1 });
    shared.stages.forEach((stage, k) => {
      const part = noiseScaleAt(stage, 1) / noiseScaleAt(central.stages[k]!, 1);
      // Grids differ in their last digits, and the last stage gets what is left.
      expect(Math.abs(part - 1)).toBeLessThan(2e-5);
    });
    // Were each owner's sum to carry the whole of it, as against a curator without secure sums:
    const counted = releasesOf({}).stages[0]!;
    expect(noiseScaleAt(counted, 1) / noiseScaleAt(central.stages[0]!, 1)).toBeCloseTo(
      Math.sqrt(n / 3),
      4,
    );
  });

  test("both: a record's own epsilon is the closed form with a record's sensitivity", () => {
    const { recordOf, ledger } = releasesOf({ unit: "both" });
    const mu = muOf(ledger.plan, SENSITIVITIES);
    const exact = gaussianEpsilon(mu, 1e-4);
    expect(recordOf!.epsilon).toBeGreaterThanOrEqual(exact);
    expect(recordOf!.epsilon).toBeLessThan(exact * (1 + 1e-4));
    expect(recordOf!.epsilon).toBeLessThan(1);
  });

  test("a person of two rows in each of two tasks: four records, and two vectors rounded", () => {
    const { ledger } = releasesOf({ rowsPerPerson: 2, tasksPerPerson: 2 });
    const mu = muOf(
      ledger.plan,
      SENSITIVITIES.map((one) => 4 * one),
    );
    const exact = gaussianEpsilon(mu, 1e-4);
    expect(exact).toBeLessThanOrEqual(1);
    expect(exact).toBeGreaterThan(0.999);
    const { grid } = aggregationTerms(
      releasesOf({ rowsPerPerson: 2, tasksPerPerson: 2 }),
      shareOptionsOf(planFor({}).aggregation!),
    )[0]!;
    const own = createMechanism({
      statistic: "moment",
      tasks: 105,
      dimension: grid.dimension,
      clip: 4,
      delta: 1e-4,
      discrete: true,
    }).event(1) as { sensitivity: number };
    const least = own.sensitivity / grid.step + 2 * Math.sqrt(grid.dimension);
    expect(Math.sqrt(Number(grid.squaredSensitivity))).toBeGreaterThanOrEqual(least);
  });
});

describe("runs on secure sums that hide records", () => {
  const methods = [
    ["mp-mixed", "record"],
    ["mp-mixed", "both"],
    ["mp-feature-learning", "record"],
    ["mp-hierarchical", "both"],
  ] as const;
  test.each(someOf(methods, 2))(
    "%s, %s: with next to no noise the models of a local fit; no vector is ever sent",
    async (method, unit) => {
      const plan = planOf(method, { unit, scale: "unit", epsilon: 1e8 });
      const { models } = await run(plan);
      const local = await makeEstimator(method, plan.options).fit(tasks);
      const largest = Math.max(...local.weights.map(Math.abs));
      for (const [name, weights] of weightsOf(models)) {
        const i = local.taskNames.indexOf(name);
        weights.forEach((w, j) => {
          expect(Math.abs(w - local.weights[i * local.d + j]!)).toBeLessThan(2e-3 * largest);
        });
      }
    },
  );

  test("the bits are those of the halves on sums of everyone's integers", async () => {
    const plan = planFor({});
    const { models } = await run(plan);
    const { estimator, releases } = plannedMethod(plan, sizes);
    const terms = aggregationTerms(releases, shareOptionsOf(plan.aggregation!));
    const owners = AGGREGATION.participants.map(({ name }) => {
      const core = openCore();
      const own = tasks.names.flatMap((task, i) => (owner(i) === name ? [{ task, i }] : []));
      const half = estimator.halves.participants({
        core,
        data: tasks.select(own.map(({ task }) => task)),
        sizes,
        classes: null,
        positions: own.map(({ i }) => i),
        start: null,
        releases,
      });
      const random = plan.options["random"] as { mode: "seeded"; seed: string };
      return { core, half, own, noise: openStream(core, keyOf(random, ` ${name}`)) };
    });
    for (const [k, term] of terms.entries()) {
      const sum = new Float64Array(term.grid.entries);
      for (const { core, half, noise } of owners) {
        const stage = half.stages[k]!;
        const vectors = core.arena.view(stage.upload(k + 1), stage.m * stage.uploadLength).slice();
        noise.select(streamNumber.release(k + 1));
        noisyIntegers(core, noise, term, vectors).forEach((x, at) => (sum[at]! += x));
      }
      const broadcast = sum.map((x) => x * term.grid.step);
      for (const { core, half } of owners) {
        half.stages[k]!.receive(core.arena.copyOf(broadcast), k + 1, true);
      }
    }
    const found = weightsOf(models);
    for (const { half, own } of owners) {
      const { weights } = half.models();
      own.forEach(({ task }, i) => {
        expect(found.get(task)).toEqual([...weights.subarray(4 * i, 4 * (i + 1))]);
      });
    }
  });

  test("the guarantee says what the curator with each number of owners can learn of a record", async () => {
    const { curator, models } = await run(planFor({}));
    const { guarantee } = curator;
    expect(guarantee).toMatchObject({ unit: "record", epsilon: 1, colluding: 1 });
    expect(guarantee.trust).toContain("no one is trusted");
    const mu = muOf(curator.ledger.plan!, SENSITIVITIES);
    for (const { honest, epsilon } of guarantee.collusion!) {
      // The plan counts on 4 - 1 honest shares.
      const exact = gaussianEpsilon(mu * Math.sqrt(3 / honest), 1e-4);
      expect(epsilon).toBeGreaterThanOrEqual(exact);
      expect(epsilon).toBeLessThan(exact * (1 + 1e-3));
    }
    expect(models["p0"]!.guarantee).toEqual(guarantee);
    const told = protectionTable({ ...guarantee, noiseSource: "secure" });
    const line = told.find(({ of, against }) => of === "record" && against === "curator")!;
    expect(line.epsilon).toBe(1);
    expect(line.words).toContain("together with up to 1 participants");
    const task = told.find(({ of, against }) => of === "task" && against === "curator")!;
    expect(task.epsilon).toBeNull();
  });

  test("both: a record's rows are told too, and a curator that states others is not believed", async () => {
    const plan = planFor({ unit: "both" });
    const { curator } = await run(plan);
    const { guarantee } = curator;
    const { recordOf } = guarantee;
    expect(recordOf!.collusion!.map(({ honest }) => honest)).toEqual([4, 3, 2, 1]);
    expect(recordOf!.collusion![1]!.epsilon).toBeCloseTo(recordOf!.epsilon, 12);
    recordOf!.collusion!.forEach(({ epsilon }, i) => {
      expect(epsilon).toBeLessThan(guarantee.collusion![i]!.epsilon);
    });
    const table = protectionTable({ ...guarantee, noiseSource: "secure" });
    const of = (unit: string) =>
      table.find((line) => line.of === unit && line.against === "curator")!.epsilon;
    expect(of("task")).toBe(1);
    expect(of("record")).toBe(recordOf!.epsilon);

    const rounds = new CuratorRounds(plan, sizes, []);
    const mine = new ParticipantRounds(plan, tasks.select(["task-0"]), { sizes, positions: [0], start: null }); // prettier-ignore
    for (let k = 0; k < 3; k++) {
      rounds.open();
      mine.receive(rounds.close(new Float64Array(rounds.releases.stages[k]!.length)).broadcast);
    }
    const stated = rounds.guarantee();
    const ledger = rounds.ledger.toJSON();
    expect(mine.model({ guarantee: stated, ledger }).guarantee).toEqual(stated);
    for (const change of [{ epsilon: 0.01 }, { collusion: [] }]) {
      const other = { ...stated, recordOf: { ...stated.recordOf!, ...change } };
      expect(() => mine.model({ guarantee: other, ledger })).toThrow("not that of the plan");
    }
    const { recordOf: _, ...without } = stated;
    expect(() => mine.model({ guarantee: without, ledger })).toThrow("not that of the plan");
  });
});
