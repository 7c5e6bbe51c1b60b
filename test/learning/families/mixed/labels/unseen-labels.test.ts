/** Predictions of labels for tasks that a mixed model was not fitted on. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readCsv, tasksFromTable } from "../../../../../src/data/index.js";
import {
  averagedLogOdds,
  type PosteriorMixture,
} from "../../../../../src/learning/fitted/posterior/posterior-mixture.js";
import { scoreNewTasks } from "../../../../../src/learning/fitted/scores/score-new-tasks.js";
import { LogisticExchange } from "../../../../../src/learning/families/mixed/labels/logistic-exchange.js";
import { logisticPlan } from "../../../../../src/learning/families/mixed/labels/logistic-plan.js";
import { modelsFromUnits } from "../../../../../src/learning/families/mixed/units/change-units.js";
import { MixedModel, MpMixed, type FittedModel } from "../../../../../src/learning/index.js";
import { loadModel, predictTable, saveModel } from "../../../../../src/model/index.js";
import { generator } from "../../../../../bench/uniform-draws.js";
import { drawnTasks } from "./drawn-labels.js";
import { someOf, thoroughTest } from "../../../../thorough.js";

/** Tasks with common slopes and own intercepts; of three labels by two thresholds. */
function labelledTasks(m: number, labels: readonly string[], seed: number) {
  const { uniform, normal } = generator(seed);
  const task = (i: number) => {
    const level = 0.8 * normal();
    const rows = (n: number) => {
      const x = Array.from({ length: n }, () => [2 * uniform() - 1, 2 * uniform() - 1]);
      const y = x.map(([a, b]) => {
        const score = level + 2.5 * a! - 2 * b! + 1.5 * normal();
        const at = labels.length === 2 ? Number(score > 0) : score < -1 ? 0 : score < 1 ? 1 : 2;
        return labels[at]!;
      });
      return { name: `task ${i}`, x, y };
    };
    return { train: rows(5), held: rows(20) };
  };
  return drawnTasks(m, labels, task);
}

const random = { mode: "seeded", seed: 3 } as const;
const options = { epsilon: 6, delta: 1e-3, scale: "unit", random } as const;
const SETS = {
  logistic: ["no", "yes"],
  softmax: ["a high", "b middle", "c low"],
} as const;
// Later tasks of the other loss are in later-labels.test.ts.
const LOSSES = someOf<"logistic" | "softmax">(["softmax", "logistic"], 2);

const fits = Object.fromEntries(
  await Promise.all(
    LOSSES.map(async (loss) => {
      const { train, held } = labelledTasks(150, SETS[loss], 5);
      const known = train.select(train.names.slice(0, 110));
      const unseen = held.select(held.names.slice(110));
      const model = await new MpMixed({ ...options, loss }).fit(known);
      return [loss, { known, unseen, model }] as const;
    }),
  ),
);

/** Mean of the logistic function of x . w, w drawn from the mixture of class c. */
function sampled({ components }: FittedModel, c: number, x: readonly number[], draws: number) {
  const { newTaskWeights, newTaskMeans, newTaskCovariances } = components;
  const count = newTaskWeights!.shape.at(-1)!;
  const n = newTaskMeans!.shape.at(-1)!;
  const { normal, uniform } = generator(8);
  let sum = 0;
  for (let draw = 0; draw < draws; draw++) {
    let [k, u] = [0, uniform()];
    while (k < count - 1 && (u -= newTaskWeights!.data[c * count + k]!) > 0) k++;
    const at = c * count + k;
    let [mean, variance, entry] = [0, 0, (at * n * (n + 1)) / 2];
    for (let i = 0; i < n; i++) {
      mean += x[i]! * newTaskMeans!.data[at * n + i]!;
      for (let j = 0; j <= i; j++)
        variance += (i === j ? 1 : 2) * x[i]! * x[j]! * newTaskCovariances!.data[entry++]!;
    }
    sum += 1 / (1 + Math.exp(-mean - Math.sqrt(variance) * normal()));
  }
  return sum / draws;
}

describe.each(LOSSES)("tasks never seen, %s loss", (loss) => {
  const { model, known, unseen } = fits[loss]!;

  /** What predicting the labels' shares among the known tasks costs a row of those never seen. */
  const byShares = () => {
    const shares = SETS[loss].map(
      (label) => [...known.y].filter((y) => known.targetLevels![y] === label).length / known.size,
    );
    const sum = [...unseen.y].reduce(
      (total, y) => total - Math.log(shares[SETS[loss].indexOf(unseen.targetLevels![y] as never)]!),
      0,
    );
    return sum / unseen.size;
  };

  test("are predicted better than by the labels' shares", () => {
    expect(scoreNewTasks(model, unseen)!.logLoss!).toBeLessThan(0.85 * byShares());
  });

  thoroughTest("are predicted nearly as well as without noise", async () => {
    const together = await new MixedModel({ loss, scale: "unit" }).fit(known);
    const best = scoreNewTasks(together, unseen)!.logLoss!;
    expect(best).toBeLessThan(0.85 * byShares());
    expect(scoreNewTasks(model, unseen)!.logLoss! - best).toBeLessThan(0.1);
  });

  test("by the mean probability over what the fit believes of tasks, in the form of predict", () => {
    const x = [0.4, -0.9];
    // Five standard errors of means of numbers in [0, 1]: a false alarm in a million.
    const [draws, off] = [40_000, (5 * 0.5) / Math.sqrt(40_000)];
    const found = model.predictNew!(Float64Array.from(x));
    expect(found.length).toBe(model.predict("task 0", [x]).length);
    if (loss === "logistic") {
      expect(Math.abs(found[0]! - sampled(model, 0, [...x, 1], draws))).toBeLessThan(off);
      return;
    }
    expect(found.reduce((a, b) => a + b, 0)).toBeCloseTo(1, 12);
    const logits = [0, 1, 2].map((c) => {
      const p = sampled(model, c, [...x, 1], draws);
      return (2 / 3) * Math.log(p / (1 - p));
    });
    const whole = logits.reduce((sum, z) => sum + Math.exp(z), 0);
    logits.forEach((z, c) => expect(Math.abs(found[c]! - Math.exp(z) / whole)).toBeLessThan(0.02));
  });

  test("also by a model that was saved; one of an older version says that it has nothing for them", async () => {
    const again = loadModel(saveModel(model));
    const x = Float64Array.of(0.4, -0.9, 1, 0);
    expect(again.predictNew!(x)).toEqual(model.predictNew!(x));
    const table = await readCsv(
      [
        "who,y,x1,x2",
        ...Array.from({ length: 60 }, (_, r) => `t${r % 12},${SETS[loss][r % SETS[loss].length]},${r % 5},${r % 3}`), // prettier-ignore
      ].join("\n"),
    );
    const { tasks } = tasksFromTable(table, { task: "who", target: "y", kinds: { x1: { kind: "number" }, x2: { kind: "number" } } }); // prettier-ignore
    const fitted = await new MpMixed({ ...options, loss }).fit(tasks);
    const later = await readCsv("who,x1,x2\nnew,1,2\n");
    const { predictions, newTasks } = predictTable(fitted, later);
    const misspelt = { unseen: "zero" } as never;
    expect(() => predictTable(fitted, later, misspelt)).toThrow(
      "unseen: expected one of as-fitted, zeros",
    );
    expect(() => predictTable(fitted, later, { intervals: 0.9 } as never)).toThrow(
      '"intervals" is not known',
    );
    expect(newTasks).toEqual(["new"]);
    const values = fitted.predictNew!(Float64Array.of(1, 2));
    const likeliest = loss === "logistic" ? Number(values[0]! > 0.5) : values.indexOf(Math.max(...values)); // prettier-ignore
    expect(predictions[0]!.label).toBe(SETS[loss][likeliest]);
    const { newTaskMeans, newTaskCovariances, ...older } = fitted.components;
    expect(newTaskMeans!.data.length).toBeLessThan(newTaskCovariances!.data.length);
    const old = loadModel(saveModel(fitted.withComponents(older)));
    expect(old.predictNew).toBeUndefined();
    expect(scoreNewTasks(old, tasks)).toBeUndefined();
    expect(() => predictTable(old, later)).toThrow(/was saved by a version that kept nothing/);
    expect(old.predict("t1", [[1, 2]])).toEqual(fitted.predict("t1", [[1, 2]]));
  });
});

/** The releases of tasks of one feature, with noise. */
function conversed(seed: number) {
  const { uniform, normal } = generator(seed);
  const [m, n, d] = [40, 5, 2];
  const x = Float64Array.from({ length: m * n * d }, (_, k) => (k % d === 1 ? 1 : 2 * uniform() - 1)); // prettier-ignore
  const y = Float64Array.from({ length: m * n }, (_, row) => (x[d * row]! + normal() > 0.3 ? 1 : -1)); // prettier-ignore
  const offsets = Array.from({ length: m + 1 }, (_, i) => i * n);
  const sizes = { m, d, meanRows: n };
  const mu = 3;
  const plan = logisticPlan(sizes, mu);
  const exchange = new LogisticExchange({ x, y, offsets }, sizes, mu, plan);
  plan.forEach(({ statistic, length, fraction }, k) => {
    const deviation = (statistic === "moment" ? Math.SQRT2 : 2) / (mu * Math.sqrt(fraction));
    const sum = new Float64Array(length);
    exchange.upload(k).forEach((value, i) => (sum[i % length]! += value));
    exchange.receive(
      k,
      sum.map((value) => value + deviation * normal()),
      deviation,
    );
  });
  return exchange.solve();
}

describe("the model of a task never seen", () => {
  const solved = conversed(4);
  const { prior } = solved;
  const { weights, means, covariances } = prior.unseen!;
  const mixture: PosteriorMixture = prior.unseen!;

  test("is around the fixed effects: their error and the tasks' own spread, over the released belief", () => {
    expect(weights.reduce((a, b) => a + b, 0)).toBeCloseTo(1, 12);
    const logs = [0, 0];
    weights.forEach((weight, h) => {
      const ratio = means[2 * h]! / prior.fixedEffects[0]!;
      expect(means[2 * h + 1]!).toBeCloseTo(ratio * prior.fixedEffects[1]!, 12);
      const [xx, xy, yy] = covariances.subarray(3 * h, 3 * h + 3);
      const [a, b, , c] = prior.releaseCovariance.map((value) => value * ratio ** 2);
      expect(xy!).toBeCloseTo(b!, 9);
      [xx! - a!, yy! - c!].forEach((square, j) => {
        expect(square).toBeGreaterThan(0);
        logs[j]! += (weight * Math.log(square)) / 2;
      });
    });
    // Scales in the middle of the belief are those of the model's covariance.
    logs.forEach((log, j) => expect(Math.exp(2 * log)).toBeCloseTo(prior.covariance[3 * j]!, 6));
  });

  test("gives the mean probability that quadrature finds", () => {
    for (const x of [-1, -0.2, 0.7]) {
      let expected = 0;
      weights.forEach((weight, h) => {
        const mean = x * means[2 * h]! + means[2 * h + 1]!;
        const [xx, xy, yy] = covariances.subarray(3 * h, 3 * h + 3);
        const deviation = Math.sqrt(x * x * xx! + 2 * x * xy! + yy!);
        const [steps, reach] = [4000, 9];
        for (let k = 0; k <= steps; k++) {
          const z = reach * ((2 * k) / steps - 1);
          const density = Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI);
          expected += (weight * density * ((2 * reach) / steps)) / (1 + Math.exp(-mean - deviation * z)); // prettier-ignore
        }
      });
      const [odds] = averagedLogOdds(mixture, Float64Array.of(x), 1);
      expect(1 / (1 + Math.exp(-odds!))).toBeCloseTo(expected, 4);
    }
  });

  test("says the same of rows in other units", () => {
    const number = fc.double({ min: -3, max: 3, noNaN: true });
    const size = fc.double({ min: 0.1, max: 50, noNaN: true });
    fc.assert(
      fc.property(number, size, number, (center, width, x) => {
        const units = {
          centers: Float64Array.of(center, 0),
          sizes: Float64Array.of(width, 1),
          targetCenter: 0,
          targetSize: 1,
        };
        const { unseen } = modelsFromUnits(units, solved).prior;
        const [raw] = averagedLogOdds(unseen!, Float64Array.of(center + width * x), 1);
        const [own] = averagedLogOdds(mixture, Float64Array.of(x), 1);
        expect(raw!).toBeCloseTo(own!, 8);
      }),
    );
  });
});
