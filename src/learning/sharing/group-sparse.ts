/**
 * Algorithm 3's sharing rule: one factor per feature.
 *
 * prox of eta lambda ||.||_{2,1} scales row j of W by max(0, 1 - eta lambda / ||row j||), and
 * ||row j||^2 is entry j of the diagonal of W W^T: only the diagonal is released.
 * @module
 */
import type { SharingRule } from "../round/sharing-rule.js";
import { thresholdNow, type Threshold } from "./threshold.js";

/** With what a method without noise may read from its last round. */
export interface GroupSparseRule extends SharingRule {
  /** Sum over features of the norms of the projected models' rows; exact only without noise. */
  sumOfNorms(): number;
}

/**
 * Broadcast: s[d], s_j = max(0, 1 - threshold / sqrt(S_jj)), 0 where S_jj <= 0.
 *
 * @param threshold eta lambda, or what says it every round.
 * @see Liang et al., Algorithm 3; Liu, Ji, Ye (2009) without noise.
 */
export function groupSparseRule(threshold: Threshold): GroupSparseRule {
  let norms = 0;
  return {
    statistic: "diagonal",
    broadcastLength: (_m, d) => d,
    sumOfNorms: () => norms,
    prepare: ({ core, d }) => {
      return (statistic, broadcast) => {
        core.kernels.shrinkFactors(statistic, broadcast, d, thresholdNow(threshold));
        const squares = core.arena.view(statistic, d);
        let rank = 0;
        norms = 0;
        core.arena.view(broadcast, d).forEach((factor, j) => {
          if (!(factor > 0)) return;
          rank++;
          norms += factor * Math.sqrt(squares[j]!);
        });
        return { rank };
      };
    },
  };
}
