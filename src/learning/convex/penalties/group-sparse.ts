/**
 * lambda sum_j ||row j of W||_2 over features j (l2,1).
 * @module
 */
import { largest } from "../../../core/largest.js";
import { normConjugate, summedConjugate } from "../certificates/conjugate.js";
import { diagonalProjection } from "../../steps/projection.js";
import { groupSparseRule } from "../../sharing/group-sparse.js";
import type { SharedPenalty } from "./penalty.js";

/** Its dual norm is the largest l2 norm of a feature's row. */
export function groupSparsePenalty(lambda: number): SharedPenalty {
  return {
    curator: ({ core, m, d, steps }) => {
      const rule = groupSparseRule(() => lambda * steps[0]!);
      const conjugate = normConjugate(lambda, (squares) =>
        Math.sqrt(largest(core.arena.view(squares, d))),
      );
      return {
        rule,
        value: () => lambda * rule.sumOfNorms(),
        ...summedConjugate({ core, m, d }, rule.statistic, conjugate),
      };
    },
    projection: diagonalProjection,
    statistic: "diagonal",
    broadcastLength: (d) => d,
  };
}
