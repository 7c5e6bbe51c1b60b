import { expect, test } from "vitest";
import { describeBuilds, testStream } from "./builds.js";
import { moments, pearson } from "./statistics.js";

describeBuilds("discrete Laplace", (core, build) => {
  const { kernels, arena } = core;
  const n = build === "simd" ? 200_000 : 40_000;
  const sample = (t: number, seed: number) => {
    const at = arena.f64(n);
    kernels.discreteLaplace(testStream(core, seed), at, n, t);
    return arena.view(at, n).slice();
  };

  test.each([1, 2, 3, 10, 37])("t = %i: chi-square against the law, false alarm 1e-6", (t) => {
    const rho = Math.exp(-1 / t);
    const mass = (x: number) => ((1 - rho) / (1 + rho)) * rho ** Math.abs(x);
    let edge = 0;
    while (n * mass(edge + 1) >= 20) edge++;
    const observed = new Array<number>(2 * edge + 1).fill(0);
    for (const x of sample(t, t)) observed[Math.max(-edge, Math.min(edge, x)) + edge]!++;
    const expected = observed.map((_, k) =>
      // The last cells hold the tails: rho^edge / (1 + rho).
      Math.abs(k - edge) === edge ? (n * rho ** edge) / (1 + rho) : n * mass(k - edge),
    );
    expect(pearson(observed, expected)).toBeGreaterThan(1e-6);
  });

  test.each([2 ** 30 + 7, 2 ** 46])("t = %d: variance 2 t^2, low bits even (5 standard errors)", (t) => {
    const draws = sample(t, 5);
    const { variance } = moments(draws.map((x) => x / t));
    // The fourth moment of a Laplace(1) is 24: the squares' variance is 20.
    expect(Math.abs(variance - 2)).toBeLessThan(5 * Math.sqrt(20 / n));
    const odd = draws.filter((x) => Math.abs(x) % 2 === 1).length;
    expect(Math.abs(odd - n / 2)).toBeLessThan((5 * Math.sqrt(n)) / 2);
  });

  test("is added to values rounded to the grid", () => {
    const at = arena.copyOf(new Float64Array(2000).fill(0.74));
    kernels.addDiscreteLaplace(testStream(core, 6), at, 2000, 3, 0.5);
    const cells = arena.view(at, 2000).map((x) => x / 0.5);
    expect(cells.every(Number.isInteger)).toBe(true);
    // Mean 1; deviation sqrt(2 rho) / (1 - rho), below 4.3; 5 standard errors.
    expect(Math.abs(moments(cells).mean - 1)).toBeLessThan((5 * 4.3) / Math.sqrt(2000));
  });
});
