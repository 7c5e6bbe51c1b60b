/**
 * A pooled choice by noisy votes: its mechanism, and its stage of rounds.
 * @module
 */
import {
  createMechanism,
  preferExact,
  type Adjacency,
  type CreateMechanismOptions,
  type Mechanism,
  type MechanismFactory,
  type MechanismName,
} from "../../privacy/index.js";
import { Curator } from "../round/curator.js";
import type { CuratorContext, CuratorStage } from "../round/halves.js";
import { voteRule } from "../sharing/vote.js";
import type { NoiseForm } from "../options/noise-forms.js";
import { resolveDelta } from "../options/private-options.js";
import { shareOfBudget, type PrivateRounds } from "./private-rounds.js";

/** What the votes' noise depends on. */
export interface VoteBudget {
  readonly noise: NoiseForm;
  readonly epsilon: number;
  /** Of the budget, for the votes. */
  readonly choiceShare: number;
  readonly mechanism: MechanismName | "auto";
  readonly adjacency: Adjacency;
  readonly delta: number | "auto";
}

/**
 * The mechanism of a sum of m vote vectors of norm at most 1, in the currency (mu or eps) of the
 * rounds that release `statistic`, so that the two compose tightly.
 *
 * @param make makes the mechanism instead, where its noise comes in shares.
 */
export function voteMechanism(
  options: VoteBudget,
  statistic: Mechanism["statistic"],
  m: number,
  candidates: number,
  make?: MechanismFactory,
): Mechanism {
  const { adjacency, noise, epsilon, choiceShare } = options;
  const delta = resolveDelta(options.delta, m);
  const rounds = createMechanism({
    name: options.mechanism,
    statistic,
    rows: m,
    dimension: 1,
    clip: 1,
    adjacency,
    delta,
  });
  const votes: CreateMechanismOptions = {
    name: rounds.budgetKind === "mu" ? "gaussian-mean" : "spherical-laplace",
    statistic: "vector",
    rows: m,
    dimension: candidates,
    clip: 1,
    adjacency,
    delta,
  };
  if (make) return make(votes);
  const inForm = (discrete: boolean) => {
    const mechanism = createMechanism({ ...votes, discrete });
    mechanism.event(shareOfBudget(mechanism, choiceShare, epsilon, delta)); // refused now if out of range
    return mechanism;
  };
  return noise === "auto" ? preferExact(inForm) : inForm(noise === "exact");
}

/** All votes together over the noise's deviation, below which they say nothing about being alone. */
const AUDIBLE = 2.5;

/** What is voted on. */
export interface VotedOn {
  /** Of every candidate from the public default, in units of belief. */
  readonly distances: readonly number[];
  /** Whether the last candidate is learning alone: the default where the votes could not be heard. */
  readonly guarded?: boolean;
}

/** One round in which all tasks vote, released by the `last` release of `privacy`. */
export function voteStage(
  { core, sizes, observe }: CuratorContext,
  privacy: PrivateRounds,
  mechanism: Mechanism,
  { distances, guarded = false }: VotedOn,
): CuratorStage {
  const d = distances.length;
  const release = privacy.last(d);
  const deviation = release.scale * (mechanism.budgetKind === "mu" ? 1 : Math.sqrt(d + 1));
  const alone = guarded && sizes.m < AUDIBLE * deviation;
  const rule = voteRule({
    distances: alone ? distances.map((_, k) => (k === d - 1 ? 0 : Infinity)) : distances,
    deviation: release.scale,
  });
  const curator = new Curator({ core, m: sizes.m, d, rule, privacy: release, observe });
  return { rounds: 1, d, clip: 1, mechanism, curator };
}
