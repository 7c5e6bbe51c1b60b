/**
 * A function of tensors as a `DifferentiableModel`: flat parameters in float64 outside, tensors in float32 inside.
 * @module
 */
import { array, callable, integer, object, text } from "../core/checks.js";
import type * as TensorFlow from "@tensorflow/tfjs-core";
import type { Scalar, Tensor, Tensor2D } from "@tensorflow/tfjs-core";
import type { DifferentiableModel, LossName } from "../learning/index.js";

/**
 * The library: `import * as tf from "@tensorflow/tfjs"`; with a bundler also `@tensorflow/tfjs-core` with its
 * `dist/register_all_gradients`, which Node does not find, and a backend. Results must be readable at once (cpu, wasm).
 */
export type Tfjs = Pick<
  typeof TensorFlow,
  | ("tidy" | "valueAndGrads" | "tensor" | "tensor1d" | "tensor2d" | "reshape" | "oneHot")
  | ("add" | "sub" | "mul" | "div" | "neg" | "square" | "sum" | "mean" | "logSumExp" | "softplus")
  | ("matMul" | "conv2d" | "maxPool" | "relu")
>;

/** One tensor of parameters. */
export interface TfjsParameter {
  /** Lengths of the tensor's axes. */
  readonly shape: readonly number[];
  /**
   * Bound of the uniform distribution around 0 that its entries start from; default 0, all start at 0. It is shown to everyone, so
   * it must not depend on data.
   */
  readonly start?: number;
}

/** What {@link tfjsModel} is made of. */
export interface TfjsModelOptions {
  /** Names the model in errors and saved files. */
  readonly name: string;
  /** Features per row. */
  readonly features: number;
  /** Numbers predicted per row: the number of classes for softmax, else 1. */
  readonly outputs: number;
  /** The estimator's loss; default "squared". */
  readonly loss?: LossName;
  /** In the order in which they lie in the flat vector, each row-major. */
  readonly parameters: readonly TfjsParameter[];
  /** Outputs, [n, outputs], of the rows x, [n, features], before any link function, and of nothing that it keeps of other calls. */
  readonly forward: (parameters: readonly Tensor[], x: Tensor2D) => Tensor;
}

/**
 * A model whose gradients TensorFlow.js takes. It computes in single precision, so gradients carry errors of about 1e-6 of their
 * size; uploads are clipped afterwards in double precision like any others, and no guarantee rests on them.
 *
 * @throws TypeError or RangeError naming the option that is missing or of another type; RangeError if a shape is not of whole numbers from 1 on, or `forward` gives another shape than [n, outputs].
 * @example
 * import * as tf from "@tensorflow/tfjs";
 * const line = tfjsModel(tf, {
 *   name: "line", features: 3, outputs: 1,
 *   parameters: [{ shape: [3, 1] }],
 *   forward: ([w], x) => tf.matMul(x, w),
 * });
 * const model = await new Pmtl({ model: line, localSteps: 5 }).fit(train);
 */
export function tfjsModel(tf: Tfjs, options: TfjsModelOptions): DifferentiableModel {
  callable("tf.tidy", object("tf", tf).tidy);
  const { name, features, outputs, loss = "squared", parameters } = object("options", options);
  text("name", name);
  integer("features", features, 1);
  integer("outputs", outputs, 1);
  callable("forward", options.forward);
  array("parameters", parameters);
  const sizes = parameters.map(sizeOf);
  const length = sizes.reduce((sum, size) => sum + size, 0);
  const asTensors = { tf, options, sizes };
  return {
    name,
    features,
    outputs,
    parameters: length,
    initial: (uniform) => initialOf(parameters, sizes, length, uniform),
    predict(flat, x, into) {
      tf.tidy(() => {
        const z = outputsOf(asTensors, tensorsOf(asTensors, flat), x);
        into.set(z.dataSync<"float32">());
      });
    },
    valueAndGradient: (flat, x, y, gradient) =>
      differentiate(asTensors, flat, gradient, (own) => {
        const z = outputsOf(asTensors, own, x);
        return tf.mean(lossesOf(tf, loss, z, y)) as Scalar;
      }),
    pullback(flat, x, slopes, gradient) {
      differentiate(asTensors, flat, gradient, (own) => {
        const z = outputsOf(asTensors, own, x);
        return tf.sum(tf.mul(z, tf.tensor2d(Float32Array.from(slopes), z.shape))) as Scalar;
      });
    },
  };
}

/** A model as the library takes it. */
interface AsTensors {
  readonly tf: Tfjs;
  readonly options: TfjsModelOptions;
  /** How many numbers each of the parameters' tensors holds. */
  readonly sizes: readonly number[];
}

function sizeOf(parameter: TfjsParameter, k: number): number {
  const { shape } = object(`parameters[${k}]`, parameter);
  array(`parameters[${k}].shape`, shape);
  if (shape.every((side) => Number.isSafeInteger(side) && side >= 1)) {
    return shape.reduce((product, side) => product * side, 1);
  }
  throw new RangeError(
    `parameters[${k}].shape: expected whole numbers from 1 on, got [${shape.join(", ")}]`,
  );
}

function initialOf(
  parameters: readonly TfjsParameter[],
  sizes: readonly number[],
  length: number,
  uniform: () => number,
): Float64Array {
  const values = new Float64Array(length);
  let at = 0;
  for (const [k, { start = 0 }] of parameters.entries()) {
    for (const end = at + sizes[k]!; at < end; at++) {
      values[at] = start === 0 ? 0 : start * (2 * uniform() - 1);
    }
  }
  return values;
}

/** The flat parameters, a tensor each. */
function tensorsOf({ tf, options, sizes }: AsTensors, flat: Float64Array): Tensor[] {
  let from = 0;
  return options.parameters.map(({ shape }, k) =>
    tf.tensor(Float32Array.from(flat.subarray(from, (from += sizes[k]!))), [...shape]),
  );
}

/** What the model makes of the rows x, [n, features]. */
function outputsOf({ tf, options }: AsTensors, own: readonly Tensor[], x: Float64Array): Tensor2D {
  const { name, features, outputs, forward } = options;
  const rows = tf.tensor2d(Float32Array.from(x), [x.length / features, features]);
  const z = forward(own, rows);
  const expected = [rows.shape[0], outputs];
  if (z.shape.join() === expected.join()) return z as Tensor2D;
  throw new RangeError(
    `forward: expected outputs of shape [${expected.join(", ")}], ${JSON.stringify(name)} gave [${z.shape.join(", ")}]`,
  );
}

/** A scalar function of the parameters: its value, and its gradient into `gradient`. */
function differentiate(
  model: AsTensors,
  flat: Float64Array,
  gradient: Float64Array,
  scalar: (own: readonly Tensor[]) => Scalar,
): number {
  const { tf, sizes } = model;
  return tf.tidy(() => {
    const { value, grads } = tf.valueAndGrads((...own) => scalar(own))(tensorsOf(model, flat));
    let at = 0;
    for (const [k, part] of grads.entries()) {
      gradient.set(part.dataSync<"float32">(), at);
      at += sizes[k]!;
    }
    return value.dataSync<"float32">()[0]!;
  });
}

/** The loss of every row. */
function lossesOf(tf: Tfjs, loss: LossName, z: Tensor2D, y: Float64Array): Tensor {
  const n = y.length;
  if (loss === "softmax") {
    const labels = tf.tensor1d(Int32Array.from(y), "int32");
    const own = tf.sum(tf.mul(z, tf.oneHot(labels, z.shape[1])), 1);
    return tf.sub(tf.logSumExp(z, 1), own);
  }
  const targets = tf.tensor2d(Float32Array.from(y), [n, 1]);
  if (loss === "logistic") return tf.softplus(tf.neg(tf.mul(targets, z)));
  return tf.div(tf.square(tf.sub(z, targets)), 2);
}
