/**
 * The releases of the private mixed model with the squared loss, from public sizes and the budget alone.
 * @module
 */
import { triangle } from "../../../../linalg/packed-symmetric.js";
import type { MixedRelease, MixedSizes } from "../exchange.js";
import {
  COVARIANCE,
  LARGE_FROM,
  LAST,
  LOCATION,
  SCHEDULES,
  SHAPE,
  type Schedule,
} from "./squared-settings.js";

/** What a location releases. */
export type LocationPart = "score" | "information" | "curvature";

/** What is summed of exact effects: information, the scores' derivative, scores and squares of the first's diagonal; then what the step is without each task. */
export type ExactPart = "step" | "errors";

/** Float64s of an upload of them. */
export const exactLength = (part: ExactPart, d: number): number =>
  part === "step" ? 2 * (triangle(d) + d) : triangle(d);

/** A location's clip, and its parts of the fraction beside the score's; no release where 0. */
export interface LocationShape {
  /** Bound on the norm of a score, in roots of its expected square. */
  readonly clip: number;
  /** What of a score such a clip is thought to leave, beside the clip. */
  readonly weight: number;
  readonly information: number;
  readonly curvature: number;
}

/** A step of the exchange; a location takes a release for each of its parts. */
export type SquaredStep =
  | ({
      readonly kind: "variances";
      readonly fraction: number;
      /** Of the first: what follows from variances around zero. */
      readonly first?: Pick<Schedule, "width" | "tasksPart">;
    } & Pick<Schedule, "widening">)
  | ({ readonly kind: "location"; readonly fraction: number } & LocationShape)
  | { readonly kind: "covariance"; readonly fraction: number }
  | { readonly kind: "shape"; readonly fraction: number }
  /** Without noise: what is stated of the fixed effects. */
  | { readonly kind: "exact"; readonly fraction: 0; readonly part: ExactPart };

/** Mean number of directions that a task sees: at most. */
export const meanRank = ({ d, meanRows }: MixedSizes) => Math.min(meanRows, d);

/** Frobenius norm of a task's information where its rows tell of as many directions as a mean number does, and alike of each. */
export const informationNorm = (sizes: MixedSizes) => sizes.d / Math.sqrt(meanRank(sizes));

/** Whether information stands out of its noise, by public sizes, in a last location with all that is left after the rounds. */
function informationPays(sizes: MixedSizes, mu: number, left: number): boolean {
  const part = LOCATION.released.information * LAST.plain.location * left;
  const noise = (Math.SQRT2 * informationNorm(sizes)) / (mu * Math.sqrt(part));
  return noise / sizes.m < LOCATION.error;
}

/** Whether the correlations of the tasks' models stand out of their noise, by public sizes. */
function covariancePays(sizes: MixedSizes, mu: number, left: number): boolean {
  const { m, d } = sizes;
  const noise = Math.SQRT2 / (mu * Math.sqrt(LAST.covariance.covariance * left));
  const seen = d >= COVARIANCE.features && meanRank(sizes) >= d / 2;
  return seen && (noise * Math.sqrt(2 * d)) / m < COVARIANCE.edge;
}

/** Whether the entries of C, relative to it, are told well enough, by public sizes. */
function shapePays(sizes: MixedSizes, mu: number, left: number): boolean {
  const { m, d } = sizes;
  const noise = (2 * Math.sqrt(triangle(d))) / (mu * Math.sqrt(LAST.shape.shape * left));
  const told = meanRank(sizes) / d;
  return d > 1 && d <= SHAPE.most && noise / (m * told) < SHAPE.error;
}

/** What the last round releases beside variances and location. */
function lastRound(sizes: MixedSizes, mu: number, left: number): keyof typeof LAST {
  if (shapePays(sizes, mu, left)) return "shape";
  return covariancePays(sizes, mu, left) ? "covariance" : "plain";
}

/** All steps, in order. */
export function squaredSteps(sizes: MixedSizes, mu: number): SquaredStep[] {
  const schedule = (mu * sizes.m) / sizes.d < LARGE_FROM ? SCHEDULES.small : SCHEDULES.large;
  const { clips, weight, widening, width, tasksPart } = schedule;
  const sum = (parts: readonly number[]) => parts.reduce((total, part) => total + part, 0);
  const left = 1 - sum(schedule.variances) - sum(schedule.location);
  const parts = LAST[lastRound(sizes, mu, left)];
  const shape = LOCATION[informationPays(sizes, mu, left) ? "released" : "predicted"];
  const steps: SquaredStep[] = [];
  schedule.variances.forEach((fraction, round) => {
    const first = round === 0 ? { first: { width, tasksPart } } : {};
    steps.push({ kind: "variances", fraction, widening, ...first });
    const own = { fraction: schedule.location[round]!, clip: clips[round]!, weight };
    steps.push({ kind: "location", ...own, ...shape });
  });
  const covariance: SquaredStep = { kind: "covariance", fraction: parts.covariance * left };
  if (parts.covariance > 0) steps.push(covariance, covariance);
  steps.push({ kind: "variances", fraction: parts.variances * left, widening });
  const last = { fraction: parts.location * left, clip: clips.at(-1)!, weight };
  steps.push({ kind: "location", ...last, ...shape });
  // Last, when the fixed effects are known best: what is not known of them would be taken for a part of C.
  const shaped: SquaredStep = { kind: "shape", fraction: parts.shape * left };
  if (parts.shape > 0) steps.push(shaped, shaped);
  const exact = { kind: "exact", fraction: 0 } as const;
  if (mu === Infinity) steps.push({ ...exact, part: "step" }, { ...exact, part: "errors" });
  return steps;
}

/** A release of a location, its fraction that of the location's. */
type LocationRelease = MixedRelease & { readonly part: LocationPart };

function locationReleases({ information, curvature }: LocationShape, d: number): LocationRelease[] {
  const score = 1 - information - curvature;
  const length = triangle(d);
  const releases: LocationRelease[] = [
    { part: "score", label: "location", statistic: "vector", length: d, fraction: score },
    { part: "information", label: "information", statistic: "moment", length, fraction: information }, // prettier-ignore
    { part: "curvature", label: "curvature", statistic: "vector", length: 1, fraction: curvature },
  ];
  return releases.filter(({ fraction }) => fraction > 0);
}

/** The parts of a location that are releases, in order. */
export function locationParts(shape: LocationShape): readonly LocationPart[] {
  return locationReleases(shape, 1).map(({ part }) => part);
}

/** The same of any step. */
export function partsOf(step: SquaredStep): readonly LocationPart[] {
  return step.kind === "location" ? locationParts(step) : ["score"];
}

/** The releases of the steps, in order. */
export function squaredReleases(
  steps: readonly SquaredStep[],
  { d }: Pick<MixedSizes, "d">,
): MixedRelease[] {
  return steps.flatMap((step): MixedRelease[] => {
    const { kind, fraction } = step;
    if (kind === "variances") return [{ label: kind, statistic: "vector", length: 3, fraction }];
    if (kind === "exact")
      return [{ label: kind, statistic: "vector", length: exactLength(step.part, d), fraction }];
    const length = triangle(d);
    if (kind === "covariance") return [{ label: kind, statistic: "moment", length, fraction }];
    if (kind === "shape") return [{ label: kind, statistic: "vector", length, fraction }];
    return locationReleases(step, d).map(({ part: _, ...release }) => ({
      ...release,
      fraction: release.fraction * fraction,
    }));
  });
}
