/**
 * Algorithm 1 with one's own sharing rule and local step.
 * @module
 */
import { answerOf, type Answer } from "../families/custom/answer.js";
import { CustomSteps, type LocalStep } from "../families/custom/local-step.js";
import type {
  CuratorContext,
  CuratorHalf,
  ParticipantContext,
  ParticipantHalf,
  PlanContext,
  PublicSizes,
} from "../round/halves.js";
import type { SharingRule } from "../round/sharing-rule.js";
import { statistic } from "../round/statistic/statistic.js";
import { commonOptions } from "../options/common-options.js";
import { protectRecords, trustOptions, type TrustOptions } from "../options/curator-trust.js";
import { placeTasks } from "../tasks/resident-tasks.js";
import type { CommonOptions } from "../tasks/common-options.js";
import { initialModels, modelsVotedOn } from "../steps/initial-models.js";
import { linearModels, taskLosses } from "../fitted/linear-models.js";
import { aNonNegative, aPositiveInteger, aWord, aWordOr, inCodeOnly } from "../options/kinds.js";
import { aClip, AUTO_CLIP, checkClip, plannedClip } from "../options/clip-option.js";
import { startOptions } from "../options/start-options.js";
import type { DividedMethod } from "../options/method.js";
import { option, required, type OptionsOf } from "../options/option.js";
import {
  checkMechanism,
  mechanismFor,
  releaseOptions,
  type ReleaseOptions,
} from "../options/private-options.js";
import { aSchedule } from "../options/schedule.js";
import { curatorHalf } from "../release/curator-half.js";
import { releasesOfStages } from "../release/plan-releases.js";
import type { StageRequest } from "../release/stage-request.js";
import { rowNorms } from "../votes/clip-votes.js";
import { LearningClip, withClipVote, type ClipFacts } from "../votes/learning-clip.js";
import { PrivateEstimator } from "../release/private-estimator.js";

/** What a rule of one's own is given: releases only, so whatever it does costs nothing. */
export interface RuleInput {
  /** 1-based. */
  readonly round: number;
  /** Number of tasks. */
  readonly m: number;
  /** Number of features. */
  readonly d: number;
  /** The noisy statistics of rounds 1 to `round`, the last one last; copies. */
  readonly released: readonly Float64Array[];
}

const STATISTICS = ["covariance", "diagonal", "task-covariance"] as const;

const aFunction = <F>() => inCodeOnly<F>("a function", (value) => typeof value === "function");

const own = {
  /** What is released: W W^T [d, d], its diagonal [d], or W^T W [m, m]. */
  statistic: required(aWord(STATISTICS), {
    group: "model",
    help: "What is released: W W^T, its diagonal, or W^T W.",
  }),
  /** f: the broadcast to every task, `broadcastLength` numbers. */
  rule: required(aFunction<(input: RuleInput) => Answer>(), {
    group: "model",
    flag: null,
    help: "The broadcast, made of the releases.",
  }),
  /** The local step. */
  step: required(aFunction<LocalStep>(), {
    group: "model",
    flag: null,
    help: "Each task's new model, made of the broadcast and its own rows.",
  }),
  /** Float64s of a broadcast; "auto" (default): as many as the statistic has. */
  broadcastLength: option(aWordOr(["auto"], aPositiveInteger), {
    group: "rounds",
    help: "Numbers in a broadcast; auto: as many as are released.",
    default: "auto",
  }),
  /** T, default 1. */
  rounds: option(aPositiveInteger, {
    group: "rounds",
    symbol: "T",
    help: "Rounds, each with a release.",
    unit: "rounds",
    default: 1,
  }),
  /**
   * K > 0, bound on every upload's norm, from public knowledge; default 1. "auto": 1.5 times a norm that a sixth of the tasks' starting
   * models is beyond, by a vote of all tasks that is charged to the budget; the rule is given statistics in the models' own units.
   */
  clip: option(aClip, {
    group: "privacy",
    symbol: "K",
    help: `Bound on each upload's norm, from public knowledge; ${AUTO_CLIP}.`,
    unit: "l2 norm of a model",
    default: 1,
  }),
  /** How the budget is spread over rounds; default constant. */
  schedule: option(aSchedule, {
    group: "rounds",
    help: "Budget over rounds.",
    default: { kind: "constant" },
  }),
  /** Added to the diagonal after the noise; default 0. */
  shift: option(aWordOr(["auto"], aNonNegative), {
    group: "rounds",
    help: "Added to the diagonal after the noise; auto: a bound on its negative part.",
    default: 0,
  }),
  ...startOptions,
};

/** Options of {@link MpFramework}. */
export interface MpFrameworkOptions
  extends Omit<CommonOptions, "intercept">, ReleaseOptions, TrustOptions, OptionsOf<typeof own> {}

export const mpFramework: DividedMethod<MpFrameworkOptions> = {
  name: "mp-framework",
  title: "Algorithm 1, with a rule and a step of one's own",
  recommendedFor: "your own rule and step",
  inCodeOnly: true,
  options: {
    loss: commonOptions.loss,
    lossScale: commonOptions.lossScale,
    ...releaseOptions,
    mechanism: mechanismFor(STATISTICS),
    ...trustOptions,
    ...own,
  },
  releases: "W W^T, its diagonal or W^T W + noise",
  privacy: {
    unit: "task",
    statistics: STATISTICS,
    budget: "scheduled",
  },
  ranges: {},
  compared: [],
  check: (options) => {
    checkClip("mp-framework", options);
    const { mechanism, statistic } = options;
    checkMechanism("mp-framework", mechanism, statistic, `statistic "${statistic}"`);
  },
  halves: (options) => ({
    participants: (context) => frameworkParticipants(options, context),
    releases: releasesOfStages(options, frameworkStages(options)),
    curator: (context) => frameworkCurator(options, context),
  }),
  uploadNorm: ({ clip }) => plannedClip(clip),
  takes: () => ({
    weights: "the given step may read the rows, and knows nothing of weights",
    sparse: { madeDense: "the given step may read the rows, which it is promised dense" },
  }),
  make: (options) => new MpFramework(options as MpFrameworkOptions),
};

/**
 * Algorithm 1: every round tasks clip and upload, the curator releases the noisy statistic with the
 * sensitivity of `src/privacy/sensitivity.ts`, your rule makes a broadcast of the releases, and your
 * step makes each task's new model.
 *
 * A step is given the broadcast, its own model and its own rows. Combining a released [m, m] matrix
 * with the models of other tasks (W M) would break the guarantee; those models are never handed to
 * it, so keep nothing from one task's call for another's. A callback that returns anything but finite numbers of the length
 * ends the fit with a TypeError or RangeError. That a fit ends, everybody sees: a step whose numbers may not be finite for some rows
 * should then return the model that it was given.
 *
 * @see Liang et al., Algorithm 1.
 * @example new MpFramework({ statistic: "diagonal", clip: 1, rule: ({ released }) => released.at(-1)!,
 *   step: ({ upload, broadcast }) => upload.map((w, j) => (broadcast[j]! > 1 ? w : 0)) })
 */
export class MpFramework extends PrivateEstimator<MpFrameworkOptions> {
  /** @throws OptionError naming every bad option. */
  constructor(
    options: Partial<MpFrameworkOptions> & Pick<MpFrameworkOptions, "statistic" | "rule" | "step">,
  ) {
    super(mpFramework, options);
  }

  /** Functions cannot be written down. */
  protected override recorded(): CommonOptions {
    const shown = { ...this.options, intercept: false, rule: "given", step: "given" };
    return shown;
  }
}

const frameworkStages =
  (options: MpFrameworkOptions) =>
  ({ sizes: { m, d } }: PlanContext): StageRequest[] => {
    const { statistic, clip, rounds, schedule, shift } = options;
    const of = { statistic, m, d, rounds, schedule, shift };
    return clip === "auto" ? withClipVote(of, options) : [{ ...of, clip }];
  };

/** How K is learned: over a norm that one in six starting models is beyond. */
const clipFacts = ({ loss }: MpFrameworkOptions, sizes: PublicSizes): ClipFacts => ({
  sizes,
  loss,
  above: 1 / 6,
  factor: 1.5,
});

function frameworkCurator(options: MpFrameworkOptions, context: CuratorContext): CuratorHalf {
  const { sizes, releases } = context;
  const rule = ownRule(options);
  if (options.clip !== "auto") return curatorHalf(context, { options, rules: [rule] });
  const clip = new LearningClip(releases, clipFacts(options, sizes));
  const rules = releases.stages.map((stage) => clip.voteRule(stage) ?? clip.inUnits(rule));
  return curatorHalf(context, { options, rules, clip });
}

function frameworkParticipants(
  options: MpFrameworkOptions,
  { core, data, sizes, positions, classes, releases }: ParticipantContext,
): ParticipantHalf {
  const { tasks } = placeTasks(data, { ...options, intercept: false }, { core, classes, sizes });
  const { weights } = initialModels(tasks, options);
  const broadcastLength = ownRule(options).broadcastLength(sizes.m, sizes.d);
  const clip =
    options.clip === "auto" ? new LearningClip(releases, clipFacts(options, sizes)) : null;
  const bound = plannedClip(options.clip);
  const participants = new CustomSteps(tasks, data, {
    clip: clip?.now ?? bound,
    step: options.step,
    initial: weights,
    broadcastLength,
  });
  const records = protectRecords(participants, core, { ...options, clip: bound, positions });
  const half: ParticipantHalf = {
    stages: [records ?? participants],
    rounds: [options.rounds],
    broadcastLengths: [broadcastLength],
    records,
    models: () => linearModels(tasks, participants),
    losses: () => taskLosses(tasks, participants),
    close: () => records?.close(),
  };
  const norms = () => rowNorms(modelsVotedOn(tasks, options, weights), tasks.m);
  return clip ? clip.voting(half, core, norms) : half;
}

/** The user's function as a sharing rule; its answer is checked, never trusted. */
function ownRule(options: MpFrameworkOptions): SharingRule {
  const { rule, broadcastLength } = options;
  const { length } = statistic(options.statistic);
  const size = (m: number, d: number) =>
    broadcastLength === "auto" ? length(m, d) : broadcastLength;
  return {
    statistic: options.statistic,
    broadcastLength: size,
    prepare: ({ core, m, d }) => {
      const released: Float64Array[] = [];
      return (at, broadcast, round) => {
        released.push(core.arena.view(at, length(m, d)).slice());
        const copies = released.map((release) => release.slice());
        const answer = answerOf(
          "rule: the broadcast",
          rule({ round, m, d, released: copies }),
          size(m, d),
        );
        core.arena.view(broadcast, answer.length).set(answer);
        return {};
      };
    },
  };
}
