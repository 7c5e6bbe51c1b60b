/**
 * What the curator makes of the votes on K: the size that most of them speak for, times what suits the method.
 * @module
 */
import { noiseScaleAt, type PlannedStage } from "../round/release-plan.js";
import type { LearnedClip } from "../round/learned-clip.js";
import type { SharingRule } from "../round/sharing-rule.js";
import { elected, shapesOf } from "./election.js";
import { MAGNITUDE, sizeAt } from "./size-votes.js";

/** What there is to say of K beside the votes. */
export interface ClipDecision {
  /** Is told what was decided. */
  readonly clip: LearnedClip;
  /** K over the size of a typical upload. */
  readonly factor: number;
  /** Log of what is believed of a position on the scale, up to a constant. */
  readonly belief: (position: number) => number;
}

/** Broadcast: K, [1]. */
export function clipRule(
  stage: Pick<PlannedStage, "mechanism" | "budgets" | "statistic">,
  { clip, factor, belief }: ClipDecision,
): SharingRule {
  const { mechanism, statistic } = stage;
  return {
    statistic,
    broadcastLength: () => 1,
    prepare:
      ({ core, d }) =>
      (at, broadcast) => {
        const counts = core.arena.view(at, d).slice();
        const entries = mechanism.budgetKind === "mu" ? 1 : Math.sqrt(d + 1);
        const deviation = noiseScaleAt(stage, 1) * entries;
        const { position } = elected(shapesOf(MAGNITUDE), { counts, deviation }, belief);
        clip.settle(factor * sizeAt(position));
        core.arena.view(broadcast, 1)[0] = clip.value;
        return {};
      },
  };
}
