/**
 * Algorithm 1 with one's own sharing rule and local step.
 * @module
 */
import { finiteArray } from "../../core/index.js";
import type { TaskSet } from "../../data/index.js";
import type { Schedule } from "../../privacy/index.js";
import type { FittedModel } from "../fitted/fitted-model.js";
import { OwnSteps, type LocalStep } from "../families/custom/own-step.js";
import { Curator } from "../round/curator.js";
import type {
  CuratorContext,
  CuratorHalf,
  Halves,
  ParticipantContext,
  ParticipantHalf,
} from "../round/halves.js";
import type { SharingRule } from "../round/sharing-rule.js";
import { statistic } from "../round/statistic.js";
import { commonRules } from "../options/common-rules.js";
import { protectRecords, trustRules, type TrustOptions } from "../options/curator-trust.js";
import { placeTasks } from "../fitted/place-tasks.js";
import type { CommonOptions } from "../tasks/common-options.js";
import type { FitOptions } from "../round/estimator.js";
import { initialModels } from "../steps/initial-models.js";
import { linearModels, sumOfLosses } from "../fitted/linear-models.js";
import {
  aMatrix,
  anInteger,
  aNonNegative,
  aPositive,
  aWord,
  aWordOr,
  checkOptions,
  withDefault,
  type OptionRule,
} from "../options/check-options.js";
import { aSchedule, releaseRules, type ReleaseOptions } from "../options/private-options.js";
import { PrivateRounds } from "../release/private-rounds.js";
import { fitPrivate, type DividedEstimator } from "../release/fit-private.js";

/** What a rule of one's own is given: releases only, so whatever it does costs nothing. */
export interface RuleInput {
  /** 1-based. */
  readonly round: number;
  /** Tasks, and features. */
  readonly m: number;
  readonly d: number;
  /** The noisy statistics of rounds 1 to `round`, the last one last; copies. */
  readonly released: readonly Float64Array[];
}

/** Options of {@link MpFramework}. */
export interface MpFrameworkOptions
  extends Omit<CommonOptions, "intercept">, ReleaseOptions, TrustOptions {
  /** What is released: W W^T [d, d], its diagonal [d], or W^T W [m, m]. */
  readonly shares: "covariance" | "diagonal" | "task-covariance";
  /** f: the message to every task, `messageLength` float64s. */
  readonly rule: (input: RuleInput) => Float64Array;
  /** The local step. */
  readonly step: LocalStep;
  /** Float64s of a message; "auto" (default): as many as the statistic has. */
  readonly messageLength: number | "auto";
  /** T, default 1. */
  readonly rounds: number;
  /** K > 0, bound on every shared model's norm, from public knowledge; default 1. */
  readonly clip: number;
  /** Default constant. */
  readonly schedule: Schedule;
  /** Added to the diagonal after the noise; default 0. */
  readonly shift: number | "auto";
  /** W(0): each task's own ridge model (default), zeros, or [m, d]. */
  readonly initial: "single-task" | "zeros" | Float64Array;
  readonly initialPenalty: number | "auto";
}

const aFunction: OptionRule<never> = {
  check: (name, value) => {
    if (typeof value !== "function") throw new TypeError(`${name}: expected a function`);
    return value as never;
  },
};

/**
 * Algorithm 1: every round tasks clip and share, the curator releases the noisy statistic with the
 * sensitivity that PRIVACY.md proves for it, your rule makes a message of the releases, and your
 * step makes each task's new model.
 *
 * A step is given the message, its own model and its own rows. Combining a released [m, m] matrix
 * with the models of other tasks (W M) would break the guarantee; those models are never handed to
 * it, so keep nothing from one task's call for another's.
 *
 * @see Liang et al., Algorithm 1.
 * @example new MpFramework({ shares: "diagonal", clip: 1, rule: ({ released }) => released.at(-1)!,
 *   step: ({ shared, message }) => shared.map((w, j) => (message[j]! > 1 ? w : 0)) })
 */
export class MpFramework implements Pick<DividedEstimator, "method" | "halves" | "fit"> {
  readonly method = "mp-framework";
  readonly options: MpFrameworkOptions;
  readonly halves: Halves;

  /** @throws OptionError naming every bad option. */
  constructor(
    options: Partial<MpFrameworkOptions> & Pick<MpFrameworkOptions, "shares" | "rule" | "step">,
  ) {
    const { loss, lossScale } = commonRules;
    this.options = checkOptions<MpFrameworkOptions>(this.method, options, {
      loss,
      lossScale,
      ...releaseRules,
      ...trustRules,
      shares: aWord(["covariance", "diagonal", "task-covariance"] as const),
      rule: aFunction,
      step: aFunction,
      messageLength: withDefault(aWordOr(["auto"] as const, anInteger(1)), "auto"),
      rounds: withDefault(anInteger(1), 1),
      clip: withDefault(aPositive, 1),
      schedule: withDefault(aSchedule, { kind: "constant" }),
      shift: withDefault(aWordOr(["auto"] as const, aNonNegative), 0),
      initial: withDefault(aWordOr(["single-task", "zeros"] as const, aMatrix), "single-task"),
      initialPenalty: withDefault(aWordOr(["auto"] as const, aPositive), "auto"),
    });
    const checked = this.options;
    this.halves = {
      participants: (context) => frameworkParticipants(checked, context),
      curator: (context) => frameworkCurator(checked, context),
    };
  }

  /**
   * Fits all tasks in T private rounds.
   * @throws TypeError or RangeError if a callback returns anything but finite numbers of the length.
   */
  fit(data: TaskSet, hooks: FitOptions = {}): Promise<FittedModel> {
    return fitPrivate(
      { method: this.method, options: recorded(this.options), halves: this.halves },
      data,
      hooks,
    );
  }
}

/** The options as the model shows them: functions cannot be written down. */
function recorded(options: MpFrameworkOptions): DividedEstimator["options"] {
  const shown = { ...options, intercept: false, rule: "given", step: "given" };
  return shown;
}

function frameworkCurator(
  options: MpFrameworkOptions,
  { core, sizes, journal, observe, shares }: CuratorContext,
): CuratorHalf {
  const { m, d } = sizes;
  const { clip, rounds } = options;
  const rule = ownRule(options);
  const privacy = new PrivateRounds(options, {
    core,
    statistic: options.shares,
    m,
    d,
    clip,
    rounds,
    schedule: options.schedule,
    shift: options.shift,
    journal,
    shares,
  });
  const curator = new Curator({ core, m, d, rule, privacy, observe });
  return {
    stages: [{ rounds, d, clip, mechanism: privacy.mechanism, curator }],
    ledger: privacy.ledger,
    start: null,
    entry: ({ round, rank = 0 }) => ({ round, rank, noiseScale: privacy.noiseScale(round) }),
    guarantee: (notCharged) => privacy.guarantee(notCharged),
    close: () => privacy.close(),
  };
}

function frameworkParticipants(
  options: MpFrameworkOptions,
  { core, data, sizes, positions, classes }: ParticipantContext,
): ParticipantHalf {
  const { tasks } = placeTasks(data, { ...options, intercept: false }, { core, classes, sizes });
  const { weights } = initialModels(tasks, options);
  const messageLength = ownRule(options).messageLength(sizes.m, sizes.d);
  const participants = new OwnSteps(tasks, data, {
    clip: options.clip,
    step: options.step,
    initial: weights,
    messageLength,
  });
  const records = protectRecords(participants, core, { ...options, positions });
  return {
    stages: [records ?? participants],
    rounds: [options.rounds],
    messageLengths: [messageLength],
    records,
    models: () => linearModels(tasks, participants),
    objective: () => sumOfLosses(tasks, participants),
    close: () => records?.close(),
  };
}

/** The user's function as a sharing rule; its answer is checked, never trusted. */
function ownRule({ shares, rule, messageLength }: MpFrameworkOptions): SharingRule {
  const { length } = statistic(shares);
  const size = (m: number, d: number) => (messageLength === "auto" ? length(m, d) : messageLength);
  return {
    statistic: shares,
    messageLength: size,
    prepare: ({ core, m, d }) => {
      const released: Float64Array[] = [];
      return (at, message, round) => {
        released.push(core.arena.view(at, length(m, d)).slice());
        const copies = released.map((release) => release.slice());
        const answer = finiteArray(
          "rule: the message",
          rule({ round, m, d, released: copies }),
          size(m, d),
        );
        core.arena.view(message, answer.length).set(answer);
        return {};
      };
    },
  };
}
