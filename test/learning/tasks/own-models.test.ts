/**
 * Every task's own model against dense formulas, and what it must not depend on.
 */
import { describe, expect, test } from "vitest";
import { TaskSet, type TaskInput } from "../../../src/data/index.js";
import { seededUniforms } from "../../../src/data/split/shuffle.js";
import { SingleTask } from "../../../src/learning/index.js";
import { ownRows } from "../../../src/learning/tasks/own-models/own-scale.js";
import { squaredModel } from "../../../src/learning/tasks/own-models/squared.js";
import {
  logBelief,
  SQUARED,
  TARGET_DEVIATION,
} from "../../../src/learning/tasks/own-models/settings.js";
import { invertDefinite } from "../../../src/linalg/small-matrices.js";
import { makeLabelled, makeTasks } from "../tasks.js";
import { byEigenvectors } from "./by-eigenvectors.js";

/** Log determinant by elimination. */
function logDeterminant(matrix: Float64Array, n: number): number {
  const a = matrix.slice();
  let sum = 0;
  for (let k = 0; k < n; k++) {
    sum += Math.log(a[k * n + k]!);
    for (let i = k + 1; i < n; i++) {
      const factor = a[i * n + k]! / a[k * n + k]!;
      for (let j = k; j < n; j++) a[i * n + j]! -= factor * a[k * n + j]!;
    }
  }
  return sum;
}

/** Predictions of the grid's average by kriging: covariances of rows, no decomposition. */
function predicted(x: Float64Array, y: Float64Array, d: number): Float64Array {
  const n = y.length;
  const { z } = ownRows({ x, n, d }, { centered: false, declared: true });
  const targets = y.map((value) => value / TARGET_DEVIATION);
  const found: { log: number; at: Float64Array }[] = [];
  for (const ratio of SQUARED.ratios) {
    for (const slopes of SQUARED.slopes) {
      const k = new Float64Array(n * n);
      for (let i = 0; i < n; i++) {
        for (let j = 0; j < n; j++) {
          let sum = ratio;
          for (let c = 0; c < d; c++) sum += z[i * d + c]! * z[j * d + c]!;
          k[i * n + j] = slopes * sum;
        }
      }
      for (const noise of SQUARED.noise) {
        const v = k.map((value, at) => value + (at % (n + 1) === 0 ? noise : 0));
        const inverse = invertDefinite(v, n);
        const alpha = Float64Array.from({ length: n }, (_, i) =>
          targets.reduce((sum, value, j) => sum + inverse[i * n + j]! * value, 0),
        );
        const { declared, intercept } = SQUARED;
        found.push({
          log:
            logBelief(slopes, declared.slopes) +
            logBelief(noise, declared.noise) +
            logBelief(slopes * ratio, intercept) -
            (logDeterminant(v, n) + targets.reduce((s, value, i) => s + value * alpha[i]!, 0)) / 2,
          at: Float64Array.from({ length: n }, (_, i) =>
            alpha.reduce((sum, value, j) => sum + k[i * n + j]! * value, 0),
          ),
        });
      }
    }
  }
  const most = Math.max(...found.map(({ log }) => log));
  const total = found.reduce((sum, { log }) => sum + Math.exp(log - most), 0);
  const out = new Float64Array(n);
  for (const { log, at } of found) {
    at.forEach((value, i) => (out[i]! += (Math.exp(log - most) / total) * value));
  }
  return out.map((value) => value * TARGET_DEVIATION);
}

describe("squared loss", () => {
  test.each([
    [3, 4],
    [12, 4],
    [20, 30],
  ])(
    "%d rows of %d features, with declared ranges and without: the same by eigenvectors",
    (n, d) => {
      const [{ x, y }] = makeTasks({ m: 1, d, rows: () => n, noise: 0.3 }) as unknown as [
        { x: Float64Array; y: Float64Array },
      ];
      for (const s of [undefined, Float64Array.from(y, (_, j) => 0.5 + (j % 3))]) {
        for (const declared of [true, false]) {
          const known = { intercept: true, known: { features: declared, target: declared } };
          const rows = { x, y, n, d, s: s?.map((one) => (one * n) / s.reduce((a, b) => a + b)) };
          const one = squaredModel(rows, known);
          const other = squaredModel(rows, known, byEigenvectors);
          expect(other.intercept).toBeCloseTo(one.intercept, 9);
          one.weights.forEach((weight, j) => expect(other.weights[j]).toBeCloseTo(weight, 9));
        }
      }
    },
  );

  test.each([3, 12])("with declared ranges, %d rows: the average over the grid by kriging", (n) => {
    const [{ x, y }] = makeTasks({ m: 1, d: 4, rows: () => n, noise: 0.3 }) as unknown as [
      { x: Float64Array; y: Float64Array },
    ];
    const known = { features: true, target: true };
    const { weights, intercept } = squaredModel({ x, y, n, d: 4 }, { intercept: true, known });
    predicted(x, y, 4).forEach((value, row) => {
      let own = intercept;
      for (let j = 0; j < 4; j++) own += x[row * 4 + j]! * weights[j]!;
      expect(own).toBeCloseTo(value, 6);
    });
  });

  test("without ranges, units of features and target and the target's origin do not matter", async () => {
    const tasks = makeTasks({ m: 6, d: 3, rows: (i) => 1 + 3 * i, noise: 0.4 });
    const units = [1e-6, 40, 1e5];
    const changed = TaskSet.from(
      [...tasks].map(({ name, x, y }) => ({
        name,
        x: x.map((value, k) => value * units[k % 3]!),
        y: y.map((value) => 1e4 + 500 * value),
      })) as never,
    );
    const [one, other] = [await new SingleTask().fit(tasks), await new SingleTask().fit(changed)];
    const [a, b] = [one.outputs(tasks), other.outputs(changed)];
    a.forEach((value, row) => expect((b[row]! - 1e4) / 500).toBeCloseTo(value, 5));
  });

  test("of three rows far from the middle of their range, whose features tell nothing, slopes stay small", () => {
    const draw = seededUniforms("own", "far");
    const normal = () => Math.sqrt(-2 * Math.log(1 - draw())) * Math.cos(2 * Math.PI * draw());
    const errors = { model: 0, mean: 0 };
    for (let task = 0; task < 300; task++) {
      const d = 3;
      const level = -0.8 + 0.05 * normal();
      const row = () => Array.from({ length: d }, () => 2 * draw() - 1);
      const x = Float64Array.from([...row(), ...row(), ...row()]);
      const y = Float64Array.from({ length: 3 }, () => level + 0.05 * normal());
      const declared = { intercept: true, known: { features: true, target: true } };
      const { weights, intercept } = squaredModel({ x, y, n: 3, d }, declared);
      const at = row();
      const truth = level + 0.05 * normal();
      const found = at.reduce((sum, value, k) => sum + value * weights[k]!, intercept);
      errors.model += (found - truth) ** 2;
      errors.mean += ((y[0]! + y[1]! + y[2]!) / 3 - truth) ** 2;
    }
    // 14.8 where the level and slopes have variances of one size, and 4.2 as it is; one seed, so nothing is left to chance.
    expect(errors.model / errors.mean).toBeLessThan(8);
  });

  test("of features far from zero the model is the average over both scales, by evidence", () => {
    const n = 5;
    const x = Float64Array.from([2001, 1, 2003, 0.2, 2004, -0.4, 2007, 0.1, 2008, -0.9]);
    const y = Float64Array.from([1, 1.9, 2.6, 4.2, 4.4]);
    const known = { features: false, target: false };
    const level = y.reduce((sum, value) => sum + value, 0) / n;
    const unit = Math.sqrt(y.reduce((sum, value) => sum + (value - level) ** 2, 0) / (n - 1));
    const r = y.map((value) => (value - level) / unit);
    const found = [true, false].flatMap((place) => {
      const { z, factors } = ownRows({ x, n, d: 2 }, { centered: true, declared: false, place });
      const posterior = byEigenvectors(z, r, n, 2);
      // Five rows: the scale without offsets has 5 / (5 + 8) of the weight.
      const prior = Math.log(place ? 8 / 13 : 5 / 13);
      return posterior.evidence(0, n - 1, SQUARED.own).map((value, at, { length }) => {
        const only = Array.from({ length }, (_, k) => (k === at ? 1 : 0));
        return {
          log: prior + value,
          mean: posterior.mean(only).map((w, j) => w * factors[j]! * unit),
        };
      });
    });
    const most = Math.max(...found.map(({ log }) => log));
    const total = found.reduce((sum, { log }) => sum + Math.exp(log - most), 0);
    const { weights } = squaredModel({ x, y, n, d: 2 }, { intercept: true, known });
    for (const j of [0, 1]) {
      const mean = found.reduce(
        (s, one) => s + (Math.exp(one.log - most) / total) * one.mean[j]!,
        0,
      );
      expect(weights[j]).toBeCloseTo(mean, 9);
    }
    // The trend is .5 a year; with offsets alone it is .01.
    expect(weights[0]).toBeGreaterThan(0.2);
  });

  test("a task of one row predicts it; of a constant target, the constant; of no spread, the mean", () => {
    const known = { features: false, target: false };
    const own = (x: number[], y: number[]) =>
      squaredModel(
        { x: Float64Array.from(x), y: Float64Array.from(y), n: y.length, d: 1 },
        { intercept: true, known },
      );
    expect(own([3], [7])).toEqual({ weights: new Float64Array(1), intercept: 7 });
    expect(own([1, 2, 3], [5, 5, 5])).toEqual({ weights: new Float64Array(1), intercept: 5 });
    const still = own([2, 2, 2], [1, 2, 6]);
    expect(still.intercept + 2 * still.weights[0]!).toBeCloseTo(3, 10);
  });
});

/** Rows of four columns, one of zeros, one far from zero and one of which some are zero. */
const farSizes = [2, 4, 9, 30];
const farRows = farSizes.map((n, i) =>
  Array.from({ length: n }, (_, j) => [
    0,
    40 + Math.sin(5 * j + i),
    j % 3 ? 0 : 1,
    Math.cos(3 * j),
  ]),
);
const farTargets = farRows.map((rows) => rows.map(([, a, b, c]) => 2 * (a! - 40) - b! + 0.3 * c!));

function sparseRows(rows: readonly (readonly number[])[]) {
  const entries = rows.map((row) =>
    row.map((value, c) => [c, value] as const).filter(([, value]) => value !== 0),
  );
  return {
    indptr: entries.reduce((ends, row) => [...ends, ends.at(-1)! + row.length], [0]),
    indices: entries.flat().map(([c]) => c),
    values: entries.flat().map(([, value]) => value),
    shape: [rows.length, 4] as const,
  };
}

test.each(["squared", "logistic"] as const)(
  "%s loss: sparse rows far from zero have the models of the same rows dense, few and many",
  async (loss) => {
    const inputs = (rowsOf: (rows: number[][]) => TaskInput["x"]) =>
      TaskSet.from(
        farRows.map((rows, i) => ({
          name: `${i}`,
          x: rowsOf(rows),
          y:
            loss === "squared" ? farTargets[i]! : farTargets[i]!.map((y) => (y > 0 ? "yes" : "no")),
        })),
        loss === "squared" ? {} : { labels: ["no", "yes"] },
      );
    const [dense, other] = [inputs((rows) => rows), inputs(sparseRows)];
    const [one, two] = [
      await new SingleTask({ loss }).fit(dense),
      await new SingleTask({ loss }).fit(other),
    ];
    one.weights.forEach((value, at) => expect(two.weights[at]).toBeCloseTo(value, 6));
    expect(Math.max(...one.weights)).toBeGreaterThan(0.5);
  },
);

test("logistic loss: features far from zero keep their slopes, where rows are few", async () => {
  // Labels that follow a rise over years. With offsets alone the slope is .46.
  const tasks = Array.from({ length: 40 }, (_, i) => ({
    name: `${i}`,
    x: Array.from({ length: 6 }, (_, j) => [2000 + j]),
    y: Array.from({ length: 6 }, (_, j) => (j + (i % 3) * 0.7 > 2.6 ? "yes" : "no")),
  }));
  const model = await new SingleTask({ loss: "logistic" }).fit(TaskSet.from(tasks));
  const slopes = [...model.weights].sort((a, b) => a - b);
  expect(slopes[20]).toBeGreaterThan(0.7);
});

test("logistic loss: a task of one class is drawn to it, and stays finite", async () => {
  const data = makeLabelled({ m: 5, d: 3, rows: (i) => 1 + 4 * i });
  const model = await new SingleTask({ loss: "logistic" }).fit(data);
  const one = TaskSet.from(
    [...data].map(({ name, x, y }, i) => ({ name, x, y: i === 3 ? y.fill(1) : y })) as never,
  );
  const sure = await new SingleTask({ loss: "logistic" }).fit(one);
  expect(model.weights.every(Number.isFinite)).toBe(true);
  const [from, to] = [one.offsets[3]!, one.offsets[4]!];
  const margins = sure.outputs(one).slice(from, to);
  expect(Math.min(...margins)).toBeGreaterThan(0);
  expect(Math.max(...margins)).toBeLessThan(20);
});

test("logistic loss: of more tasks than are solved together, each has the model that it has among few", async () => {
  const d = 150;
  const data = makeLabelled({ m: 600, d, rows: (i) => 2 + (i % 3), rank: 1 });
  const model = await new SingleTask({ loss: "logistic" }).fit(data);
  // The range ends between the 289th and the 290th task.
  const some = [0, 1, 288, 289, 290, 599];
  const few = await new SingleTask({ loss: "logistic" }).fit(
    data.select(some.map((i) => data.names[i]!)),
  );
  some.forEach((i, k) => {
    const own = few.weights.slice(k * d, (k + 1) * d);
    expect(own).toEqual(model.weights.slice(i * d, (i + 1) * d));
    expect(few.intercepts![k]).toBe(model.intercepts![i]);
  });
});
