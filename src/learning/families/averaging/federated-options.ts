/**
 * The options of PMTL, private FedAvg and private FedProx, and which of them go together.
 * @module
 */
import { integer, oneOf, OptionError, positive, nonNegative } from "../../../core/index.js";
import type { Sampling, Schedule } from "../../../privacy/index.js";
import type { DifferentiableModel } from "../../models/differentiable-model.js";
import { ACTIVATIONS, type Activation } from "../../models/hidden-layer-network.js";
import { FINETUNE_KINDS, type FinetuneOptions } from "./finetune.js";
import { LOSS_NAMES } from "../../tasks/losses.js";
import { commonRules } from "../../options/common-rules.js";
import type { CommonOptions } from "../../tasks/common-options.js";
import {
  aBoolean,
  anInteger,
  aNonNegative,
  aPositive,
  aWord,
  aWordOr,
  withDefault,
  type OptionRule,
  type OptionRules,
} from "../../options/check-options.js";
import {
  aSchedule,
  aShare,
  releaseRules,
  type ReleaseOptions,
} from "../../options/private-options.js";

/** What the three methods share. */
export interface FederatedOptions extends CommonOptions, ReleaseOptions {
  /** T, noisy means released; default 10. */
  readonly rounds: number;
  /** gamma > 0, bound on the l2 norm of every update; from public knowledge. Default 1. */
  readonly clip: number;
  /**
   * E, gradient steps a participant takes in a round; default 10. "solve": to the minimum of its
   * local objective (linear models with lambda > 0).
   */
  readonly localSteps: number | "solve";
  /** Rows of a local step; "full" (default) is all rows of the task. */
  readonly batchSize: number | "full";
  /**
   * Local step size. "auto" (default): 1 / (L_k + lambda), L_k the task's own smoothness, for linear
   * models (it changes the task's own model only); 0.1 for others, divided by n_k for lossScale "sum".
   */
  readonly stepSize: number | "auto";
  /**
   * Who takes part in a round: everyone (default), each task with probability `rate` (Poisson, with
   * amplification, adjacency "zero-out" only), or `size` tasks (without amplification).
   */
  readonly sampling: Sampling;
  /** How the budget is spread over rounds; default constant. */
  readonly schedule: Schedule;
  /** Factor of the mean update at the curator, > 0; default 1. Post-processing. */
  readonly serverStepSize: number;
  /** "linear" (default), "network" (one hidden layer), or a model of your own. */
  readonly model: "linear" | "network" | DifferentiableModel;
  /** Hidden units of the network; default 32. */
  readonly hiddenUnits: number;
  /** Nonlinearity of the network; default "tanh". */
  readonly activation: Activation;
  /** Finetuning of every task's model on its own data after the rounds; default null, none. */
  readonly finetune: FinetuneOptions | null;
  /**
   * Which model a task keeps. "last" (default): that of the last round. "local": an average over rounds and,
   * after the last, over strengths of what holds it to the shared model there (the finetuning's, or
   * PMTL's lambda), weighed by its own rows, held out in folds on which it replays the public messages;
   * free of charge. "pooled": the same around the choice of all tasks by noisy votes, charged; with a
   * safeguard they vote on learning alone too, and all stay alone if it wins or the noise drowns the votes.
   * Networks, whose models may not be averaged, take the best.
   */
  readonly choice: "last" | "local" | "pooled";
  /** Share of the budget a pooled choice takes, in (0, 1); default 0.1. */
  readonly choiceShare: number;
  /**
   * Whether a task whose held-out rows are clearly better predicted without the others keeps its
   * model alone: ridge by its own leave-one-out choice, and for softmax and networks the same family held
   * to the public start as strongly as its own folds say. It replays the rounds, and the finetuning,
   * on five folds of its own rows, up to five times the local work, and costs no privacy. "auto"
   * (default): for linear models; networks, where time is what is short, only when asked.
   */
  readonly safeguard: boolean | "auto";
}

/** Whether tasks look back on folds of their rows for a safeguard. */
export function isGuarded({ safeguard, model }: FederatedOptions): boolean {
  return safeguard === "auto" ? model === "linear" : safeguard;
}

/** The option `lambda` of the methods with a proximal term. */
export interface ProximalOptions {
  /** Weight of (lambda / 2) ||w_k - w~||^2, >= 0; default 0.1. */
  readonly lambda: number;
}

const aSampling: OptionRule<Sampling> = {
  check: (name, value) => {
    const sampling = value as Sampling;
    switch (sampling?.kind) {
      case "all":
        return { kind: "all" };
      case "poisson":
        positive(`${name}.rate`, sampling.rate);
        if (sampling.rate > 1) {
          throw new RangeError(`${name}.rate: expected at most 1, got ${sampling.rate}`);
        }
        return { kind: "poisson", rate: sampling.rate };
      case "fixed-size":
        return { kind: "fixed-size", size: integer(`${name}.size`, sampling.size, 1) };
      default:
        throw new RangeError(
          `${name}: expected { kind: "all" }, { kind: "poisson", rate } or { kind: "fixed-size", size }`,
        );
    }
  },
};

const aFinetuning: OptionRule<FinetuneOptions | null> = {
  check: (name, value) => {
    if (value === null) return null;
    const { kind, steps = 20, stepSize = 1, strength = 0.1 } = value as Partial<FinetuneOptions>;
    return {
      kind: oneOf(`${name}.kind`, kind as string, FINETUNE_KINDS),
      steps: integer(`${name}.steps`, steps, 1),
      stepSize: positive(`${name}.stepSize`, stepSize),
      strength: nonNegative(`${name}.strength`, strength),
    };
  },
};

/** Shape and size are checked at `fit`, where the data is known. */
const aModel: OptionRule<DifferentiableModel> = {
  check: (name, value) => {
    if (typeof (value as DifferentiableModel)?.valueAndGradient === "function") {
      return value as DifferentiableModel;
    }
    throw new TypeError(`${name}: expected "linear", "network" or a DifferentiableModel`);
  },
};

export const federatedRules: OptionRules<FederatedOptions> = {
  ...commonRules,
  loss: withDefault(aWord(LOSS_NAMES), "squared"),
  ...releaseRules,
  mechanism: withDefault(aWord(["auto", "gaussian-mean", "spherical-laplace"] as const), "auto"),
  rounds: withDefault(anInteger(1), 10),
  clip: withDefault(aPositive, 1),
  localSteps: withDefault(aWordOr(["solve"] as const, anInteger(1)), 10),
  batchSize: withDefault(aWordOr(["full"] as const, anInteger(1)), "full"),
  stepSize: withDefault(aWordOr(["auto"] as const, aPositive), "auto"),
  sampling: withDefault(aSampling, { kind: "all" }),
  schedule: withDefault(aSchedule, { kind: "constant" }),
  serverStepSize: withDefault(aPositive, 1),
  model: withDefault(aWordOr(["linear", "network"] as const, aModel), "linear"),
  hiddenUnits: withDefault(anInteger(1), 32),
  activation: withDefault(aWord(ACTIVATIONS), "tanh"),
  finetune: withDefault(aFinetuning, null),
  choice: withDefault(aWord(["last", "local", "pooled"] as const), "last"),
  choiceShare: withDefault(aShare, 0.1),
  safeguard: withDefault(aWordOr(["auto"] as const, aBoolean), "auto"),
};

export const proximalRules: OptionRules<ProximalOptions> = {
  lambda: withDefault(aNonNegative, 0.1),
};

/**
 * Refuses options that do not go together.
 * @throws OptionError naming every conflict.
 */
export function checkFederated<T extends FederatedOptions>(
  method: string,
  options: T,
  lambda: number,
): T {
  const problems: string[] = [];
  const { sampling, adjacency, delta, mechanism, localSteps, model, intercept } = options;
  if (sampling.kind === "poisson" && sampling.rate < 1) {
    if (adjacency !== "zero-out") {
      problems.push(
        'sampling: amplification by Poisson sampling is a theorem for adjacency "zero-out" only; ' +
          'set adjacency: "zero-out", or sample a fixed size (accounted as everyone)',
      );
    }
    if (delta === 0 || mechanism === "spherical-laplace") {
      problems.push(
        'sampling: Poisson sampling is accounted for Gaussian noise only, which needs delta > 0 and mechanism "gaussian-mean"',
      );
    }
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
  if (intercept && model !== "linear") {
    problems.push("intercept: a network has biases of its own; leave intercept false");
  }
  if (problems.length > 0) throw new OptionError(`${method}: ${problems.join("; ")}`);
  return options;
}
