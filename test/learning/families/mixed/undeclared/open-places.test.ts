/** Where votes leave open where columns lie, the third vote is on differences within tasks, and the rows enter by them. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { openCore } from "../../../../../src/core/index.js";
import { TaskSet } from "../../../../../src/data/index.js";
import { fitNewTask, MpMixed, SingleTask } from "../../../../../src/learning/index.js";
import { squaredSteps } from "../../../../../src/learning/families/mixed/squared/squared-plan.js";
import { SquaredExchange } from "../../../../../src/learning/families/mixed/squared/squared-exchange.js";
import { differencesIn } from "../../../../../src/learning/families/mixed/undeclared/differences.js";
import { LearnedScaleExchange } from "../../../../../src/learning/families/mixed/undeclared/learned-scale.js";
import {
  scalePlan,
  scaleReleases,
} from "../../../../../src/learning/families/mixed/undeclared/scale-plan.js";
import { givenUnits, type Units } from "../../../../../src/learning/families/mixed/units/units.js";
import { loadModel, saveModel } from "../../../../../src/model/index.js";
import { generator } from "../tasks.js";
import { expectNeighboursWithinSensitivity, withAnotherLastTask } from "../neighbours.js";
import { thorough } from "../../../../thorough.js";

const planOf = (meanRows: number, loss: "squared" | "logistic" = "squared") =>
  scalePlan({ columns: 3, m: 1e6, meanRows, loss }, 1);

describe("the plan", () => {
  test("asks for differences the sooner, the more rows a task has, and never of three rows", () => {
    expect(planOf(30).openFrom).toBeCloseTo(0.1, 12);
    expect(planOf(6).openFrom).toBeCloseTo(0.5, 12);
    expect(planOf(3).openFrom).toBeUndefined();
    expect(planOf(30, "logistic").openFrom).toBeCloseTo(0.1, 12);
    // A public prior of labels is of rows as they are.
    const facts = { columns: 3, m: 1e6, meanRows: 30, hasPrior: true } as const;
    expect(scalePlan({ ...facts, loss: "logistic" }, 1).openFrom).toBeUndefined();
    expect(scaleReleases(planOf(30), 3).map(({ label }) => label)).toEqual([
      "scale: magnitudes",
      "scale: locations",
      "scale: spreads and differences",
    ]);
    expect(scaleReleases(planOf(3), 3)[2]!.label).toBe("scale: spreads");
  });

  test("costs what votes on spreads cost", () => {
    const fractions = (meanRows: number) =>
      scaleReleases(planOf(meanRows), 3).map(({ fraction }) => fraction);
    expect(fractions(30)).toEqual(fractions(3));
  });
});

/** Two features and the constant in tasks of 1, 3 and 5 rows. */
const rowsOf = (values: readonly number[]) => ({
  x: Float64Array.from({ length: 27 }, (_, k) => (k % 3 === 2 ? 1 : values[k]!)),
  y: Float64Array.from(values.slice(27)),
  offsets: Uint32Array.of(0, 1, 4, 9),
});

/** One for all runs: opening a memory takes longer than an exchange of so few rows. */
const core = openCore();

/** An exchange that turns to differences where the mean doubt is above `openFrom`. */
function exchangeOf(
  values: readonly number[],
  openFrom: number,
  made: (units: Units) => void = () => undefined,
) {
  const sizes = { m: 3, d: 3, meanRows: 3 };
  const rows = rowsOf(values);
  return new LearnedScaleExchange(
    rows,
    {
      columns: [0, 1, 2],
      known: givenUnits(3),
      rangeSize: 0.5,
      plan: { ...planOf(30), openFrom },
    },
    (scaled, units) => {
      made(units);
      return new SquaredExchange(core, scaled, sizes, squaredSteps(sizes, 5), units);
    },
    { untold: [2], differences: () => differencesIn("squared", rows, [2]) },
  );
}

describe("the exchange", () => {
  const wild = fc.oneof(
    fc.constantFrom(0, 1, -1, 1e12, -1e12, 1e-12),
    fc.double({ min: -1e3, max: 1e3, noNaN: true }),
  );
  const numbers = fc.array(wild, { minLength: 36, maxLength: 36 });

  test.each([0, 0.5, 1])(
    "above a doubt of %d: another task moves no sum by more than its sensitivity, whatever was received",
    (openFrom) => {
      fc.assert(
        fc.property(numbers, numbers, fc.integer(), (values, others, seed) => {
          expectNeighboursWithinSensitivity(
            [
              exchangeOf(values, openFrom),
              exchangeOf(withAnotherLastTask(values, others), openFrom),
            ],
            scaleReleases(planOf(30), 3),
            generator(seed),
            () => 1,
          );
        }),
        { numRuns: thorough ? 20 : 8, seed: 5 },
      );
    },
  );

  test("all who receive the same decide the same, whether they are asked for votes or not", () => {
    const decided = new Set<boolean>();
    fc.assert(
      fc.property(numbers, numbers, fc.integer(), (values, others, seed) => {
        const seen: Units[] = [];
        const made = (units: Units) => void seen.push(units);
        const all = [exchangeOf(values, 0.6, made), exchangeOf(others, 0.6, made)];
        const normal = generator(seed);
        scaleReleases(planOf(30), 3).forEach(({ length }, release) => {
          all[0]!.upload(release);
          // Where the first two sums are flat nothing tells where columns lie, where one count stands out something does.
          const sum = Float64Array.from(
            { length },
            (_, at) => normal() + (seed % 2 ? 0 : 60 * Number(at % 7 === 3)),
          );
          for (const one of all) one.receive(release, sum, 1);
        });
        expect(seen).toHaveLength(2);
        expect(seen[1]).toEqual(seen[0]);
        decided.add(seen[0]!.untold !== undefined);
        // Differences lie around zero.
        if (seen[0]!.untold) expect([...seen[0]!.centers]).toEqual([0, 0, 0]);
      }),
      { numRuns: thorough ? 40 : 15, seed: 6 },
    );
    expect([...decided].sort()).toEqual([false, true]);
  });
});

/** Years, something far from zero, and a target, each task at a level of its own. */
function tasksOf(m: number, n: number) {
  const next = generator(12);
  return TaskSet.from(
    Array.from({ length: m }, (_, i) => {
      const own = [0.8 + 0.1 * next(), -0.5 + 0.1 * next()];
      const level = 40 * next();
      const rows = Array.from({ length: n }, () => [next(), next()]);
      return {
        name: `task ${i}`,
        x: rows.map(([a, b]) => [1990 + 7 * a!, 51 + 0.3 * b!]),
        y: rows.map(
          (row) => level + 3 * (row.reduce((s, v, c) => s + v * own[c]!, 0) + 1.5 * next()),
        ),
      };
    }),
  );
}

describe("a fit whose votes leave places open", async () => {
  const random = { mode: "seeded", seed: 3 } as const;
  const options = { epsilon: 1, delta: 1e-3, random } as const;
  const { train, test: held } = tasksOf(90, 40).splitBy((row) => row < 20);
  const model = await new MpMixed(options).fit(train);

  test("shares slopes, for what was planned, and each task keeps its level", async () => {
    const labels = model.ledger!.entries.map(({ label }) => label);
    expect(labels.slice(0, 3)).toEqual([
      "scale: magnitudes",
      "scale: locations",
      "scale: spreads and differences",
    ]);
    expect(model.ledger!.spent().epsilon).toBeLessThanOrEqual(1);
    expect(model.components["untold"]).toBeDefined();
    expect(model.summary().coefficients.map(({ name }) => name)).toEqual(["x1", "x2"]);
    expect(model.predictNew).toBeUndefined();
    const alone = await new SingleTask().fit(train);
    expect(model.score(held).nmse!).toBeLessThan(alone.score(held).nmse!);
  });

  test("has the same bits on two threads", async () => {
    const two = await new MpMixed(options).fit(train, { threads: 2 });
    expect([...two.weights]).toEqual([...model.weights]);
    expect([...two.intercepts!]).toEqual([...model.intercepts!]);
  });

  test("gives its own tasks what it would give them later, from a file", async () => {
    const later = fitNewTask(await loadModel(await saveModel(model)), train);
    later.weights.forEach((w, at) =>
      expect(Math.abs(w - model.weights[at]!)).toBeLessThan(1e-6 * Math.abs(w) + 1e-9),
    );
  });
});
