/**
 * The releases of subspace learning, from options and public sizes alone.
 * @module
 */
import { triangle } from "../../../linalg/packed-symmetric.js";
import type { Statistic } from "../../../privacy/index.js";
import type { StageRequest } from "../../release/stage-request.js";
import type { PublicSizes } from "../../round/halves.js";
import type { SubspaceOptions } from "./options.js";
import { FEATURES_PER_DIRECTION, MOST_DIRECTIONS, ROUND, SIZES, START } from "./settings.js";

/** What a release is of. */
export type SubspaceRelease =
  | { readonly kind: "start" }
  | { readonly kind: "sizes" | "gram" | "gradient"; readonly round: number };

/** Sizes that every participant and the curator know. */
export interface SubspaceSizes {
  /** Tasks of the run, and features. */
  readonly m: number;
  readonly d: number;
  /** Most directions. */
  readonly most: number;
}

/** Sizes with the number of directions that are looked for. */
export function subspaceSizes(
  { maxRank, intercept }: Pick<SubspaceOptions, "maxRank" | "intercept">,
  { m, d, rows }: PublicSizes,
): SubspaceSizes {
  // A task's gradient needs a row more than there are coefficients.
  const fitted = Math.floor(rows / m) - (intercept ? 1 : 0) - 1;
  const allowed = Math.min(MOST_DIRECTIONS, Math.floor(d / FEATURES_PER_DIRECTION), fitted);
  return { m, d, most: Math.min(maxRank === "auto" ? Math.max(allowed, 1) : maxRank, d) };
}

/** All releases, in order. */
export function subspaceReleases({ rounds }: Pick<SubspaceOptions, "rounds">): SubspaceRelease[] {
  const kinds = ["sizes", "gram", "gradient"] as const;
  return [
    { kind: "start" },
    ...Array.from({ length: rounds }, (_, round) => kinds.map((kind) => ({ kind, round }))).flat(),
  ];
}

/** Bins of a round's histogram of sizes. */
export function sizeBins(round: number): number {
  const { below, above } = round === 0 ? SIZES : SIZES.later;
  return Math.round((below + above) * SIZES.bins);
}

function statisticOf(
  release: SubspaceRelease,
  { d, most }: SubspaceSizes,
): { statistic: Statistic; length: number } {
  switch (release.kind) {
    case "start":
      return { statistic: "covariance", length: d };
    case "sizes":
      return { statistic: "moment", length: sizeBins(release.round) };
    case "gram":
      return { statistic: "moment", length: triangle(most) };
    case "gradient":
      return { statistic: "vector", length: d * most };
  }
}

/** The stages of the release plan: every release has its share of mu^2, and the last takes what is left. */
export function subspaceStages(
  options: Pick<SubspaceOptions, "rounds" | "maxRank" | "intercept">,
  sizes: PublicSizes,
): StageRequest[] {
  const known = subspaceSizes(options, sizes);
  const releases = subspaceReleases(options);
  const last = releases.length - 1;
  const perRound = (1 - START) / options.rounds;
  const parts = { ...ROUND, gradient: 1 - ROUND.sizes - ROUND.gram };
  return releases.map((release, k): StageRequest => {
    const { statistic, length: d } = statisticOf(release, known);
    const share = release.kind === "start" ? START : perRound * parts[release.kind];
    return {
      statistic,
      m: sizes.m,
      d,
      clip: 1,
      rounds: 1,
      ...(release.kind === "gradient" || k === last ? {} : { label: release.kind }),
      ...(k === last ? {} : { budgetShare: share }),
    };
  });
}
