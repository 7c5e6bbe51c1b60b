/**
 * lambda sum_j ||row j of W||_2 over features j (l2,1).
 * @module
 */
import type { Core, Pointer } from "../../../core/index.js";
import { normConjugate } from "../certificates/conjugate.js";
import { diagonalProjection } from "../../steps/projection.js";
import { groupSparseRule } from "../../sharing/group-sparse.js";
import type { SharedPenalty } from "./penalty.js";

/** Its dual norm is the largest l2 norm of a feature's row. */
export function groupSparsePenalty(lambda: number): SharedPenalty {
  return {
    curator: ({ core, m, d, steps }) => {
      const rule = groupSparseRule(() => lambda * steps[0]!);
      const norms = featureNorms(core, m, d);
      return {
        rule,
        value: () => lambda * rule.sumOfNorms(),
        conjugate: normConjugate(lambda, (gradient) => Math.max(...norms(gradient))),
      };
    },
    projection: diagonalProjection,
    statistic: "diagonal",
    broadcastLength: (d) => d,
  };
}

/** l2 norm of every feature's row of W, [d], from V[m,d] stored task by task. */
function featureNorms({ arena, kernels }: Core, m: number, d: number) {
  const squares = arena.f64(d);
  return (v: Pointer): Float64Array => {
    kernels.columnSquares(v, squares, m, d);
    return arena.view(squares, d).map(Math.sqrt);
  };
}
