import { describe, expect, test } from "vitest";
import { initialize } from "../../../src/core/index.js";
import { simulate, simulateLeakage } from "../../../src/data/index.js";

const row = (weights: Float64Array, i: number, d: number) => weights.subarray(i * d, (i + 1) * d);

describe("low-rank data", () => {
  const { train, test: held, weights } = simulate({ pattern: "low-rank", seed: "a" });

  test("has the papers' sizes by default", () => {
    expect([train.m, train.d, train.size]).toEqual([320, 30, 9600]);
    expect([held.m, held.d, held.size]).toEqual([320, 30, 86400]);
    expect([train.names[0], train.names[319]]).toEqual(["task-1", "task-320"]);
    expect(held.names).toEqual(train.names);
    expect(weights.length).toBe(9600);
  });

  test("has four clusters of 80 models: 60 equal, 20 the opposite", () => {
    for (let i = 0; i < 320; i++) {
      const first = row(weights, 80 * Math.floor(i / 80), 30);
      const sign = i % 80 < 60 ? 1 : -1;
      expect(row(weights, i, 30)).toEqual(first.map((value) => sign * value));
    }
    const centers = [0, 80, 160, 240].map((i) => row(weights, i, 30)[0]);
    expect(new Set(centers).size).toBe(4);
  });

  test("entries of the models have variance 120", () => {
    // 40 clusters of 30 normals: the mean square has relative standard error sqrt(2/1200) = 0.041;
    // 5 of them, false alarm 6e-7.
    const many = simulate({ pattern: "low-rank", tasks: 40, clusters: 40, samples: 1, seed: 1 });
    const meanSquare = many.weights.reduce((sum, value) => sum + value * value, 0) / 1200;
    expect(Math.abs(meanSquare / 120 - 1)).toBeLessThan(0.21);
  });

  test("rows have unit length, y = x . w + N(0, 1)", () => {
    for (const set of [train, held]) {
      let squares = 0;
      [...set].forEach(({ x, y, n }, i) => {
        for (let j = 0; j < n; j++) {
          const sample = x.subarray(j * 30, j * 30 + 30);
          if (j === 0) expect(Math.hypot(...sample)).toBeCloseTo(1, 14);
          const model = row(weights, i, 30);
          const p = sample.reduce((sum, value, k) => sum + value * model[k]!, 0);
          squares += (y[j]! - p) ** 2;
        }
      });
      // Standard error sqrt(2/N), N >= 9600: 0.0144; 5 of them, false alarm 6e-7.
      expect(Math.abs(squares / set.size - 1)).toBeLessThan(5 * Math.sqrt(2 / set.size));
    }
  });

  test("other sizes divide into clusters as evenly as can be", () => {
    const { weights: w } = simulate({ pattern: "low-rank", tasks: 10, features: 2, seed: 3 });
    const heads = Array.from({ length: 10 }, (_, i) => Math.abs(w[2 * i]!));
    const sizes = [...new Set(heads)].map((head) => heads.filter((h) => h === head).length);
    expect(sizes).toEqual([3, 2, 3, 2]);
    expect(simulate({ pattern: "low-rank", tasks: 1, features: 1, seed: 3 }).weights.length).toBe(
      1,
    );
  });
});

describe("a covariance of one's own", () => {
  const sigma = [4, 2, 0, 2, 9, -2, 0, -2, 1];

  test("is that of the models over many features", () => {
    const d = 20000;
    const options = { pattern: "low-rank", covariance: sigma, features: d, samples: 1 } as const;
    const { weights, train } = simulate({ ...options, testFactor: 1, seed: "own" });
    expect(train.m).toBe(3);
    for (let i = 0; i < 3; i++) {
      for (let j = 0; j < 3; j++) {
        const [a, b] = [row(weights, i, d), row(weights, j, d)];
        const found = a.reduce((sum, value, k) => sum + value * b[k]!, 0) / d;
        // Variance of a product of normals; 5 standard errors, 9 tests: false alarm below 6e-6.
        const [ii, jj, ij] = [sigma[4 * i]!, sigma[4 * j]!, sigma[3 * i + j]!];
        const error = Math.sqrt((ii * jj + ij * ij) / d);
        expect(Math.abs(found - ij), `${i}, ${j}`).toBeLessThan(5 * error);
      }
    }
  });

  test("of rank one makes models that are multiples", () => {
    const { weights } = simulate({
      pattern: "low-rank",
      covariance: [1, -2, -2, 4],
      tasks: 2,
      features: 3,
      seed: 1,
    });
    for (let k = 0; k < 3; k++) expect(weights[3 + k]).toBeCloseTo(-2 * weights[k]!, 10);
  });

  test.each([
    [{ covariance: [1, 0, 0] }, "covariance: expected 2 x 2 = 4 numbers for 2 tasks, got 3"],
    [{ covariance: sigma, tasks: 4 }, "expected 4 x 4 = 16 numbers"],
    [{ covariance: [1, 2, 3, 4] }, "entries (1, 0) and (0, 1)"],
    [{ covariance: [1, NaN, NaN, 1] }, "symmetric matrix of finite numbers"],
    [{ covariance: [1, 2, 2, 1] }, "no negative eigenvalue"],
    [{ covariance: sigma, clusters: 2 }, "which it replaces"],
    [{ covariance: sigma, pattern: "group-sparse" as const }, "which it replaces"],
  ])("refuses %o", (options, text) => {
    expect(() => simulate({ pattern: "low-rank", seed: 1, ...options })).toThrow(text);
  });
});

describe("group-sparse data", () => {
  test("uses the first four features, with entries from 1 to 50 in size", () => {
    const { weights } = simulate({ pattern: "group-sparse", samples: 1, seed: 5 });
    let negative = 0;
    let total = 0;
    for (let i = 0; i < 320; i++) {
      row(weights, i, 30).forEach((value, j) => {
        if (j >= 4) expect(value).toBe(0);
        else {
          expect(Math.abs(value)).toBeGreaterThanOrEqual(1);
          expect(Math.abs(value)).toBeLessThanOrEqual(50);
          if (value < 0) negative++;
          total += Math.abs(value);
        }
      });
    }
    // 1280 signs: standard deviation 17.9; mean size 25.5, standard error 0.395; 5 of each, 6e-7.
    expect(Math.abs(negative - 640)).toBeLessThan(90);
    expect(Math.abs(total / 1280 - 25.5)).toBeLessThan(2);
  });
});

describe("seeds", () => {
  const options = {
    pattern: "low-rank",
    tasks: 3,
    samples: 2,
    features: 4,
    testFactor: 1,
  } as const;

  test("give the same bits again; another seed gives others", () => {
    const a = simulate({ ...options, seed: 1 });
    expect(simulate({ ...options, seed: "1" }).train.x).toEqual(a.train.x);
    expect(simulate({ ...options, seed: 2 }).train.x).not.toEqual(a.train.x);
    expect(a.test.x).not.toEqual(a.train.x);
  });

  test("give the same bits in both builds of the kernels", () => {
    try {
      initialize({ build: "scalar" });
      const scalar = simulate({ ...options, seed: 1 });
      initialize();
      const simd = simulate({ ...options, seed: 1 });
      expect(scalar.train.x).toEqual(simd.train.x);
      expect(scalar.test.y).toEqual(simd.test.y);
    } finally {
      initialize();
    }
  });

  test("a task's rows do not depend on the number of tasks", () => {
    const some = simulate({ ...options, seed: 1 });
    const more = simulate({ ...options, tasks: 5, seed: 1 });
    expect(more.train.task("task-2").x).toEqual(some.train.task("task-2").x);
  });
});

test("the leakage example has one model a hundred times the others", () => {
  const { weights, names, clip } = simulateLeakage({ seed: 1 });
  expect(names.length).toBe(10);
  expect(weights.length).toBe(50);
  expect(weights.subarray(0, 45).every((value) => value > 0 && value < 1)).toBe(true);
  expect(weights.subarray(45).every((value) => value > 0 && value < 100)).toBe(true);
  expect(Math.max(...weights.subarray(45))).toBeGreaterThan(1);
  expect(clip).toBeCloseTo(100 * Math.sqrt(5), 12);
  expect(Math.hypot(...weights.subarray(45))).toBeLessThan(clip);
});

test.each([
  [{ pattern: "dense" }, "pattern: expected one of low-rank, group-sparse"],
  [{ tasks: 0 }, "tasks: expected an integer from 1"],
  [{ samples: 1.5 }, "samples: expected an integer from 1"],
  [{ features: 0 }, "features: expected an integer from 1"],
  [{ noise: -1 }, "noise: expected noise >= 0, got -1"],
  [{ clusters: 9, tasks: 4 }, "clusters: expected an integer from 1 to 4, got 9"],
  [{ variance: 0 }, "variance: expected variance > 0, got 0"],
  [{ activeFeatures: 5, features: 4 }, "activeFeatures: expected an integer from 1 to 4, got 5"],
  [{ testFactor: 0 }, "testFactor: expected an integer from 1"],
  [{ seed: "" }, "seed: expected a non-empty string or a finite number"],
])("%j is refused by name", (options, message) => {
  expect(() => simulate({ pattern: "low-rank", seed: 1, ...options } as never)).toThrow(message);
});
