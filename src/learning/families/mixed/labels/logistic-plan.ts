/**
 * The releases of the private mixed model with the logistic loss, from public sizes and the budget alone.
 * @module
 */
import { triangle } from "../../../../linalg/packed-symmetric.js";
import type { MixedRelease, MixedSizes } from "../exchange.js";
import { hypotheses } from "./evidence/logistic-hypotheses.js";

/** What a round may release, in order, and the comparison with learning alone, which comes last. */
export type LogisticStep = "evidence" | "information" | "score" | "comparison";

/**
 * Rounds by signal: tasks to a coordinate, in units of the noise that hides one. Where there is little, all budget goes to one. Where there is
 * much, and of more than a few coordinates, four, since a score says where to go from where it was asked; how far tasks lie apart is asked in the
 * first and the last only. Without noise so many that steps of Newton's method have settled.
 */
const ROUNDS = [
  { signal: 0, coordinates: 0, rounds: 1 },
  { signal: 1.5, coordinates: 0, rounds: 2 },
  { signal: 6, coordinates: 4, rounds: 4 },
] as const;
const EXACT_ROUNDS = 6;

function roundsAt({ m, d }: MixedSizes, mu: number): number {
  if (mu === Infinity) return EXACT_ROUNDS;
  return ROUNDS.findLast((at) => (mu * m) / d >= at.signal && d >= at.coordinates)!.rounds;
}

const FRACTIONS = {
  information: 0.03,
  comparison: 0.04,
  /** First round's part of the scores. */
  firstScore: 0.45,
} as const;
/** The first evidence gets what brings its noise to a part of the sum, within limits. */
const EVIDENCE = { relative: 0.12, least: 0.05, most: 0.3 } as const;

/**
 * Of the first round's evidence, what later ones get together. Where scores are asked often, how far tasks lie apart limits what these can tell in the end: there
 * more, as long as it is little of the whole.
 */
const LATER_EVIDENCE = { part: 0.6, oftenPart: 2, oftenMost: 0.15 } as const;

function laterEvidence(first: number, rounds: number): number {
  const { part, oftenPart, oftenMost } = LATER_EVIDENCE;
  if (rounds === 1) return 0;
  return Math.max(part * first, rounds > 2 ? Math.min(oftenPart * first, oftenMost) : 0);
}

/** The releases for tasks of these sizes at a budget of mu-Gaussian differential privacy; Infinity: no noise. */
export function logisticPlan(sizes: MixedSizes, mu: number): MixedRelease[] {
  const { m, d } = sizes;
  const wanted = (2 / (EVIDENCE.relative * m * mu)) ** 2;
  const first = Math.min(Math.max(wanted, EVIDENCE.least), EVIDENCE.most);
  const count = roundsAt(sizes, mu);
  const later = laterEvidence(first, count);
  const scores = 1 - first - later - count * FRACTIONS.information - FRACTIONS.comparison;
  const firstScore = count > 1 ? FRACTIONS.firstScore * scores : scores;
  const asked = new Set(mu === Infinity ? Array(count).keys() : [0, count - 1]);
  const rounds = Array.from({ length: count }, (_, round): MixedRelease[] => {
    const evidence = round === 0 ? first : later / (asked.size - 1);
    const score = round === 0 ? firstScore : (scores - firstScore) / (count - 1);
    return [
      ...(asked.has(round) ? [vector("evidence", hypotheses(d).count, evidence)] : []),
      information(d),
      vector("score", d, score),
    ];
  });
  return [...rounds.flat(), vector("comparison", 2, FRACTIONS.comparison)];
}

const information = (d: number): MixedRelease => ({
  label: "information",
  statistic: "moment",
  length: triangle(d),
  fraction: FRACTIONS.information,
});

function vector(label: string, length: number, fraction: number): MixedRelease {
  return { label, statistic: "vector", length, fraction };
}

/** What a release of a plan is of. */
export const stepOf = (release: number, releases: readonly MixedRelease[]): LogisticStep =>
  releases[release]!.label as LogisticStep;

/** Rounds of a plan. */
export const roundsOf = (releases: readonly MixedRelease[]): number =>
  releases.filter((_, release) => stepOf(release, releases) === "score").length;
