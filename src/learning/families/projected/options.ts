/**
 * The options of the methods that take projected gradient steps, and how "auto" is read.
 * @module
 */
import type { Schedule } from "../../../privacy/index.js";
import { aClip, AUTO_CLIP, checkClip } from "../../options/clip-option.js";
import { commonOptions, rowOptions, type RowOptions } from "../../options/common-options.js";
import { trustOptions, type TrustOptions } from "../../options/curator-trust.js";
import {
  aBoolean,
  aNonNegative,
  aPositive,
  aPositiveInteger,
  aWord,
  aWordOr,
} from "../../options/kinds.js";
import { startOptions } from "../../options/start-options.js";
import { checkStepSize } from "../../options/check-step-size.js";
import { option, type OptionDeclarations, type OptionsOf } from "../../options/option.js";
import {
  featureBound,
  releaseOptions,
  type ReleaseOptions,
} from "../../options/private-options.js";
import { aSchedule } from "../../options/schedule.js";
import { choiceShare } from "../../options/selection-options.js";
import type { PublicSizes } from "../../round/halves.js";
import { ACCELERATIONS } from "../../steps/momentum.js";
import type { ClipFacts } from "../../votes/learning-clip.js";
import type { CommonOptions } from "../../tasks/common-options.js";
import { publicSmoothness } from "../../tasks/losses.js";
import { recommendedSchedule } from "../../bounds/utility-bounds.js";

const WHY_TASKS =
  "tasks go on from round to round from models of their own, which one record may have turned any way, and no bound below the " +
  "task's own is proven for what is then shared; mp-feature-learning, mp-hierarchical, mp-mixed, pmtl and private-fedavg hide single records";

/** There is one value, and a reason why there is no other. */
const onlyTasks = {
  ...aWord(["task"]),
  expected: `"task": ${WHY_TASKS}`,
  expectedText: `task: ${WHY_TASKS}`,
};

const own = {
  /** What the budget hides: "task", everything a task has. Others are refused: no bound for single records is proven. */
  unit: option(onlyTasks, {
    group: "privacy",
    help: "What the budget hides: all that a task has. Single records cannot be had here.",
    default: "task",
    later: true,
  }),
  /** T, rounds; default 30. */
  rounds: option(aPositiveInteger, {
    group: "rounds",
    symbol: "T",
    help: "Rounds, each with a release.",
    unit: "rounds",
    default: 30,
  }),
  /**
   * K > 0, bound on the l2 norm of every upload, from public knowledge; default 1. "auto": learned by a vote of all tasks on the norms of
   * the models that they begin with, charged to the budget before the rounds: 1.5 times one that a third is beyond, a third of it with
   * `clipIterate: false`.
   */
  clip: option(aClip, {
    group: "privacy",
    symbol: "K",
    help: `Bound on each upload's norm, from public knowledge; ${AUTO_CLIP}.`,
    unit: "l2 norm of a model",
    default: 1,
  }),
  /** Weight of the penalty, >= 0; default 0.1. */
  lambda: option(aNonNegative, { group: "model", help: "Weight of the penalty.", default: 0.1 }),
  /**
   * eta > 0; "auto" (default) is 1/L with the public bound L. "own": each task steps by 1/L_i of its
   * own rows, often much longer, and f uses the public 1/L; nothing pooled is read. A number of more than 1e6/L is refused.
   */
  stepSize: option(aWordOr(["auto", "own"], aPositive), {
    group: "rounds",
    help: "Step size; auto: 1/L with the public bound L; own: each task's own 1/L.",
    default: "auto",
  }),
  /** Momentum of the steps; default "convex". */
  acceleration: option(aWord(ACCELERATIONS), {
    group: "rounds",
    help: "Momentum of the steps.",
    default: "convex",
  }),
  /** How the budget is spread over rounds; "auto" (default) is what the papers' theory says. */
  schedule: option(aWordOr(["auto"], aSchedule), {
    group: "rounds",
    help: "Budget over rounds, as polynomial:0.4 or geometric:0.9; auto: what the papers' theory says.",
    default: "auto",
  }),
  /** mu >= 0: (mu/2) ||w_i||^2 is added to every L_i; default 0. */
  strongConvexity: option(aNonNegative, {
    group: "model",
    symbol: "MU",
    help: "Adds (MU/2) ||w||^2 to every task's loss.",
    default: 0,
  }),
  /** B > 0, public bound on the l2 norm of every row; rows are held to it. Default 1. */
  featureBound,
  /** Added to the diagonal after the noise; "auto" (default) is the mechanism's bound. */
  shift: option(aWordOr(["auto"], aNonNegative), {
    group: "rounds",
    help: "Added to the diagonal after the noise; auto: a bound on its negative part.",
    default: "auto",
  }),
  ...startOptions,
  /** Whether the clipped model is also the iterate (default, the papers' step 3). */
  clipIterate: option(aBoolean, {
    group: "rounds",
    help: "Whether the clipped model is also the iterate, as the papers have it.",
    default: true,
  }),
  /**
   * Which round's model a task keeps. "last" (default): w^(T). "local": an average over rounds that
   * each task weighs by its own rows, held out in folds on which it replays the public broadcasts; free
   * of charge. "pooled": the same around the round that all tasks choose by noisy votes, charged; with the
   * single-task fallback they vote on learning alone too, and all stay alone if it wins or the votes
   * are lost in the noise.
   */
  choice: option(aWord(["last", "local", "pooled"]), {
    group: "rounds",
    help: "Which round's model is kept: the last, each task's own choice, or that of all by charged votes.",
    default: "last",
  }),
  /** Share of the budget a pooled choice takes, in (0, 1); default 0.1. */
  choiceShare,
  /**
   * Whether a task whose held-out rows are clearly better predicted without the others keeps its
   * single-task model; default true. It replays the rounds on five folds of its own rows.
   */
  safeguard: option(aBoolean, {
    group: "model",
    help: "Whether a task that clearly does better alone stays alone.",
    default: true,
  }),
};

/** Options of the methods that take projected gradient steps. */
export interface GradientMethodOptions
  extends CommonOptions, RowOptions, ReleaseOptions, TrustOptions, OptionsOf<typeof own> {}

export const gradientOptions: OptionDeclarations<GradientMethodOptions> = {
  ...commonOptions,
  ...rowOptions,
  ...releaseOptions,
  ...trustOptions,
  ...own,
};

/** K over a norm that one in three starting models is beyond: where K cuts models themselves most are to stay as they are. */
const CLIP = { above: 1 / 3, iterate: 1.5, upload: 0.5 } as const;

/** How K is learned. */
export const clipFacts = (
  { loss, clipIterate }: Pick<GradientMethodOptions, "loss" | "clipIterate">,
  sizes: PublicSizes,
): ClipFacts => ({
  sizes,
  loss,
  above: CLIP.above,
  factor: clipIterate ? CLIP.iterate : CLIP.upload,
});

/** L + mu with the public bound L, which no task's data moves. */
export function privateSmoothness(
  options: GradientMethodOptions,
  { mostRows }: PublicSizes,
): number {
  const { loss, lossScale, featureBound, intercept, strongConvexity } = options;
  const bound = intercept ? Math.sqrt(featureBound * featureBound + 1) : featureBound;
  return publicSmoothness(loss, lossScale, bound, mostRows) + strongConvexity;
}

/**
 * Refuses a step size with which rounds run away, and what does not go with a bound that is learned.
 * @throws OptionError saying how long it may be, or what to give instead.
 */
export function checkProjected(method: string, options: GradientMethodOptions): void {
  checkClip(method, options);
  // Of more rows the bound is no smaller.
  const sizes = { m: 1, d: 1, rows: 1, mostRows: 1 };
  checkStepSize(method, options, privateSmoothness(options, sizes));
}

/**
 * The schedule that the papers' utility theorems recommend.
 * @param delta 0 or not: the optimal exponents differ.
 */
export function resolveSchedule(
  options: GradientMethodOptions,
  delta: number,
  smoothness: number,
): Schedule {
  const { schedule, acceleration, strongConvexity } = options;
  if (schedule !== "auto") return schedule;
  return recommendedSchedule({ acceleration, smoothness, strongConvexity, delta });
}
