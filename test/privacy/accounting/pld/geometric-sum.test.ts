/** Sums of variables on geometric grids, against every pair of points one by one. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Grid } from "../../../../src/privacy/accounting/pld/allocation/geometric-grid.js";
import {
  sumAbove,
  sumBelow,
  type LawAbove,
  type LawBelow,
} from "../../../../src/privacy/accounting/pld/allocation/geometric-sum.js";

const valueAt = ({ first, step }: Grid, i: number) => Math.exp((first + i) * step);
const close = (x: number, y: number) => expect(Math.abs(x - y)).toBeLessThan(1e-12 * (1 + y));
const grid = (step: number) =>
  fc.record({
    step: fc.constant(step),
    first: fc.integer({ min: -30, max: 10 }),
    length: fc.integer({ min: 1, max: 12 }),
  });

/** Any law on a grid; what is nowhere is a single point, far above. */
const lawAbove = (step: number): fc.Arbitrary<LawAbove> =>
  grid(step).chain((of) => {
    const weights = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), {
      minLength: of.length + 2,
      maxLength: of.length + 2,
    });
    return weights.map((given) => {
      const all = given.reduce((sum, x) => sum + x, 1e-3);
      const [zero, lost, ...mass] = given.map((x) => x / all);
      mass[0] = mass[0]! + 1e-3 / all;
      return {
        grid: of,
        mass: Float64Array.from(mass),
        zero: zero!,
        lost: lost!,
        lostMean: lost! * FAR,
      };
    });
  });
const FAR = 1e4;
const pointsOf = (law: LawAbove): [number, number][] => [
  [0, law.zero],
  [FAR, law.lost],
  ...Array.from(law.mass, (mass, i): [number, number] => [valueAt(law.grid, i), mass]),
];

const setting = fc
  .record({
    coarse: fc.constantFrom(0.05, 0.3, 2),
    ratio: fc.constantFrom(1, 2, 4),
  })
  .chain(({ coarse, ratio }) =>
    fc.record({
      a: lawAbove(coarse),
      b: lawAbove(coarse),
      // Grids that hold all of the sum, and such that hold little of it.
      to: fc.record({
        step: fc.constant(coarse / ratio),
        first: fc.integer({ min: -40, max: 20 }),
        length: fc.integer({ min: 2, max: 60 }),
      }),
    }),
  );

describe("a sum", () => {
  test("rounded up has its probability and its mean, and is larger in the convex order", () => {
    fc.assert(
      fc.property(setting, ({ a, b, to }) => {
        const sum = sumAbove(a, b, to);
        const pairs = pointsOf(a).flatMap(([x, p]) =>
          pointsOf(b).map(([y, q]): [number, number] => [x + y, p * q]),
        );
        const points = Array.from(sum.mass, (mass, k): [number, number] => [valueAt(to, k), mass]);
        const total = (of: [number, number][], f: (x: number) => number) =>
          of.reduce((all, [x, mass]) => all + f(x) * mass, 0);
        const one = () => 1;
        close(total(points, one) + sum.zero + sum.lost, total(pairs, one));
        close(
          total(points, (x) => x) + sum.lostMean,
          total(pairs, (x) => x),
        );
        expect(sum.mass.every((mass) => mass >= 0) && sum.zero >= 0).toBe(true);
        // Up to where all is lost that is lost.
        const bends = [0.5 * valueAt(to, 0), ...points.map(([x]) => x)];
        for (const bend of bends.filter((x) => x <= FAR)) {
          const above = (x: number) => Math.max(0, x - bend);
          const grown = total(points, above) + sum.lostMean - bend * sum.lost;
          const exact = total(pairs, above);
          expect(grown).toBeGreaterThanOrEqual(exact - 1e-10 * (1 + exact));
          const below = (x: number) => Math.max(0, bend - x);
          const left = total(points, below) + bend * sum.zero;
          expect(left).toBeGreaterThanOrEqual(total(pairs, below) - 1e-10);
        }
      }),
      { numRuns: 300, seed: 41 },
    );
  });

  test("rounded down is an outcome of the pair, the nearest point, with its part of the mean", () => {
    fc.assert(
      fc.property(setting, ({ a, b, to }) => {
        // Means that differ from the points'.
        const withMean = ({ grid: of, mass }: LawAbove, factor: number): LawBelow => ({
          grid: of,
          mass,
          mean: mass.map((x, i) => x * valueAt(of, i) * (1 + factor * i)),
        });
        const [x, y] = [withMean(a, 0.01), withMean(b, -0.02)];
        const sum = sumBelow(x, y, to);
        const [mass, mean] = [new Float64Array(to.length), new Float64Array(to.length)];
        x.mass.forEach((p, i) =>
          y.mass.forEach((q, j) => {
            const exact = Math.log(valueAt(x.grid, i) + valueAt(y.grid, j)) / to.step;
            const nearest = Math.round(exact) - to.first;
            // Half-way between two points it may be either.
            fc.pre(Math.abs(exact - Math.floor(exact) - 0.5) > 1e-9);
            const k = Math.min(to.length - 1, Math.max(0, nearest));
            mass[k]! += p * q;
            mean[k]! += x.mean[i]! * q + p * y.mean[j]!;
          }),
        );
        mass.forEach((p, k) => {
          close(sum.mass[k]!, p);
          close(sum.mean[k]!, mean[k]!);
        });
      }),
      { numRuns: 300, seed: 42 },
    );
  });
});
