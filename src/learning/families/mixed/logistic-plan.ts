/**
 * The releases of the private mixed model with the logistic loss, from public sizes and the budget alone.
 * @module
 */
import { triangle } from "../../../linalg/packed-symmetric.js";
import type { MixedRelease, MixedSizes } from "./exchange.js";
import { hypotheses } from "./logistic-hypotheses.js";

/** Each round's releases in order, then the comparison with learning alone. */
const LOGISTIC_STEPS = ["evidence", "information", "score"] as const;
export const LOGISTIC_ROUNDS = 2;

export type LogisticStep = (typeof LOGISTIC_STEPS)[number] | "comparison";

const FRACTIONS = {
  information: 0.03,
  comparison: 0.04,
  /** Of the first round's evidence: what the second gets. */
  secondEvidence: 0.6,
  /** First round's part of the scores. */
  firstScore: 0.45,
} as const;
/** The first evidence gets what brings its noise to a part of the sum, within limits. */
const EVIDENCE = { relative: 0.12, least: 0.05, most: 0.3 } as const;

/** The releases for tasks of these sizes at a budget of mu-Gaussian differential privacy; Infinity: no noise. */
export function logisticPlan({ m, d }: MixedSizes, mu: number): MixedRelease[] {
  const wanted = (2 / (EVIDENCE.relative * m * mu)) ** 2;
  const first = Math.min(Math.max(wanted, EVIDENCE.least), EVIDENCE.most);
  const evidence = [first, FRACTIONS.secondEvidence * first] as const;
  const taken = evidence[0] + evidence[1] + LOGISTIC_ROUNDS * FRACTIONS.information;
  const scores = 1 - taken - FRACTIONS.comparison;
  const score = [FRACTIONS.firstScore * scores, (1 - FRACTIONS.firstScore) * scores] as const;
  const rounds = ([0, 1] as const).flatMap((round): MixedRelease[] => [
    vector("evidence", hypotheses(d).count, evidence[round]),
    {
      label: "information",
      statistic: "moment",
      length: triangle(d),
      fraction: FRACTIONS.information,
    },
    vector("score", d, score[round]),
  ]);
  return [...rounds, vector("comparison", 2, FRACTIONS.comparison)];
}

function vector(label: string, length: number, fraction: number): MixedRelease {
  return { label, statistic: "vector", length, fraction };
}

/** What a release is of. */
export function place(release: number): { readonly step: LogisticStep; readonly round: number } {
  const round = Math.floor(release / LOGISTIC_STEPS.length);
  if (round === LOGISTIC_ROUNDS) return { step: "comparison", round };
  return { step: LOGISTIC_STEPS[release % LOGISTIC_STEPS.length]!, round };
}
