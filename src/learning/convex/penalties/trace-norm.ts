/**
 * lambda ||W||_*, the sum of the singular values.
 * @module
 */
import { factoredLength } from "../../sharing/factored.js";
import { normConjugate, singularValues, summedConjugate } from "../certificates/conjugate.js";
import { spectralProjection } from "../../steps/projection.js";
import { factoredLowRankRule } from "../../sharing/low-rank.js";
import type { SharedPenalty } from "./penalty.js";

/** Its dual norm is the largest singular value. */
export function traceNormPenalty(lambda: number): SharedPenalty {
  return {
    curator: ({ core, m, d, steps }) => {
      const rule = factoredLowRankRule(() => lambda * steps[0]!);
      const values = singularValues(core, d);
      const conjugate = normConjugate(lambda, (sum) => values(sum)[0]!);
      return {
        rule,
        value: () => lambda * rule.nuclearNorm(),
        ...summedConjugate({ core, m, d }, rule.statistic, conjugate),
      };
    },
    projection: spectralProjection,
    statistic: "covariance",
    broadcastLength: factoredLength,
  };
}
