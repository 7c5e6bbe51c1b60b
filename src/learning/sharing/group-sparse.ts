/**
 * Algorithm 3's sharing rule: one factor per feature.
 *
 * prox of eta lambda ||.||_{2,1} scales row j of W by max(0, 1 - eta lambda / ||row j||), and
 * ||row j||^2 is entry j of the diagonal of W W^T: only the diagonal is released.
 * @module
 */
import type { SharingRule } from "../round/sharing-rule.js";

/**
 * Broadcast: s[d], s_j = max(0, 1 - threshold / sqrt(S_jj)), 0 where S_jj <= 0.
 *
 * @param threshold eta lambda.
 * @see Liang et al., Algorithm 3; Liu, Ji, Ye (2009) without noise.
 */
export function groupSparseRule(threshold: number): SharingRule {
  return {
    statistic: "diagonal",
    broadcastLength: (_m, d) => d,
    prepare: ({ core, d }) => {
      return (statistic, broadcast) => {
        core.kernels.shrinkFactors(statistic, broadcast, d, threshold);
        let rank = 0;
        for (const factor of core.arena.view(broadcast, d)) if (factor > 0) rank++;
        return { rank };
      };
    },
  };
}
