/** Systems of sparse rows by parts, against the same matrix dense: parts of one column, of few rows and of many. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { cholesky } from "../../../../../src/linalg/index.js";
import { SparseSystem } from "../../../../../src/learning/tasks/own-models/sparse/sparse-system.js";

/** Rows as lists of [column, value] become compact ones: columns without an entry are left out. */
function compact(rows: readonly (readonly (readonly [number, number])[])[]) {
  const used = [...new Set(rows.flatMap((row) => row.map(([column]) => column)))].sort(
    (a, b) => a - b,
  );
  const starts = [0];
  const columns: number[] = [];
  const values: number[] = [];
  for (const row of rows) {
    for (const [column, value] of row) {
      columns.push(used.indexOf(column));
      values.push(value);
    }
    starts.push(columns.length);
  }
  return {
    starts: Uint32Array.from(starts),
    columns: Uint32Array.from(columns),
    values: Float64Array.from(values),
    n: rows.length,
    k: used.length,
  };
}

const row = fc
  .uniqueArray(fc.integer({ min: 0, max: 14 }), { maxLength: 4 })
  .chain((columns) =>
    fc.tuple(
      ...columns
        .sort((a, b) => a - b)
        .map((column) =>
          fc.tuple(fc.constant(column), fc.double({ min: -2, max: 2, noNaN: true })),
        ),
    ),
  );
const wide = fc.array(row, { minLength: 1, maxLength: 3 });
const tall = fc.array(row, { minLength: 8, maxLength: 25 });

test("solutions and determinants are those of the dense matrix", () => {
  const given = fc.record({
    rows: fc.oneof(wide, tall),
    p: fc.double({ min: 0.1, max: 9, noNaN: true }),
  });
  fc.assert(
    fc.property(given, ({ rows, p }) => {
      const sparse = compact(rows);
      const { starts, columns, values, n, k } = sparse;
      fc.pre(k > 0);
      const curvatures = Float64Array.from({ length: n }, (_, j) => 0.01 + ((j * 7) % 5) / 4);
      const system = new SparseSystem(sparse);
      // A second time: nothing of the first may be left.
      system.factor(new Float64Array(n).fill(3), 5);
      system.factor(curvatures, p);
      const matrix = new Float64Array(k * k);
      for (let c = 0; c < k; c++) matrix[c * (k + 1)] = p;
      for (let j = 0; j < n; j++) {
        for (let a = starts[j]!; a < starts[j + 1]!; a++) {
          for (let b = starts[j]!; b < starts[j + 1]!; b++) {
            matrix[columns[a]! * k + columns[b]!]! += curvatures[j]! * values[a]! * values[b]!;
          }
        }
      }
      const lower = cholesky(matrix, k);
      let logDeterminant = 0;
      for (let c = 0; c < k; c++) logDeterminant += 2 * Math.log(lower[c * (k + 1)]!);
      expect(system.logDeterminant()).toBeCloseTo(logDeterminant, 9);
      const b = Float64Array.from({ length: k }, (_, c) => Math.sin(c + 1));
      const x = system.solve(b);
      for (let c = 0; c < k; c++) {
        let product = 0;
        for (let e = 0; e < k; e++) product += matrix[c * k + e]! * x[e]!;
        expect(product).toBeCloseTo(b[c]!, 9);
      }
    }),
    { numRuns: 200, seed: 15 },
  );
});

test("a curvature that is not a number is refused", () => {
  const system = new SparseSystem(
    compact([
      [
        [0, 1],
        [1, 1],
      ],
      [
        [0, 2],
        [1, 3],
      ],
    ]),
  );
  expect(system.factor(Float64Array.of(NaN, 1), 1)).toBe(false);
});
