import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { openCore } from "../../../src/core/index.js";
import { AdaptedModel } from "../../../src/learning/models/adapted-model.js";
import {
  HiddenLayerNetwork,
  type Activation,
} from "../../../src/learning/models/hidden-layer-network.js";
import { LinearModel } from "../../../src/learning/models/linear-model.js";
import {
  lossAndSlopes,
  symmetrizedDivergence,
} from "../../../src/learning/models/output-losses.js";
import { rowsOf, type ResidentModel } from "../../../src/learning/models/resident-model.js";
import { Minimizer } from "../../../src/learning/steps/minimize.js";
import { LOSS_NAMES, type LossName } from "../../../src/learning/tasks/losses.js";
import { ResidentTasks } from "../../../src/learning/tasks/resident-tasks.js";
import { normals, openStream } from "../../../src/random/index.js";
import { makeTasks } from "../tasks.js";

const CLASSES = 3;
const data = makeTasks({ m: 3, d: 4, rows: (i) => 3 + 2 * i });

/** Targets as the loss wants them, from the sign or the size of the numbers. */
function targets(loss: LossName): Float64Array {
  if (loss === "squared") return data.y;
  if (loss === "logistic") return data.y.map((y) => (y > 0 ? 1 : -1));
  return data.y.map((y) => (y < -0.3 ? 0 : y < 0.3 ? 1 : 2));
}

function place(loss: LossName, lossScale: "mean" | "sum"): ResidentTasks {
  return new ResidentTasks(openCore(), data, targets(loss), { loss, lossScale });
}

/** Central differences of f at `parameters`, whose error is about step^2. */
function slopes(f: () => number, parameters: () => Float64Array, step = 1e-5): Float64Array {
  return parameters().map((_, j) => {
    const kept = parameters()[j]!;
    parameters()[j] = kept + step;
    const up = f();
    parameters()[j] = kept - step;
    const down = f();
    parameters()[j] = kept;
    return (up - down) / (2 * step);
  });
}

function expectClose(actual: ArrayLike<number>, expected: ArrayLike<number>, tolerance = 1e-7) {
  expect(actual.length).toBe(expected.length);
  for (let j = 0; j < expected.length; j++) {
    expect(Math.abs(actual[j]! - expected[j]!)).toBeLessThan(
      tolerance * (1 + Math.abs(expected[j]!)),
    );
  }
}

const models: [string, (tasks: ResidentTasks) => ResidentModel][] = [
  ["linear", (tasks) => new LinearModel(tasks, tasks.loss === "softmax" ? CLASSES : 1)],
  ...(["tanh", "relu"] as Activation[]).map(
    (activation): [string, (tasks: ResidentTasks) => ResidentModel] => [
      `${activation} network`,
      (tasks) =>
        new AdaptedModel(
          tasks,
          new HiddenLayerNetwork({
            features: 4,
            hiddenUnits: 5,
            outputs: tasks.loss === "softmax" ? CLASSES : 1,
            activation,
            loss: tasks.loss,
          }),
          8,
        ),
    ],
  ),
];

describe.each(models)("%s", (_name, make) => {
  describe.each(LOSS_NAMES)("%s loss", (loss) => {
    const setUp = (lossScale: "mean" | "sum" = "mean") => {
      const model = make(place(loss, lossScale));
      const { arena } = model.tasks.core;
      const stream = openStream(model.tasks.core, { mode: "seeded", seed: "parameters" });
      const at = arena.copyOf(normals(stream, model.parameters));
      const gradient = arena.f64(model.parameters);
      const out = arena.f64(32);
      return { model, arena, at, gradient, out, view: () => arena.view(at, model.parameters) };
    };

    test.each(["mean", "sum"] as const)("gradients are those of the values, %s", (scale) => {
      const { model, arena, at, gradient, view } = setUp(scale);
      for (let i = 0; i < 3; i++) {
        const value = () => model.valueAndGradient(i, at, gradient);
        const expected = slopes(value, view);
        value();
        expectClose(arena.view(gradient, model.parameters), expected);
      }
    });

    test("values are the loss of the predictions", () => {
      const { model, arena, at, gradient, out } = setUp();
      for (let i = 0; i < 3; i++) {
        const { from, n } = rowsOf(model.tasks, i);
        model.predict(i, at, out);
        const z = arena.view(out, n * model.outputs).slice();
        const y = targets(loss).subarray(from, from + n);
        const expected = lossAndSlopes(loss, z, y, model.outputs) / n;
        expect(model.valueAndGradient(i, at, gradient)).toBeCloseTo(expected, 12);
      }
    });

    test("one epoch of batches averages to the whole, and a repeated row counts twice", () => {
      const { model, arena, at, gradient } = setUp();
      const rows = arena.bytes(64);
      const { from, n } = rowsOf(model.tasks, 2);
      const whole = model.valueAndGradient(2, at, gradient);
      const expected = arena.view(gradient, model.parameters).slice();
      const sum = new Float64Array(model.parameters);
      let value = 0;
      for (let j = 0; j < n; j++) {
        arena.words(rows, 2).set([from + j, from + j]);
        value += model.valueAndGradient(2, at, gradient, { at: rows, count: 2 }) / n;
        arena.view(gradient, model.parameters).forEach((g, k) => (sum[k]! += g / n));
      }
      expect(value).toBeCloseTo(whole, 12);
      expectClose(sum, expected, 1e-12);
    });

    test("the pullback is the gradient of the weighted outputs", () => {
      const { model, arena, at, gradient, out, view } = setUp();
      const { n } = rowsOf(model.tasks, 1);
      const weights = Float64Array.from({ length: n * model.outputs }, (_, j) => Math.sin(j + 1));
      const weighted = () => {
        model.predict(1, at, out);
        const z = arena.view(out, weights.length);
        return weights.reduce((sum, weight, j) => sum + weight * z[j]!, 0);
      };
      const expected = slopes(weighted, view);
      arena.view(out, weights.length).set(weights);
      model.pullback(1, at, out, gradient);
      expectClose(arena.view(gradient, model.parameters), expected);
    });
  });
});

describe("losses of outputs", () => {
  const number = fc.double({ min: -20, max: 20, noNaN: true });

  test.each(LOSS_NAMES)("the symmetrised divergence of %s: 0 at equality, else > 0", (loss) => {
    const k = loss === "softmax" ? CLASSES : 1;
    fc.assert(
      fc.property(
        fc.array(number, { minLength: 2 * k, maxLength: 2 * k }),
        fc.array(number, { minLength: 2 * k, maxLength: 2 * k }),
        (a, b) => {
          const z = Float64Array.from(a);
          const same = z.slice();
          expect(symmetrizedDivergence(loss, same, z, k)).toBe(0);
          expect(same.every((slope) => Math.abs(slope) < 1e-15)).toBe(true);
          const reference = Float64Array.from(b);
          const forward = symmetrizedDivergence(loss, z.slice(), reference, k);
          const backward = symmetrizedDivergence(loss, reference.slice(), z, k);
          expect(forward).toBeGreaterThanOrEqual(-1e-12);
          expect(Math.abs(forward - backward)).toBeLessThanOrEqual(1e-12 * (1 + forward));
        },
      ),
    );
  });

  test.each(LOSS_NAMES)("its slopes are those of its value, %s", (loss) => {
    const k = loss === "softmax" ? CLASSES : 1;
    const z = Float64Array.from({ length: 2 * k }, (_, j) => Math.sin(3 * j));
    const reference = z.map((_, j) => Math.cos(2 * j));
    const expected = slopes(
      () => symmetrizedDivergence(loss, z.slice(), reference, k),
      () => z,
    );
    const actual = z.slice();
    symmetrizedDivergence(loss, actual, reference, k);
    expectClose(actual, expected);
  });

  test("far logits overflow nothing", () => {
    const z = Float64Array.of(1e4, -1e4, 0);
    expect(lossAndSlopes("softmax", z, Float64Array.of(1), 3)).toBe(2e4);
    expect(Array.from(z)).toEqual([1, -1, 0]);
    const margin = Float64Array.of(-1e4);
    expect(lossAndSlopes("logistic", margin, Float64Array.of(1), 1)).toBe(1e4);
    expect(margin[0]).toBe(-1);
  });
});

describe("Minimizer", () => {
  test("finds the minimum of a quadratic of condition 90", () => {
    const core = openCore();
    const { arena } = core;
    const n = 40;
    const scales = Float64Array.from({ length: n }, (_, j) => 10 ** (j / 20)); // condition 90
    const at = arena.zeros(n);
    const evaluate = (x: number, gradient: number) => {
      let value = 0;
      for (let j = 0; j < n; j++) {
        const error = arena.view(x, n)[j]! - 1;
        value += (scales[j]! / 2) * error * error;
        arena.view(gradient, n)[j] = scales[j]! * error;
      }
      return value;
    };
    const minimum = new Minimizer(core, n).minimize(evaluate, at, {
      squaredTolerance: 1e-18,
      maxIterations: 500,
    });
    expect(minimum.gradientSquared).toBeLessThan(1e-17);
    for (const x of arena.view(at, n)) expect(x).toBeCloseTo(1, 8);
  });

  test("stops at a point of zero gradient, and descends where there is negative curvature", () => {
    const core = openCore();
    const { arena } = core;
    const at = arena.copyOf(Float64Array.of(0.1));
    // x^4 - x^2 has its minima at +-1/sqrt(2), and negative curvature at the start.
    const evaluate = (x: number, gradient: number) => {
      const v = arena.view(x, 1)[0]!;
      arena.view(gradient, 1)[0] = 4 * v ** 3 - 2 * v;
      return v ** 4 - v ** 2;
    };
    const solver = new Minimizer(core, 1);
    const limits = { squaredTolerance: 1e-20, maxIterations: 100 };
    solver.minimize(evaluate, at, limits);
    expect(arena.view(at, 1)[0]).toBeCloseTo(Math.SQRT1_2, 8);
    expect(solver.minimize(evaluate, at, limits).iterations).toBe(0);
  });
});
