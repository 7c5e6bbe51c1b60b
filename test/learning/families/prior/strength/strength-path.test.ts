/**
 * A task's models at all strengths of a prior from one decomposition: against one Cholesky factor a strength.
 */
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { placeTasks } from "../../../../../src/learning/tasks/resident-tasks.js";
import { solveLeavingOneOut } from "../../../../../src/learning/local-selection/leave-one-out.js";
import { StrengthPath } from "../../../../../src/learning/families/prior/strength/strength-path.js";
import { openCore } from "../../../../../src/core/index.js";
import { normals, openStream } from "../../../../../src/random/index.js";
import { builds, coreOf } from "../../../../assembly/builds.js";
import { makeTasks } from "../../../tasks.js";

const strengths = [1e-5, 1e-3, 0.1, 10];

/** A positive definite matrix whose eigenvalues span so many decades. */
function precisionOf(d: number, decades: number, seed: number): Float64Array {
  const u = normals(openStream(openCore(), { mode: "seeded", seed }), d);
  const square = u.reduce((sum, value) => sum + value * value, 0);
  // I - 2 u u^T / u^T u is orthogonal.
  const turn = (i: number, k: number) => (i === k ? 1 : 0) - (2 * u[i]! * u[k]!) / square;
  const value = (k: number) => 10 ** (decades * (k / Math.max(1, d - 1) - 0.5));
  return Float64Array.from({ length: d * d }, (_, at) => {
    const [i, j] = [Math.floor(at / d), at % d];
    let sum = 0;
    for (let k = 0; k < d; k++) sum += turn(i, k) * value(k) * turn(j, k);
    return sum;
  });
}

interface Case {
  d: number;
  n: number;
  decades: number;
  intercept: boolean;
  centered: boolean;
  seed: number;
}

function place({ d, n, decades, intercept, centered, seed }: Case, core = openCore()) {
  // Sizes on both sides of d.
  const data = makeTasks({
    m: 3,
    d,
    rows: (i) => Math.max(1, n - i),
    noise: 0.3,
    seed: String(seed),
  });
  const { tasks } = placeTasks(data, { loss: "squared", lossScale: "mean", intercept }, { core });
  const { arena } = tasks.core;
  const precision = arena.copyOf(precisionOf(d, decades, seed));
  const center = centered ? arena.copyOf(precisionOf(d, 0, seed + 1).subarray(0, d)) : 0;
  return { tasks, data, prior: { precision, center } };
}

/** The same by a Cholesky factor for each strength. */
function oneByOne({ tasks, data, prior }: ReturnType<typeof place>, i: number, kappa: number) {
  const { core, m, d } = tasks;
  const { arena, kernels } = core;
  const scaled = arena.zeros(d * d);
  kernels.axpy(kappa, prior.precision, scaled, d * d);
  const models = arena.zeros(m * d);
  const levels = tasks.intercept ? arena.zeros(m) : 0;
  const left = solveLeavingOneOut(
    tasks,
    { precision: scaled, center: prior.center },
    { weights: models, intercepts: levels },
  );
  const [from, to] = [data.offsets[i]!, data.offsets[i + 1]!];
  const w = arena.view(models, m * d).slice(i * d, (i + 1) * d);
  const b = levels === 0 ? 0 : arena.view(levels, m)[i]!;
  const a = prior.center === 0 ? new Float64Array(d) : arena.view(prior.center, d);
  const p = arena.view(scaled, d * d);
  let fit = 0;
  for (let j = from; j < to; j++) {
    const margin = w.reduce((sum, value, k) => sum + value * data.x[j * d + k]!, b);
    fit += (margin - data.y[j]!) ** 2 / 2;
  }
  // L_i is divided by n_i, and so is the prior in units of a row's loss.
  for (let k = 0; k < d; k++) {
    for (let l = 0; l < d; l++) {
      fit += ((to - from) / 2) * (w[k]! - a[k]!) * p[k * d + l]! * (w[l]! - a[l]!);
    }
  }
  const leverage = left.leverages.slice(from, to).reduce((sum, value) => sum + value, 0);
  return { w, b, fit, leverage, losses: left.losses.slice(from, to) };
}

const near = (got: number, want: number, scale: number) =>
  expect(Math.abs(got - want)).toBeLessThan(1e-8 * Math.max(scale, 1e-3));

describe("a task's models at all strengths", () => {
  test("are those of one strength after the other: models, errors, leverages, losses", () => {
    const one = fc.record({
      d: fc.integer({ min: 1, max: 14 }),
      n: fc.integer({ min: 1, max: 17 }),
      decades: fc.integer({ min: 0, max: 6 }),
      intercept: fc.boolean(),
      centered: fc.boolean(),
      seed: fc.integer({ min: 1, max: 1000 }),
    });
    fc.assert(
      fc.property(one, (given) => {
        const problem = place(given);
        const { tasks, data, prior } = problem;
        const path = StrengthPath.open(tasks, prior, strengths)!;
        for (let i = 0; i < tasks.m; i++) {
          const n = data.offsets[i + 1]! - data.offsets[i]!;
          const wanted = strengths.map((kappa) => oneByOne(problem, i, kappa));
          const { losses, leverages, residuals } = path.solve(i)!;
          const found = { losses: losses.slice(), leverages: leverages.slice() };
          const errors = residuals.map((value) => value * value);
          wanted.forEach(({ w, b, fit, leverage, losses: squares }, q) => {
            near(found.losses[q]!, fit, fit);
            // One row with an intercept has all of its leverage; without targets it cannot be read off them.
            if (n > 1) near(found.leverages[q]!, leverage, n);
            squares.forEach((square, j) => near(errors[q * n + j]!, square, square));
            const alone = path.average(Float64Array.from(strengths, (_, k) => (k === q ? 1 : 0)));
            const length = Math.hypot(...w);
            w.forEach((value, k) => near(alone.weights[k]!, value, length));
            near(alone.intercept, b, Math.abs(b) + length);
          });
          const all = path.average(new Float64Array(strengths.length).fill(1 / strengths.length));
          const mean = (k: number) => wanted.reduce((sum, { w }) => sum + w[k]!, 0) / wanted.length;
          const length = Math.max(...wanted.map(({ w }) => Math.hypot(...w)));
          all.weights.forEach((value, k) => near(value, mean(k), length));
        }
      }),
      { numRuns: 60, seed: 11 },
    );
  });

  test.each([5, 20])("have the same bits in both builds (%i rows)", (n) => {
    const given = { d: 9, n, decades: 3, intercept: true, centered: true, seed: 3 };
    const [simd, scalar] = builds.map((build) => {
      const { tasks, prior } = place(given, coreOf(build));
      const path = StrengthPath.open(tasks, prior, strengths)!;
      const { losses, leverages, residuals } = path.solve(0)!;
      const evidence = [...losses, ...leverages, ...residuals];
      const { weights, intercept } = path.average(new Float64Array(strengths.length).fill(0.25));
      return Float64Array.from([...evidence, ...weights, intercept]);
    });
    expect(simd!.every(Number.isFinite)).toBe(true);
    expect(new BigUint64Array(simd!.buffer)).toEqual(new BigUint64Array(scalar!.buffer));
  });

  test("a precision that is not positive definite has no path", () => {
    const { tasks, prior } = place({
      d: 3,
      n: 5,
      decades: 0,
      intercept: false,
      centered: false,
      seed: 1,
    });
    tasks.core.arena.view(prior.precision, 9).fill(0);
    expect(StrengthPath.open(tasks, prior, strengths)).toBeUndefined();
  });
});
