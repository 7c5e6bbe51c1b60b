/**
 * Options of the methods that share a prior and solve at home.
 * @module
 */
import { OptionError } from "../../../core/index.js";
import type { Schedule } from "../../../privacy/index.js";
import { commonOptions } from "../../options/common-options.js";
import { trustOptions, type TrustOptions } from "../../options/curator-trust.js";
import {
  aBoolean,
  aNumber,
  aLength,
  aPositive,
  aPositiveInteger,
  aWord,
  aWordOr,
} from "../../options/kinds.js";
import { option, type OptionDeclarations, type OptionsOf } from "../../options/option.js";
import { releaseOptions, type ReleaseOptions } from "../../options/private-options.js";
import { choiceShare } from "../../options/selection-options.js";
import type { CommonOptions } from "../../tasks/common-options.js";
import { recordOptions, type PriorRecordOptions } from "./records/record-options.js";
import type { LossName } from "../../tasks/losses.js";

const shrinkageOptions = {
  /**
   * "optimal" (default): the rotation-invariant estimate of random matrix theory. "edge":
   * max(0, lambda - edge e) plus a floor, e the spectral edge of the noise.
   */
  shrinkage: option(aWord(["optimal", "edge"]), {
    group: "model",
    help: "How noise is taken out of eigenvalues: by random matrix theory, or by a part of its edge.",
    default: "optimal",
  }),
  /** c of "edge", 0 to 1; default 0.6. */
  edge: option(aNumber({ min: 0, max: 1 }), {
    group: "model",
    symbol: "C",
    help: "With shrinkage edge: part of the noise's spectral edge to subtract.",
    default: 0.6,
  }),
  /**
   * Smallest prior variance, the mean being 1, from 1e-10 to 1e10: beyond, priors would be singular in double precision, which
   * shows when a release is paid for. "auto" (default): 0.001 for "optimal", for "edge" 0.03 e d/m + 0.001.
   */
  floor: option(aWordOr(["auto"], aNumber({ min: 1e-10, max: 1e10 })), {
    group: "model",
    help: "Least prior variance, the mean being 1; auto: by the kind of shrinkage.",
    default: "auto",
  }),
};

/** How noise is taken out of eigenvalues. */
export interface ShrinkageOptions extends OptionsOf<typeof shrinkageOptions> {}

const own = {
  /**
   * T, rounds, each with an equal share of the budget. "auto" (default): what the public sizes and
   * the budget pay for, 1 to 4 (with an untrusted curator 1).
   */
  rounds: option(aWordOr(["auto"], aPositiveInteger), {
    group: "rounds",
    symbol: "T",
    help: "Rounds, each with a release; auto: what sizes and budget pay for, 1 to 4.",
    unit: "rounds",
    default: "auto",
  }),
  /** What a model is scaled to before it is uploaded: norm K ("unit", default), or at most K. */
  uploadScaling: option(aWord(["unit", "clipped"]), {
    group: "privacy",
    help: "Scale uploads to one norm, or clip them.",
    default: "unit",
  }),
  /** K for `uploadScaling: "clipped"`, from public knowledge; default 1. Ignored for "unit". */
  clip: option(aLength, {
    group: "privacy",
    symbol: "K",
    help: "With uploadScaling clipped: bound on each upload's norm, from public knowledge.",
    unit: "l2 norm of a model",
    default: 1,
  }),
  ...shrinkageOptions,
  /**
   * kappa > 0; "auto" (default): chosen as `choice` says, near a public default for models that explain nearly all of the target.
   * "wide": chosen so under a belief that suits tables, whose targets are mostly noise (squared loss); with the safeguard every task's model is
   * then a pool with the one that `SingleTask` gives it, and that one alone where no release says anything.
   */
  priorStrength: option(aWordOr(["auto", "wide"], aPositive), {
    group: "model",
    symbol: "KAPPA",
    help: "Strength of the prior; auto: see choice; wide: see choice, for tables, whose targets are mostly noise (squared loss).",
    default: "auto",
  }),
  /**
   * Who chooses kappa. "local": each task on its own rows, free of charge. "pooled": all tasks by
   * noisy votes, charged, each then within a third of a decade. "auto" (default): pooled where the
   * public sizes say that the votes will stand out from their noise, else local.
   */
  choice: option(aWord(["auto", "local", "pooled"]), {
    group: "model",
    help: "Who chooses the prior's strength: each task, or all by charged votes; auto: by public sizes.",
    default: "auto",
  }),
  /** Share of the budget a pooled choice takes, in (0, 1); default 0.1. */
  choiceShare,
  /**
   * Whether a task's model is the average of the one under the shared prior and the one of `single-task`, each as likely as the task's rows
   * are under models that have not seen them; default true. Without an intercept the shared one counts twenty times as much beforehand.
   */
  safeguard: option(aBoolean, {
    group: "model",
    help: "Whether a task's model is averaged with the one it would have alone, as its rows ask for.",
    default: true,
  }),
  /** Ridge weight of the models first uploaded; "auto" (default): each task's own average, see kappa. */
  initialPenalty: option(aWordOr(["auto"], aPositive), {
    group: "rounds",
    help: "Ridge weight of the models first uploaded; auto: each task's own choice.",
    default: "auto",
  }),
  /**
   * "own" (default): every task first scales its features, from its own rows and for itself, so that
   * ones of small scale are not drowned and its rows have mean squared norm 1; `model.weights` are in
   * the given features. "given": features as they are.
   */
  featureScale: option(aWord(["own", "given"]), {
    group: "model",
    help: "own: each task scales its features first, from its own rows and for itself.",
    default: "own",
  }),
};

/** Options of {@link MpFeatureLearning}, and all but `sharing` of {@link MpHierarchical}. */
export interface PriorMethodOptions
  extends CommonOptions, ReleaseOptions, TrustOptions, OptionsOf<typeof own>, PriorRecordOptions {}

export const priorOptions: OptionDeclarations<PriorMethodOptions> = {
  ...commonOptions,
  ...releaseOptions,
  ...trustOptions,
  ...own,
  ...recordOptions,
};

/** The rounds of a prior method cost the same each. */
export const EQUAL_ROUNDS: Schedule = { kind: "constant" };

/** The margin loss of a method whose local solve has one. */
export function marginLoss(loss: LossName): "squared" | "logistic" {
  if (loss === "softmax") throw new OptionError("loss: expected squared or logistic, got softmax");
  return loss;
}
