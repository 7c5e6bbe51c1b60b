/**
 * How `clip: "auto"` comes by K, from public facts: by a vote of all tasks that takes a small part of the budget, or, where all votes would
 * be lost in their noise, by a guess that costs nothing.
 * @module
 */
import { sensitivity } from "../../privacy/sensitivity.js";
import { gaussianMu, resolveDelta, type Statistic } from "../../privacy/index.js";
import { defaultMechanism, mechanismNamed } from "../../privacy/mechanisms/catalogue.js";
import type { ReleaseOptions } from "../options/private-options.js";
import type { StageRequest } from "../release/stage-request.js";
import type { PublicSizes } from "../round/halves.js";
import type { LossName } from "../tasks/losses.js";
import { magnitudePosition, sizeAt, type SizeBins } from "./size-votes.js";

/** The ledger's name of the vote. */
export const CLIP = "clip";

/** The scale of sizes, of 2^-14 to 2^26: pure noise on more bins is larger. How far these are apart says what part of them is beyond another, and shows the better the narrower votes are. */
export const CLIP_BINS: SizeBins = {
  bins: 21,
  width: 0.6,
  leastPower: -14,
  apart: [
    { width: 0, prior: 0.1 },
    { width: 0.2, prior: 0.2 },
    { width: 0.4, prior: 0.2 },
    { width: 0.6, prior: 0.2 },
    { width: 0.8, prior: 0.1 },
    { width: 1.1, prior: 0.1 },
    { width: 1.5, prior: 0.06 },
    { width: 2, prior: 0.04 },
  ],
};

/** Part of the budget (of mu^2, or of a pure eps): what makes the noise small, but at least and at most. */
const PART = { least: 0.03, most: 0.2 } as const;

/** Noise of a count, as a part of m: what is aimed at, and the most at which there is a vote. */
const NOISE = { aimed: 0.12, most: 0.25 } as const;

/** Sizes that are believed before any vote: where on the scale, and how far off, in bins of a factor of four. */
interface SizeBelief {
  readonly center: number;
  readonly deviation: number;
}

/** Of models whose rows and targets have declared ranges, so that all are of about unit size. */
const DECLARED: SizeBelief = { center: magnitudePosition(1, CLIP_BINS), deviation: 1.5 };
const UNDECLARED: SizeBelief = { center: magnitudePosition(4, CLIP_BINS), deviation: 3 };

/** What is public of columns. */
export interface BeliefFacts {
  readonly sizes: Pick<PublicSizes, "undeclared" | "d">;
  readonly loss: LossName;
}

/** What is believed of the size of uploads. */
function beliefOf({ sizes: { undeclared, d }, loss }: BeliefFacts) {
  // Labels have no size.
  const open = undeclared?.filter((at) => at < d || loss === "squared");
  return open?.length === 0 ? DECLARED : UNDECLARED;
}

/** Log of the belief in a position, up to a constant. */
export function clipBelief(facts: BeliefFacts): (position: number) => number {
  const { center, deviation } = beliefOf(facts);
  return (position) => -(((position - center) / deviation) ** 2) / 2;
}

/** The size that is taken where there is no vote. */
export const guessedSize = (facts: BeliefFacts) => sizeAt(beliefOf(facts).center, CLIP_BINS);

/** What the method's own rounds release, and under what. */
export type ClipContext = Pick<ReleaseOptions, "epsilon" | "delta" | "adjacency" | "mechanism"> & {
  readonly statistic: Statistic;
};

/** The vote; undefined where its noise would be too large. */
export function clipVote(options: ClipContext, m: number): StageRequest | undefined {
  const part = (noise: number) => partFor(options, m, noise);
  if (part(NOISE.most) > PART.most) return undefined;
  return {
    statistic: "moment",
    m,
    d: CLIP_BINS.bins,
    clip: 1,
    rounds: 1,
    label: CLIP,
    budgetShare: Math.min(Math.max(part(NOISE.aimed), PART.least), PART.most),
  };
}

/** The part of the budget by which counts have noise of that part of m. */
function partFor(options: ClipContext, m: number, noise: number): number {
  const { epsilon, mechanism, adjacency, statistic } = options;
  const delta = resolveDelta(options.delta, m);
  const name = mechanism === "auto" ? defaultMechanism(statistic, delta) : mechanism;
  const of = {
    statistic: "moment",
    adjacency,
    clip: 1,
    tasks: m,
    dimension: CLIP_BINS.bins,
  } as const;
  const moved = sensitivity({ ...of, norm: "frobenius" }) / (noise * m);
  if (mechanismNamed(name).budgetKind === "mu") return (moved / gaussianMu(epsilon, delta)) ** 2;
  // Each entry of spherical Laplace noise of scale s in d dimensions has a deviation of s sqrt(d + 1).
  return (Math.sqrt(CLIP_BINS.bins + 1) * moved) / epsilon;
}
