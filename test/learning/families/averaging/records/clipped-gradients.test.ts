/** How far one record moves the sum of a task's clipped gradients. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { openCore } from "../../../../../src/core/index.js";
import { TaskSet } from "../../../../../src/data/index.js";
import { ClippedGradients } from "../../../../../src/learning/families/averaging/records/clipped-gradients.js";
import { LinearModel } from "../../../../../src/learning/models/linear-model.js";
import { ResidentTasks } from "../../../../../src/learning/tasks/resident-tasks.js";
import { vectorOf } from "../../../../magnitudes.js";
import { thorough } from "../../../../thorough.js";

const norm = (v: Iterable<number>) => Math.hypot(...v);

/** One task of n rows, another row in the place of one, a model, and how much a row may count. */
const worlds = fc
  .record({
    n: fc.integer({ min: 1, max: 9 }),
    d: fc.integer({ min: 1, max: 4 }),
    loss: fc.constantFrom("squared" as const, "logistic" as const, "softmax" as const),
  })
  .chain(({ n, d, loss }) => {
    const value = fc.double({ min: -50, max: 50, noNaN: true });
    const list = (length: number) => fc.array(value, { minLength: length, maxLength: length });
    return fc.record({
      n: fc.constant(n),
      d: fc.constant(d),
      loss: fc.constant(loss),
      x: list(n * d),
      other: list(d),
      w: list(3 * d),
      targets: list(n + 1),
      row: fc.nat(n - 1),
      clip: fc.double({ min: 0.01, max: 20, noNaN: true }),
      most: fc.option(fc.double({ min: 0.01, max: 20, noNaN: true })),
    });
  });
type World = typeof worlds extends fc.Arbitrary<infer T> ? T : never;

const FACTOR = 0.25;

/** Clipped sums of gradients in the world as it is, without the row, and with the other one in its place. */
function sums({ n, d, loss, x, other, w, targets, row, clip, most }: World) {
  const k = loss === "softmax" ? 3 : 1;
  const target = (value: number) =>
    loss === "squared"
      ? value
      : loss === "logistic"
        ? value < 0
          ? -1
          : 1
        : Math.floor(Math.abs(value)) % 3;
  const sum = (rows: number[], y: number[], marks?: Uint8Array) => {
    const core = openCore();
    const { arena, kernels } = core;
    const set = TaskSet.adopt({
      x: Float64Array.from(rows),
      y: new Float64Array(n),
      offsets: Uint32Array.of(0, n),
      names: ["a"],
      targetName: "y",
      featureNames: Array.from({ length: d }, (_, j) => `x${j}`),
    });
    const tasks = new ResidentTasks(core, set, Float64Array.from(y, target), {
      loss,
      lossScale: "mean",
    });
    const model = new LinearModel(tasks, k);
    const out = arena.f64(d * k);
    const at = arena.copyOf(Float64Array.from(w.slice(0, d * k)));
    new ClippedGradients(model, { clip, factor: FACTOR }).descent(0, at, out, marks);
    if (most !== null) kernels.clipRows(out, out, 1, d * k, most);
    return arena.view(out, d * k).slice();
  };
  const [y, another] = [targets.slice(0, n), targets[n]!];
  return {
    present: sum(x, y),
    without: sum(
      x,
      y,
      Uint8Array.from({ length: n }, (_, j) => (j === row ? 0 : 1)),
    ),
    replaced: sum(x.with(row * d, other[0]!).map((v, at) => (at >= row * d && at < (row + 1) * d ? other[at - row * d]! : v)), y.with(row, another)), // prettier-ignore
  };
}

const apart = (a: Float64Array, b: Float64Array) => norm(a.map((v, j) => v - b[j]!));

describe("one record moves a task's sum of gradients", () => {
  test("by at most the clip, or twice that, with any loss, whether the sum is clipped or not", () => {
    fc.assert(
      fc.property(worlds, (world) => {
        const { present, without, replaced } = sums(world);
        const bound = FACTOR * world.clip * (1 + 1e-12);
        expect(apart(present, without)).toBeLessThanOrEqual(bound);
        expect(apart(present, replaced)).toBeLessThanOrEqual(2 * bound);
      }),
      { seed: 3, numRuns: thorough ? 500 : 200 },
    );
  });

  test("by no more either where rows and targets are of any magnitude", () => {
    const given = fc.record({
      row: vectorOf({ minLength: 2, maxLength: 2 }),
      target: fc.oneof(vectorOf({ minLength: 1, maxLength: 1 }), fc.constant([1])),
      clip: fc.double({ min: 1e-9, max: 1e9, noNaN: true }),
    });
    const base = { n: 1, d: 2, loss: "squared" as const, other: [0, 0], w: [0, 0], row: 0, most: null }; // prettier-ignore
    fc.assert(
      fc.property(given, ({ row, target, clip }) => {
        const world = { ...base, x: [...row], targets: [target[0]!, 0], clip };
        // The row alone, as the sum is: exactly what it adds.
        expect(norm(sums(world).present)).toBeLessThanOrEqual(FACTOR * clip);
      }),
      { seed: 4, numRuns: thorough ? 1000 : 300 },
    );
  });

  test("by all of it where its gradient is long", () => {
    const base = { n: 2, d: 1, loss: "squared" as const, x: [40, 1], other: [40], w: [1, 0, 0], targets: [-40, 1, 200], row: 0, clip: 3, most: null }; // prettier-ignore
    const { present, without, replaced } = sums(base);
    expect(apart(present, without) / (FACTOR * 3)).toBeCloseTo(1, 9);
    expect(apart(present, replaced) / (2 * FACTOR * 3)).toBeCloseTo(1, 9);
  });

  test("by nothing where its gradient is no number that can be held to a norm", () => {
    const huge = { n: 1, d: 1, loss: "squared" as const, x: [1e200], other: [0], w: [1e200, 0, 0], targets: [0, 0], row: 0, clip: 3, most: null }; // prettier-ignore
    expect([...sums(huge).present]).toEqual([0]);
  });
});
