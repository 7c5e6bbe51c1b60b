/**
 * Values of the options that say who takes part in a round, how updates become one, and how models are finetuned.
 * @module
 */
import type { Sampling } from "../../../privacy/index.js";
import { nothingLost, wordAndNumbers, type OptionKind } from "../../options/kinds.js";
import type { Aggregate } from "../../round/statistic/robust-sum.js";
import { FINETUNE_KINDS, type FinetuneOptions } from "./selection/finetune.js";

const isRate = (rate: unknown) => typeof rate === "number" && rate > 0 && rate <= 1;
const isCount = (count: unknown) => Number.isSafeInteger(count) && (count as number) >= 1;

export const aSampling: OptionKind<Sampling> = {
  expected:
    '{ kind: "all" }, { kind: "poisson", rate } with 0 < rate <= 1, { kind: "allocation", picks }, or { kind: "fixed-size", size }',
  expectedText: "all, poisson:RATE with 0 < RATE <= 1, allocation:PICKS, or fixed:SIZE",
  placeholder: "WHO",
  read: (written) => {
    if (typeof written !== "string") return written;
    const { word, numbers } = wordAndNumbers(written);
    if (word === "all") return numbers.length === 0 ? { kind: "all" } : undefined;
    if (numbers.length !== 1) return undefined;
    if (word === "poisson") return { kind: "poisson", rate: numbers[0] };
    if (word === "allocation") return { kind: "allocation", picks: numbers[0] };
    return word === "fixed" ? { kind: "fixed-size", size: numbers[0] } : undefined;
  },
  write: (sampling) => {
    if (sampling.kind === "poisson") return `poisson:${sampling.rate}`;
    if (sampling.kind === "allocation") return `allocation:${sampling.picks}`;
    return sampling.kind === "fixed-size" ? `fixed:${sampling.size}` : "all";
  },
  accept: (value) => {
    const sampling = value as Sampling | null | undefined;
    return sampling ? nothingLost(samplingOf(sampling), sampling) : undefined;
  },
};

function samplingOf(given: Sampling): Sampling | undefined {
  switch (given.kind) {
    case "all":
      return { kind: "all" };
    case "poisson":
      return isRate(given.rate) ? { kind: "poisson", rate: given.rate } : undefined;
    case "allocation":
      return isCount(given.picks) ? { kind: "allocation", picks: given.picks } : undefined;
    case "fixed-size":
      return isCount(given.size) ? { kind: "fixed-size", size: given.size } : undefined;
    default:
      return undefined;
  }
}

const isGroups = (groups: unknown) =>
  isCount(groups) && (groups as number) >= 3 && (groups as number) % 2 === 1;
const isTrim = (share: unknown) => typeof share === "number" && share > 0 && share < 0.5;

export const anAggregate: OptionKind<Aggregate> = {
  expected:
    '{ kind: "mean" }, { kind: "median-of-means", groups } with an odd number of groups >= 3, or { kind: "trimmed-mean", share } with ' +
    "0 < share < 0.5",
  expectedText:
    "mean, median-of-means:GROUPS (odd, >= 3), or trimmed-mean:SHARE with 0 < SHARE < 0.5",
  placeholder: "HOW",
  read: (written) => {
    if (typeof written !== "string") return written;
    const { word, numbers } = wordAndNumbers(written);
    if (word === "mean") return numbers.length === 0 ? { kind: "mean" } : undefined;
    if (numbers.length !== 1) return undefined;
    if (word === "median-of-means") return { kind: word, groups: numbers[0] };
    return word === "trimmed-mean" ? { kind: word, share: numbers[0] } : undefined;
  },
  write: (aggregate) => {
    if (aggregate.kind === "mean") return "mean";
    const number = aggregate.kind === "trimmed-mean" ? aggregate.share : aggregate.groups;
    return `${aggregate.kind}:${number}`;
  },
  accept: (value) => {
    const aggregate = value as Aggregate | null | undefined;
    return aggregate ? nothingLost(aggregateOf(aggregate), aggregate) : undefined;
  },
};

function aggregateOf(given: Aggregate): Aggregate | undefined {
  switch (given.kind) {
    case "mean":
      return { kind: "mean" };
    case "median-of-means":
      return isGroups(given.groups) ? { kind: "median-of-means", groups: given.groups } : undefined;
    case "trimmed-mean":
      return isTrim(given.share) ? { kind: "trimmed-mean", share: given.share } : undefined;
    default:
      return undefined;
  }
}

/** null: none. What is left out of an object or a text has its default. */
export const aFinetuning: OptionKind<FinetuneOptions | null> = {
  expected:
    `null, or { kind, steps, stepSize, strength } with kind one of ${FINETUNE_KINDS.join(", ")}, ` +
    "steps an integer >= 1, stepSize > 0, strength >= 0",
  expectedText: `none, or one of ${FINETUNE_KINDS.join(", ")}, then optionally :STEPS:STRENGTH`,
  placeholder: "KIND",
  read: (written) => {
    if (typeof written !== "string") return written;
    if (written === "none") return null;
    const { word: kind, numbers } = wordAndNumbers(written);
    if (numbers.length > 2) return undefined;
    const [steps, strength] = numbers;
    return {
      kind,
      ...(steps === undefined ? {} : { steps }),
      ...(strength === undefined ? {} : { strength }),
    };
  },
  write: (value) => (value ? `${value.kind}:${value.steps}:${value.strength}` : "none"),
  accept: (value) => {
    if (value === null) return null;
    if (typeof value !== "object") return undefined;
    const { kind, steps = 20, stepSize = 1, strength = 0.1 } = value as Partial<FinetuneOptions>;
    const fits =
      FINETUNE_KINDS.includes(kind!) &&
      isCount(steps) &&
      Number.isFinite(stepSize) &&
      stepSize > 0 &&
      Number.isFinite(strength) &&
      strength >= 0;
    return fits ? nothingLost({ kind: kind!, steps, stepSize, strength }, value!) : undefined;
  },
};
