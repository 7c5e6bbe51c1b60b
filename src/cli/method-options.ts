/**
 * Options that configure a method; each is passed on only when given, so the estimator's own
 * defaults and checks count.
 * @module
 */
import type { Values } from "./command.js";
import { METHOD_NAMES } from "../learning/index.js";
import { federatedOptions } from "./federated-options.js";
import { schedule } from "./schedule.js";
import { choice, either, integer, number, text, yesNo } from "./values.js";

const auto = choice("auto");

export const methodOptions = {
  method: {
    value: "NAME",
    help: `One of ${METHOD_NAMES.join(", ")}.`,
    schema: choice(...METHOD_NAMES),
    required: true,
  },
  loss: {
    value: "NAME",
    help: "squared (default) for numbers, logistic for two classes, softmax for several.",
    schema: choice("squared", "logistic", "softmax"),
  },
  lossScale: {
    value: "mean|sum",
    help: "Whether each task's loss is divided by its number of rows; default mean.",
    schema: choice("mean", "sum"),
  },
  intercept: {
    value: "yes|no",
    help: "An unpenalised intercept per task, private to it; default no.",
    schema: yesNo(),
  },
  lambda: { value: "X", help: "Weight of the penalty; default 0.1.", schema: number({ min: 0 }) },
  lambda2: {
    value: "X",
    help:
      "low-rank-sparse, mp-low-rank-sparse: weight of the local part's penalty; task-relationship: of " +
      "tr(W Omega^-1 W^T) / 2; default 0.1.",
    schema: number({ min: 0 }),
  },
  sharedPenalty: {
    value: "trace|l21",
    help: "low-rank-sparse, mp-low-rank-sparse: penalty of the shared part; default trace.",
    schema: choice("trace", "l21"),
  },
  localPenalty: {
    value: "l1|l12|frobenius",
    help: "low-rank-sparse, mp-low-rank-sparse: penalty of each task's own part; default l1.",
    schema: choice("l1", "l12", "frobenius"),
  },
  penalty: {
    value: "l2|l1",
    help: "single-task: ridge (default) or lasso.",
    schema: choice("l2", "l1"),
  },
  epsilon: {
    value: "X",
    help: "Private methods: total eps; default 1.",
    schema: number({ above: 0 }),
  },
  delta: {
    value: "X",
    help: "Private methods: total delta; default auto: 1e-5 or 1/m^2, the smaller; papers: 1/(m ln m); 0: pure eps-DP.",
    schema: either(
      choice("auto", "papers"),
      number({ min: 0, below: 1 }),
      "auto, papers or a number >= 0 and < 1",
    ),
  },
  adjacency: {
    value: "NAME",
    help: "replace (default): one task changes arbitrarily; zero-out: one task's models become 0.",
    schema: choice("replace", "zero-out"),
  },
  mechanism: {
    value: "NAME",
    help:
      "auto (default), gaussian, two-sided-wishart, gaussian-diagonal, laplace-diagonal, " +
      "gaussian-mean, spherical-laplace; " +
      "wishart is the papers', which is not private as claimed.",
    schema: choice(
      "auto",
      "gaussian",
      "two-sided-wishart",
      "wishart",
      "laplace-diagonal",
      "gaussian-diagonal",
      "gaussian-mean",
      "spherical-laplace",
    ),
  },
  noise: {
    value: "NAME",
    help:
      "Private methods: exact noise on a grid (Gaussian mechanisms), float, or auto (default): " +
      "exact where that costs a few milliseconds at most.",
    schema: choice("auto", "exact", "float"),
  },
  rounds: {
    value: "N",
    help: "Private methods: rounds T; default 30, or what the budget pays for (mp-feature-learning).",
    schema: integer({ min: 1 }),
  },
  clip: {
    value: "K",
    help: "Private methods: bound on each shared model's norm, from public knowledge; default 1.",
    schema: number({ above: 0 }),
  },
  clipIterate: {
    value: "yes|no",
    help: "Private methods: whether the clipped model is also the iterate; default yes.",
    schema: yesNo(),
  },
  acceleration: {
    value: "NAME",
    help: "none, convex (default) or strongly-convex.",
    schema: choice("none", "convex", "strongly-convex"),
  },
  schedule: {
    value: "NAME",
    help: "Budget over rounds: constant, polynomial:0.4, geometric:0.9; default: the theory's.",
    schema: either(auto, schedule(), "auto, constant, polynomial:EXPONENT or geometric:RATIO"),
  },
  stepSize: {
    value: "X",
    help: "Step size; default 1/L with the public bound L; own: each task's own 1/L.",
    schema: either(choice("auto", "own"), number({ above: 0 }), "auto, own or a number > 0"),
  },
  strongConvexity: {
    value: "MU",
    help: "Adds (MU/2) ||w||^2 to every task's loss; default 0.",
    schema: number({ min: 0 }),
  },
  featureBound: {
    value: "B",
    help: "Public bound on the l2 norm of rows; default 1. Longer rows are refused.",
    schema: number({ above: 0 }),
  },
  slopeBound: {
    value: "G|data",
    help:
      "dp-aggregation, dp-task-relationship: public bound that the squared loss's slopes are clipped " +
      "to; default 1. data: the largest at hand, which is not sound.",
    schema: either(choice("data"), number({ above: 0 }), "data or a number > 0"),
  },
  shift: {
    value: "X",
    help: "Added to the diagonal after the noise; default: a bound on its negative part.",
    schema: either(auto, number({ min: 0 }), "auto or a number >= 0"),
  },
  initial: {
    value: "NAME",
    help: "Where private rounds start: single-task (default) or zeros.",
    schema: choice("single-task", "zeros"),
  },
  initialLocal: {
    value: "NAME",
    help: "mp-low-rank-sparse: where each task's own part starts: zeros (default) or initial.",
    schema: choice("zeros", "initial"),
  },
  initialPenalty: {
    value: "X",
    help: "Ridge weight of the single-task start; default: each task's own choice.",
    schema: either(auto, number({ above: 0 }), "auto or a number > 0"),
  },
  ...federatedOptions,
  curator: {
    value: "trusted|untrusted",
    help: "Private methods: untrusted: each task first adds noise that protects its records.",
    schema: choice("trusted", "untrusted"),
  },
  recordEpsilon: {
    value: "X",
    help: "With --curator untrusted: eps of one record over all rounds; default 1.",
    schema: number({ above: 0 }),
  },
  sharing: {
    value: "full|diagonal",
    help: "mp-feature-learning: the whole covariance (default) or one variance per feature.",
    schema: choice("full", "diagonal"),
  },
  share: {
    value: "unit|clipped",
    help: "mp-feature-learning, mp-hierarchical: scale shared models to one norm (default) or clip.",
    schema: choice("unit", "clipped"),
  },
  featureScale: {
    value: "own|given",
    help: "mp-feature-learning, mp-hierarchical: own (default): each task scales its features first.",
    schema: choice("own", "given"),
  },
  shrinkage: {
    value: "optimal|edge",
    help: "mp-feature-learning, mp-hierarchical: how noise is taken out of eigenvalues.",
    schema: choice("optimal", "edge"),
  },
  edge: {
    value: "C",
    help: "With --shrinkage edge: part of the noise's spectral edge to subtract; default 0.6.",
    schema: number({ min: 0 }),
  },
  floor: {
    value: "X",
    help: "mp-feature-learning, mp-hierarchical: least prior variance, the mean being 1.",
    schema: either(auto, number({ above: 0 }), "auto or a number > 0"),
  },
  priorStrength: {
    value: "KAPPA",
    help: "mp-feature-learning, mp-hierarchical: strength of the prior; default: see --choice.",
    schema: either(auto, number({ above: 0 }), "auto or a number > 0"),
  },
  choice: {
    value: "auto|last|local|pooled",
    help:
      "Who chooses the prior's strength (or, for mp-low-rank, pmtl and their kin, the round whose model " +
      "is kept and the last strength; default last): each task, or all by charged votes; auto: by public sizes.",
    schema: choice("auto", "last", "local", "pooled"),
  },
  choiceShare: {
    value: "X",
    help: "Share of the budget that a pooled choice takes; default 0.1.",
    schema: number({ above: 0, below: 1 }),
  },
  safeguard: {
    value: "yes|no",
    help:
      "Whether a task that clearly does better alone stays alone; default yes (pmtl and its kin: for " +
      "linear models, not for networks; dp-aggregation and dp-task-relationship: no).",
    schema: yesNo(),
  },
  meanWeight: {
    value: "X",
    help: "mp-hierarchical: weight of the mean against the covariance; default 0.5.",
    schema: number({ above: 0 }),
  },
  tolerance: {
    value: "X",
    help: "Non-private methods: relative duality gap at which to stop; default 1e-8.",
    schema: number({ above: 0 }),
  },
  maxRounds: {
    value: "N",
    help: "Non-private methods: most rounds; default 100000.",
    schema: integer({ min: 1 }),
  },
  seed: {
    value: "S",
    help: "Seeded noise: reproducible, and therefore not private. Methods without noise ignore it.",
    schema: text("a seed"),
  },
} as const;

/** Their checked values. */
export type MethodValues = Values<typeof methodOptions>;

/** The estimator's options among a command's values. */
export function estimatorOptions(
  values: MethodValues,
  isPrivate: boolean,
): Record<string, unknown> {
  const chosen: Record<string, unknown> = {};
  for (const key of Object.keys(methodOptions) as (keyof MethodValues)[]) {
    if (key !== "method" && key !== "seed") chosen[key] = values[key];
  }
  const { seed } = values;
  if (isPrivate && seed !== undefined) chosen["random"] = { mode: "seeded", seed };
  return chosen;
}
