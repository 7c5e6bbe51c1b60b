/**
 * A method's halves with `clip: "auto"`: the vote on K before its rounds, and rounds in units of K.
 * @module
 */
import type { Core } from "../../core/index.js";
import { LearnedClip } from "../round/learned-clip/learned-clip.js";
import type { ParticipantHalf } from "../round/halves.js";
import type { PlannedStage, ReleasePlan } from "../round/release-plan.js";
import type { SharingRule } from "../round/sharing-rule.js";
import { inModelUnits } from "../round/learned-clip/unit-rule.js";
import { UnitUploads } from "../round/learned-clip/unit-uploads.js";
import type { StageRequest } from "../release/stage-request.js";
import {
  clipBelief,
  CLIP,
  clipVote,
  guessedSize,
  type BeliefFacts,
  type ClipContext,
} from "./clip-plan.js";
import { clipRule } from "./clip-rule.js";
import { ClipVotes } from "./clip-votes.js";

/** What both sides know beforehand. */
export interface ClipFacts extends BeliefFacts {
  /** Part of the tasks that are thought to have longer vectors than a size, up to a half; K is so many times that size. */
  readonly above: number;
  readonly factor: number;
}

/** The rounds with the vote before them, where there is one; their vectors are in units of K. */
export function withClipVote(
  rounds: Omit<StageRequest, "clip">,
  options: Omit<ClipContext, "statistic">,
): StageRequest[] {
  const { statistic, m } = rounds;
  const vote = clipVote({ ...options, statistic }, m);
  return [...(vote ? [vote] : []), { ...rounds, clip: 1 }];
}

/** K on one side of a run, and what that side does about it. */
export class LearningClip extends LearnedClip {
  readonly #facts: ClipFacts;
  readonly #voted: boolean;

  constructor({ stages }: Pick<ReleasePlan, "stages">, facts: ClipFacts) {
    const voted = stages.some(({ label }) => label === CLIP);
    super(voted ? undefined : facts.factor * guessedSize(facts));
    this.#facts = facts;
    this.#voted = voted;
  }

  /** The curator's rule of the vote; undefined for other stages. */
  voteRule(stage: PlannedStage): SharingRule | undefined {
    if (stage.label !== CLIP) return undefined;
    return clipRule(stage, { ...this.#facts, clip: this, belief: clipBelief(this.#facts) });
  }

  /** The curator's rule of the method's rounds, whose uploads are in units of K. */
  inUnits(rule: SharingRule): SharingRule {
    return inModelUnits(rule, this);
  }

  /**
   * The tasks' half, the first stage of which is the method's rounds: the vote stands before them, and they upload in units of K.
   * @param norms of what each task would upload, [m].
   */
  voting(half: ParticipantHalf, core: Core, norms: () => Float64Array): ParticipantHalf {
    const [inner, ...rest] = half.stages;
    const before = this.#voted ? [new ClipVotes(core, inner!.m, this, norms)] : [];
    return {
      ...half,
      stages: [...before, new UnitUploads(core, inner!, this, before.length), ...rest],
      broadcastLengths: [...before.map(() => 1), ...half.broadcastLengths],
      rounds: [...before.map(() => 1), ...half.rounds],
    };
  }
}
