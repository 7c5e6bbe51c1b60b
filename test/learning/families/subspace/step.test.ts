/** A step of the subspace, and the Gram matrix that scales it. */
import { describe, expect, test } from "vitest";
import { SubspaceExchange } from "../../../../src/learning/families/subspace/exchange.js";
import { OwnRows } from "../../../../src/learning/families/subspace/own-rows.js";
import { nextSubspace } from "../../../../src/learning/families/subspace/step.js";
import { taskGradients } from "../../../../src/learning/families/subspace/task-gradients.js";
import { unpacked } from "../../../../src/linalg/packed-symmetric.js";
import { makeTasks } from "../../tasks.js";

const [k, d] = [2, 8];
const basis = new Float64Array(k * d);
basis[0] = 1;
basis[d + 1] = 1;
const subspace = { k, d, basis };
const gram = { values: Float64Array.of(1, 0, 0, 1), deviation: 0 };
/** A gradient of this length, all along one direction that is not in the basis. */
const along = (length: number) => {
  const values = new Float64Array(k * d);
  values[4] = length;
  return values;
};

describe("a step", () => {
  test("is as long as what stands out of its noise: 1 - noise / square of it", () => {
    const deviation = 0.1;
    const noise = (d - k) * deviation ** 2;
    for (const length of [0.3, 0.5, 0.8]) {
      const next = nextSubspace(subspace, { gradient: { values: along(length), deviation }, gram });
      // The first direction turns by atan of the step, where it is shorter than 1.
      const step = (1 - noise / length ** 2) * length;
      expect(next.basis[4]! / next.basis[0]!).toBeCloseTo(step, 10);
      expect(next.basis.subarray(d, 2 * d)).toEqual(basis.subarray(d, 2 * d));
    }
  });

  test("is none where there is nothing but noise", () => {
    const gradient = { values: along(0.2), deviation: 0.1 };
    expect(nextSubspace(subspace, { gradient, gram }).basis).toEqual(basis);
  });
});

test("Gram matrices are sums over tasks of the outer products of coefficients, with the gradients' weights", () => {
  const m = 7;
  const tasks = makeTasks({ m, d, rows: () => 12, noise: 0.5 });
  const rows = new OwnRows(tasks, true);
  const exchange = new SubspaceExchange(rows, { m, d, most: k });
  const start = new Float64Array(d * d);
  // Two directions that stand far out.
  start[0] = 1e6;
  start[d + 1] = 9e5;
  exchange.receive({ kind: "start" }, start, { deviation: 0, edge: 0 });
  expect(exchange.subspace.k).toBe(k);
  const bins = new Float64Array(28);
  const sizes = new Float64Array(m * bins.length);
  exchange.upload({ kind: "sizes", round: 0 }, sizes);
  for (let at = 0; at < sizes.length; at++) bins[at % bins.length]! += sizes[at]!;
  expect(bins.reduce((a, b) => a + b)).toBe(m);
  exchange.receive({ kind: "sizes", round: 0 }, bins, { deviation: 0, edge: 0 });
  const { zh, sizes: lengths } = taskGradients(rows, exchange.subspace);
  const gradients = new Float64Array(m * k * d);
  exchange.upload({ kind: "gradient", round: 0 }, gradients);
  const packed = new Float64Array(m * 3);
  exchange.upload({ kind: "gram", round: 0 }, packed);
  let clipped = 0;
  for (let i = 0; i < m; i++) {
    const matrix = unpacked(packed.subarray(3 * i, 3 * i + 3), k);
    const length = Math.hypot(...gradients.subarray(i * k * d, (i + 1) * k * d));
    // A gradient is size / max(clip, size) long, its weight in the Gram matrix clip / max(clip, size).
    const weight = matrix[0]! + matrix[3]!;
    expect(Math.max(length, weight)).toBeCloseTo(1, 10);
    expect(matrix[1]).toBeCloseTo(weight * zh[2 * i]! * zh[2 * i + 1]!, 12);
    expect(matrix[0]).toBeCloseTo(weight * zh[2 * i]! ** 2, 12);
    if (length > 1 - 1e-9) clipped++;
    expect(length / weight).toBeCloseTo(lengths[i]! / (lengths[0]! * Math.hypot(...packed.subarray(0, 3)) / Math.hypot(...gradients.subarray(0, k * d))), 8); // prettier-ignore
  }
  expect(clipped).toBeGreaterThan(0);
  expect(clipped).toBeLessThan(m);
});

test("a task with no row more than coefficients has no gradient, and nothing of it that is not a number", () => {
  for (const [n, has] of [
    [k, false],
    [k + 1, true],
  ] as const) {
    const rows = new OwnRows(makeTasks({ m: 3, d, rows: () => n, noise: 0.5 }), false);
    const { g, zh, sizes } = taskGradients(rows, subspace);
    expect(sizes.every((size) => size > 0)).toBe(has);
    expect([...g, ...zh].every(Number.isFinite)).toBe(true);
    expect(g.some((value) => value !== 0)).toBe(has);
  }
});
