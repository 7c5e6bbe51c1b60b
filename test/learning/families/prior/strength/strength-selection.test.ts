/**
 * How a task weighs strengths of a prior and scales its features: against closed forms.
 */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { openCore } from "../../../../../src/core/index.js";
import { TaskSet } from "../../../../../src/data/index.js";
import { MpFeatureLearning } from "../../../../../src/learning/index.js";
import { placeTasks } from "../../../../../src/learning/tasks/resident-tasks.js";
import { scaleFeatures } from "../../../../../src/learning/families/prior/feature-scale.js";
import { selectStrength } from "../../../../../src/learning/families/prior/strength/strength-selection.js";
import { LocalSolve } from "../../../../../src/learning/families/prior/local-solve.js";
import { scaledIdentity } from "../../../../../src/learning/tasks/solves/local-solves.js";
import { normals, openStream } from "../../../../../src/random/index.js";
import { eigh } from "../../../../../src/linalg/index.js";
import { makeTasks } from "../../../tasks.js";

const candidates = Array.from({ length: 13 }, (_, k) => 10 ** (k / 2 - 5.5));

function place(data: TaskSet, intercept = false) {
  return placeTasks(data, { loss: "squared", lossScale: "mean", intercept }).tasks;
}

describe("the evidence for a strength", () => {
  // y ~ N(0, s^2 (I + X X^T / (n kappa))), s^2 integrated out; an intercept leaves n - 1 contrasts.
  test.each([
    [false, 7],
    [true, 7],
    [false, 30],
    [true, 30],
  ])("is that of the eigenvalues (intercept %s, %i rows)", (intercept, n) => {
    const d = 12;
    const data = makeTasks({ m: 1, d, rows: () => n, noise: 0.3 });
    const tasks = place(data, intercept);
    const prior = { precision: scaledIdentity(tasks.core.arena, d, 1), center: 0 };
    const belief = { candidates, center: 1e-3, decades: 0.4 };
    const { costs } = selectStrength(tasks, prior, belief);
    const center = (values: Float64Array) => {
      const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
      return intercept ? values.map((value) => value - mean) : values;
    };
    const columns = Array.from({ length: d }, (_, j) =>
      center(Float64Array.from({ length: n }, (_, i) => data.x[i * d + j]!)),
    );
    const y = center(Float64Array.from(data.y));
    const gram = new Float64Array(n * n);
    for (let a = 0; a < n; a++) {
      for (let b = 0; b < n; b++) {
        gram[a * n + b] = columns.reduce((sum, column) => sum + column[a]! * column[b]!, 0);
      }
    }
    const { values, vectors } = eigh(gram, n);
    const turned = values.map((_, k) =>
      y.reduce((sum, value, i) => sum + value * vectors[i * n + k]!, 0),
    );
    const free = intercept ? n - 1 : n;
    const exact = candidates.map((kappa) => {
      let [quadratic, volume] = [0, 0];
      values.forEach((value, k) => {
        const variance = 1 + Math.max(0, value) / (n * kappa);
        quadratic += turned[k]! ** 2 / variance;
        volume += Math.log(variance);
      });
      return (free / 2) * Math.log(quadratic) + volume / 2;
    });
    // Only differences count. The trapezoid rule is off by at most h^2/96 nats an eigenvalue, h = 1.15.
    candidates.forEach((_, k) => {
      expect(Math.abs(costs[k]! - costs[0]! - exact[k]! + exact[0]!)).toBeLessThan(0.014 * d);
    });
  });
});

describe("a task's own scale", () => {
  const [m, d, n] = [2, 6, 20];
  const gaussian = normals(openStream(openCore(), { mode: "seeded", seed: "scale" }), m * n * d);
  const setOf = (scale: (j: number) => number) =>
    TaskSet.from(
      Array.from({ length: m }, (_, i) => ({
        name: `t${i}`,
        x: Array.from({ length: n }, (_, r) =>
          Array.from({ length: d }, (_, j) => gaussian[(i * n + r) * d + j]! * scale(j)),
        ),
        y: Array.from({ length: n }, (_, r) => gaussian[(i * n + r) * d]!),
      })),
    );
  const energies = (tasks: ReturnType<typeof place>, i: number) => {
    const x = tasks.core.arena.view(tasks.x, m * n * d).subarray(i * n * d, (i + 1) * n * d);
    return Array.from({ length: d }, (_, j) =>
      x.reduce((sum, value, k) => sum + (k % d === j ? value * value : 0), 0),
    );
  };

  test("leaves features alike as they are, up to rows of mean squared norm 1", () => {
    const tasks = place(setOf(() => 7));
    const factors = scaleFeatures(tasks);
    for (let i = 0; i < m; i++) {
      const own = factors.subarray(i * d, (i + 1) * d);
      expect(new Set(own).size).toBe(1);
      expect(energies(tasks, i).reduce((a, b) => a + b) / n).toBeCloseTo(1, 12);
    }
  });

  test("brings features of another scale closer, and does not move the others apart", () => {
    const tasks = place(setOf((j) => (j === 0 ? 100 : 1)));
    const before = Array.from({ length: m }, (_, i) => energies(tasks, i));
    scaleFeatures(tasks);
    for (let i = 0; i < m; i++) {
      const after = energies(tasks, i);
      for (let j = 1; j < d; j++) {
        const spread = after[0]! / after[j]!;
        expect(spread).toBeGreaterThan(1);
        expect(spread).toBeLessThan((0.5 * before[i]![0]!) / before[i]![j]!);
      }
    }
  });

  test("features of zeros stay finite", () => {
    for (const intercept of [false, true]) {
      const factors = scaleFeatures(
        place(
          setOf((j) => (j < 2 ? 0 : 1)),
          intercept,
        ),
      );
      expect(factors.every((value) => value > 0 && Number.isFinite(value))).toBe(true);
      expect(
        scaleFeatures(
          place(
            setOf(() => 0),
            intercept,
          ),
        ).every((value) => value === 1),
      ).toBe(true);
    }
  });

  test("a model does not depend on the units of all features together", async () => {
    const fit = (scale: number) =>
      new MpFeatureLearning({ epsilon: 3, delta: 0.01, random: { mode: "seeded", seed: 1 } }).fit(
        setOf(() => scale),
      );
    const [small, large] = [await fit(1), await fit(1024)];
    large.weights.forEach((value, k) => {
      expect(value * 1024).toBeCloseTo(small.weights[k]!, 9);
    });
  });
});

test("what a task shares has norm K at most, whatever its data, in every round's coordinates", () => {
  const [m, d, n, clip] = [3, 4, 6, 1];
  const entry = fc.double({ min: -1, max: 1, noNaN: true });
  fc.assert(
    fc.property(
      fc.array(entry, { minLength: m * n * (d + 1), maxLength: m * n * (d + 1) }),
      fc.array(fc.integer({ min: -8, max: 8 }), { minLength: d, maxLength: d }),
      (values, decades) => {
        const at = (i: number, r: number) => (i * n + r) * (d + 1);
        const rows = (i: number) =>
          Array.from({ length: n }, (_, r) =>
            decades.map((decade, j) => values[at(i, r) + j]! * 10 ** decade),
          );
        const tasks = place(
          TaskSet.from(
            Array.from({ length: m }, (_, i) => ({
              name: `t${i}`,
              x: rows(i),
              y: Array.from({ length: n }, (_, r) => values[at(i, r) + d]!),
            })),
          ),
        );
        scaleFeatures(tasks);
        const { arena } = tasks.core;
        const strength = { candidates, center: 1e-3, decades: 0.4 };
        const message = arena.zeros(d * d + d);
        for (let j = 0; j < d; j++) arena.view(message, d * d)[j * (d + 1)] = 10 ** (j - 2);
        const initial = selectStrength(tasks, { precision: message, center: 0 }, strength);
        const options = { clip, scaling: "unit", initial, strength } as const;
        const participants = new LocalSolve(tasks, { ...options, centered: false, refined: true });
        for (let round = 1; round <= 3; round++) {
          const shared = arena.view(participants.upload(), m * d);
          for (let i = 0; i < m; i++) {
            const norm = Math.hypot(...shared.subarray(i * d, (i + 1) * d));
            expect(norm).toBeLessThanOrEqual(clip * (1 + 1e-15));
          }
          participants.receive(message, round, false);
        }
      },
    ),
    { numRuns: 60, seed: 5 },
  );
});
