/**
 * The convolutional network of Hu, Wu and Smith on FEMNIST, as their program has it.
 * @module
 */
import type { Tensor4D } from "@tensorflow/tfjs-core";
import type { DifferentiableModel } from "../learning/index.js";
import { tfjsModel, type Tfjs } from "./tfjs-model.js";

/** Sizes of {@link femnistNetwork}; the defaults are the paper's. */
export interface FemnistNetworkOptions {
  /** Side of the square images; default 28. */
  side?: number;
  /** Classes; default 62. */
  classes?: number;
  /** Filters of the two convolutions; default 32 and 64. */
  filters?: readonly [number, number];
  /** Side of the filters; default 5. */
  kernel?: number;
}

/**
 * Two convolutions without padding, each with ReLU and 2 x 2 max pooling, and a linear layer: 5 x 5 filters, 32 and 64 of them, and
 * 62 classes, 115,646 parameters. Pixels are the features, row by row, as in LEAF's files. Starting points are uniform within 1 over the
 * root of the number of inputs, biases among them.
 *
 * @throws RangeError if the side is too small for the filters.
 * @example
 * const network = femnistNetwork(tf);
 * await new Pmtl({ model: network, loss: "softmax", batchSize: 10, stepSize: 0.1, clip: 0.5 }).fit(leafTasks(documents));
 */
export function femnistNetwork(
  tf: Tfjs,
  { side = 28, classes = 62, filters = [32, 64], kernel = 5 }: FemnistNetworkOptions = {},
): DifferentiableModel {
  const pooled = (before: number) => Math.floor((before - kernel + 1) / 2);
  const last = pooled(pooled(side));
  if (!(last >= 1)) {
    throw new RangeError(
      `side: expected images that two filters of side ${kernel} fit into, got ${side}`,
    );
  }
  const [first, second] = filters;
  const flat = last * last * second;
  const layer = (shape: readonly number[], inputs: number) => {
    const start = 1 / Math.sqrt(inputs);
    return [
      { shape, start },
      { shape: [shape[shape.length - 1]!], start },
    ];
  };
  return tfjsModel(tf, {
    name: "femnist-network",
    features: side * side,
    outputs: classes,
    loss: "softmax",
    parameters: [
      ...layer([kernel, kernel, 1, first], kernel * kernel),
      ...layer([kernel, kernel, first, second], kernel * kernel * first),
      ...layer([flat, classes], flat),
    ],
    forward([w1, b1, w2, b2, w3, b3], x) {
      const stage = (image: Tensor4D, w: unknown, b: unknown) => {
        const filtered = tf.add(tf.conv2d(image, w as Tensor4D, 1, "valid"), b as Tensor4D);
        return tf.maxPool(tf.relu(filtered) as Tensor4D, 2, 2, "valid");
      };
      const image = tf.reshape(x, [-1, side, side, 1]) as Tensor4D;
      const seen = stage(stage(image, w1, b1), w2, b2);
      return tf.add(tf.matMul(tf.reshape(seen, [-1, flat]), w3! as never), b3!);
    },
  });
}
