/**
 * The releases of the private mixed model with the squared loss, from public sizes and the budget alone.
 * @module
 */
import type { MixedRelease, MixedSizes } from "./exchange.js";
import { COVARIANCE, FRACTIONS, FULL_INFORMATION, LINE_CAPS } from "./squared-settings.js";

/** A step of the exchange; a location takes two or three releases. */
export type SquaredStep =
  | { readonly kind: "variances"; readonly fraction: number }
  | {
      readonly kind: "location";
      readonly fraction: number;
      /** 0-based among the locations. */
      readonly round: number;
      /** Whether the whole information matrix is released, or its diagonal and a curvature. */
      readonly full: boolean;
    }
  | { readonly kind: "covariance"; readonly fraction: number };

/** Numbers of a symmetric matrix of order d. */
export const triangle = (d: number) => (d * (d + 1)) / 2;

/** Mean number of directions that a task sees: at most. */
export const meanRank = ({ d, meanRows }: MixedSizes) => Math.min(meanRows, d);

/** Expected trace of a task's information in the coordinates of a location, and the clip of its Frobenius norm. */
export function informationScale(
  sizes: MixedSizes,
  round: number,
): { readonly trace: number; readonly clip: number } {
  const rank = meanRank(sizes);
  const trace = round === 0 ? rank : sizes.d;
  return { trace, clip: trace / Math.sqrt(rank) };
}

/** The parts of a location's fraction. */
export function locationParts({ fraction, full }: { fraction: number; full: boolean }) {
  const line = full ? 0 : FRACTIONS.line;
  return {
    score: fraction * (1 - FRACTIONS.information - line),
    information: fraction * FRACTIONS.information,
    line: fraction * line,
  };
}

/** All steps, in order. */
export function squaredSteps(sizes: MixedSizes, mu: number): SquaredStep[] {
  const { m, d } = sizes;
  const location = (fraction: number, round: number): SquaredStep => {
    const { trace, clip } = informationScale(sizes, round);
    const noise = (Math.SQRT2 * clip) / (mu * Math.sqrt(fraction * FRACTIONS.information));
    const full = (noise * Math.sqrt(2 * d)) / ((m * trace) / d) < FULL_INFORMATION;
    return { kind: "location", fraction, round, full };
  };
  const variances = (fraction: number): SquaredStep => ({ kind: "variances", fraction });
  const covariances = FRACTIONS.covariance.map((fraction): SquaredStep => ({
    kind: "covariance",
    fraction,
  }));
  const edge = (Math.SQRT2 / (mu * Math.sqrt(FRACTIONS.covariance[0]))) * (Math.sqrt(2 * d) / m);
  const pays = d >= COVARIANCE.features && edge < COVARIANCE.edge;
  const last = pays ? FRACTIONS.afterCovariance : FRACTIONS.last;
  return [
    variances(FRACTIONS.variances[0]),
    location(FRACTIONS.location[0], 0),
    variances(FRACTIONS.variances[1]),
    location(FRACTIONS.location[1], 1),
    ...(pays ? covariances : []),
    variances(last.variances),
    location(last.location, 2),
  ];
}

/** The releases of the steps, in order. */
export function squaredReleases(
  steps: readonly SquaredStep[],
  { d }: Pick<MixedSizes, "d">,
): MixedRelease[] {
  return steps.flatMap((step): MixedRelease[] => {
    const { kind, fraction } = step;
    if (kind === "variances") return [{ label: kind, statistic: "vector", length: 3, fraction }];
    if (kind === "covariance") {
      return [{ label: kind, statistic: "moment", length: triangle(d), fraction }];
    }
    const parts = locationParts(step);
    const score: MixedRelease = {
      ...{ label: "location", statistic: "vector", length: d },
      fraction: parts.score,
    };
    const information: MixedRelease = {
      ...{ label: "information", statistic: "moment" },
      length: step.full ? triangle(d) : d,
      fraction: parts.information,
    };
    if (step.full) return [score, information];
    return [
      score,
      information,
      { label: "curvature", statistic: "moment", length: 1, fraction: parts.line },
    ];
  });
}

/** Cap of the curvature in a round. */
export const lineCap = (round: number) => LINE_CAPS[Math.min(round, LINE_CAPS.length - 1)]!;
