/**
 * The options of PMTL, private FedAvg and private FedProx, and which of them go together.
 * @module
 */
import { OptionError } from "../../../core/index.js";
import { mechanismsTaking } from "../../../privacy/mechanisms/catalogue.js";
import { isAmplified } from "../../../privacy/mechanisms/sampled-events.js";
import { scheduleWeights } from "../../../privacy/schedule.js";
import type { DifferentiableModel } from "../../models/differentiable-model.js";
import { ACTIVATIONS } from "../../models/hidden-layer-network.js";
import {
  anyLoss,
  commonOptions,
  rowOptions,
  type RowOptions,
} from "../../options/common-options.js";
import {
  aBoolean,
  aNonNegative,
  aLength,
  aPositive,
  aPositiveInteger,
  aWord,
  aWordOr,
  inCodeOnly,
} from "../../options/kinds.js";
import { option, type OptionDeclarations, type OptionsOf } from "../../options/option.js";
import {
  mechanismFor,
  releaseOptions,
  type ReleaseOptions,
} from "../../options/private-options.js";
import { aClip, AUTO_CLIP, checkClip } from "../../options/clip-option.js";
import { aSchedule } from "../../options/schedule.js";
import { choiceShare } from "../../options/selection-options.js";
import type { CommonOptions } from "../../tasks/common-options.js";
import { aFinetuning, anAggregate, aSampling } from "./option-kinds.js";

/** Shape and size are checked at `fit`, where the data is known. */
const aModel = inCodeOnly<DifferentiableModel>(
  "a DifferentiableModel",
  (value) => typeof (value as DifferentiableModel)?.valueAndGradient === "function",
);

const own = {
  /** T, noisy means released; default 10. */
  rounds: option(aPositiveInteger, {
    group: "rounds",
    symbol: "T",
    help: "Rounds, each with a noisy mean of the updates.",
    unit: "rounds",
    default: 10,
  }),
  /**
   * gamma > 0, bound on the l2 norm of every update, from public knowledge; default 1. "auto": a typical norm of the tasks' first update,
   * by a vote of all of them that is charged to the budget before the rounds.
   */
  clip: option(aClip, {
    group: "privacy",
    symbol: "GAMMA",
    help: `Bound on the norm of every task's update, from public knowledge; ${AUTO_CLIP}.`,
    unit: "l2 norm of an update",
    default: 1,
  }),
  /**
   * E, gradient steps a participant takes in a round; default 10. "solve": to the minimum of its
   * local objective (linear models with lambda > 0).
   */
  localSteps: option(aWordOr(["solve"], aPositiveInteger), {
    group: "rounds",
    symbol: "E",
    help: "Local gradient steps a round; solve: to the minimum.",
    unit: "steps",
    default: 10,
  }),
  /** Rows of a local step; "full" (default) is all rows of the task. */
  batchSize: option(aWordOr(["full"], aPositiveInteger), {
    group: "rounds",
    help: "Rows of a local step; full: all of the task.",
    unit: "rows",
    default: "full",
  }),
  /**
   * Local step size. "auto" (default): 1 / (L_k + lambda), L_k the task's own smoothness, for linear
   * models (it changes the task's own model only); 0.1 for others, divided by n_k for lossScale "sum". A number of more than 2 / lambda
   * is refused where lambda pulls tasks' steps.
   */
  stepSize: option(aWordOr(["auto"], aPositive), {
    group: "rounds",
    help: "Local step size; auto: each task's own 1/L for linear models, 0.1 for networks.",
    default: "auto",
  }),
  /**
   * Who takes part in a round: everyone (default); each task with probability `rate` (Poisson), or in `picks` rounds, one of each of so
   * many blocks of them (random allocation), drawn in secret, both with amplification and for adjacency "zero-out" only; or `size` tasks (without
   * amplification).
   */
  sampling: option(aSampling, {
    group: "rounds",
    help:
      "Who takes part in a round: all, poisson:RATE, allocation:PICKS (each task in one round of each of so many blocks; both zero-out adjacency), " +
      "or fixed:SIZE tasks.",
    default: { kind: "all" },
  }),
  /**
   * How the updates of a round become one: their mean (default); or, against liars, the median of the means of `groups` random
   * groups, or the mean without the `share` of the tasks at either end of every coordinate. Charged as the mean is; its noise is
   * larger. Everyone takes part, and the curator sees the updates.
   */
  aggregate: option(anAggregate, {
    group: "rounds",
    help:
      "How updates become one: mean; against liars median-of-means:GROUPS or trimmed-mean:SHARE (left out at either end), with " +
      "noise m / what is kept times as large.",
    default: { kind: "mean" },
  }),
  /** How the budget is spread over rounds; default constant. */
  schedule: option(aSchedule, {
    group: "rounds",
    help: "Budget over rounds: constant, or as polynomial:0.4 or geometric:0.9.",
    default: { kind: "constant" },
  }),
  /** Factor of the mean update at the curator, > 0; default 1. Post-processing. */
  serverStepSize: option(aLength, {
    group: "rounds",
    help: "Factor of the mean update at the curator.",
    default: 1,
  }),
  /** "linear" (default), "network" (one hidden layer), or a model of your own. */
  model: option(aWordOr(["linear", "network"], aModel), {
    group: "model",
    help: "linear, or network, with one hidden layer.",
    default: "linear",
  }),
  /** Hidden units of the network; default 32. */
  hiddenUnits: option(aPositiveInteger, {
    group: "model",
    symbol: "H",
    help: "Hidden units of the network.",
    default: 32,
  }),
  /** Nonlinearity of the network; default "tanh". */
  activation: option(aWord(ACTIVATIONS), {
    group: "model",
    help: "Nonlinearity of the network.",
    default: "tanh",
  }),
  /** Finetuning of every task's model on its own data after the rounds; default null, none. */
  finetune: option(aFinetuning, {
    group: "model",
    help:
      "Finetuning on each task's own data after the rounds: vanilla, mean-regularized, symmetrized-kl or " +
      "ewc, then perhaps :STEPS:STRENGTH.",
    default: null,
  }),
  /**
   * Which model a task keeps. "last" (default): that of the last round. "local": an average over rounds and,
   * after the last, over strengths of what holds it to the shared model there (the finetuning's, or
   * PMTL's lambda), weighed by its own rows, held out in folds on which it replays the public broadcasts;
   * free of charge. "pooled": the same around the choice of all tasks by noisy votes, charged; with a
   * single-task fallback they vote on learning alone too, and all stay alone if it wins or the votes are lost in
   * the noise. Networks, whose models may not be averaged, take the best.
   */
  choice: option(aWord(["last", "local", "pooled"]), {
    group: "rounds",
    help:
      "Which round's model is kept, and the last strength: the last, each task's own choice, or that of all " +
      "by charged votes.",
    default: "last",
  }),
  /** Share of the budget a pooled choice takes, in (0, 1); default 0.1. */
  choiceShare,
  /**
   * Whether a task whose held-out rows are clearly better predicted without the others keeps its
   * model alone: ridge by its own leave-one-out choice, and for softmax and networks the same family held
   * to the public start as strongly as its own folds say. It replays the rounds, and the finetuning,
   * on five folds of its own rows, up to five times the local work, and costs no privacy. "auto"
   * (default): for linear models; networks, where time is what is short, only when asked.
   */
  safeguard: option(aWordOr(["auto"], aBoolean), {
    group: "model",
    help: "Whether a task that clearly does better alone stays alone; auto: for linear models.",
    default: "auto",
  }),
};

/** What the three methods share. */
export interface FederatedOptions
  extends CommonOptions, RowOptions, ReleaseOptions, OptionsOf<typeof own> {}

export const federatedOptions: OptionDeclarations<FederatedOptions> = {
  ...commonOptions,
  loss: anyLoss,
  ...rowOptions,
  ...releaseOptions,
  mechanism: mechanismFor(["vector"]),
  ...own,
};

export const proximalOptions = {
  /** Weight of (lambda / 2) ||w_k - w~||^2, >= 0; default 0.1. */
  lambda: option(aNonNegative, {
    group: "model",
    help: "Weight of the distance to the shared model.",
    default: 0.1,
  }),
};

/** The option `lambda` of the methods with a proximal term. */
export interface ProximalOptions extends OptionsOf<typeof proximalOptions> {}

/** The options as the tasks use them: a network has biases of its own, and no intercept beside them. */
export function settled(options: FederatedOptions): FederatedOptions {
  return options.model === "linear" ? options : { ...options, intercept: false };
}

/** Whether tasks are scored on folds of their rows for a single-task fallback. */
export function isGuarded({ safeguard, model }: FederatedOptions): boolean {
  return safeguard === "auto" ? model === "linear" : safeguard;
}

/**
 * Refuses options that do not go together.
 * @throws OptionError naming every conflict.
 */
export function checkFederated(method: string, options: FederatedOptions, lambda: number): void {
  checkClip(method, options);
  const problems: string[] = [];
  const amplified = mechanismsTaking("sampling");
  const { sampling, adjacency, delta, mechanism, localSteps, model, aggregate } = options;
  if (aggregate.kind !== "mean" && sampling.kind !== "all") {
    problems.push(
      `aggregate: a task that is not drawn counts as zero, which is what most of a sample's numbers would then be; set sampling: { kind: "all" }, or aggregate: { kind: "mean" }`,
    );
  }
  if (isAmplified(sampling)) {
    const what = sampling.kind === "poisson" ? "Poisson sampling" : "random allocation";
    if (adjacency !== "zero-out") {
      problems.push(
        `sampling: amplification by ${what} is a theorem for adjacency "zero-out" only; ` +
          'set adjacency: "zero-out", or sample a fixed size (accounted as everyone)',
      );
    }
    if (delta === 0 || (mechanism !== "auto" && !amplified.includes(mechanism))) {
      problems.push(
        `sampling: ${what} is accounted for Gaussian noise only, which needs delta > 0 and mechanism "${amplified.join('", "')}"`,
      );
    }
  }
  if (sampling.kind === "allocation") {
    if (sampling.picks > options.rounds) {
      problems.push(
        `sampling.picks: expected at most the number of rounds, ${options.rounds}, got ${sampling.picks}`,
      );
    }
    if (scheduleWeights(options.schedule, options.rounds).some((w, _, all) => w !== all[0])) {
      problems.push(
        'schedule: the rounds of an allocation are accounted at equal budgets only; expected { kind: "constant" }',
      );
    }
  }
  if (options.rowPrecision === "float32" && model !== "linear") {
    problems.push(
      'rowPrecision: networks and models of your own read rows in Float64; expected "float64", or model "linear"',
    );
  }
  if (localSteps === "solve") {
    if (model !== "linear") {
      problems.push('localSteps: "solve" needs a local objective with one minimum: model "linear"');
    }
    if (!(lambda > 0)) {
      problems.push(
        'localSteps: "solve" needs the proximal term, lambda > 0 (pmtl, private-fedprox)',
      );
    }
    if (options.batchSize !== "full") {
      problems.push('batchSize: "solve" uses all rows of the task; give the number of localSteps');
    }
  }
  if (problems.length > 0) throw new OptionError(`${method}: ${problems.join("; ")}`);
}
