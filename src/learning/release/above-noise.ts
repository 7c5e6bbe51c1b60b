/**
 * How far what was released differs from what noise alone would be: said of every round, from the release and its public noise.
 * @module
 */
import * as math from "../../core/elementary.js";
import { sumOfSquares } from "../../linalg/norm.js";
import type { HistoryEntry } from "../fitted/model-state.js";
import { noiseScaleAt, type PlannedStage } from "../round/release-plan.js";
import type { RoundFigures, SharingRule } from "../round/sharing-rule.js";
import type { StatisticName } from "../round/statistic/statistic.js";

/** From this score of all rounds on something stands out of the noise: noise alone passes it in one fit of a hundred. */
const STANDS_OUT = 2.326;

/**
 * The rule, which also says of every round how far its release is from noise alone (`aboveNoise`): a normal score of its sum of squares in
 * units of the noise. Of a matrix' diagonal the mean is taken off, since models of one size in all directions have no direction in common;
 * the corner of an augmented one, where the number of tasks is, is left out. Without such a score where noise is not normal, or nothing is left.
 * @param part of the planned noise that there is in what the rule is given.
 * @see Wilson and Hilferty (1931), for the normal score of a chi-square.
 */
export function sayingAboveNoise(
  rule: SharingRule,
  stage: Pick<PlannedStage, "mechanism" | "budgets">,
  part = 1,
): SharingRule {
  if (stage.mechanism.budgetKind !== "mu") return rule;
  return {
    ...rule,
    prepare(context) {
      const prepared = rule.prepare(context);
      const { core, d } = context;
      const { length, freedom, squares } = energyOf(rule.statistic, d);
      if (freedom === 0) return prepared;
      return (statistic, broadcast, round) => {
        const scale = part * noiseScaleAt(stage, round);
        const energy = squares(core.arena.view(statistic, length)) / scale / scale;
        return {
          ...prepared(statistic, broadcast, round),
          aboveNoise: normalScore(energy, freedom),
        };
      };
    },
  };
}

/** What a line of a fit's history has of it. */
export const aboveNoiseOf = ({ aboveNoise }: RoundFigures): HistoryEntry =>
  aboveNoise === undefined ? {} : { aboveNoise };

/**
 * Whether anything stood out of the noise in rounds with such scores: their sum, over the root of their number, is a score as well, since the
 * noise of every round is drawn anew. Undefined where rounds have none.
 */
export function stoodOut(rounds: readonly RoundFigures[]): boolean | undefined {
  const scores = rounds.flatMap(({ aboveNoise }) => (aboveNoise === undefined ? [] : [aboveNoise]));
  if (scores.length === 0) return undefined;
  const sum = scores.reduce((total, score) => total + score, 0);
  return !(sum / Math.sqrt(scores.length) < STANDS_OUT);
}

/** What is squared of a statistic: of normal noise of scale 1 a chi-square of so many degrees of freedom. */
interface Energy {
  readonly length: number;
  readonly freedom: number;
  readonly squares: (values: Float64Array) => number;
}

/** Of a symmetric matrix all entries are squared, which is why the noise of those off the diagonal has half the variance. */
function energyOf(statistic: StatisticName, d: number): Energy {
  const inner = (d * (d + 1)) / 2 - 1;
  switch (statistic) {
    case "covariance":
      return { length: d * d, freedom: inner, squares: (values) => aboutIdentity(values, d, d) };
    case "augmented-covariance": {
      const side = d + 1;
      const squares = (values: Float64Array) => {
        let sum = aboutIdentity(values, d, side);
        for (let j = 0; j < d; j++) sum += 2 * values[j * side + d]! ** 2;
        return sum;
      };
      return { length: side * side, freedom: inner + d, squares };
    }
    case "diagonal":
      return { length: d, freedom: d - 1, squares: aboutMean };
    default:
      return { length: d, freedom: d, squares: sumOfSquares };
  }
}

function aboutMean(values: Float64Array): number {
  let mean = 0;
  for (const value of values) mean += value / values.length;
  let sum = 0;
  for (const value of values) sum += (value - mean) ** 2;
  return sum;
}

/** ||S - (tr S / d) I||^2 of the first d rows and columns of a matrix of this side. */
function aboutIdentity(values: Float64Array, d: number, side: number): number {
  let mean = 0;
  for (let j = 0; j < d; j++) mean += values[j * (side + 1)]! / d;
  let sum = 0;
  for (let j = 0; j < d; j++) {
    for (let k = 0; k < d; k++) {
      const value = values[j * side + k]!;
      sum += (j === k ? value - mean : value) ** 2;
    }
  }
  return sum;
}

function normalScore(chiSquare: number, freedom: number): number {
  const variance = 2 / (9 * freedom);
  return (math.pow(chiSquare / freedom, 1 / 3) - 1 + variance) / Math.sqrt(variance);
}
