/** Centred and rooted rows: their squares sum to the weighted covariance, entry by entry. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { openCore } from "../../../src/core/index.js";
import { centreRows, rootRows } from "../../../src/learning/tasks/weighted-rows.js";

const number = fc.double({ min: -3, max: 3, noNaN: true });
const weight = fc.double({ min: 0.1, max: 5, noNaN: true });
const blocks = fc
  .record({ n: fc.integer({ min: 1, max: 6 }), d: fc.integer({ min: 1, max: 5 }) })
  .chain(({ n, d }) =>
    fc.record({
      n: fc.constant(n),
      d: fc.constant(d),
      x: fc.array(number, { minLength: n * d, maxLength: n * d }),
      weights: fc.array(weight, { minLength: n, maxLength: n }),
      isWeighted: fc.boolean(),
    }),
  );

test("X^T S X less what the means explain of it", () => {
  fc.assert(
    fc.property(blocks, ({ n, d, x, weights, isWeighted }) => {
      const core = openCore();
      const { arena } = core;
      const own = isWeighted ? Float64Array.from(weights) : undefined;
      const rows = { at: arena.copyOf(Float64Array.from(x)), n, d };
      centreRows(core, rows, own, arena.f64(d));
      rootRows(core, rows, own ?? new Float64Array(n).fill(1));
      const z = arena.view(rows.at, n * d);
      const s = (row: number) => own?.[row] ?? 1;
      const sum = (of: (row: number) => number) =>
        Array.from({ length: n }, (_, row) => of(row)).reduce((a, b) => a + b, 0);
      const mass = sum(s);
      for (let a = 0; a < d; a++) {
        for (let b = 0; b < d; b++) {
          const square = sum((row) => z[row * d + a]! * z[row * d + b]!);
          const means = [a, b].map((k) => sum((row) => s(row) * x[row * d + k]!));
          const expected =
            sum((row) => s(row) * x[row * d + a]! * x[row * d + b]!) -
            (means[0]! * means[1]!) / mass;
          expect(square).toBeCloseTo(expected, 9);
        }
      }
    }),
    { seed: 3, numRuns: 60 },
  );
});
