/** Methods that share a prior and hide single records: how far one moves what is shared, what it costs, what is refused. */
import { describe, expect, test } from "vitest";
import fc from "fast-check";
import { openCore } from "../../../../../src/core/index.js";
import {
  makeEstimator,
  MpFeatureLearning,
  MpHierarchical,
} from "../../../../../src/learning/index.js";
import {
  CLOSE,
  RecordModels,
} from "../../../../../src/learning/families/prior/records/record-models.js";
import { canaryWorlds } from "../../../../../src/learning/audit/canary.js";
import { recordNorm } from "../../../../../src/learning/families/prior/records/record-plan.js";
import { KEPT } from "../../../../../src/learning/families/prior/records/record-settings.js";
import { releasesOf } from "../../../../../src/learning/release/private-estimator.js";
import { publicSizes } from "../../../../../src/learning/release/public-sizes.js";
import { gaussianDelta } from "../../../../../src/privacy/index.js";
import { ConvergenceError } from "../../../../../src/core/errors.js";
import { sensitivity } from "../../../../../src/privacy/sensitivity.js";
import type { TaskSet } from "../../../../../src/data/index.js";
import { makeLabelled, makeTasks } from "../../../tasks.js";

const random = { mode: "seeded", seed: "records" } as const;
const given = { unit: "record", scale: "unit", epsilon: 1, delta: 1e-4, random } as const;
const away = (a: ArrayLike<number>, b: ArrayLike<number>) =>
  Math.hypot(...Array.from(a, (v, k) => v - b[k]!));

describe("models that one record moves little", () => {
  const [clip, penalty] = [0.7, 2.5];
  const number = fc.double({ min: -1e3, max: 1e3, noNaN: true });
  const rowOf = fc.tuple(number, number, number);
  const solve = (rows: number[][], loss: "squared" | "logistic", held: number = clip) =>
    new RecordModels(
      {
        x: Float64Array.from(rows.flatMap(([a, b]) => [a!, b!])),
        y: Float64Array.from(rows, ([, , y]) => (loss === "squared" ? y! : y! < 0 ? -1 : 1)),
        offsets: [0, rows.length],
        names: ["a"],
        d: 2,
      },
      { loss, intercept: true, clip: held, penalty },
    ).solve();

  test.each(["squared", "logistic"] as const)(
    "%s: one that adds nothing moves them by C / Lambda, one that is replaced by twice that",
    (loss) => {
      const rows = fc.array(rowOf, { minLength: 0, maxLength: 6 });
      fc.assert(
        fc.property(rows, rowOf, rowOf, (others, one, other) => {
          const bound = (clip / penalty) * (1 + 2 * CLOSE);
          const [without, before, after] = [others, [...others, one], [...others, other]].map((all) => solve(all, loss)); // prettier-ignore
          expect(away(before!, without!)).toBeLessThanOrEqual(bound);
          expect(away(before!, after!)).toBeLessThanOrEqual(2 * bound);
        }),
        { numRuns: 150, seed: 17 },
      );
    },
  );

  test("the bound is reached: one far row alone, and its opposite", () => {
    const one = solve([[1e3, 0, 1e3]], "squared");
    const other = solve([[1e3, 0, -1e3]], "squared");
    expect(Math.abs(one[0]!)).toBeCloseTo(clip / penalty, 2);
    expect(away(one, other)).toBeGreaterThan(0.99 * 2 * (clip / penalty));
  });

  test("more rows than double precision covers are refused", () => {
    const offsets = [0, 3e6];
    const empty = { x: new Float64Array(0), y: new Float64Array(0), offsets, names: ["a b"], d: 2 };
    const options = { loss: "squared", intercept: true, clip, penalty: 1e6 } as const;
    expect(() => new RecordModels(empty, options)).toThrow(
      /^task "a b": 3000000 rows of 2 features/,
    );
    expect(() => new RecordModels({ ...empty, offsets: [0, 3e5] }, options)).not.toThrow();
  });

  test("a task whose target is no number is named, and what to do is said", () => {
    const fails = () => solve([[0.3, -0.5, NaN]], "squared");
    expect(fails).toThrow(ConvergenceError);
    expect(fails).toThrow(/^task "a": the model that it shares was not found.*declare the columns/);
  });

  test("without a clip that cuts they are ridge regression's", () => {
    const rows = [[0.3, -0.5, 0.2], [0.1, 0.9, -0.4], [-0.7, 0.2, 0.6], [0.5, 0.5, 0.1]]; // prettier-ignore
    const w = [...solve(rows, "squared", 1)];
    // The normal equations' last row gives the intercept; those of the two features must then hold.
    const level = rows.reduce((sum, [a, b, y]) => sum + y! - a! * w[0]! - b! * w[1]!, 0) / (rows.length + penalty); // prettier-ignore
    for (const k of [0, 1]) {
      const slope = rows.reduce((sum, [a, b, y]) => sum + (a! * w[0]! + b! * w[1]! + level - y!) * [a!, b!][k]!, penalty * w[k]!); // prettier-ignore
      expect(Math.abs(slope)).toBeLessThan(1e-3);
    }
  });
});

/** What a batch uploads in its first round. */
function uploadsOf(method: string, set: TaskSet, options: object = {}): Float64Array {
  const estimator = makeEstimator(method, { ...given, ...options }) as MpFeatureLearning;
  const core = openCore();
  const { m } = set;
  const sizes = publicSizes(set, estimator.options);
  const releases = estimator.halves.releases({ sizes, outputs: 1 });
  const positions = Array.from({ length: m }, (_, i) => i);
  const half = estimator.halves.participants({ core, data: set, sizes, positions, classes: null, releases, start: null }); // prettier-ignore
  const stage = half.stages[0]!;
  return core.arena.view(stage.upload(1), m * stage.uploadLength).slice();
}

describe.each([
  ["the models alone", "covariance", 0],
  ["a 1 beside", "augmented-covariance", 1],
] as const)("matrices of close vectors of %s", (_, statistic, beside) => {
  const clip = 1.3;
  const definition = { statistic, clip } as unknown as Parameters<typeof recordNorm>[0];
  const number = fc.double({ min: -2, max: 2, noNaN: true });
  const point = fc.tuple(number, number);
  const held = (v: readonly number[]) => v.map((x) => x * Math.min(1, clip / Math.hypot(...v)));
  const matrix = (v: readonly number[]) => [...v, beside].flatMap((a) => [...v, beside].map((b) => a * b)); // prettier-ignore

  test.each([1, 3, 8, 12, 20, 50])("%i rows a task: no farther than the noise is for", (rows) => {
    for (const [adjacency, times] of [
      ["zero-out", 1],
      ["replace", 2],
    ] as const) {
      const most = times * recordNorm(definition, { m: 7, rows: 7 * rows }, adjacency);
      const reach = (times * clip) / (KEPT * rows);
      const moved = (one: readonly number[], way: readonly number[]) => {
        const length = Math.hypot(...way);
        const other = one.map((x, k) => x + (way[k]! * Math.min(length, reach)) / (length || 1));
        return away(matrix(held(one)), matrix(held(other)));
      };
      fc.assert(
        fc.property(point, point, (one, way) => {
          expect(moved(one, way)).toBeLessThanOrEqual(most);
        }),
        { numRuns: 400, seed: 5 },
      );
      // Towards zero, and across: of few rows farther than the longest upload.
      const angle = 2 * Math.asin(Math.min(Math.SQRT2, reach / clip) / 2);
      const turned = [clip * (Math.cos(angle) - 1), clip * Math.sin(angle)];
      const farthest = Math.max(moved([clip, 0], [-clip, 0]), moved([clip, 0], turned));
      expect(farthest / most).toBeLessThanOrEqual(1);
      if (beside === 0) expect(farthest / most).toBeGreaterThan(0.7);
      if (beside === 0 && rows <= 8) expect(farthest).toBeGreaterThan(clip * clip);
    }
  });
});

describe("what one record moves of the uploads", () => {
  const n = 40;
  const sizes = { m: 3, d: 3, rows: () => n };
  const sets = { squared: makeTasks(sizes), logistic: makeLabelled(sizes) };
  test.each([
    ["mp-feature-learning", "squared", 1, 0],
    ["mp-feature-learning", "logistic", 1, 0],
    ["mp-hierarchical", "squared", 2, 2],
  ] as const)("%s, %s: at most the noise is for, and nearly that", (method, loss, K, beside) => {
    const set = sets[loss];
    const bound = 2 * (K / (KEPT * n)) * Math.sqrt(4 * K * K + beside);
    let most = 0;
    for (const [x, y] of [
      [1e4, 1],
      [1e4, -1],
      [-30, 1],
      [0.2, -1],
    ] as const) {
      // prettier-ignore
      for (const feature of [0, 1, 2]) {
        const changed = { x: set.x.slice(), y: set.y.slice() };
        changed.x[feature] = x;
        if (loss === "squared") changed.y[0] = 1e4 * y;
        const other = set.constructor as typeof TaskSet;
        const neighbour = other.adopt({ ...set.arrays(), ...changed });
        most = Math.max(most, away(uploadsOf(method, set, { loss }), uploadsOf(method, neighbour, { loss }))); // prettier-ignore
      }
    }
    expect(most).toBeLessThanOrEqual(bound);
    // A model at the norm turns: 2^(1/2) of the 2 by which one may grow.
    const shape = { adjacency: "replace", loss, clip: 1, featureBound: 1, unit: "record" } as const;
    const worlds = canaryWorlds(set, { ...shape, models: { intercept: false } });
    const options = { loss, intercept: false };
    const turned = away(uploadsOf(method, worlds.present, options), uploadsOf(method, worlds.neighbour, options)); // prettier-ignore
    expect(turned).toBeLessThanOrEqual(bound);
    expect(turned).toBeGreaterThan(0.6 * bound);
  });
});

describe("plans", () => {
  const set = makeTasks({ m: 5, d: 3, rows: () => 200 });
  const planOf = (method: string, options: object) =>
    releasesOf(makeEstimator(method, { ...given, ...options }) as MpFeatureLearning, set);
  const sensitivityOf = (event: object) => (event as { sensitivity: number }).sensitivity;

  test.each([
    ["replace", 2],
    ["zero-out", 1],
  ] as const)("%s: the sensitivity of a record", (adjacency, times) => {
    const { unit, stages, ledger } = planOf("mp-feature-learning", { adjacency, rounds: 3 });
    expect(unit).toBe("record");
    expect(stages).toHaveLength(1);
    expect(ledger.plan).toHaveLength(3);
    const exact = (times * 2) / (KEPT * 200);
    expect(sensitivityOf(ledger.plan[0]!) / exact).toBeCloseTo(1, 2);
    expect(sensitivityOf(ledger.plan[0]!)).toBeGreaterThan(exact);
    const { ledger: ofPerson } = planOf("mp-feature-learning", { adjacency, rounds: 3, rowsPerPerson: 2, tasksPerPerson: 3 }); // prettier-ignore
    expect(sensitivityOf(ofPerson.plan[0]!) / exact).toBeCloseTo(6, 1);
  });

  test.each([
    ["replace", 2],
    ["zero-out", 1],
  ] as const)("both, %s: noise of tasks, and a record's share of it", (adjacency, times) => {
    const { unit, ledger, recordOf } = planOf("mp-feature-learning", { unit: "both", adjacency });
    expect(unit).toBe("task");
    const of = { statistic: "moment", norm: "frobenius", adjacency, clip: 1, tasks: 5, dimension: 6 } as const; // prettier-ignore
    expect(sensitivityOf(ledger.plan[0]!) / sensitivity(of)).toBeCloseTo(1, 2);
    const moved = sensitivityOf(recordOf!.events[0]!);
    expect(moved / ((times * 2) / (KEPT * 200))).toBeCloseTo(1, 2);
    expect(recordOf!.epsilon).toBeLessThan(0.5);
  });

  test.each(["record", "both"] as const)(
    "%s: an owner with an epsilon of its own is heard less, and told its own account",
    async (unit) => {
      const set = makeTasks({ m: 5, d: 3, rows: () => 40 });
      const options = { ...given, unit, taskEpsilons: { "task-1": 0.25 } };
      const model = await new MpHierarchical(options).fit(set);
      expect(model.forTask("task-1").guarantee).toMatchObject({ epsilon: 0.25 });
      expect(model.forTask("task-2").guarantee).toMatchObject({ epsilon: 1 });
      const { owners, ledger } = releasesOf(new MpHierarchical(options), set);
      const { weight, sensitivities } = owners![1]!;
      expect(owners![2]!.weight).toBe(1);
      expect(weight).toBeLessThan(0.4);
      // A factor of what all others move, and of what it uploads.
      expect(sensitivities[0]! / sensitivityOf(ledger.plan[0]!)).toBeCloseTo(weight, 4);
      const [all, scaled] = [{}, options].map((more) => uploadsOf("mp-hierarchical", set, { unit, ...more })); // prettier-ignore
      const length = all!.length / 5;
      all!.forEach((value, k) =>
        expect(scaled![k]!).toBeCloseTo(value * (Math.floor(k / length) === 1 ? weight : 1), 12),
      );
      const delta = gaussianDelta(0.25, sensitivities[0]! / (ledger.plan[0] as { sigma: number }).sigma); // prettier-ignore
      expect(delta).toBeLessThanOrEqual(1e-4);
      expect(delta).toBeGreaterThan(0.98e-4);
    },
  );

  test("where all owners state the same smaller epsilon the prior is that of all tasks", async () => {
    const set = makeTasks({ m: 5, d: 3, rows: () => 40 });
    const taskEpsilons = Object.fromEntries(set.names.map((name) => [name, 500]));
    const loud = { ...given, epsilon: 1e6 };
    const [all, scaled] = await Promise.all(
      [{}, { taskEpsilons }].map((more) => new MpHierarchical({ ...loud, ...more }).fit(set)),
    );
    expect(away(all!.weights, scaled!.weights)).toBeLessThan(0.05 * Math.hypot(...all!.weights));
  });

  test("of few rows a record moves an upload as far as two are apart", () => {
    const few = makeTasks({ m: 5, d: 3, rows: () => 3 });
    for (const adjacency of ["replace", "zero-out"] as const) {
      const { ledger } = releasesOf(new MpHierarchical({ ...given, adjacency }), few);
      // U = 2^2 + 1.
      expect(sensitivityOf(ledger.plan[0]!) / (Math.SQRT2 * 5)).toBeCloseTo(1, 2);
    }
  });

  test.each([
    [{ delta: 0 }, /delta, mechanism/],
    [{ mechanism: "gaussian" }, /delta, mechanism/],
    [{ curator: "untrusted" }, /curator: /],
    [{ choice: "pooled" }, /choice: /],
    [{ sharing: "diagonal" }, /sharing: /],
  ] as const)("%o is refused", (options, words) => {
    expect(() => makeEstimator("mp-feature-learning", { ...given, ...options })).toThrow(words);
  });
});

test.each(["mp-low-rank", "mp-group-sparse", "mp-low-rank-sparse"])(
  "%s says why it hides tasks only",
  (method) => {
    expect(() => makeEstimator(method, { unit: "record" })).toThrow(
      /unit: expected "task": tasks go on from round to round .* mp-feature-learning, .* hide single records/,
    );
    expect(() => makeEstimator(method, { unit: "task" })).not.toThrow();
  },
);

describe("fits", () => {
  const set = makeTasks({ m: 4, d: 3, rows: () => 30 });
  test("columns of unknown size are refused by name, and taken where the caller vouches for them", async () => {
    const unknown = new MpFeatureLearning({ unit: "record", epsilon: 1, random });
    await expect(unknown.fit(set)).rejects.toThrow(/^column "x1" has no declared range: with unit "record"/); // prettier-ignore
    await expect(new MpFeatureLearning(given).fit(set)).resolves.toBeDefined();
  });

  test("the guarantee is a record's, and of both a task's with a record's beside", async () => {
    const secure = { ...given, random: { mode: "secure" } } as const;
    const { guarantee } = await new MpHierarchical(secure).fit(set);
    expect(guarantee).toMatchObject({ unit: "record", epsilon: 1, delta: 1e-4 });
    const both = await new MpHierarchical({ ...secure, unit: "both" }).fit(set);
    expect(both.guarantee).toMatchObject({ epsilon: 1 });
    expect((both.guarantee as { recordOf: { epsilon: number } }).recordOf.epsilon).toBeLessThan(1);
    const table = both.protection!.filter(({ of, epsilon }) => of === "record" && epsilon !== null);
    expect(table.map(({ against }) => against)).toEqual(["other tasks"]);
  });

  test("where there is next to no noise, tasks learn the directions that they share", async () => {
    const many = makeTasks({ m: 40, d: 8, rows: () => 12, rank: 1, noise: 0.3, seed: "shared" });
    const fit = (epsilon: number) =>
      new MpFeatureLearning({ ...given, epsilon, safeguard: false }).fit(many);
    const spread = (weights: Float64Array) => {
      // Share of the models' energy in their first direction, by power iterations.
      let v = new Float64Array(8).fill(1);
      let energy = 0;
      for (let step = 0; step < 60; step++) {
        const next = new Float64Array(8);
        for (let i = 0; i < 40; i++) {
          const w = weights.subarray(8 * i, 8 * i + 8);
          const along = w.reduce((sum, x, k) => sum + x * v[k]!, 0);
          w.forEach((x, k) => (next[k]! += along * x));
        }
        energy = Math.hypot(...next);
        v = next.map((x) => x / energy);
      }
      return energy / weights.reduce((sum, x) => sum + x * x, 0);
    };
    expect(spread((await fit(1e4)).weights)).toBeGreaterThan(spread((await fit(0.01)).weights));
  });
});
