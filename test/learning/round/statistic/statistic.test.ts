/** Every statistic by its definition, in the memory it asks for. */
import { describe, expect, test } from "vitest";
import { openCore } from "../../../../src/core/index.js";
import {
  statistic,
  type StatisticName,
} from "../../../../src/learning/round/statistic/statistic.js";
import { normals, openStream } from "../../../../src/random/index.js";

const dot = (a: readonly number[], b: readonly number[]) =>
  a.reduce((sum, x, k) => sum + x * b[k]!, 0);
const transposed = (rows: number[][]) => rows[0]!.map((_, j) => rows.map((row) => row[j]!));
const gram = (columns: number[][]) => columns.flatMap((a) => columns.map((b) => dot(a, b)));
const sum = (rows: number[][]) => transposed(rows).map((column) => column.reduce((a, b) => a + b));

/** The statistic of rows v_i, and the side of it where a shift makes a diagonal. */
const DEFINED: Record<StatisticName, { of: (rows: number[][]) => number[]; square: boolean }> = {
  none: { of: () => [], square: false },
  covariance: { of: (rows) => gram(transposed(rows)), square: true },
  diagonal: { of: (rows) => transposed(rows).map((column) => dot(column, column)), square: false },
  "task-covariance": { of: gram, square: true },
  "augmented-covariance": {
    of: (rows) => gram(transposed(rows.map((row) => [...row, 1]))),
    square: true,
  },
  vector: { of: sum, square: false },
  moment: { of: sum, square: false },
};

describe.each(Object.keys(DEFINED) as StatisticName[])("%s", (name) => {
  const { of, square } = DEFINED[name];
  test.each([
    [1, 1],
    [2, 3],
    [5, 4],
    [7, 2],
    [3, 9],
    [70, 65],
  ])("of %i tasks with %i numbers", (m, d) => {
    const core = openCore();
    const { arena } = core;
    const values = normals(openStream(core, { mode: "seeded", seed: `${m} ${d}` }), m * d);
    const rows = Array.from({ length: m }, (_, i) => [...values.subarray(i * d, (i + 1) * d)]);
    const expected = of(rows);
    const { length, order, workspace, compute } = statistic(name);
    expect(length(m, d)).toBe(expected.length);
    expect(order(m, d)).toBe(square ? Math.sqrt(expected.length) : 0);

    const shared = arena.copyOf(values);
    const out = arena.f64(expected.length);
    const bytes = workspace(core, m, d);
    const work = arena.bytes(bytes);
    const behind = arena.f64(1024);
    arena.view(behind, 1024).fill(7);
    // What was there before does not matter.
    arena.view(out, expected.length).fill(NaN);
    compute(core, shared, out, m, d, work);
    const computed = arena.view(out, expected.length);
    expected.forEach((value, k) => {
      expect(Math.abs(computed[k]! - value)).toBeLessThan(1e-13 * (m + d));
    });
    expect(arena.view(shared, m * d)).toEqual(values);
    expect(arena.view(behind, 1024).every((value) => value === 7)).toBe(true);
  });
});
