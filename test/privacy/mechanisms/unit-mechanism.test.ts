/** Mechanisms by name alone: those of the statistic they are for, at a bound of 1. */
import { expect, test } from "vitest";
import { MECHANISM_NAMES, mechanismNamed } from "../../../src/privacy/mechanisms/catalogue.js";
import { unitMechanism } from "../../../src/privacy/mechanisms/unit.js";
import { sensitivity } from "../../../src/privacy/sensitivity.js";

test.each(MECHANISM_NAMES)("%s", (name) => {
  for (const adjacency of ["replace", "zero-out"] as const) {
    const mechanism = unitMechanism(name, adjacency);
    expect(mechanism).toMatchObject({ name, adjacency, exact: false });
    const event = mechanism.event(0.7);
    if (event.kind === "wishart") {
      // v = K^2 / (2 b), and K / b in the older text.
      expect(event).toMatchObject({ clip: 1, dimension: 1, degreesOfFreedom: 2 });
      expect(event.scale).toBeCloseTo(name === "wishart" ? 1 / 1.4 : 1 / 0.7, 12);
      continue;
    }
    const [statistic] = mechanismNamed(name).statistics;
    const norm = ["two-sided-wishart", "laplace-diagonal"].includes(name) ? "nuclear" : "frobenius";
    const expected = sensitivity({ statistic, norm, adjacency, clip: 1, tasks: 1, dimension: 1 });
    expect((event as { sensitivity: number }).sensitivity).toBeCloseTo(expected, 12);
    const scale = mechanism.noiseScale(0.7) * (name === "two-sided-wishart" ? 2 : 1);
    expect(scale).toBeCloseTo(expected / 0.7, 12);
  }
});
