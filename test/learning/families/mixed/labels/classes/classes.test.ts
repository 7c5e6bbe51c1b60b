/** MpMixed with the softmax loss, from tasks to saved model. */
import { describe, expect, test } from "vitest";
import { summaryLines } from "../../../../../../src/cli/fitted/summary-text.js";
import { TaskSet } from "../../../../../../src/data/index.js";
import { MixedModel, MpMixed, SingleTask } from "../../../../../../src/learning/index.js";
import { loadModel, saveModel } from "../../../../../../src/model/index.js";
import { decodeSafetensors } from "../../../../../../src/model/safetensors.js";
import { generator } from "../../../../../../bench/uniform-draws.js";
import { drawnTasks } from "../drawn-labels.js";
import { thorough, thoroughTest } from "../../../../../thorough.js";

const LABELS = ["high", "low", "middle"];

/** Tasks with a score along common slopes that is cut into three, and as many rows held out. */
function cutTasks(m: number, seed: number) {
  const { uniform, normal } = generator(seed);
  const task = (i: number) => {
    const level = 0.8 * normal();
    const rows = (n: number) => {
      const x = Array.from({ length: n }, () => [2 * uniform() - 1, 2 * uniform() - 1]);
      const y = x.map(([a, b]) => {
        const score = level + 2.5 * a! - 2 * b! + normal();
        return score < -0.8 ? "low" : score < 0.8 ? "middle" : "high";
      });
      return { name: `task ${i}`, x, y };
    };
    return { train: rows(5), held: rows(5) };
  };
  return drawnTasks(m, LABELS, task);
}

const random = { mode: "seeded", seed: 3 } as const;
const options = { loss: "softmax", epsilon: 6, delta: 1e-3, scale: "unit", random } as const;

describe("MpMixed with the softmax loss", async () => {
  const { train, held } = cutTasks(120, 5);
  const model = await new MpMixed(options).fit(train);

  test("spends its budget on the planned releases, and is nearer to no noise than to tasks alone", async () => {
    const { guarantee, ledger } = model;
    expect(guarantee.kind).toBe("joint");
    expect(ledger!.spent().epsilon).toBeLessThanOrEqual(6);
    expect(ledger!.spent().epsilon).toBeGreaterThan(5.9);
    expect(ledger!.entries.length).toBe(7);
    const loss = model.score(held).logLoss!;
    const alone = await new SingleTask({ loss: "softmax" }).fit(train);
    const most = alone.score(held).logLoss!;
    expect(loss).toBeLessThan(most);
    if (!thorough) return;
    const together = await new MixedModel({ loss: "softmax", scale: "unit" }).fit(train);
    expect(loss).toBeLessThan(most - 0.5 * (most - together.score(held).logLoss!));
    expect(together.guarantee.kind).toBe("none");
  });

  thoroughTest("with next to no budget learns alone, and no worse than tasks that do", async () => {
    const poor = await new MpMixed({ ...options, epsilon: 1e-3 }).fit(train);
    const alone = await new SingleTask({ loss: "softmax" }).fit(train);
    expect(poor.score(held).logLoss!).toBeLessThan(alone.score(held).logLoss! + 0.02);
  });

  test("has a class axis behind the tasks' and with the same weights as the mixtures' means", () => {
    const { components } = model;
    const shapes = Object.fromEntries(
      Object.entries(components).map(([name, { shape }]) => [name, shape]),
    );
    expect(shapes).toMatchObject({
      fixedEffects: [3, 3],
      covariance: [3, 3, 3],
      alone: [120, 3],
      noise: [1],
      posteriorCovariances: [120, 3, 6],
      mixtureMeans: [120, 3, 8, 3],
      mixtureWeights: [120, 3, 8],
    });
    const [weights, means] = [components["mixtureWeights"]!.data, components["mixtureMeans"]!.data];
    const [task, label] = [7, 2];
    [0, 1, 2].forEach((j) => {
      let mean = 0;
      for (let k = 0; k < 8; k++) {
        const at = (task * 3 + label) * 8 + k;
        mean += weights[at]! * means[at * 3 + j]!;
      }
      const kept =
        j < 2 ? model.weights[(task * 2 + j) * 3 + label]! : model.intercepts![task * 3 + label]!;
      expect(kept).toBeCloseTo(mean, 6);
    });
  });

  test("predicts probabilities that sum to 1, from the posterior of each class against the rest", () => {
    const { mixtureWeights, mixtureMeans, mixtureCovariances } = model.components;
    const x = [0.4, -0.9, 1];
    const { normal, uniform } = generator(8);
    const [task, draws] = [11, 40_000];
    const logits = [0, 1, 2].map((label) => {
      let sum = 0;
      for (let draw = 0; draw < draws; draw++) {
        let [k, u] = [0, uniform()];
        const first = (task * 3 + label) * 8;
        while (k < 7 && (u -= mixtureWeights!.data[first + k]!) > 0) k++;
        const at = first + k;
        let [mean, variance, entry] = [0, 0, at * 6];
        for (let i = 0; i < 3; i++) {
          mean += x[i]! * mixtureMeans!.data[at * 3 + i]!;
          for (let j = 0; j <= i; j++)
            variance += (i === j ? 1 : 2) * x[i]! * x[j]! * mixtureCovariances!.data[entry++]!;
        }
        sum += 1 / (1 + Math.exp(-mean - Math.sqrt(variance) * normal()));
      }
      const p = sum / draws;
      return (2 / 3) * Math.log(p / (1 - p));
    });
    const whole = logits.reduce((sum, z) => sum + Math.exp(z), 0);
    const found = model.predict("task 11", [[0.4, -0.9]]);
    expect(found.reduce((a, b) => a + b, 0)).toBeCloseTo(1, 12);
    logits.forEach((z, c) => expect(Math.abs(found[c]! - Math.exp(z) / whole)).toBeLessThan(0.02));
    const largest = found.indexOf(Math.max(...found));
    expect(model.forTask("task 11").predictLabels([[0.4, -0.9]])).toEqual([
      model.classes![largest],
    ]);
  });

  test("sums up the effects of each class, with standard errors", () => {
    const { coefficients, charged, residual } = model.summary();
    // Seeded noise protects nobody.
    expect(charged).toBe(false);
    expect(residual).toBeNull();
    expect(coefficients.map(({ name }) => name)).toEqual(
      ["x1", "x2", "(intercept)"].flatMap((name) => LABELS.map((label) => `${name}: ${label}`)),
    );
    expect(summaryLines(model.summary()).join("\n")).toContain("against all others together");
    const of = (name: string) => coefficients.find((one) => one.name === name)!;
    expect(of("x1: high").estimate).toBeGreaterThan(0.5);
    expect(of("x1: low").estimate).toBeLessThan(-0.5);
    expect(of("x2: high").estimate).toBeLessThan(-0.5);
    const { data } = model.components["statedEffects"]!;
    expect(of("x2: middle").estimate).toBeCloseTo(data[2 * 3 + 1]!, 12);
    for (const { standardError, betweenTasks } of coefficients) {
      expect(standardError!).toBeGreaterThan(0);
      expect(betweenTasks).toBeGreaterThan(0);
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

  test("refuses by name what it has not: intervals, single records", () => {
    expect(model.predictInterval).toBeUndefined();
    expect(() => new MpMixed({ ...options, unit: "record" })).toThrow(/softmax loss/);
  });

  thoroughTest("knows a declared class that nobody has, and finds it unlikely", async () => {
    const declared = TaskSet.from(
      [...train].map(({ name, x, y }) => ({
        name,
        x: Array.from({ length: y.length }, (_, row) =>
          Array.from(x.subarray(2 * row, 2 * row + 2)),
        ),
        y: Array.from(y, (at) => LABELS[at]!),
      })),
      { labels: [...LABELS, "nothing"] },
    );
    const four = await new MpMixed(options).fit(declared);
    const found = four.predict("task 3", [[0.1, 0.1]]);
    expect(found.length).toBe(4);
    expect(found[3]!).toBeLessThan(0.15);
    expect(found[3]!).toBeGreaterThan(0);
  });

  thoroughTest("learns the sizes of features that nobody declared", async () => {
    const learned = await new MpMixed({ ...options, scale: "auto" }).fit(train);
    expect(learned.ledger!.entries.length).toBe(10);
    expect(Math.abs(learned.score(held).logLoss! - model.score(held).logLoss!)).toBeLessThan(0.05);
  });
});
