/**
 * The losses of one number as functions: derivatives and conjugate. The batched loops are kernels.
 * @module
 */
import * as math from "../../core/elementary.js";
import type { LossName, MarginLoss } from "./losses.js";

/** loss(p, y) in its first argument. */
export interface MarginLossFunctions {
  /** d loss / d p and d^2 loss / d p^2; the latter does not depend on y. */
  slope(p: number, y: number): number;
  secondDerivative(p: number): number;
  /** sup_p slope p - loss(p, y); Infinity outside its domain. */
  conjugate(slope: number, y: number): number;
}

/** 1 / (1 + exp(-t)) without overflow. */
export function sigmoid(t: number): number {
  const e = math.exp(-Math.abs(t));
  return (t >= 0 ? 1 : e) / (1 + e);
}

/** t log t, 0 at 0. */
function entropy(t: number): number {
  return t === 0 ? 0 : t * math.log(t);
}

const FUNCTIONS: Record<MarginLoss, MarginLossFunctions> = {
  squared: {
    slope: (p, y) => p - y,
    secondDerivative: () => 1,
    conjugate: (slope, y) => (slope * slope) / 2 + slope * y,
  },
  logistic: {
    slope: (p, y) => -y * sigmoid(-y * p),
    secondDerivative: (p) => sigmoid(p) * sigmoid(-p),
    conjugate: (slope, y) => {
      const dual = -slope * y;
      return dual < 0 || dual > 1 ? Infinity : entropy(dual) + entropy(1 - dual);
    },
  },
};

/** @throws TypeError for softmax, which is not a function of one number. */
export function marginLoss(loss: LossName): MarginLossFunctions {
  if (loss === "softmax") throw new TypeError('loss: expected a margin loss, got "softmax"');
  return FUNCTIONS[loss];
}

/** How far a margin is off: squared error, or log-loss of a label in {-1, +1}. */
export function marginError(loss: LossName, margin: number, y: number): number {
  if (loss === "squared") return (margin - y) * (margin - y);
  const z = -y * margin;
  return z > 0 ? z + math.log1p(math.exp(-z)) : math.log1p(math.exp(z));
}
