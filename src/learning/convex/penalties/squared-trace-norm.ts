/**
 * (lambda1/2) ||W||_F^2 + (lambda2/2) ||W||_*^2: what is left of task relationship learning after
 * minimising over the relationship matrix.
 *
 * min over Omega >= 0, tr Omega = 1 of tr(W Omega^-1 W^T) is ||W||_*^2, at Omega proportional to
 * (W^T W)^(1/2) (Argyriou, Evgeniou, Pontil 2008). Both terms are functions of the singular values
 * s of W alone, so the proximal step and the conjugate are vector problems:
 *
 * - prox with step eta: s -> max(0, s - t) / (1 + eta lambda1), t = eta lambda2 times the sum of the
 *   result;
 * - conjugate at G with singular values g: x = max(0, g - t) / lambda1 with t = lambda2 sum x attains
 *   <x, g> - (lambda1/2) ||x||^2 - (lambda2/2) (sum x)^2; for lambda1 = 0 it is g_1^2 / (2 lambda2).
 * @module
 */
import { factoredLength } from "../../sharing/factored.js";
import { singularValues, summedConjugate } from "../certificates/conjugate.js";
import { spectralProjection } from "../../steps/projection.js";
import { spectralRule } from "../../sharing/spectral.js";
import type { SharedPenalty } from "./penalty.js";

/**
 * The t with t = ratio sum_j max(0, values_j - t), for values descending and >= 0.
 * @param ratio >= 0.
 */
function selfThreshold(values: ArrayLike<number>, ratio: number): number {
  let sum = 0;
  let t = 0;
  for (let k = 0; k < values.length && values[k]! > t; k++) {
    sum += values[k]!;
    t = (ratio * sum) / (1 + ratio * (k + 1));
  }
  return t;
}

/** @param lambda1 >= 0. @param lambda2 > 0. */
export function squaredTraceNormPenalty(lambda1: number, lambda2: number): SharedPenalty {
  return {
    curator: ({ core, m, d, steps }) => {
      const { arena } = core;
      const roots = new Float64Array(d);
      const rule = spectralRule(
        (_core, squares, factors) => {
          const growth = 1 + steps[0]! * lambda1;
          const values = arena.view(squares, d);
          for (let j = 0; j < d; j++) roots[j] = Math.sqrt(Math.max(0, values[j]!));
          const t = selfThreshold(roots, (steps[0]! * lambda2) / growth);
          const out = arena.view(factors, d);
          for (let j = 0; j < d; j++) out[j] = roots[j]! > t ? (1 - t / roots[j]!) / growth : 0;
        },
        { inFactors: true },
      );
      const singular = singularValues(core, d);
      return {
        rule,
        value: () => (lambda1 / 2) * rule.squaredNorm() + (lambda2 / 2) * rule.nuclearNorm() ** 2,
        ...summedConjugate({ core, m, d }, rule.statistic, (sum) => ({
          limit: Infinity,
          price: spectralConjugate(singular(sum), lambda1, lambda2),
        })),
      };
    },
    projection: spectralProjection,
    statistic: "covariance",
    broadcastLength: factoredLength,
  };
}

function spectralConjugate(g: Float64Array, lambda1: number, lambda2: number): number {
  if (lambda1 === 0) return g[0]! ** 2 / (2 * lambda2);
  const t = selfThreshold(g, lambda2 / lambda1);
  let [product, squares, sum] = [0, 0, 0];
  for (const value of g) {
    const x = Math.max(0, value - t) / lambda1;
    product += x * value;
    squares += x * x;
    sum += x;
  }
  return product - (lambda1 / 2) * squares - (lambda2 / 2) * sum * sum;
}
