/** What tasks upload: its norm, what one task can move, and the gradient against finite differences. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { TaskSet } from "../../../../src/data/index.js";
import { SubspaceExchange } from "../../../../src/learning/families/subspace/exchange.js";
import { OwnRows } from "../../../../src/learning/families/subspace/own-rows.js";
import {
  subspaceReleases,
  subspaceSizes,
} from "../../../../src/learning/families/subspace/plan.js";
import { taskGradients } from "../../../../src/learning/families/subspace/task-gradients.js";
import { MpSubspace } from "../../../../src/learning/index.js";
import { sensitivity } from "../../../../src/privacy/sensitivity.js";
import { generator } from "../mixed/tasks.js";
import { makeTasks } from "../../tasks.js";

const D = 4;
const ROWS = [1, 4, 6, 6];
const CELLS = ROWS.reduce((sum, n) => sum + n * (D + 1), 0);
const sizes = { m: ROWS.length, d: D, rows: 17, mostRows: 6 };

/** Tasks of one, four and six rows. */
function tasksOf(values: readonly number[]): TaskSet {
  let at = 0;
  return TaskSet.from(
    ROWS.map((n, i) => ({
      name: `task ${i}`,
      x: Array.from({ length: n }, () => values.slice(at, (at += D))),
      y: Array.from({ length: n }, () => values[at++]!),
    })),
  );
}

const wild = fc.oneof(
  fc.constantFrom(0, 1, -1, 1e6, -1e6, 1e-12),
  fc.double({ min: -1e3, max: 1e3, noNaN: true }),
);
const numbers = fc.array(wild, { minLength: CELLS, maxLength: CELLS });

describe("uploads of subspace learning", () => {
  test.each(["zero-out", "replace"] as const)(
    "%s: another task in the place of one moves no sum by more than its sensitivity, whatever was received",
    (adjacency) => {
      let moves = 0;
      fc.assert(
        fc.property(numbers, numbers, fc.boolean(), fc.nat(), (one, other, intercept, seed) => {
          const given = { adjacency, rounds: 2, intercept, maxRank: 2, epsilon: 400 };
          const { options, halves } = new MpSubspace(given);
          const known = subspaceSizes(options, sizes);
          const { stages } = halves.releases({ sizes, outputs: 1 });
          const normal = generator(seed);
          const last = CELLS - ROWS.at(-1)! * (D + 1);
          const mixed = one.map((value, at) => (at < last ? value : other[at]!));
          const exchanges = [one, mixed].map(
            (values) => new SubspaceExchange(new OwnRows(tasksOf(values), intercept), known),
          );
          subspaceReleases(options).forEach((release, s) => {
            const { statistic, d } = stages[s]!;
            const square = statistic === "covariance";
            const sums = exchanges.map((exchange, world) => {
              const uploads = new Float64Array(sizes.m * d);
              exchange.upload(release, uploads);
              for (let i = 0; i < sizes.m; i++) {
                const norm = Math.hypot(...uploads.subarray(i * d, (i + 1) * d));
                expect(norm).toBeLessThanOrEqual(1 + 1e-14);
              }
              // Zero-out: the second world's last task uploads nothing.
              if (adjacency === "zero-out" && world === 1) uploads.fill(0, (sizes.m - 1) * d);
              const sum = new Float64Array(square ? d * d : d);
              for (let i = 0; i < sizes.m; i++) {
                const own = uploads.subarray(i * d, (i + 1) * d);
                for (let a = 0; a < sum.length; a++) {
                  sum[a]! += square ? own[Math.floor(a / d)]! * own[a % d]! : own[a]!;
                }
              }
              return sum;
            });
            const moved = Math.hypot(...sums[0]!.map((value, a) => value - sums[1]![a]!));
            const norm = { norm: "frobenius", clip: 1, tasks: sizes.m, dimension: d } as const;
            const most = sensitivity({ statistic, adjacency, ...norm });
            expect(moved).toBeLessThanOrEqual(most * (1 + 1e-12));
            if (moved > 0.9 * most) moves++;
            const deviation = 0.05 * most;
            const received = sums[0]!.map((value) => value + deviation * normal());
            if (square) {
              for (let a = 0; a < d; a++) {
                for (let b = 0; b < a; b++) received[b * d + a] = received[a * d + b]!;
              }
            }
            for (const exchange of exchanges) {
              exchange.receive(release, received, { deviation, edge: 0.1 });
            }
          });
        }),
        { numRuns: 60, seed: 21 },
      );
      // The bounds are nearly reached: they are not loose.
      expect(moves).toBeGreaterThan(10);
    },
  );

  test("a task's gradient is that of its least-squares loss in the basis, by finite differences", () => {
    const tasks = makeTasks({ m: 1, d: 6, rows: () => 9, noise: 0.5 });
    const rows = new OwnRows(tasks, true);
    const { n, d, x, y } = rows.task(0);
    const k = 2;
    const basis = new Float64Array(k * d);
    basis[0] = 1;
    basis[d + 3] = 1;
    const { g, zh, sizes: lengths } = taskGradients(rows, { k, d, basis });
    /** min over z of |y - X U z|^2 / 2, by normal equations of order two, and z. */
    const fitted = (u: Float64Array) => {
      const f = [0, 1].map((a) =>
        Array.from({ length: n }, (_, r) =>
          x.subarray(r * d, (r + 1) * d).reduce((sum, v, j) => sum + v * u[a * d + j]!, 0),
        ),
      );
      const dot = (p: readonly number[], q: ArrayLike<number>) =>
        p.reduce((sum, v, r) => sum + v * q[r]!, 0);
      const [aa, ab, bb] = [dot(f[0]!, f[0]!), dot(f[0]!, f[1]!), dot(f[1]!, f[1]!)];
      const [ya, yb] = [dot(f[0]!, y), dot(f[1]!, y)];
      const det = aa * bb - ab * ab;
      const z = [(ya * bb - yb * ab) / det, (yb * aa - ya * ab) / det];
      const loss = y.reduce(
        (sum, value, r) => sum + (value - z[0]! * f[0]![r]! - z[1]! * f[1]![r]!) ** 2 / 2,
        0,
      );
      return { z, loss };
    };
    const { z } = fitted(basis);
    const length = Math.hypot(...z);
    expect(lengths[0]).toBeCloseTo(Math.hypot(...g), 12);
    for (let a = 0; a < k; a++) {
      for (let j = 0; j < d; j++) {
        const step = 1e-5;
        const [up, down] = [basis.slice(), basis.slice()];
        up[a * d + j]! += step;
        down[a * d + j]! -= step;
        const slope = (fitted(up).loss - fitted(down).loss) / (2 * step);
        // Within the span the profiled loss is flat, and g has nothing of it.
        const expected = -g[j]! * zh[a]! * length ** 2 * (n - 1 - k);
        expect(slope).toBeCloseTo(expected, 5);
      }
    }
  });
});
