/**
 * The options of the MP-MTL methods, and how "auto" is read.
 * @module
 */
import * as math from "../../core/elementary.js";
import { DataError, OptionError, positive } from "../../core/index.js";
import type { TaskSet } from "../../data/index.js";
import {
  MECHANISM_NAMES,
  type Adjacency,
  type MechanismName,
  type Schedule,
} from "../../privacy/index.js";
import type { RandomOptions } from "../../random/index.js";
import { ACCELERATIONS, type Acceleration } from "../steps/momentum.js";
import { publicSmoothness } from "../tasks/losses.js";
import type { PublicSizes } from "../round/halves.js";
import { commonRules } from "./common-rules.js";
import { NOISE_FORMS, type NoiseForm } from "./noise-forms.js";
import { trustRules, type TrustOptions } from "./curator-trust.js";
import type { CommonOptions } from "../tasks/common-options.js";
import {
  aBoolean,
  aMatrix,
  anInteger,
  aNonNegative,
  aNumber,
  aPositive,
  aWord,
  aWordOr,
  withDefault,
  type OptionRule,
  type OptionRules,
} from "./check-options.js";

/** What every private method needs to know about its guarantee. */
export interface BudgetOptions {
  /** Total eps > 0 of the guarantee; default 1. */
  readonly epsilon: number;
  /** Total delta in [0, 1); "auto" (default) is 1 / (m log m), for m >= 3. 0: pure eps-DP. */
  readonly delta: number | "auto";
  /** "replace" (default): one task's data and models change arbitrarily. "zero-out": to zero. */
  readonly adjacency: Adjacency;
  /** "auto" (default): the tightest sound mechanism for the statistic and delta. */
  readonly mechanism: MechanismName | "auto";
  /** Default secure; seeded noise is reproducible and protects nothing. */
  readonly random: RandomOptions;
}

/** Budget, and the form of the noise of methods that release a statistic each round. */
export interface ReleaseOptions extends BudgetOptions {
  /**
   * "exact": values rounded to a grid, and noise drawn or rounded by integer arithmetic, which no attack on
   * floating-point noise can see through; every mechanism but the one-sided Wishart. "float": ordinary floating-point
   * noise, faster, and proven for real numbers only. "auto" (default): exact, but for budgets beyond the sampler's
   * range (an epsilon of 1e15, say); `guarantee.why` says which it was.
   */
  readonly noise: NoiseForm;
}

/** Options of the methods that take projected gradient steps. */
export interface GradientMethodOptions extends CommonOptions, ReleaseOptions, TrustOptions {
  /** T, rounds; default 30. */
  readonly rounds: number;
  /** K > 0, bound on every shared model's l2 norm; from public knowledge. Default 1. */
  readonly clip: number;
  /** Weight of the penalty, >= 0; default 0.1. */
  readonly lambda: number;
  /**
   * eta > 0; "auto" (default) is 1/L with the public bound L. "own": each task steps by 1/L_i of its
   * own rows, often much longer, and f uses the public 1/L; nothing pooled is read.
   */
  readonly stepSize: number | "auto" | "own";
  readonly acceleration: Acceleration;
  /** How the budget is spread over rounds; "auto" (default) is what the papers' theory says. */
  readonly schedule: Schedule | "auto";
  /** mu >= 0: (mu/2) ||w_i||^2 is added to every L_i; default 0. */
  readonly strongConvexity: number;
  /** B > 0, public bound on the l2 norm of every row; rows are held to it. Default 1. */
  readonly featureBound: number;
  /** Added to the diagonal after the noise; "auto" (default) is the mechanism's bound. */
  readonly shift: number | "auto";
  /** W(0): every task's own ridge model (default), zeros, or a Float64Array [m, d]. */
  readonly initial: "single-task" | "zeros" | Float64Array;
  /** Ridge weight of the single-task model; "auto" (default): each task's own leave-one-out choice. */
  readonly initialPenalty: number | "auto";
  /** Whether the clipped model is also the iterate (default, the papers' step 3). */
  readonly clipIterate: boolean;
  /**
   * Which round's model a task keeps. "last" (default): w^(T). "local": an average over rounds that
   * each task weighs by its own rows, held out in folds on which it replays the public messages; free
   * of charge. "pooled": the same around the round that all tasks choose by noisy votes, charged; with the
   * safeguard they vote on learning alone too, and all stay alone if it wins or the noise drowns the votes.
   */
  readonly choice: "last" | "local" | "pooled";
  /** Share of the budget a pooled choice takes, in (0, 1); default 0.1. */
  readonly choiceShare: number;
  /**
   * Whether a task whose held-out rows are clearly better predicted without the others keeps its
   * single-task model; default true. It replays the rounds on five folds of its own rows.
   */
  readonly safeguard: boolean;
}

export const aSchedule: OptionRule<Schedule> = {
  check: (name, value) => {
    const schedule = value as Schedule;
    switch (schedule?.kind) {
      case "constant":
        return schedule;
      case "polynomial":
        aNumber.check(`${name}.exponent`, schedule.exponent);
        return schedule;
      case "geometric":
        positive(`${name}.ratio`, schedule.ratio);
        return schedule;
      default:
        throw new RangeError(`${name}: expected { kind: "constant" | "polynomial" | "geometric" }`);
    }
  },
};

const aRandom: OptionRule<RandomOptions> = {
  check: (name, value) => {
    const random = value as RandomOptions;
    if (random?.mode === "secure") return random;
    if (random?.mode === "seeded" && ["string", "number"].includes(typeof random.seed))
      return random;
    throw new TypeError(`${name}: expected { mode: "secure" } or { mode: "seeded", seed }`);
  },
};

/** A part of a budget. */
export const aShare: OptionRule<number> = {
  check: (name, value) => {
    aPositive.check(name, value);
    if ((value as number) >= 1) {
      throw new RangeError(`${name}: expected 0 < ${name} < 1, got ${value as number}`);
    }
    return value as number;
  },
};

const aDelta: OptionRule<number> = {
  check: (name, value) => {
    aNonNegative.check(name, value);
    if ((value as number) >= 1)
      throw new RangeError(`${name}: expected 0 <= delta < 1, got ${value as number}`);
    return value as number;
  },
};

export const budgetRules: OptionRules<BudgetOptions> = {
  epsilon: withDefault(aPositive, 1),
  delta: withDefault(aWordOr(["auto"] as const, aDelta), "auto"),
  adjacency: withDefault(aWord(["replace", "zero-out"] as const), "replace"),
  mechanism: withDefault(aWord(["auto", ...MECHANISM_NAMES] as const), "auto"),
  random: withDefault(aRandom, { mode: "secure" }),
};

export const releaseRules: OptionRules<ReleaseOptions> = {
  ...budgetRules,
  noise: withDefault(aWord(NOISE_FORMS), "auto"),
};

export const gradientMethodRules: OptionRules<GradientMethodOptions> = {
  ...commonRules,
  ...releaseRules,
  ...trustRules,
  rounds: withDefault(anInteger(1), 30),
  clip: withDefault(aPositive, 1),
  lambda: withDefault(aNonNegative, 0.1),
  stepSize: withDefault(aWordOr(["auto", "own"] as const, aPositive), "auto"),
  acceleration: withDefault(aWord(ACCELERATIONS), "convex"),
  schedule: withDefault(aWordOr(["auto"] as const, aSchedule), "auto"),
  strongConvexity: withDefault(aNonNegative, 0),
  featureBound: withDefault(aPositive, 1),
  shift: withDefault(aWordOr(["auto"] as const, aNonNegative), "auto"),
  initial: withDefault(aWordOr(["single-task", "zeros"] as const, aMatrix), "single-task"),
  initialPenalty: withDefault(aWordOr(["auto"] as const, aPositive), "auto"),
  clipIterate: withDefault(aBoolean, true),
  choice: withDefault(aWord(["last", "local", "pooled"] as const), "last"),
  choiceShare: withDefault(aShare, 0.1),
  safeguard: withDefault(aBoolean, true),
};

/**
 * delta as asked, or 1 / (m log m).
 * @throws OptionError below three tasks, where that is no small number.
 */
export function resolveDelta(delta: number | "auto", m: number): number {
  if (delta !== "auto") return delta;
  if (m < 3) {
    throw new OptionError(
      `delta: the default 1/(m log m) needs at least 3 tasks, found ${m}; give delta (0 for pure eps-DP).`,
    );
  }
  return 1 / (m * math.log(m));
}

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
 * The schedule that the papers' utility theorems recommend (METHODS.md).
 * @param delta 0 or not: the optimal exponents differ.
 */
export function resolveSchedule(
  options: GradientMethodOptions,
  delta: number,
  smoothness: number,
): Schedule {
  const { schedule, acceleration, strongConvexity } = options;
  if (schedule !== "auto") return schedule;
  const kappa = Math.min(strongConvexity / smoothness, 0.99);
  if (acceleration === "strongly-convex" && kappa > 0) {
    return { kind: "geometric", ratio: math.pow(1 - Math.sqrt(kappa), delta > 0 ? 1 / 5 : 1 / 3) };
  }
  if (acceleration === "none") {
    if (kappa === 0) return { kind: "constant" };
    return { kind: "geometric", ratio: math.pow(1 - kappa, delta > 0 ? 2 / 5 : 2 / 3) };
  }
  return { kind: "polynomial", exponent: delta > 0 ? 2 / 5 : 2 / 3 };
}

/**
 * Holds every row to the public bound B on its norm, which step sizes and accounting rely on.
 * @throws DataError naming the first task and row beyond it.
 */
export function checkFeatureBound(tasks: TaskSet, featureBound: number): void {
  const { d, x, offsets, names } = tasks;
  const limit = featureBound * featureBound * (1 + 1e-9);
  for (let i = 0; i < tasks.m; i++) {
    for (let row = offsets[i]!; row < offsets[i + 1]!; row++) {
      let square = 0;
      for (let j = row * d; j < (row + 1) * d; j++) square += x[j]! * x[j]!;
      if (square > limit) {
        throw new DataError(
          `task ${JSON.stringify(names[i])}, row ${row - offsets[i]!}: its l2 norm is above the declared ` +
            `featureBound ${featureBound}. Scale rows to unit norm (the "unit-rows" transform, ` +
            `--normalize rows), or declare a larger featureBound.`,
        );
      }
    }
  }
}
