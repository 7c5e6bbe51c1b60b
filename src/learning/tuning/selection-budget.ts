/**
 * The budget of a private selection: what every run may spend so that the whole keeps to the total, and the estimators that spend it.
 * @module
 */
import { OptionError } from "../../core/index.js";
import type { TaskSet } from "../../data/index.js";
import {
  calibrateSelection,
  createMechanism,
  meanRepetitions,
  type PrivacyEvent,
} from "../../privacy/index.js";
import { isOfRealNumbersOnly } from "../../privacy/mechanisms/mechanism.js";
import type { RandomOptions } from "../../random/index.js";
import { makeEstimator } from "../methods.js";
import { shareOfBudget } from "../release/plan-releases.js";
import { releasesOf, type DividedEstimator } from "../release/private-estimator.js";
import type { Estimator } from "../round/estimator.js";
import type { Candidate } from "./candidates.js";
import type { PrivateSelectionOptions, SelectionSetting } from "./selection-setting.js";

/** Relative width to which the runs' budget is found, always from below. */
const WIDTH = 1e-3;

/** The noisy sum of utility scores: a vector of one entry, of norm at most 1/2 for every task. */
function scoreMechanism({ delta, adjacency }: SelectionSetting, m: number) {
  const shape = { statistic: "vector", tasks: m, dimension: 1, clip: 1 / 2, adjacency } as const;
  return createMechanism({ ...shape, delta, discrete: true });
}

/** Divides the budget of a selection among its runs, and that of a run between its releases and its score. */
export function budgetOf(
  { method, options, candidates }: PrivateSelectionOptions,
  setting: SelectionSetting,
  tasks: TaskSet,
) {
  const { epsilon, delta, adjacency, random, repetitions, share } = setting;
  const mechanism = scoreMechanism(setting, tasks.m);
  const runs = repetitions === "all" ? candidates.length : meanRepetitions(repetitions);
  // The pair that a run is calibrated by; its whole profile is what counts.
  const ownDelta = delta / (2 * Math.max(1, runs));
  const scoreBudget = (own: number) =>
    shareOfBudget(mechanism.budgetKind, 1, { epsilon: own, delta: ownDelta }) *
    (mechanism.budgetKind === "mu" ? Math.sqrt(share / (1 - share)) : share / (1 - share));
  const estimatorAt = (candidate: Candidate, own: number, from: RandomOptions) => {
    const budget = { epsilon: own, delta: ownDelta, adjacency, random: from };
    return divided(makeEstimator(method, { ...options, ...candidate, ...budget }));
  };
  const plansAt = (own: number): PrivacyEvent[][] => {
    const score = mechanism.event(scoreBudget(own));
    return candidates.map((candidate) => {
      const { plan } = releasesOf(estimatorAt(candidate, own, random), tasks).ledger;
      return [...plan, score];
    });
  };
  const areFloats = (candidate: Candidate) =>
    releasesOf(estimatorAt(candidate, own, random), tasks).stages.some(({ mechanism: of }) =>
      isOfRealNumbersOnly(of),
    );
  const total = { epsilon, delta, adjacency, repetitions, noiseSource: random.mode };
  const { own, plans, ledger, charge } = calibrateSelection(plansAt, { ...total, relative: WIDTH });
  return {
    /** Each run's own. */
    run: { epsilon: own, delta: ownDelta },
    /** What a run of each candidate releases, its score last. */
    plans,
    ledger,
    charge,
    /** Whether a run of some candidate draws noise in floating point, as a large budget may: the choice rests on every run. */
    floats: candidates.some(areFloats),
    score: {
      mechanism,
      budget: scoreBudget(own),
      event: mechanism.event(scoreBudget(own)),
    },
    /** A run of a candidate, with randomness of its own. */
    estimatorOf: (candidate: Candidate, from: RandomOptions) => estimatorAt(candidate, own, from),
  };
}

export type SelectionBudget = ReturnType<typeof budgetOf>;

/** @throws OptionError for a method whose releases are not planned before it reads the data. */
function divided(estimator: Estimator): DividedEstimator {
  if ("halves" in estimator) return estimator as DividedEstimator;
  throw new OptionError(`${estimator.method}: its releases cannot be planned, so nor can a choice`);
}
