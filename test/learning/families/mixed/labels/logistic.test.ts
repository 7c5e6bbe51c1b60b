/** MpMixed with the logistic loss, from tasks to saved model. */
import { describe, expect, test } from "vitest";
import { MpMixed } from "../../../../../src/learning/index.js";
import { loadModel, saveModel } from "../../../../../src/model/index.js";
import { decodeSafetensors } from "../../../../../src/model/safetensors.js";
import { generator } from "../../../../../bench/uniform-draws.js";
import { drawnTasks } from "./drawn-labels.js";

/** Tasks with common slopes and own intercepts, and as many rows held out. */
function labelledTasks(m: number, seed: number) {
  const { uniform, normal } = generator(seed);
  const task = (i: number) => {
    const intercept = 1.5 * normal();
    const rows = (n: number) => {
      const x = Array.from({ length: n }, () => [2 * uniform() - 1, 2 * uniform() - 1]);
      const y = x.map(([a, b]) =>
        uniform() < 1 / (1 + Math.exp(3 * b! - 2 * a! - intercept)) ? "yes" : "no",
      );
      return { name: `task ${i}`, x, y };
    };
    return { train: rows(4), held: rows(4) };
  };
  return drawnTasks(m, ["no", "yes"], task);
}

const random = { mode: "seeded", seed: 3 } as const;
const options = { loss: "logistic", epsilon: 8, delta: 1e-3, scale: "unit", random } as const;

describe("MpMixed with the logistic loss", async () => {
  const { train, held } = labelledTasks(120, 5);
  const model = await new MpMixed(options).fit(train);

  test("spends its budget on the planned releases, and predicts better than learning alone", async () => {
    const { guarantee, ledger } = model;
    expect(guarantee.kind).toBe("joint");
    expect(ledger!.spent().epsilon).toBeLessThanOrEqual(8);
    expect(ledger!.spent().epsilon).toBeGreaterThan(7.9);
    expect(ledger!.entries.length).toBe(7);
    const alone = await new MpMixed({ ...options, epsilon: 1e-3 }).fit(train);
    expect(model.score(held).logLoss!).toBeLessThan(alone.score(held).logLoss! - 0.02);
    expect(alone.score(held).logLoss!).toBeLessThan(Math.LN2);
  });

  test("predicts the mean probability over the posterior", () => {
    const { mixtureWeights, mixtureMeans, mixtureCovariances } = model.components;
    const [m, count, n] = mixtureMeans!.shape as [number, number, number];
    expect([m, n]).toEqual([120, 3]);
    const x = [0.4, -0.9, 1];
    const { normal, uniform } = generator(8);
    const task = 7;
    // Draws of the output x . w: of a component by its weight, then of its normal distribution.
    let sum = 0;
    const draws = 40_000;
    for (let draw = 0; draw < draws; draw++) {
      let [k, u] = [0, uniform()];
      while (k < count - 1 && (u -= mixtureWeights!.data[task * count + k]!) > 0) k++;
      const at = task * count + k;
      let [mean, variance, entry] = [0, 0, (at * n * (n + 1)) / 2];
      for (let i = 0; i < n; i++) {
        mean += x[i]! * mixtureMeans!.data[at * n + i]!;
        for (let j = 0; j <= i; j++)
          variance += (i === j ? 1 : 2) * x[i]! * x[j]! * mixtureCovariances!.data[entry++]!;
      }
      sum += 1 / (1 + Math.exp(-mean - Math.sqrt(variance) * normal()));
    }
    // Five standard errors of a mean of numbers in [0, 1].
    const [p] = model.predict("task 7", [[0.4, -0.9]]);
    expect(Math.abs(p! - sum / draws)).toBeLessThan(5 * (0.5 / Math.sqrt(draws)));
    expect(model.forTask("task 7").predictLabels([[0.4, -0.9]])).toEqual([p! > 0.5 ? "yes" : "no"]);
  });

  test("has weights of mixtures that sum to 1, and their mean as weights and intercept", () => {
    const { mixtureWeights, mixtureMeans } = model.components;
    const [m, count] = mixtureWeights!.shape as [number, number];
    for (let i = 0; i < m; i++) {
      const weights = mixtureWeights!.data.subarray(i * count, (i + 1) * count);
      expect(weights.reduce((a, b) => a + b, 0)).toBeCloseTo(1, 6);
      const mean = [0, 1, 2].map((j) =>
        weights.reduce((sum, w, k) => sum + w * mixtureMeans!.data[(i * count + k) * 3 + j]!, 0),
      );
      [model.weights[2 * i]!, model.weights[2 * i + 1]!, model.intercepts![i]!].forEach(
        (value, j) => expect(value).toBeCloseTo(mean[j]!, 6),
      );
    }
  });

  test("comes back from its file with the same probabilities, under a version that old readers refuse", () => {
    const bytes = saveModel(model);
    const loaded = loadModel(bytes);
    expect(loaded.score(held)).toEqual(model.score(held));
    expect(loaded.predict("task 3", [[1, 0]])).toEqual(model.predict("task 3", [[1, 0]]));
    const card = JSON.parse(decodeSafetensors(bytes).metadata["mp-mtl"]!) as { version: number };
    expect(card.version).toBe(2);
  });

  test("gives no intervals: a label has none", () => {
    expect(model.predictInterval).toBeUndefined();
  });

  test("learns the sizes of features that nobody declared, and asks for no votes on labels", async () => {
    const learned = await new MpMixed({ ...options, scale: "auto" }).fit(train);
    expect(learned.ledger!.entries.length).toBe(10);
    expect(learned.components["units"]!.data[2]).toBe(0); // the labels' center, then the features' sizes
    expect(learned.components["units"]!.data[5]).toBe(1);
    // Features of other units make the same model, but for the rounding of their sizes.
    expect(Math.abs(learned.score(held).logLoss! - model.score(held).logLoss!)).toBeLessThan(0.03);
  });

  test("needs ranges of features but not of labels", async () => {
    const declared = { ...options, scale: "declared" } as const;
    await expect(new MpMixed(declared).fit(train)).rejects.toThrow(
      /column "x1" has no declared range/,
    );
  });
});
