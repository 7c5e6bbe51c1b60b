import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { openCore } from "../../src/core/core.js";
import { discreteNormals, discreteSymmetricScale, openStream } from "../../src/random/index.js";

describe("discrete noise", () => {
  test("the scale is the smallest integer that is not below sigma", () => {
    const sigma = fc.double({ min: 1e-3, max: 1e6, noNaN: true });
    fc.assert(
      fc.property(sigma, fc.integer({ min: -20, max: 5 }), (wanted, power) => {
        const step = 2 ** power;
        const got = discreteSymmetricScale(wanted, step);
        expect(got.sigma).toBeGreaterThanOrEqual(wanted * (1 - 2 ** -50));
        expect(Math.SQRT2 * got.scale * step).toBeGreaterThanOrEqual(wanted);
        expect(Math.SQRT2 * (got.scale - 1) * step).toBeLessThanOrEqual(wanted);
      }),
    );
  });

  test("by hand: sigma = sqrt(2) * 3 * 0.25 needs s = 3 or, rounded up, 4", () => {
    expect(discreteSymmetricScale(1.06, 0.25)).toMatchObject({ scale: 3, step: 0.25 });
    expect(discreteSymmetricScale(1.0607, 0.25).scale).toBe(4);
  });

  test("refusals", () => {
    expect(() => discreteSymmetricScale(1, 0.3)).toThrow("step: expected a power of two, got 0.3");
    expect(() => discreteSymmetricScale(1, 2 ** -60)).toThrow("at least sigma / 2^46");
    expect(() => discreteSymmetricScale(-1, 1)).toThrow("sigma: expected sigma > 0");
    const stream = openStream(openCore(), { mode: "seeded", seed: 1 });
    expect(() => discreteNormals(stream, 3, 1.5)).toThrow("scale: expected an integer from 1");
  });

  test("integers with the stated deviation, 5 standard errors", () => {
    const draws = discreteNormals(
      openStream(openCore(), { mode: "seeded", seed: 2 }),
      20_000,
      1000,
    );
    expect(draws.every(Number.isInteger)).toBe(true);
    const variance = draws.reduce((s, x) => s + x * x, 0) / 20_000 / 1e6;
    expect(Math.abs(variance - 1)).toBeLessThan(5 * Math.sqrt(2 / 20_000));
  });
});
