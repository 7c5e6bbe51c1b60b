/**
 * The releases of the private mixed model with the squared loss, from public sizes and the budget alone.
 * @module
 */
import { triangle } from "../../../linalg/packed-symmetric.js";
import type { MixedRelease, MixedSizes } from "./exchange.js";
import { COVARIANCE, LARGE_FROM, LAST, LOCATION, SCHEDULES } from "./squared-settings.js";

/** A step of the exchange; a location takes three releases. */
export type SquaredStep =
  | {
      readonly kind: "variances";
      readonly fraction: number;
      /** Of the first: how much wider than the tasks the fixed effects are taken to be. */
      readonly width?: number;
    }
  | { readonly kind: "location"; readonly fraction: number; readonly clip: number }
  | { readonly kind: "covariance"; readonly fraction: number };

/** Mean number of directions that a task sees: at most. */
export const meanRank = ({ d, meanRows }: MixedSizes) => Math.min(meanRows, d);

/** Whether the correlations of the tasks' models stand out of their noise, by public sizes. */
function covariancePays(sizes: MixedSizes, mu: number, left: number): boolean {
  const { m, d } = sizes;
  const noise = Math.SQRT2 / (mu * Math.sqrt(LAST.covariance.covariance * left));
  const seen = d >= COVARIANCE.features && meanRank(sizes) >= d / 2;
  return seen && (noise * Math.sqrt(2 * d)) / m < COVARIANCE.edge;
}

/** All steps, in order. */
export function squaredSteps(sizes: MixedSizes, mu: number): SquaredStep[] {
  const schedule = (mu * sizes.m) / sizes.d < LARGE_FROM ? SCHEDULES.small : SCHEDULES.large;
  const { clips, width } = schedule;
  const steps: SquaredStep[] = [];
  schedule.variances.forEach((fraction, round) => {
    steps.push({ kind: "variances", fraction, ...(round === 0 ? { width } : {}) });
    steps.push({ kind: "location", fraction: schedule.location[round]!, clip: clips[round]! });
  });
  const left = 1 - steps.reduce((sum, { fraction }) => sum + fraction, 0);
  const parts = LAST[covariancePays(sizes, mu, left) ? "covariance" : "plain"];
  const covariance: SquaredStep = { kind: "covariance", fraction: parts.covariance * left };
  if (parts.covariance > 0) steps.push(covariance, covariance);
  steps.push({ kind: "variances", fraction: parts.variances * left });
  steps.push({ kind: "location", fraction: parts.location * left, clip: clips.at(-1)! });
  return steps;
}

/** The releases of the steps, in order. */
export function squaredReleases(
  steps: readonly SquaredStep[],
  { d }: Pick<MixedSizes, "d">,
): MixedRelease[] {
  return steps.flatMap(({ kind, fraction }): MixedRelease[] => {
    if (kind === "variances") return [{ label: kind, statistic: "vector", length: 3, fraction }];
    const length = triangle(d);
    if (kind === "covariance") return [{ label: kind, statistic: "moment", length, fraction }];
    const { information, curvature } = LOCATION;
    const moment = (label: string, numbers: number, part: number): MixedRelease => ({
      ...{ label, statistic: "moment", length: numbers, fraction: part * fraction },
    });
    const score = (1 - information - curvature) * fraction;
    return [
      { label: "location", statistic: "vector", length: d, fraction: score },
      moment("information", length, information),
      moment("curvature", 1, curvature),
    ];
  });
}
