/**
 * The methods the page offers: in plain words, with settings that work without tuning. What they say of the
 * library's methods is held to its descriptors by a test, so that the page need not load them to draw itself.
 * @module
 */
import type { LossName } from "../../../src/learning/index.js";
import type { MechanismName } from "../../../src/privacy/index.js";

/** A method on offer. */
export interface MethodInfo {
  readonly id: string;
  readonly group: "Start here" | "The papers' methods" | "Baselines";
  readonly title: string;
  readonly words: string;
  /** The library's name. */
  readonly method: string;
  readonly losses: readonly LossName[];
  /** What is settled here; the settings below come on top. */
  readonly options: Readonly<Record<string, unknown>>;
  /** Settings that may be changed, with their defaults. */
  readonly rounds?: number;
  /** A bound on what is shared; lambda is in units of it where `lambdaPerClip`. */
  readonly clips?: boolean;
  readonly lambda?: number;
  readonly lambdaPerClip?: boolean;
  readonly mechanisms: readonly MechanismName[];
}

const MARGIN: readonly LossName[] = ["squared", "logistic"];
const ANY: readonly LossName[] = [...MARGIN, "softmax"];
const COVARIANCE: readonly MechanismName[] = ["gaussian", "two-sided-wishart", "wishart"];
const DIAGONAL: readonly MechanismName[] = ["gaussian-diagonal", "laplace-diagonal"];
const VECTOR: readonly MechanismName[] = ["gaussian-mean", "spherical-laplace"];

/** Start from each task's own model, step by its own curvature, clip what is shared only. */
const GRADIENT = { clipIterate: false, stepSize: "own" } as const;

export const METHODS: readonly MethodInfo[] = [
  {
    id: "auto",
    group: "Start here",
    title: "Automatic",
    words:
      "Chooses by the number of tasks, features and rows, the budget and known ranges, and says why. It looks " +
      "at nobody's rows, so the choice costs nothing.",
    method: "auto",
    losses: ANY,
    options: {},
    mechanisms: [],
  },
  {
    id: "mixed",
    group: "Start here",
    title: "Mixed model",
    words:
      "What all tasks have in common and how much they differ, from noisy sums in a few rounds; then every task " +
      "keeps as much of its own as its rows say. Best for tables of grouped rows whose ranges are known.",
    method: "mp-mixed",
    losses: ANY,
    options: {},
    mechanisms: [],
  },
  {
    id: "feature-learning",
    group: "Start here",
    title: "Shared directions",
    words:
      "Each task learns at home and shares only the direction of its model. A noisy sum of all " +
      "directions comes back, once or a few times, and each task learns again with it as a hint. The " +
      "most accurate here when models resemble a few prototypes.",
    method: "mp-feature-learning",
    losses: MARGIN,
    options: {},
    mechanisms: COVARIANCE,
  },
  {
    id: "feature-selection",
    group: "Start here",
    title: "Shared choice of features",
    words:
      "The same, but what comes back is one noisy number per feature: how much it matters to the " +
      "tasks. Best when only a few features matter.",
    method: "mp-feature-learning",
    losses: MARGIN,
    options: { sharing: "diagonal" },
    mechanisms: DIAGONAL,
  },
  {
    id: "hierarchical",
    group: "Start here",
    title: "Shared average and spread",
    words:
      "What comes back, once or a few times, is a noisy average model and how tasks vary around it. " +
      "Best when the tasks are alike, as schools of one country are.",
    method: "mp-hierarchical",
    losses: MARGIN,
    options: {},
    mechanisms: ["gaussian", "two-sided-wishart"],
  },
  {
    id: "low-rank",
    group: "The papers' methods",
    title: "MP-MTL, low rank",
    words:
      "Algorithm 2 of the paper: in many small rounds a noisy sum comes back, and models shrink " +
      "along its weak directions. The budget is spread over all rounds.",
    method: "mp-low-rank",
    losses: MARGIN,
    options: GRADIENT,
    rounds: 50,
    clips: true,
    lambda: 0.075,
    lambdaPerClip: true,
    mechanisms: COVARIANCE,
  },
  {
    id: "group-sparse",
    group: "The papers' methods",
    title: "MP-MTL, few features",
    words:
      "Algorithm 3 of the paper: as above, with one noisy number per feature in each round; weak " +
      "features shrink.",
    method: "mp-group-sparse",
    losses: MARGIN,
    options: GRADIENT,
    rounds: 50,
    clips: true,
    lambda: 0.075,
    lambdaPerClip: true,
    mechanisms: DIAGONAL,
  },
  {
    id: "pmtl",
    group: "The papers' methods",
    title: "PMTL, shared average",
    words:
      "Hu, Wu and Smith: in each round every task moves towards a noisy average model and sends how " +
      "far it would move it. Suits larger models and many rows.",
    method: "pmtl",
    losses: ANY,
    options: {},
    rounds: 10,
    clips: true,
    lambda: 0.01,
    mechanisms: VECTOR,
  },
  {
    id: "fedavg",
    group: "Baselines",
    title: "One model for all",
    words: "Private federated averaging: a single noisy model that every task uses as it is.",
    method: "private-fedavg",
    losses: ANY,
    options: {},
    rounds: 10,
    clips: true,
    mechanisms: VECTOR,
  },
];

/** The method of that id. */
export function methodOf(id: string): MethodInfo {
  return METHODS.find((method) => method.id === id) ?? METHODS[0]!;
}

/** The title under which the page offers one of the library's methods; else its name. */
export function titleOf(name: string): string {
  if (name === "single-task") return "each task alone";
  return METHODS.find(({ method }) => method === name)?.title ?? name;
}

/** Whether a mechanism is the papers', whose noise does not hold. */
export const isPapers = (mechanism: unknown): boolean => mechanism === "wishart";

/** Mechanisms in plain words. */
export const MECHANISM_WORDS: Readonly<Partial<Record<MechanismName, string>>> = {
  gaussian: "Gaussian",
  "two-sided-wishart": "two-sided Wishart (for delta 0)",
  wishart: "the papers' Wishart (does not hold)",
  "gaussian-diagonal": "Gaussian",
  "laplace-diagonal": "Laplace (for delta 0)",
  "gaussian-mean": "Gaussian",
  "spherical-laplace": "Laplace (for delta 0)",
};
