/**
 * Models of TensorFlow.js: gradients against finite differences and against our own in double precision, and the papers' network
 * in a private fit of data in LEAF's format.
 */
import { describe, expect, test } from "vitest";
import { leafTasks, parseLeaf } from "../../src/data/index.js";
import { Pmtl, PpSgd, PrivateFedAvg, type DifferentiableModel } from "../../src/learning/index.js";
import { HiddenLayerNetwork } from "../../src/learning/models/hidden-layer-network.js";
import { loadModel, saveModel } from "../../src/model/index.js";
import { femnistNetwork, tfjsModel } from "../../src/tfjs/index.js";
import { generator } from "../../bench/uniform-draws.js";
import { thorough, thoroughTest } from "../thorough.js";
import { loadTensorFlow } from "./tensorflow.js";

const tf = loadTensorFlow();

const draws = generator(7).uniform;
const numbers = (n: number, scale = 1) => Float64Array.from({ length: n }, () => scale * (2 * draws() - 1)); // prettier-ignore

/** Largest difference between slopes along random directions and central differences, relative to the gradient's norm. */
function slopeError(model: DifferentiableModel, x: Float64Array, y: Float64Array, h: number) {
  const at = model.initial(draws);
  const gradient = new Float64Array(model.parameters);
  model.valueAndGradient(at, x, y, gradient);
  const spare = new Float64Array(model.parameters);
  const normOf = (v: Float64Array) => Math.sqrt(v.reduce((sum, x) => sum + x * x, 0));
  const norm = normOf(gradient);
  let worst = 0;
  for (let trial = 0; trial < 3; trial++) {
    const raw = numbers(model.parameters);
    const size = normOf(raw);
    // Partly along the gradient, so that the slope is not lost in single precision.
    const direction = raw.map((v, k) => v / size + gradient[k]! / norm);
    const value = (step: number) =>
      model.valueAndGradient(
        at.map((w, k) => w + step * direction[k]!),
        x,
        y,
        spare,
      );
    const slope = gradient.reduce((sum, g, k) => sum + g * direction[k]!, 0);
    worst = Math.max(worst, Math.abs((value(h) - value(-h)) / (2 * h) - slope) / norm);
  }
  return worst;
}

describe("a hidden layer written in TensorFlow.js", () => {
  const [features, hidden] = [3, 4];
  test.each([
    ["squared", 1],
    ["logistic", 1],
    ["softmax", 3],
  ] as const)(
    "%s: value, gradient, predictions and pullback of our own network",
    (loss, outputs) => {
      const own = new HiddenLayerNetwork({
        features,
        hiddenUnits: hidden,
        outputs,
        activation: "tanh",
        loss,
      });
      // The order of our network's parameters is found by its sizes: weights and biases of either layer.
      const theirs = tfjsModel(tf, {
        name: "hidden",
        features,
        outputs,
        loss,
        parameters: [
          { shape: [hidden, features] },
          { shape: [hidden] },
          { shape: [outputs, hidden] },
          { shape: [outputs] },
        ],
        forward: ([w1, b1, w2, b2], x) => {
          const inner = tf.tanh(tf.add(tf.matMul(x, w1! as never, false, true), b1!));
          return tf.add(tf.matMul(inner, w2! as never, false, true), b2!);
        },
      });
      expect(theirs.parameters).toBe(own.parameters);
      const [at, x] = [numbers(own.parameters), numbers(5 * features)];
      const y = Float64Array.from({ length: 5 }, (_, j) =>
        loss === "squared" ? j / 3 : loss === "logistic" ? (-1) ** j : j % outputs,
      );
      const [g, ours] = [new Float64Array(own.parameters), new Float64Array(own.parameters)];
      expect(theirs.valueAndGradient(at, x, y, g)).toBeCloseTo(
        own.valueAndGradient(at, x, y, ours),
        5,
      );
      g.forEach((value, k) => expect(value).toBeCloseTo(ours[k]!, 5));
      const [z, expected] = [new Float64Array(5 * outputs), new Float64Array(5 * outputs)];
      theirs.predict(at, x, z);
      own.predict(at, x, expected);
      z.forEach((value, k) => expect(value).toBeCloseTo(expected[k]!, 5));
      const slopes = numbers(5 * outputs);
      theirs.pullback!(at, x, slopes, g);
      own.pullback!(at, x, slopes, ours);
      g.forEach((value, k) => expect(value).toBeCloseTo(ours[k]!, 5));
    },
  );

  test("no tensor is left behind", () => {
    const model = femnistNetwork(tf, { side: 10, classes: 3, filters: [2, 3], kernel: 3 });
    const before = tf.memory().numTensors;
    model.valueAndGradient(model.initial(draws), numbers(200), Float64Array.of(0, 2), new Float64Array(model.parameters)); // prettier-ignore
    model.predict(model.initial(draws), numbers(100), new Float64Array(3));
    expect(tf.memory().numTensors).toBe(before);
  });

  test("shapes are held to what was declared", () => {
    const common = { name: "odd", features: 2, outputs: 1 };
    expect(() =>
      tfjsModel(tf, { ...common, parameters: [{ shape: [0] }], forward: (_, x) => x }),
    ).toThrow("parameters[0].shape: expected whole numbers from 1 on, got [0]");
    const wide = tfjsModel(tf, { ...common, parameters: [{ shape: [1] }], forward: (_, x) => x });
    expect(() =>
      wide.predict(new Float64Array(1), new Float64Array(2), new Float64Array(1)),
    ).toThrow('forward: expected outputs of shape [1, 1], "odd" gave [1, 2]');
    expect(() => femnistNetwork(tf, { side: 9 })).toThrow("side: expected images");
  });
});

/** Writers of a few pictures, as LEAF writes them. */
function leafFile(writers: number, side: number, classes: number): string {
  const users = Array.from({ length: writers }, (_, i) => `f00${i}_0${i}`);
  const pictures = (i: number) => ({
    x: Array.from({ length: 4 + i }, (_, j) =>
      Array.from({ length: side * side }, (__, k) =>
        Number(((Math.sin(0.7 * k * (1 + (j % classes))) + draws() + 1) / 3).toFixed(4)),
      ),
    ),
    y: Array.from({ length: 4 + i }, (_, j) => j % classes),
  });
  return JSON.stringify({
    users,
    num_samples: users.map((_, i) => 4 + i),
    user_data: Object.fromEntries(users.map((user, i) => [user, pictures(i)])),
  });
}

describe("the papers' network on FEMNIST", () => {
  test("has their layers: 28 x 28 pixels, 62 classes, 115,646 parameters", () => {
    const network = femnistNetwork(tf);
    expect([network.features, network.outputs, network.parameters]).toEqual([784, 62, 115646]);
    const start = network.initial(draws);
    expect(Math.max(...start.map(Math.abs))).toBeLessThanOrEqual(1 / 5);
    const outputs = new Float64Array(62);
    network.predict(start, numbers(784), outputs);
    expect(outputs.every(Number.isFinite) && new Set(outputs).size).toBe(62);
  });

  test("has gradients as finite differences", () => {
    // With all filters the library's own backend in JavaScript takes some ten seconds a gradient, of the same layers.
    const network = femnistNetwork(tf, { filters: [3, 4], ...(thorough ? {} : { side: 16, classes: 5 }) }); // prettier-ignore
    const x = numbers(2 * network.features).map((value) => (value + 1) / 2);
    expect(slopeError(network, x, Float64Array.of(3, 1), 1e-2)).toBeLessThan(0.02);
  }, 600_000);

  const small = { side: 12, classes: 3, filters: [3, 4], kernel: 3 } as const;
  const tasks = leafTasks(parseLeaf(leafFile(3, small.side, small.classes)));
  const options = {
    loss: "softmax",
    model: femnistNetwork(tf, small),
    epsilon: 5,
    delta: 1e-3,
    rounds: 2,
    clip: 0.05,
    batchSize: 2,
    random: { mode: "seeded", seed: "femnist" },
  } as const;

  test.each([
    ["PMTL", () => new Pmtl({ ...options, localSteps: 2 })],
    ["FedAvg", () => new PrivateFedAvg({ ...options, localSteps: 2 })],
    ["PPSGD", () => new PpSgd(options)],
  ])("%s: uploads are clipped as any others, and the seed gives the same bits", async (_, make) => {
    const norms: number[] = [];
    const fit = () =>
      make().fit(tasks, {
        observe: ({ stage, values, d }) => {
          if (stage !== "uploads") return;
          for (let i = 0; i < tasks.m; i++) norms.push(Math.hypot(...values.subarray(i * d, (i + 1) * d))); // prettier-ignore
        },
      });
    const [one, other] = [await fit(), await fit()];
    expect(one.weights).toEqual(other.weights);
    expect(norms).toHaveLength(2 * 2 * tasks.m);
    for (const norm of norms) expect(norm).toBeLessThanOrEqual(0.05 * (1 + 1e-12));
    expect(Math.max(...norms)).toBeGreaterThan(0.049);
    expect(one.guarantee).toMatchObject({ epsilon: 5, sound: true });
    const { model } = options;
    const loaded = loadModel(saveModel(one), { architecture: model });
    expect(loaded.forTask(tasks.names[1]!).predict(tasks.x.subarray(0, 144))).toEqual(
      one.forTask(tasks.names[1]!).predict(tasks.x.subarray(0, 144)),
    );
  });

  thoroughTest("learns: without noise to speak of, pictures are told apart", async () => {
    const model = await new PrivateFedAvg({
      ...options,
      epsilon: 1e15,
      clip: 10,
      rounds: 15,
      localSteps: 10,
      batchSize: "full",
      stepSize: 0.3,
    }).fit(tasks);
    expect(model.score(tasks).accuracy).toBeGreaterThan(0.9);
  });
});
