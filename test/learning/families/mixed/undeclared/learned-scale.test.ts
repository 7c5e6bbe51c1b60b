import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { openCore } from "../../../../../src/core/index.js";
import { MpMixed } from "../../../../../src/learning/index.js";
import { TaskSet } from "../../../../../src/data/index.js";
import { LearnedScaleExchange } from "../../../../../src/learning/families/mixed/undeclared/learned-scale.js";
import {
  scalePlan,
  scaleReleases,
  type ScalePlan,
} from "../../../../../src/learning/families/mixed/undeclared/scale-plan.js";
import { sumOfParts } from "../../../../../src/learning/round/common-work.js";
import {
  ColumnScale,
  type ScaleFigure,
} from "../../../../../src/learning/families/mixed/undeclared/column-scale.js";
import {
  LOCATION_BINS,
  locationVote,
} from "../../../../../src/learning/families/mixed/undeclared/location-code.js";
import { elected, shapesOf, type NoisyVotes } from "../../../../../src/learning/votes/election.js";
import {
  MAGNITUDE,
  magnitudePosition,
  vote,
} from "../../../../../src/learning/votes/size-votes.js";
import {
  magnitudeAt,
  spreadAt,
  spreadPosition,
} from "../../../../../src/learning/families/mixed/undeclared/scale-votes.js";
import { SquaredExchange } from "../../../../../src/learning/families/mixed/squared/squared-exchange.js";
import { squaredSteps } from "../../../../../src/learning/families/mixed/squared/squared-plan.js";
import { givenUnits, inUnits } from "../../../../../src/learning/families/mixed/units/units.js";
import {
  modelsFromUnits,
  priorInUnits,
} from "../../../../../src/learning/families/mixed/units/change-units.js";
import { generator, mixedTasks } from "../tasks.js";
import { expectNeighboursWithinSensitivity, withAnotherLastTask } from "../neighbours.js";

/** Votes on so many columns as they are. */
const plan: ScalePlan = scalePlan({ columns: 2, m: 1e6, meanRows: 5, loss: "squared" }, 1);

const noNumbers = () => new Float64Array(0);
const notYet = () => {
  throw new Error("not yet");
};

const wild = fc.oneof(
  fc.constantFrom(0, 1, -1, 1e12, -1e12, 1e-12),
  fc.double({ min: -1e3, max: 1e3, noNaN: true }),
);

describe("votes on scale", () => {
  test("positions are undone by their figures", () => {
    for (const figure of [1e-13, 1e-3, 0.7, 1, 12, 4e5, 5e16]) {
      expect(magnitudeAt(magnitudePosition(figure)) / figure).toBeCloseTo(1.2, 10);
      const spread = spreadPosition(figure, 3 * figure);
      expect(spreadAt(spread, 3 * figure) / figure).toBeCloseTo(1, 10);
    }
  });

  test("the bump that fits is found, to an eighth of a bin", () => {
    const shapes = shapesOf(MAGNITUDE);
    fc.assert(
      fc.property(fc.double({ min: 1, max: MAGNITUDE.bins - 2, noNaN: true }), (position) => {
        const counts = vote(MAGNITUDE, position).map((x) => 100 * x);
        const found = elected(shapes, { counts, deviation: 0.1 }, () => 0);
        expect(Math.abs(found.position - position)).toBeLessThan(0.13);
        expect(found.apart).toBeLessThan(0.3);
        expect(Math.abs(found.height / 100 - 1)).toBeLessThan(0.02);
      }),
      { seed: 1, numRuns: 100 },
    );
  });

  test("tasks that are apart are told from tasks that agree", () => {
    const counts = new Float64Array(MAGNITUDE.bins);
    for (const from of [-2.2, -1.1, 0, 1.1, 2.2])
      vote(MAGNITUDE, 9 + from).forEach((x, b) => (counts[b]! += 20 * x));
    const found = elected(shapesOf(MAGNITUDE), { counts, deviation: 1 }, () => 0);
    expect(Math.abs(found.position - 9)).toBeLessThan(0.2);
    expect(found.apart).toBeGreaterThan(1);
  });

  test("zeros do not vote for a magnitude, means outside of the window for a location, values at it for a spread", () => {
    expect(magnitudePosition(0)).toBeNaN();
    expect(locationVote(Float64Array.of(3), 1)).toBeUndefined();
    expect(locationVote(Float64Array.of(), 1)).toBeUndefined();
    expect(spreadPosition(0, 1)).toBeNaN();
    expect(locationVote(Float64Array.of(1.1), 1)).toBeDefined();
  });

  test("a magnitude that noise elected far too high is taken back where nothing else stands out", () => {
    const sum = (bins: number, votes: readonly (readonly [Float64Array, number])[]) => {
      const counts = new Float64Array(bins);
      for (const [bump, count] of votes) bump.forEach((x, b) => (counts[b]! += count * x));
      return { counts, deviation: 10 };
    };
    const nothing = { counts: Float64Array.of(5, -9, 4, 0, -3, 8, 1, 6, -7, 2, -5, 3), deviation: 10 }; // prettier-ignore
    const receive = (to: ColumnScale, about: ScaleFigure, votes: NoisyVotes) => {
      to.take(about, votes, to.conclusion(about, votes));
    };
    const own = vote(MAGNITUDE, magnitudePosition(2));
    const high = magnitudePosition(2 ** 20);
    const wrong = vote(MAGNITUDE, high);
    const half = magnitudeAt(high);
    const scale = new ColumnScale();
    receive(scale, "magnitudes", sum(MAGNITUDE.bins, [[own, 60], [wrong, 90]])); // prettier-ignore
    receive(
      scale,
      "locations",
      sum(LOCATION_BINS, [[locationVote(Float64Array.of(0), half)!, 60]]),
    );
    receive(scale, "spreads", nothing);
    expect(scale.center).toBe(0);
    expect(scale.spread).toBeGreaterThan(1.5);
    expect(scale.spread).toBeLessThan(4);
    // Where no lower magnitude stands out, the elected one stays.
    const alone = new ColumnScale();
    receive(alone, "magnitudes", sum(MAGNITUDE.bins, [[wrong, 60]]));
    const far = locationVote(Float64Array.of(0.9 * half), half)!;
    receive(alone, "locations", sum(LOCATION_BINS, [[far, 60]]));
    receive(alone, "spreads", nothing);
    expect(alone.center).toBeGreaterThan(1e5);
  });

  test("years, skewed sizes and columns that are mostly zero are learned as they lie", () => {
    const next = generator(8);
    const [m, n] = [400, 4];
    const x = new Float64Array(m * n * 4).fill(1);
    const y = new Float64Array(m * n);
    const skewed: number[] = [];
    for (let i = 0; i < m; i++) {
      const size = Math.exp(1.2 * next());
      for (let row = i * n; row < (i + 1) * n; row++) {
        x[row * 4] = 1980 + 3 * next();
        x[row * 4 + 1] = 100 * size * (1 + 0.3 * next());
        x[row * 4 + 2] = i % 3 === 0 ? 40 + 10 * next() : 0;
        y[row] = 5 + next();
        skewed.push(x[row * 4 + 1]!);
      }
    }
    const rows = { x, y, offsets: Uint32Array.from({ length: m + 1 }, (_, i) => i * n) };
    const voting = { columns: [0, 1, 2, 3], plan, known: givenUnits(4), rangeSize: 0.5 };
    const inner = { upload: noNumbers, receive: () => undefined, solve: notYet };
    const exchange = new LearnedScaleExchange(rows, voting, () => inner);
    // Who is not asked for votes, and who has others draw some of the conclusions.
    const listener = new LearnedScaleExchange(rows, voting, () => inner);
    const helped = new LearnedScaleExchange(rows, voting, () => inner);
    scaleReleases(plan, 4).forEach(({ length }, release) => {
      const work = helped.common(release);
      const halves = work && [exchange.common(release)!.compute(0, 1), work.compute(1, work.parts)];
      work?.take(sumOfParts(work, Float64Array.from(halves!.flatMap((half) => [...half]))));
      expect(helped.common(release)).toBeUndefined();
      expect(work === undefined).toBe(release === 0);
      const sum = new Float64Array(length);
      exchange.upload(release).forEach((value, at) => (sum[at % length]! += value));
      for (const one of [exchange, listener, helped]) one.receive(release, sum, 1);
    });
    expect(listener.units).toEqual(exchange.units);
    expect(helped.units).toEqual(exchange.units);
    const { centers, sizes, targetCenter, targetSize } = exchange.units;
    expect(Math.abs(centers[0]! - 1980)).toBeLessThan(8);
    expect(sizes[0]).toBeLessThan(12);
    const rms = Math.sqrt(skewed.reduce((sum, value) => sum + value * value, 0) / skewed.length);
    expect(sizes[1]! / rms).toBeGreaterThan(0.3);
    expect(sizes[1]! / rms).toBeLessThan(2);
    expect(sizes[2]).toBeGreaterThan(15);
    expect(sizes[2]).toBeLessThan(120);
    expect(Math.abs(targetCenter - 5)).toBeLessThan(1.5);
    expect(targetSize).toBeGreaterThan(0.5);
    expect(targetSize).toBeLessThan(3);
  });

  test("another task moves no sum of votes by more than its sensitivity, whatever was received", () => {
    const numbers = fc.array(wild, { minLength: 36, maxLength: 36 });
    const rowsOf = (values: readonly number[]) => ({
      x: Float64Array.from({ length: 27 }, (_, k) => (k % 3 === 2 ? 1 : values[k]!)),
      y: Float64Array.from(values.slice(27)),
      offsets: Uint32Array.of(0, 1, 4, 9),
    });
    const core = openCore();
    fc.assert(
      fc.property(numbers, numbers, fc.integer(), (values, others, seed) => {
        const columns = [0, 1, 2];
        const sizes = { m: 3, d: 3, meanRows: 3 };
        const steps = squaredSteps(sizes, 5);
        const exchangeOf = (list: readonly number[]) =>
          new LearnedScaleExchange(
            rowsOf(list),
            { columns, plan, known: givenUnits(3), rangeSize: 0.5 },
            (rows) => new SquaredExchange(core, rows, sizes, steps),
          );
        expectNeighboursWithinSensitivity(
          [exchangeOf(values), exchangeOf(withAnotherLastTask(values, others))],
          scaleReleases(plan, 3),
          generator(seed),
          () => 1,
        );
      }),
      { numRuns: 20, seed: 2 },
    );
  });

  test("are none of a task that has no rows", () => {
    const rows = {
      x: Float64Array.of(3, 2, 1, 3, -1, 1),
      y: Float64Array.of(1, 2),
      offsets: Uint32Array.of(0, 2, 2),
    };
    const exchange = new LearnedScaleExchange(
      rows,
      {
        columns: [0, 1],
        plan,
        known: givenUnits(3),
        rangeSize: 0.5,
      },
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
    const of = (columns: number, m: number, mu: number, meanRows = 2) =>
      scalePlan({ columns, m, meanRows, loss: "squared" }, mu);
    expect(of(0, 10, 0.1)).toEqual({ votes: [], part: 0, within: false });
    expect(of(3, 10_000, 1).part).toBe(0.06);
    expect(of(2, 148, 0.6).part).toBeCloseTo((3.5 * 4) / (0.6 * 0.12 * 148) ** 2, 12);
    expect(of(4, 148, 0.4).part).toBe(0.5);
    expect(() => of(8, 46, 0.35, 20)).toThrow(/Declare their ranges/);
    expect(of(4, 148, 0.4, 20).within).toBe(false);
  });

  test("where they are too many, differences within tasks of three rows have one", () => {
    const of = (meanRows: number, loss: "squared" | "logistic", m = 148, hasPrior = false) =>
      scalePlan({ columns: 3, m, meanRows, loss, hasPrior }, 0.15);
    const { votes, part, within } = of(3, "squared");
    expect(within).toBe(true);
    expect(votes.map(({ about }) => about)).toEqual(["differences"]);
    expect(part).toBe(0.5);
    expect(() => of(2.99, "squared")).toThrow(/Declare their ranges/);
    expect(of(3, "logistic")).toEqual(of(3, "squared"));
    expect(of(3, "squared", 148, true).within).toBe(true);
    expect(() => of(3, "logistic", 148, true)).toThrow(/Declare their ranges/);
    // Noise of a count of more than a third of the tasks.
    const most = Math.ceil(Math.sqrt(6) / (0.15 * Math.sqrt(0.5) * (1 / 3)));
    expect(of(3, "squared", most).within).toBe(true);
    expect(() => of(3, "squared", most - 1)).toThrow(/Declare their ranges/);
  });
});

describe("units", () => {
  const { rows, sizes } = mixedTasks(5, 30, 6, [0.8, -0.5, 0.3]);
  const units = {
    centers: Float64Array.of(40, -3, 0),
    sizes: Float64Array.of(7, 0.01, 1),
    targetCenter: 500,
    targetSize: 80,
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
    expect(labels.slice(0, 3)).toEqual([
      "scale: magnitudes",
      "scale: locations",
      "scale: spreads and differences",
    ]);
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
