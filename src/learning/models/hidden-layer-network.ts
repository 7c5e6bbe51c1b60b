/**
 * A small neural network: one hidden layer, and a head for any of the losses.
 * @module
 */
import { object } from "../../core/checks.js";
import * as math from "../../core/elementary.js";
import { integer, oneOf } from "../../core/index.js";
import { LOSS_NAMES, type LossName } from "../tasks/losses.js";
import type { DifferentiableModel } from "./differentiable-model.js";
import { lossAndSlopes } from "./output-losses.js";

/** Nonlinearity of the hidden units. */
export type Activation = "tanh" | "relu";

export const ACTIVATIONS: readonly Activation[] = ["tanh", "relu"];

/** What a network is made of; plain JSON, saved with a model. */
export interface NetworkSpec {
  /** d, features per row. */
  readonly features: number;
  /** H, hidden units. */
  readonly hiddenUnits: number;
  /** k, outputs per row: C classes for `softmax`, else 1. */
  readonly outputs: number;
  /** a, the nonlinearity of the hidden units. */
  readonly activation: Activation;
  /** What its outputs are fitted by. */
  readonly loss: LossName;
}

/**
 * z = V a(U x + b) + c, with a = tanh or max(0, .). Parameters, flat: U[H, d], b[H], V[k, H], c[k].
 *
 * Starts from Glorot and Bengio's (2010) uniform weights and zero biases. Rows cost 2 H (d + k)
 * multiplications to predict, three times that with the gradient.
 */
export class HiddenLayerNetwork implements DifferentiableModel {
  readonly name = "hidden-layer network";
  /** What it is made of; a copy. */
  readonly spec: NetworkSpec;
  readonly features: number;
  readonly outputs: number;
  readonly parameters: number;
  /** Activations of the rows of the last forward pass, [n, H]; grows with the largest call. */
  #hidden = new Float64Array(0);
  #outputs = new Float64Array(0);
  readonly #back: Float64Array;

  /** @throws RangeError or TypeError naming the field that is out of range. */
  constructor(spec: NetworkSpec) {
    const { features, hiddenUnits, outputs } = object("spec", spec);
    integer("features", features, 1);
    integer("hiddenUnits", hiddenUnits, 1);
    integer("outputs", outputs, 1);
    oneOf("activation", spec.activation, ACTIVATIONS);
    oneOf("loss", spec.loss, LOSS_NAMES);
    this.spec = { ...spec };
    this.features = features;
    this.outputs = outputs;
    this.parameters = hiddenUnits * (features + 1) + outputs * (hiddenUnits + 1);
    this.#back = new Float64Array(hiddenUnits);
  }

  initial(uniform: () => number): Float64Array {
    const { features: d, hiddenUnits: h, outputs: k } = this.spec;
    const parameters = new Float64Array(this.parameters);
    const fill = (from: number, count: number, spread: number) => {
      for (let i = from; i < from + count; i++) parameters[i] = spread * (2 * uniform() - 1);
    };
    fill(0, h * d, Math.sqrt(6 / (d + h)));
    fill(h * (d + 1), k * h, Math.sqrt(6 / (h + k)));
    return parameters;
  }

  predict(parameters: Float64Array, x: Float64Array, outputs: Float64Array): void {
    const { features: d, hiddenUnits: h, outputs: k, activation } = this.spec;
    const [biases, head] = [h * d, h * (d + 1)];
    const n = outputs.length / k;
    if (this.#hidden.length < n * h) this.#hidden = new Float64Array(n * h);
    const hidden = this.#hidden;
    for (let row = 0; row < n; row++) {
      for (let unit = 0; unit < h; unit++) {
        let sum = parameters[biases + unit]!;
        for (let j = 0; j < d; j++) sum += parameters[unit * d + j]! * x[row * d + j]!;
        hidden[row * h + unit] = activation === "tanh" ? math.tanh(sum) : Math.max(0, sum);
      }
      for (let c = 0; c < k; c++) {
        let sum = parameters[head + k * h + c]!;
        for (let unit = 0; unit < h; unit++) {
          sum += parameters[head + c * h + unit]! * hidden[row * h + unit]!;
        }
        outputs[row * k + c] = sum;
      }
    }
  }

  valueAndGradient(
    parameters: Float64Array,
    x: Float64Array,
    y: Float64Array,
    gradient: Float64Array,
  ): number {
    const { outputs: k, loss } = this.spec;
    const slopes = this.#forward(parameters, x, y.length);
    const value = lossAndSlopes(loss, slopes, y, k) / y.length;
    for (let at = 0; at < slopes.length; at++) slopes[at]! /= y.length;
    this.#backward(parameters, x, slopes, gradient);
    return value;
  }

  pullback(
    parameters: Float64Array,
    x: Float64Array,
    slopes: Float64Array,
    gradient: Float64Array,
  ): void {
    this.#forward(parameters, x, slopes.length / this.spec.outputs);
    this.#backward(parameters, x, slopes, gradient);
  }

  #forward(parameters: Float64Array, x: Float64Array, n: number): Float64Array {
    const size = n * this.spec.outputs;
    if (this.#outputs.length < size) this.#outputs = new Float64Array(size);
    const outputs = this.#outputs.subarray(0, size);
    this.predict(parameters, x, outputs);
    return outputs;
  }

  /** From the slopes of the rows of the last forward pass. */
  #backward(
    parameters: Float64Array,
    x: Float64Array,
    slopes: Float64Array,
    gradient: Float64Array,
  ): void {
    const { features: d, hiddenUnits: h, outputs: k, activation } = this.spec;
    const [biases, head] = [h * d, h * (d + 1)];
    const [hidden, back] = [this.#hidden, this.#back];
    gradient.fill(0);
    for (let row = 0; row < slopes.length / k; row++) {
      back.fill(0);
      for (let c = 0; c < k; c++) {
        const slope = slopes[row * k + c]!;
        gradient[head + k * h + c]! += slope;
        for (let unit = 0; unit < h; unit++) {
          gradient[head + c * h + unit]! += slope * hidden[row * h + unit]!;
          back[unit]! += slope * parameters[head + c * h + unit]!;
        }
      }
      for (let unit = 0; unit < h; unit++) {
        const a = hidden[row * h + unit]!;
        const slope = back[unit]! * (activation === "tanh" ? 1 - a * a : a > 0 ? 1 : 0);
        if (slope === 0) continue;
        gradient[biases + unit]! += slope;
        for (let j = 0; j < d; j++) gradient[unit * d + j]! += slope * x[row * d + j]!;
      }
    }
  }
}
