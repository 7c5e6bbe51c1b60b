/** Learning alone in a task's own units, where sizes of columns were voted on. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { openCore } from "../../../../src/core/index.js";
import { TaskSet } from "../../../../src/data/index.js";
import { aloneRoots } from "../../../../src/learning/families/mixed/squared/alone-roots.js";
import { ownUnits } from "../../../../src/learning/families/mixed/own-units.js";
import { solveTasks } from "../../../../src/learning/families/mixed/squared/squared-solve.js";
import { TaskSpectra } from "../../../../src/learning/families/mixed/spectra/task-spectra.js";
import { MpMixed, SingleTask } from "../../../../src/learning/index.js";
import { multiply } from "../../../../src/linalg/small-matrices.js";
import { average, dense } from "./squared/dense-posterior.js";
import { generator } from "./tasks.js";

/** Standard normals. */
function normals(seed: number, count: number): Float64Array {
  const draw = generator(seed);
  return Float64Array.from({ length: count }, () => draw());
}

const number = fc.double({ min: -5, max: 5, noNaN: true });

test("rows in a task's units lie about 0, no farther than their number allows; other columns stay", () => {
  const row = fc.tuple(number, number, fc.double({ min: 0.2, max: 2, noNaN: true }));
  fc.assert(
    fc.property(fc.array(row, { minLength: 1, maxLength: 40 }), (rows) => {
      // Rows of weights r^2, times their roots; the second column's size is known.
      const x = Float64Array.from(rows.flatMap(([a, b, r]) => [a * r, b * r, r]));
      const n = rows.length;
      const units = ownUnits({ x, y: new Float64Array(n), offsets: [0, n] }, 3, [0])!(0);
      const inUnits = multiply(x, units, n, 3, 3);
      let [mean, square] = [0, 0];
      for (let k = 0; k < n; k++) {
        mean += inUnits[k * 3]! * x[k * 3 + 2]!;
        square += inUnits[k * 3]! ** 2;
        // Products with zeros may have their signs.
        expect(inUnits[k * 3 + 1]! - x[k * 3 + 1]!).toBeCloseTo(0, 12);
        expect(inUnits[k * 3 + 2]! - x[k * 3 + 2]!).toBeCloseTo(0, 12);
      }
      expect(Math.abs(mean)).toBeLessThan(1e-9);
      expect(square).toBeLessThan(Math.max(n - 1, 1) + 0.5);
    }),
    { seed: 11, numRuns: 300 },
  );
  // Of zeros: a sum of squares of half a voted row, over three degrees of freedom and that half.
  const zeros = {
    x: Float64Array.of(0, 1, 0, 1, 0, 1, 0, 1),
    y: new Float64Array(4),
    offsets: [0, 4],
  };
  expect(ownUnits(zeros, 2, [0])!(0)[0]).toBeCloseTo(Math.sqrt(3.5 / 0.5), 12);
  const few = { x: Float64Array.of(1, 1), y: Float64Array.of(1), offsets: [0, 1] };
  expect(ownUnits(few, 2, [])).toBeUndefined();
});

test("of many rows the size of a feature does not matter, and an offset takes a root of two at most", () => {
  const draws = normals(5, 60);
  const rowsIn = (size: number, place: number) => {
    const x = new Float64Array(120).fill(1);
    draws.forEach((value, k) => (x[2 * k] = size * value + place));
    const units = ownUnits({ x, y: draws, offsets: [0, 60] }, 2, [0])!(0);
    return multiply(x, units, 60, 2, 2)[0]!;
  };
  const one = rowsIn(1, 0);
  // What the voted size counts is half a row of 60.
  expect(rowsIn(7, 0) / one).toBeCloseTo(1, 1.8);
  for (const other of [rowsIn(1, 2), rowsIn(3, -60), rowsIn(0.5, 1e4)]) {
    expect(other / one).toBeGreaterThan(0.69);
    expect(other / one).toBeLessThan(1.02);
  }
});

test("a model is the average by evidence in either units, by dense matrices", () => {
  const x = Float64Array.of(30, 1, 42, 1, 28, 1, 33, 1);
  const y = Float64Array.of(0.2, 1.2, 0.1, 0.4);
  const rows = { x, y, offsets: [0, 4] };
  const units = ownUnits(rows, 2, [0])!;
  const roots = aloneRoots(2, { units });
  const weights = roots.flatMap(({ hypotheses }) => hypotheses.map((h) => Math.exp(h.weight)));
  expect(weights.reduce((a, b) => a + b, 0)).toBeCloseTo(1, 9);
  const found = roots.flatMap((root) =>
    dense({ ...root, l: root.inOwnUnits ? multiply(units(0), root.l, 2, 2, 2) : root.l }, x, y),
  );
  const { models } = solveTasks(null, new TaskSpectra(openCore(), rows, 2), { units });
  average(found).forEach((value, c) => expect(models[c]).toBeCloseTo(value, 6));
});

test("tasks whose columns are of very different sizes, which no vote fits, do not lose all of it", async () => {
  const [m, n] = [60, 12];
  const setOf = (seed: number) => {
    const draws = normals(seed, m * n * 2);
    const sizes = normals(99, 2 * m);
    return TaskSet.from(
      Array.from({ length: m }, (_, i) => {
        const size = 10 ** sizes[2 * i]!;
        const at = (r: number) => 2 * (i * n + r);
        const rows = Array.from({ length: n }, (_, r) => r);
        return {
          name: `task ${i}`,
          x: rows.map((r) => [size * draws[at(r)]!]),
          // A slope of about one deviation of the target.
          y: rows.map((r) => sizes[2 * i + 1]! * draws[at(r)]! + 0.3 * draws[at(r) + 1]!),
        };
      }),
    );
  };
  const [train, held] = [setOf(1), setOf(2)];
  const alone = (await new SingleTask().fit(train)).score(held).nmse!;
  let sum = 0;
  for (const seed of [3, 4, 5]) {
    const options = { epsilon: 4, delta: 1e-3, random: { mode: "seeded", seed } } as const;
    sum += (await new MpMixed(options).fit(train)).score(held).nmse!;
  }
  // 1.73 times without units of their own.
  expect(sum / 3).toBeLessThan(1.6 * alone);
});
