/**
 * Penalties that need no broadcast: l1, one group per task, squared Frobenius norm.
 * @module
 */
import { largestMagnitude } from "../../../core/largest.js";
import { normConjugate } from "../certificates/conjugate.js";
import { softThresholding } from "../../steps/projection.js";
import type { LocalPenalty, MakePenalty } from "./penalty.js";

/** lambda ||W||_1; dual norm: the largest entry. */
export function l1Penalty(lambda: number): MakePenalty<LocalPenalty> {
  return ({ core, m, d, steps }) => ({
    projection: softThresholding(core, m, d, steps, lambda),
    value: (v) => {
      let sum = 0;
      for (const value of core.arena.view(v, m * d)) sum += Math.abs(value);
      return lambda * sum;
    },
    conjugate: normConjugate(lambda, (gradient) =>
      largestMagnitude(core.arena.view(gradient, m * d)),
    ),
  });
}

/**
 * lambda sum_i ||w_i||_2 (l1,2: a task is an outlier or it is not); dual norm: the longest
 * column of G.
 */
export function columnPenalty(lambda: number): MakePenalty<LocalPenalty> {
  return ({ core: { kernels }, m, d, steps }) => {
    const norm = (v: number, i: number) => {
      const row = v + 8 * i * d;
      return Math.sqrt(kernels.dot(row, row, d));
    };
    return {
      projection: (_broadcast, from, to) => {
        for (let i = 0; i < m; i++) {
          const row = 8 * i * d;
          kernels.shrinkRows(from + row, to + row, 1, d, steps[i]! * lambda);
        }
      },
      value: (v) => {
        let sum = 0;
        for (let i = 0; i < m; i++) sum += norm(v, i);
        return lambda * sum;
      },
      conjugate: normConjugate(lambda, (gradient) => {
        let longest = 0;
        for (let i = 0; i < m; i++) longest = Math.max(longest, norm(gradient, i));
        return longest;
      }),
    };
  };
}

/** lambda ||W||_F^2; its conjugate is ||G||_F^2 / (4 lambda), finite everywhere. */
export function frobeniusPenalty(lambda: number): MakePenalty<LocalPenalty> {
  return ({ core: { kernels, arena }, m, d, steps }) => {
    const square = (v: number) => kernels.dot(v, v, m * d);
    return {
      projection: (_broadcast, from, to) => {
        arena.view(to, m * d).fill(0);
        for (let i = 0; i < m; i++) {
          const row = 8 * i * d;
          kernels.axpy(1 / (1 + 2 * steps[i]! * lambda), from + row, to + row, d);
        }
      },
      value: (v) => lambda * square(v),
      conjugate: (gradient) => ({ limit: Infinity, price: square(gradient) / (4 * lambda) }),
    };
  };
}
