import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { openCore } from "../../../../src/core/index.js";
import { MpMixed } from "../../../../src/learning/index.js";
import { TaskSet } from "../../../../src/data/index.js";
import {
  LearnedScaleExchange,
  scaleReleases,
  votesPart,
} from "../../../../src/learning/families/mixed/learned-scale.js";
import {
  elected,
  locationAt,
  locationPosition,
  MAGNITUDE,
  magnitudeAt,
  magnitudePosition,
  spreadAt,
  spreadPosition,
  vote,
} from "../../../../src/learning/families/mixed/scale-votes.js";
import { SquaredExchange } from "../../../../src/learning/families/mixed/squared-exchange.js";
import { squaredSteps } from "../../../../src/learning/families/mixed/squared-plan.js";
import {
  givenUnits,
  inUnits,
  modelsFromUnits,
  priorInUnits,
} from "../../../../src/learning/families/mixed/units.js";
import { generator, mixedTasks } from "./tasks.js";
import { expectNeighboursWithinSensitivity, withAnotherLastTask } from "./neighbours.js";

const wild = fc.oneof(
  fc.constantFrom(0, 1, -1, 1e12, -1e12, 1e-12),
  fc.double({ min: -1e3, max: 1e3, noNaN: true }),
);

describe("votes on scale", () => {
  test("positions are undone by their figures", () => {
    for (const figure of [1e-3, 0.7, 1, 12, 4e5]) {
      expect(magnitudeAt(magnitudePosition(figure)) / figure).toBeCloseTo(1.2, 10);
      expect(spreadAt(spreadPosition(figure, 3 * figure), 3 * figure) / figure).toBeCloseTo(1, 10);
      expect(locationAt(locationPosition(figure, 2 * figure), 2 * figure)).toBeCloseTo(figure, 6);
    }
  });

  test("the bump that fits is found, to an eighth of a bin", () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 20, noNaN: true }), (position) => {
        const found = elected(MAGNITUDE, vote(MAGNITUDE, position));
        expect(Math.abs(found - position)).toBeLessThan(0.13);
      }),
      { seed: 1, numRuns: 100 },
    );
  });

  test("another task moves no sum of votes by more than its sensitivity, whatever was received", () => {
    const numbers = fc.array(wild, { minLength: 36, maxLength: 36 });
    const rowsOf = (values: readonly number[]) => ({
      x: Float64Array.from({ length: 27 }, (_, k) => (k % 3 === 2 ? 1 : values[k]!)),
      y: Float64Array.from(values.slice(27)),
      offsets: Uint32Array.of(0, 1, 4, 9),
    });
    fc.assert(
      fc.property(numbers, numbers, fc.integer(), (values, others, seed) => {
        const columns = [0, 1, 2];
        const sizes = { m: 3, d: 3, meanRows: 3 };
        const steps = squaredSteps(sizes, 5);
        const exchangeOf = (list: readonly number[]) =>
          new LearnedScaleExchange(
            rowsOf(list),
            { columns, known: givenUnits(3), rangeSize: 0.5 },
            (rows) => new SquaredExchange(openCore(), rows, sizes, steps),
          );
        expectNeighboursWithinSensitivity(
          [exchangeOf(values), exchangeOf(withAnotherLastTask(values, others))],
          scaleReleases(columns.length, 0.2),
          generator(seed),
          () => 1,
        );
      }),
      { numRuns: 20, seed: 2 },
    );
  });

  test("are none of a task that has no rows", () => {
    const rows = {
      x: Float64Array.of(0, 2, 1, 0, -1, 1),
      y: Float64Array.of(1, 2),
      offsets: Uint32Array.of(0, 2, 2),
    };
    const exchange = new LearnedScaleExchange(
      rows,
      { columns: [0, 1], known: givenUnits(3), rangeSize: 0.5 },
      () => {
        throw new Error("not yet");
      },
    );
    const votes = exchange.upload(0);
    const { bins } = MAGNITUDE;
    expect(votes).toHaveLength(2 * 2 * bins);
    expect(votes.subarray(2 * bins)).toEqual(new Float64Array(2 * bins));
    expect(votes.subarray(0, bins).some((value) => value > 0)).toBe(true);
    expect(votes.every(Number.isFinite)).toBe(true);
  });

  test("are paid for by what the sizes need, and refused where noise would drown them", () => {
    expect(votesPart(0, 10, 0.1)).toBe(0);
    expect(votesPart(3, 10_000, 1)).toBe(0.06);
    expect(votesPart(4, 148, 0.35)).toBeCloseTo((3 * 8) / (0.35 * 0.2 * 148) ** 2, 12);
    expect(() => votesPart(8, 46, 0.35)).toThrow(/Declare their ranges/);
  });
});

describe("units", () => {
  const { rows, sizes } = mixedTasks(5, 30, 6, [0.8, -0.5, 0.3]);
  const units = {
    centers: Float64Array.of(40, -3, 0),
    sizes: Float64Array.of(7, 0.01, 1),
    ...{ targetCenter: 500, targetSize: 80 },
  };
  /** The same rows in other units. */
  const raw = {
    x: rows.x.map((z, at) => units.centers[at % 3]! + units.sizes[at % 3]! * z),
    y: rows.y.map((z) => 500 + 80 * z),
    offsets: rows.offsets,
  };
  const solved = () => {
    const exchange = new SquaredExchange(openCore(), inUnits(units, raw), sizes, []);
    return exchange.solve();
  };

  test("models in units predict as they do for the data as given, with the same doubt", () => {
    const inside = solved();
    const outside = modelsFromUnits(units, inside);
    for (let i = 0; i < 3; i++) {
      const dot = (w: Float64Array, x: Float64Array) =>
        [0, 1, 2].reduce((sum, c) => sum + w[i * 3 + c]! * x[i * 18 + c]!, 0);
      expect(dot(outside.models, raw.x)).toBeCloseTo(500 + 80 * dot(inside.models, rows.x), 6);
      const variance = (all: Float64Array, x: Float64Array) => {
        let [sum, at] = [0, i * 6];
        for (let c = 0; c < 3; c++)
          for (let e = 0; e <= c; e++)
            sum += (c === e ? 1 : 2) * all[at++]! * x[i * 18 + c]! * x[i * 18 + e]!;
        return sum;
      };
      const there = variance(inside.covariances, rows.x) * 6400;
      expect(variance(outside.covariances, raw.x) / there).toBeCloseTo(1, 6);
    }
    expect(outside.noise[0]).toBeCloseTo(6400 * inside.noise[0]!, 8);
  });

  test("a prior goes there and back", () => {
    const inside = solved();
    const back = priorInUnits(units, modelsFromUnits(units, inside).prior);
    back.covariance.forEach((value, at) =>
      expect(value).toBeCloseTo(inside.prior.covariance[at]!, 6),
    );
    back.fixedEffects.forEach((value, c) =>
      expect(value).toBeCloseTo(inside.prior.fixedEffects[c]!, 6),
    );
    expect(back.noise).toBeCloseTo(inside.prior.noise, 10);
  });
});

describe("MpMixed on columns that nobody declared", () => {
  const { rows, test: held } = mixedTasks(17, 200, 5, [0.8, -0.5, 0.3]);
  const setOf = ({ x, y }: { x: Float64Array; y: Float64Array }, factor: number, offset: number) =>
    TaskSet.from(
      Array.from({ length: 200 }, (_, i) => ({
        name: `task ${i}`,
        x: Array.from({ length: 5 }, (_, r) => [
          offset + factor * x[(i * 5 + r) * 3]!,
          x[(i * 5 + r) * 3 + 1]! / factor,
        ]),
        y: Array.from(y.subarray(i * 5, (i + 1) * 5), (value) => 3 * offset + factor * value),
      })),
    );
  const random = { mode: "seeded", seed: 2 } as const;
  const nmse = async (factor: number, offset: number, scale: "auto" | "unit") => {
    const options = { epsilon: 3, delta: 1e-3, scale, random } as const;
    const model = await new MpMixed(options).fit(setOf(rows, factor, offset));
    return { model, nmse: model.score(setOf(held, factor, offset)).nmse! };
  };

  test("raw units and offsets cost little against prepared ones, and the ledger names the votes", async () => {
    const prepared = await nmse(1, 0, "unit");
    const { model, nmse: raw } = await nmse(250, 1000, "auto");
    expect(raw).toBeLessThan(1.1 * prepared.nmse);
    const labels = model.ledger!.entries.map(({ label }) => label);
    expect(labels.slice(0, 3)).toEqual(["scale: magnitudes", "scale: locations", "scale: spreads"]);
    expect(model.ledger!.spent().epsilon).toBeLessThanOrEqual(3);
  });

  test("refuses them where that is asked for, by name, and where the budget cannot learn them", async () => {
    const options = { epsilon: 3, delta: 1e-3, random } as const;
    const data = setOf(rows, 1, 0);
    await expect(new MpMixed({ ...options, scale: "declared" }).fit(data)).rejects.toThrow(
      /column "x1" has no declared range/,
    );
    await expect(new MpMixed({ ...options, epsilon: 0.05 }).fit(data)).rejects.toThrow(
      /Declare their ranges/,
    );
  });
});
