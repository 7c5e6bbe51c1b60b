/**
 * What the curator makes of the votes on K: the size that most of them speak for, times what suits the method.
 * @module
 */
import { noiseScaleAt, type PlannedStage } from "../round/release-plan.js";
import type { LearnedClip } from "../round/learned-clip/learned-clip.js";
import type { SharingRule } from "../round/sharing-rule.js";
import { mixtureQuantile } from "../fitted/posterior/normal-mixture.js";
import { elected, shapesOf } from "./election.js";
import { CLIP_BINS } from "./clip-plan.js";
import { sizeAt } from "./size-votes.js";

/** What there is to say of K beside the votes. */
export interface ClipDecision {
  /** Is told what was decided. */
  readonly clip: LearnedClip;
  /** Part of the tasks that are thought to have longer vectors than a size; K is so many times that size. */
  readonly above: number;
  readonly factor: number;
  /** Log of what is believed of a position on the scale, up to a constant. */
  readonly belief: (position: number) => number;
}

/** Broadcast: K, [1]. */
export function clipRule(
  stage: Pick<PlannedStage, "mechanism" | "budgets" | "statistic">,
  { clip, above, factor, belief }: ClipDecision,
): SharingRule {
  const { mechanism, statistic } = stage;
  const beyond = mixtureQuantile({ weights: [1], means: [0], variances: [1] }, 1 - above);
  return {
    statistic,
    broadcastLength: () => 1,
    prepare:
      ({ core, d }) =>
      (at, broadcast) => {
        const counts = core.arena.view(at, d).slice();
        const entries = mechanism.budgetKind === "mu" ? 1 : Math.sqrt(d + 1);
        const deviation = noiseScaleAt(stage, 1) * entries;
        const { position, apart } = elected(shapesOf(CLIP_BINS), { counts, deviation }, belief);
        // Sizes are thought to be normal on the logarithmic scale.
        clip.settle(factor * sizeAt(position + beyond * apart, CLIP_BINS));
        core.arena.view(broadcast, 1)[0] = clip.value;
        return {};
      },
  };
}
