/**
 * The releases of the private mixed model with the logistic loss, from public sizes and the budget alone.
 * @module
 */
import { triangle } from "../../../linalg/packed-symmetric.js";
import type { MixedRelease, MixedSizes } from "./exchange.js";
import { hypotheses } from "./logistic-hypotheses.js";

/** Each round's releases in order, then the comparison with learning alone. */
const LOGISTIC_STEPS = ["evidence", "information", "score"] as const;

/**
 * Rounds: noise is shared among few, and below a signal (tasks to a coordinate, in units of the noise that hides one) not at
 * all; without any, so many that steps of Newton's method have settled.
 */
const ROUNDS = { least: 1, noisy: 2, exact: 6, signal: 1.5 } as const;

function roundsAt({ m, d }: MixedSizes, mu: number): number {
  if (mu === Infinity) return ROUNDS.exact;
  return (mu * m) / d < ROUNDS.signal ? ROUNDS.least : ROUNDS.noisy;
}

export type LogisticStep = (typeof LOGISTIC_STEPS)[number] | "comparison";

const FRACTIONS = {
  information: 0.03,
  comparison: 0.04,
  /** Of the first round's evidence: what the later ones get together. */
  laterEvidence: 0.6,
  /** First round's part of the scores. */
  firstScore: 0.45,
} as const;
/** The first evidence gets what brings its noise to a part of the sum, within limits. */
const EVIDENCE = { relative: 0.12, least: 0.05, most: 0.3 } as const;

/** The releases for tasks of these sizes at a budget of mu-Gaussian differential privacy; Infinity: no noise. */
export function logisticPlan(sizes: MixedSizes, mu: number): MixedRelease[] {
  const { m, d } = sizes;
  const wanted = (2 / (EVIDENCE.relative * m * mu)) ** 2;
  const first = Math.min(Math.max(wanted, EVIDENCE.least), EVIDENCE.most);
  const count = roundsAt(sizes, mu);
  const later = count > 1 ? FRACTIONS.laterEvidence * first : 0;
  const scores = 1 - first - later - count * FRACTIONS.information - FRACTIONS.comparison;
  const firstScore = count > 1 ? FRACTIONS.firstScore * scores : scores;
  const parts = (one: number, others: number) =>
    Array.from({ length: count }, (_, round) => (round === 0 ? one : others / (count - 1)));
  const evidence = parts(first, later);
  const score = parts(firstScore, scores - firstScore);
  const rounds = evidence.flatMap((part, round): MixedRelease[] => [
    vector("evidence", hypotheses(d).count, part),
    {
      label: "information",
      statistic: "moment",
      length: triangle(d),
      fraction: FRACTIONS.information,
    },
    vector("score", d, score[round]!),
  ]);
  return [...rounds, vector("comparison", 2, FRACTIONS.comparison)];
}

function vector(label: string, length: number, fraction: number): MixedRelease {
  return { label, statistic: "vector", length, fraction };
}

/** Rounds of a plan. */
export const roundsOf = ({ length }: readonly MixedRelease[]): number =>
  (length - 1) / LOGISTIC_STEPS.length;

/** What a release of a plan is of. */
export function place(
  release: number,
  { length }: readonly MixedRelease[],
): { readonly step: LogisticStep; readonly round: number } {
  const round = Math.floor(release / LOGISTIC_STEPS.length);
  const step = LOGISTIC_STEPS[release % LOGISTIC_STEPS.length]!;
  return { step: release === length - 1 ? "comparison" : step, round };
}
