/**
 * A pooled choice by noisy votes: its mechanism, and its stage of rounds.
 * @module
 */
import {
  createMechanism,
  type Adjacency,
  type Mechanism,
  type MechanismFactory,
  type MechanismName,
} from "../../privacy/index.js";
import { Curator } from "../round/curator.js";
import type { CuratorContext, CuratorStage } from "../round/halves.js";
import { voteRule } from "../sharing/vote.js";
import { resolveDelta } from "../options/private-options.js";
import type { PrivateRounds } from "./private-rounds.js";

/** What the votes' noise depends on. */
export interface VoteBudget {
  readonly mechanism: MechanismName | "auto";
  readonly adjacency: Adjacency;
  readonly delta: number | "auto";
}

/**
 * The mechanism of a sum of m vote vectors of norm at most 1, in the currency (mu or eps) of the
 * rounds that release `statistic`, so that the two compose tightly.
 */
export function voteMechanism(
  options: VoteBudget,
  statistic: Mechanism["statistic"],
  m: number,
  candidates: number,
  make: MechanismFactory = createMechanism,
): Mechanism {
  const { adjacency } = options;
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
  return make({
    name: rounds.budgetKind === "mu" ? "gaussian-mean" : "spherical-laplace",
    statistic: "vector",
    rows: m,
    dimension: candidates,
    clip: 1,
    adjacency,
    delta,
  });
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
