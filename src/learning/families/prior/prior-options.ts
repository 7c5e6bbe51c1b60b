/**
 * Options of the methods that share a prior and solve at home.
 * @module
 */
import * as math from "../../../core/elementary.js";
import { OptionError } from "../../../core/index.js";
import type { LossName } from "../../tasks/losses.js";
import type { ShrinkageOptions } from "./shrink-spectrum.js";
import type { Schedule } from "../../../privacy/index.js";
import { commonRules } from "../../options/common-rules.js";
import { trustRules, type TrustOptions } from "../../options/curator-trust.js";
import type { CommonOptions } from "../../tasks/common-options.js";
import {
  aBoolean,
  aNonNegative,
  anInteger,
  aPositive,
  aWord,
  aWordOr,
  withDefault,
  type OptionRule,
  type OptionRules,
} from "../../options/check-options.js";
import { aShare, releaseRules, type ReleaseOptions } from "../../options/private-options.js";

/** Options of {@link MpFeatureLearning}, and all but `sharing` of {@link MpHierarchical}. */
export interface PriorMethodOptions
  extends CommonOptions, ReleaseOptions, TrustOptions, ShrinkageOptions {
  /**
   * T, rounds, each with an equal share of the budget. "auto" (default): what the public sizes and
   * the budget pay for, 1 to 4 (with an untrusted curator 1).
   */
  readonly rounds: number | "auto";
  /** What a model is scaled to before it is shared: norm K ("unit", default), or at most K. */
  readonly share: "unit" | "clipped";
  /** K for `share: "clipped"`, from public knowledge; default 1. Ignored for "unit". */
  readonly clip: number;
  /** kappa > 0; "auto" (default): chosen as `choice` says. */
  readonly priorStrength: number | "auto";
  /**
   * Who chooses kappa. "local": each task on its own rows, free of charge. "pooled": all tasks by
   * noisy votes, charged, each then within a third of a decade. "auto" (default): pooled where the
   * public sizes say that the votes will be heard over their noise, else local.
   */
  readonly choice: "auto" | "local" | "pooled";
  /** Share of the budget a pooled choice takes, in (0, 1); default 0.1. */
  readonly choiceShare: number;
  /** Whether a task that clearly does better alone stays alone; default true. */
  readonly safeguard: boolean;
  /** Ridge weight of the models first shared; "auto" (default): each task's own average, see kappa. */
  readonly initialPenalty: number | "auto";
  /**
   * "own" (default): every task first scales its features, from its own rows and for itself, so that
   * ones of small scale are not drowned and its rows have mean squared norm 1; `model.weights` are in
   * the given features. "given": features as they are.
   */
  readonly featureScale: "own" | "given";
}

const anEdge: OptionRule<number> = {
  check: (name, value) => {
    aNonNegative.check(name, value);
    if ((value as number) > 1) {
      throw new RangeError(`${name}: expected 0 <= ${name} <= 1, got ${value as number}`);
    }
    return value as number;
  },
};

export const priorMethodRules: OptionRules<PriorMethodOptions> = {
  ...commonRules,
  ...releaseRules,
  ...trustRules,
  rounds: withDefault(aWordOr(["auto"] as const, anInteger(1)), "auto"),
  share: withDefault(aWord(["unit", "clipped"] as const), "unit"),
  clip: withDefault(aPositive, 1),
  shrinkage: withDefault(aWord(["optimal", "edge"] as const), "optimal"),
  edge: withDefault(anEdge, 0.6),
  floor: withDefault(aWordOr(["auto"] as const, aPositive), "auto"),
  priorStrength: withDefault(aWordOr(["auto"] as const, aPositive), "auto"),
  choice: withDefault(aWord(["auto", "local", "pooled"] as const), "auto"),
  choiceShare: withDefault(aShare, 0.1),
  safeguard: withDefault(aBoolean, true),
  initialPenalty: withDefault(aWordOr(["auto"] as const, aPositive), "auto"),
  featureScale: withDefault(aWord(["own", "given"] as const), "own"),
};

/** The rounds of a prior method cost the same each. */
export const EQUAL_ROUNDS: Schedule = { kind: "constant" };

/**
 * Candidates of kappa for losses divided by n_i and rows of norm about 1, half a decade apart, and
 * the public default in their middle: the ratio of noise to signal per row and direction.
 */
export const STRENGTHS: Record<"squared" | "logistic", readonly number[]> = {
  squared: decades(-5.5, 0.5),
  logistic: decades(-5, 1),
};
export const DEFAULT_STRENGTH = { squared: math.pow(10, -3.5), logistic: math.pow(10, -2.5) };
/** Width of the belief around the default, and around a pooled choice, in decades. */
export const BELIEF = { local: 0.4, pooled: 0.3 };
/** Candidates the tasks vote on: this many decades around the default. */
export const VOTED = 3;

function decades(from: number, to: number): readonly number[] {
  return Array.from({ length: Math.round((to - from) * 2) + 1 }, (_, k) =>
    math.pow(10, from + k / 2),
  );
}

/** The margin loss of a method whose local solve has one. */
export function marginLoss(loss: LossName): "squared" | "logistic" {
  if (loss === "softmax") throw new OptionError("loss: expected squared or logistic, got softmax");
  return loss;
}
