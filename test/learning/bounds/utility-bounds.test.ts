/** Utility bounds against closed forms, against noisy runs written down here, and against the orders that the papers state. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { seededUniforms } from "../../../src/data/split/shuffle.js";
import {
  averagingBound,
  bestRounds,
  inexactProximalBound,
  noiseNormBound,
  recommendedSchedule,
  utilityBound,
  type UtilityOptions,
} from "../../../src/learning/index.js";
import { thoroughTest } from "../../thorough.js";

/** Standard normals by Box and Muller. */
function normalsOf(seed: string): () => number {
  const uniform = seededUniforms("bounds", seed);
  return () => Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform());
}

const L = 2;
const clean = { errors: new Float64Array(10), smoothness: L, distance: 3 };

describe("inexact proximal steps", () => {
  test("without errors they are the classical rates, by hand", () => {
    expect(inexactProximalBound({ ...clean, acceleration: "none" })).toEqual({
      bound: (L * 9) / 20,
      of: "average",
    });
    expect(inexactProximalBound({ ...clean, acceleration: "convex" }).bound).toBeCloseTo(
      (2 * L * 9) / 121,
      12,
    );
    const mu = 0.5;
    const strongly = { ...clean, strongConvexity: mu };
    const distance = inexactProximalBound({ ...strongly, acceleration: "none" });
    expect(distance.of).toBe("distance");
    expect(distance.bound).toBeCloseTo(3 * 0.75 ** 10, 12);
    const last = inexactProximalBound({ ...strongly, acceleration: "strongly-convex", gap: 4 });
    expect(last.bound).toBeCloseTo(2 * 4 * 0.5 ** 10, 12);
  });

  test("one error by hand", () => {
    const errors = [0, 0.25, 0];
    // A = 2 * sqrt(2 * .25 / L), B = 4 * .25 / L.
    const expected = ((2 * L) / 16) * (3 + 2 * 2 * 0.5 + Math.sqrt(2 * 0.5)) ** 2;
    const { bound } = inexactProximalBound({ ...clean, errors, acceleration: "convex" });
    expect(bound).toBeCloseTo(expected, 12);
  });

  test("hold for lasso steps whose proximal points are moved", () => {
    // f(w) = sum c_j (w_j - b_j)^2 / 2 + lambda |w|_1: the optimum is known entry by entry.
    const property = fc.property(
      fc.record({
        c: fc.array(fc.double({ min: 0.05, max: 1, noNaN: true }), { minLength: 2, maxLength: 4 }),
        size: fc.double({ min: 0, max: 0.3, noNaN: true }),
        acceleration: fc.constantFrom("none", "convex", "strongly-convex"),
        seed: fc.integer({ min: 0, max: 1e6 }),
      }),
      ({ c, size, acceleration, seed }) => {
        const lambda = 0.4;
        const normal = normalsOf(String(seed));
        const b = c.map(() => 2 * normal());
        const soft = (v: number, by: number) => Math.sign(v) * Math.max(0, Math.abs(v) - by);
        const best = b.map((bj, j) => soft(bj, lambda / c[j]!));
        const f = (w: number[]) =>
          w.reduce((s, v, j) => s + (c[j]! * (v - b[j]!) ** 2) / 2 + lambda * Math.abs(v), 0);
        const h = (w: number[], y: number[]) =>
          w.reduce((s, v, j) => s + (v - y[j]!) ** 2 / 2 + lambda * Math.abs(v), 0);
        const mu = Math.min(...c) * 0.999;
        const start = b.map(() => 3 * normal());
        let [x, before] = [start, start];
        const T = 12;
        const errors: number[] = [];
        const sum = x.map(() => 0);
        for (let t = 1; t <= T; t++) {
          const r = Math.sqrt(mu);
          const beta =
            acceleration === "none" || t === 1
              ? 0
              : acceleration === "convex"
                ? (t - 2) / (t + 1)
                : (1 - r) / (1 + r);
          const z = x.map((v, j) => v + beta * (v - before[j]!));
          const y = z.map((v, j) => v - c[j]! * (v - b[j]!));
          const exact = y.map((v) => soft(v, lambda));
          [before, x] = [x, exact.map((v) => v + size * normal())];
          errors.push(Math.max(0, h(x, y) - h(exact, y)) + 1e-12);
          x.forEach((v, j) => (sum[j]! += v / T));
        }
        const distance = Math.hypot(...start.map((v, j) => v - best[j]!));
        const strongConvexity = acceleration === "convex" ? 0 : mu;
        const gap = f(start) - f(best);
        const { bound, of } = inexactProximalBound({
          errors,
          smoothness: 1,
          strongConvexity,
          acceleration,
          distance,
          gap,
        });
        const reached =
          of === "distance" ? Math.hypot(...x.map((v, j) => v - best[j]!)) : f(x) - f(best);
        expect(reached).toBeLessThanOrEqual(bound);
        if (acceleration !== "none") return;
        const plain = inexactProximalBound({ errors, smoothness: 1, acceleration, distance });
        expect(f(sum) - f(best)).toBeLessThanOrEqual(plain.bound);
      },
    );
    fc.assert(property, { seed: 19, numRuns: 200 });
  });
});

describe("noise", () => {
  // 400 draws, each above the bound with probability at most .05: more than 40 has probability below 1e-4.
  test.each(["gaussian", "wishart"] as const)(
    "%s: its norm is exceeded no more often than said",
    (name) => {
      const normal = normalsOf(name);
      const d = 4;
      let [above, aboveDiagonal] = [0, 0];
      const options = { dimension: d, scale: 1.5, failure: 0.05 };
      const bound = noiseNormBound(name, { ...options, statistic: "covariance" });
      const diagonalBound = noiseNormBound(name, { ...options, statistic: "diagonal" });
      for (let draw = 0; draw < 400; draw++) {
        const columns = name === "gaussian" ? d : d + 1;
        const g = Array.from({ length: d }, () => Array.from({ length: columns }, normal));
        let [squares, diagonal] = [0, 0];
        for (let i = 0; i < d; i++) {
          for (let j = 0; j < d; j++) {
            const entry =
              name === "gaussian"
                ? (1.5 * (g[i]![j]! + g[j]![i]!)) / 2
                : 1.5 * g[i]!.reduce((s, v, k) => s + v * g[j]![k]!, 0);
            squares += entry ** 2;
            if (i === j) diagonal += entry ** 2;
          }
        }
        if (Math.sqrt(squares) > bound) above++;
        if (Math.sqrt(diagonal) > diagonalBound) aboveDiagonal++;
      }
      expect(above).toBeLessThanOrEqual(40);
      expect(aboveDiagonal).toBeLessThanOrEqual(40);
    },
  );
});

const options = {
  statistic: "covariance",
  tasks: 50,
  features: 5,
  rounds: 20,
  clip: 1,
  lambda: 1,
  smoothness: 1,
  epsilon: 1,
  delta: 1e-3,
} satisfies UtilityOptions;

describe("Algorithms 2 and 3", () => {
  test("errors by hand for one release", () => {
    const { errors, noise } = utilityBound({ ...options, rounds: 1, epsilon: 1e9 });
    const missed = Math.sqrt(50) * (noise[0]! / 2);
    expect(missed).toBeLessThan(1);
    expect(errors[0]).toBeCloseTo(missed ** 2 / 2 + 2 * Math.sqrt(5) * missed, 10);
    const half = utilityBound({ ...options, rounds: 1, epsilon: 1e9, lambda: 0.5 });
    const more = Math.sqrt(50) * 2 * noise[0]!;
    expect(half.errors[0]).toBeCloseTo(more ** 2 / 2 + Math.sqrt(5) * more, 10);
  });

  thoroughTest("the least bound falls as eps to the power that the papers' orders have", () => {
    // Nominal Wishart noise goes with 1 / eps_t; large eps, so that errors are small and T is long.
    const at = (acceleration: "none" | "convex", epsilon: number, delta: number) =>
      bestRounds(
        (rounds) =>
          utilityBound({
            ...options,
            acceleration,
            epsilon,
            delta,
            rounds,
            mechanism: "wishart",
          }).bound,
        1500,
      ).bound;
    const slope = (acceleration: "none" | "convex", delta: number, from: number) =>
      Math.log(at(acceleration, 100 * from, delta) / at(acceleration, from, delta)) / Math.log(100);
    // Pure composition: eps_t = eps / T; E goes with eps^-1/3 and, accelerated, eps^-2/5.
    expect(slope("none", 0, 1e7)).toBeCloseTo(-1 / 3, 1);
    expect(slope("convex", 0, 1e7)).toBeCloseTo(-2 / 5, 1);
  });

  test.each([
    ["convex", 0, 1e-3],
    ["convex", 0, 0],
    ["none", 0, 1e-3],
    ["none", 0.2, 1e-3],
    ["strongly-convex", 0.2, 1e-3],
    ["strongly-convex", 0.2, 0],
  ] as const)(
    "%s, mu %f, delta %f: no other schedule has a lower bound",
    (acceleration, mu, delta) => {
      const common = {
        ...options,
        acceleration,
        strongConvexity: mu,
        delta,
        lambda: 2,
        ...(delta === 0 ? { mechanism: "wishart" as const } : {}),
      };
      const epsilon = 1e7;
      const recommended = recommendedSchedule(common);
      const scheduled = (by: number) =>
        recommended.kind === "geometric"
          ? { kind: "geometric" as const, ratio: recommended.ratio * by }
          : {
              kind: "polynomial" as const,
              exponent:
                (recommended.kind === "polynomial" ? recommended.exponent : 0) + 5 * (by - 1),
            };
      // The bound's term of sqrt(e_t), which the schedule is for: the distance of the start and the sum of e_t aside.
      const weighted = (by: number) => {
        const { errors } = utilityBound({ ...common, epsilon, schedule: scheduled(by) });
        return inexactProximalBound({
          errors: errors.map((e) => e * 1e-12),
          smoothness: 1,
          strongConvexity: mu,
          acceleration,
          distance: acceleration === "none" && mu > 0 ? 0 : 1e3,
          gap: 1,
        }).bound;
      };
      const best = weighted(1);
      for (const by of [0.93, 1.07]) expect(weighted(by)).toBeGreaterThan(best);
    },
  );
});

test("the best number of rounds is that of a search through all", () => {
  const boundAt = (T: number) => 100 / T + T * 0.07;
  const all = Array.from({ length: 1000 }, (_, k) => boundAt(k + 1));
  expect(bestRounds(boundAt)).toEqual({
    rounds: 1 + all.indexOf(Math.min(...all)),
    bound: Math.min(...all),
  });
});

describe("PMTL", () => {
  const setting = {
    tasks: 4,
    parameters: 3,
    rounds: 15,
    clip: 50,
    lambda: 0.5,
    smoothness: 1,
    strongConvexity: 0.2,
    gap: 0,
    epsilon: 5,
    delta: 1e-3,
  };

  test("by hand without noise's part, and where it is all", () => {
    const eta = 1 / 1.5;
    const quiet = averagingBound({ ...setting, gap: 2, epsilon: 1e12 });
    expect(quiet.gap).toBeCloseTo(2 * (1 - eta * 0.2) ** 15, 7);
    expect(quiet.stationarity).toBeCloseTo((2 * 2) / (eta * 15), 7);
    const one = averagingBound({ ...setting, rounds: 1 });
    expect(one.gap).toBeCloseTo((1.5 * (eta * 0.5 * one.sigma) ** 2 * 3) / 2, 10);
    expect(averagingBound({ ...setting, strongConvexity: 0 }).gap).toBe(Infinity);
  });

  test("holds for the rounds as the text has them, on quadratic losses", () => {
    const { tasks: m, parameters: d, rounds, lambda } = setting;
    const normal = normalsOf("pmtl");
    const eta = 1 / 1.5;
    const c = Array.from({ length: m }, () =>
      Array.from({ length: d }, () => 0.2 + 0.8 * Math.abs(Math.cos(normal()))),
    );
    const b = c.map((row) => row.map(() => 3 * normal()));
    const F = (w: number[][]) => {
      let sum = 0;
      for (let j = 0; j < d; j++) {
        const mean = w.reduce((s, row) => s + row[j]!, 0) / m;
        for (let k = 0; k < m; k++) {
          sum += (c[k]![j]! * (w[k]![j]! - b[k]![j]!) ** 2 + lambda * (w[k]![j]! - mean) ** 2) / 2;
        }
      }
      return sum / m;
    };
    const run = (w: number[][], sigma: number, T: number) => {
      let shared = w[0]!.map((_, j) => w.reduce((s, row) => s + row[j]!, 0) / m);
      for (let t = 0; t < T; t++) {
        w = w.map((row, k) =>
          row.map((v, j) => v - eta * (c[k]![j]! * (v - b[k]![j]!) + lambda * (v - shared[j]!))),
        );
        shared = shared.map((_, j) => w.reduce((s, row) => s + row[j]!, 0) / m + sigma * normal());
      }
      return w;
    };
    const zeros = b.map((row) => row.map(() => 0));
    const least = F(run(zeros, 0, 5000));
    const { gap, sigma } = averagingBound({ ...setting, gap: F(zeros) - least });
    // 500 runs; the mean is far below the bound, or far above where the bound is not one.
    let mean = 0;
    for (let k = 0; k < 500; k++) mean += (F(run(zeros, sigma, rounds)) - least) / 500;
    expect(mean).toBeLessThan(gap);
    expect(mean).toBeGreaterThan(gap / 100);
  });

  test("keeps the noise of all rounds where the losses are hardly convex", () => {
    const bound = (strongConvexity: number) =>
      averagingBound({ ...setting, strongConvexity, gap: 1 });
    const { gap: start, rounds } = { gap: 1, rounds: setting.rounds };
    // To first order every round adds its noise, which is in the bound on gradients too.
    const eta = 1 / 1.5;
    const noise = bound(0).stationarity - (2 * start) / (eta * rounds);
    for (const mu of [1e-9, 1e-13, 1e-17, 1e-300]) {
      expect(bound(mu).gap / (start + (noise * eta * rounds) / 2)).toBeCloseTo(1, 7);
    }
  });

  test("refuses steps that are too long", () => {
    expect(() => averagingBound({ ...setting, stepSize: 0.7 })).toThrow("stepSize");
  });
});

test("errors of rounds that are not there are named", () => {
  const given = { smoothness: 1, distance: 1, acceleration: "none" } as never;
  expect(() => inexactProximalBound(given)).toThrow("errors: expected an array, got undefined");
});
