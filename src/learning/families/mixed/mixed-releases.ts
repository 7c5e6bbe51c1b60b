/**
 * What a private mixed model releases, and which part of the budget each release has.
 * @module
 */
import { triangle } from "../../../linalg/packed-symmetric.js";
import { gaussianMu, resolveDelta } from "../../../privacy/index.js";
import { personOf, rowsOf } from "../../options/person-options.js";
import { withOwnStage } from "../../release/own-release.js";
import { planReleases } from "../../release/plan-releases.js";
import { withOwners } from "../../release/owner-accounts.js";
import { withRecordAccount } from "../../release/record-account.js";
import type { StageRequest } from "../../release/stage-request.js";
import type { PlanContext, PublicSizes } from "../../round/halves.js";
import type { ReleasePlan } from "../../round/release-plan.js";
import type { MixedSizes } from "./exchange.js";
import { mixedLoss } from "./mixed-losses.js";
import { columnsToLearn, type MixedOptions } from "./options.js";
import { taskClips } from "./records/record-exchange.js";
import { OWN_PART } from "./records/record-settings.js";
import { scalePlan, scaleReleases, type ScalePlan } from "./undeclared/scale-plan.js";

/**
 * @param outputs   of a task's models together: C with several classes, else 1.
 * @param contrasts whether rows enter as such, of which a task has one fewer.
 */
export const sizesOf = (
  { m, d, rows }: PublicSizes,
  outputs: number,
  contrasts = false,
): MixedSizes => ({
  m,
  d: d + 1,
  meanRows: rows / m - (contrasts ? 1 : 0),
  ...(outputs > 1 ? { classes: outputs } : {}),
});

/** How many of what the noise hides there are. */
const unitsIn = ({ unit }: MixedOptions, { m, rows }: PublicSizes) =>
  unit === "record" ? rows : m;

/** What a run does with its budget: part of it may go to the sizes of columns that nobody declared. */
interface Budget {
  /** Positions of those columns. */
  readonly columns: readonly number[];
  /** What is done about them. */
  readonly scale: ScalePlan;
  /** What is left for the model, as Gaussian differential privacy. */
  readonly mu: number;
}

export function budgetOf(options: MixedOptions, sizes: PublicSizes): Budget {
  const mu = gaussianMu(options.epsilon, resolveDelta(options.delta, unitsIn(options, sizes)));
  const columns = columnsToLearn(sizes, options);
  const { m, rows } = sizes;
  const { loss, publicPrior } = options;
  const hasPrior = publicPrior !== null;
  const facts = { columns: columns.length, m, meanRows: rows / m, loss, hasPrior };
  const scale = scalePlan(facts, mu);
  return { columns, scale, mu: mu * Math.sqrt(1 - scale.part) };
}

/** Whether rows that enter by their differences within tasks are contrasts, of which a task has one fewer; labels have none. */
export const contrasts = ({ loss }: MixedOptions, within: boolean) => within && loss === "squared";

/** Every release its part of the budget; the last round takes what is left. */
export function mixedReleases(
  options: MixedOptions,
  { sizes, outputs, noiseShares }: PlanContext,
): ReleasePlan {
  const { columns, scale, mu } = budgetOf(options, sizes);
  const { rounds, releases: planned } = mixedLoss(options);
  const releases = [
    ...scaleReleases(scale, columns.length),
    ...planned(sizesOf(sizes, outputs, contrasts(options, scale.within)), mu).map((release) => ({
      ...release,
      fraction: release.fraction * (1 - scale.part),
    })),
  ];
  const { unit } = options;
  const own = options.ownModel === "noisy";
  const left = own ? 1 - OWN_PART : 1;
  const person = personOf(options);
  const perRecord = { records: sizes.rows, clip: person ? rowsOf(person) : 1, person };
  const last = releases.map(({ label }) => label).lastIndexOf(rounds);
  const stages = releases.map(({ label, statistic, length: d, fraction }, k): StageRequest => ({
    statistic,
    m: sizes.m,
    d,
    clip: 1,
    rounds: 1,
    // A task's upload is a sum over its rows of at most 1 each.
    ...(unit === "record"
      ? { clip: sizes.mostRows, perRecord, vectorsPerUnit: person?.tasksPerPerson ?? 1 }
      : {}),
    ...(unit === "both" ? { clip: taskClips(sizesOf(sizes, outputs))[k]!, vectorsPerUnit: 1 } : {}),
    ...(label === rounds ? {} : { label }),
    ...(k === last ? {} : { budgetShare: left * fraction }),
  }));
  if (own) stages.push(ownStage(sizes, perRecord));
  const plan = planReleases({
    options,
    tasks: unitsIn(options, sizes),
    stages,
    noiseShares,
    ...(unit === "record" ? { unit, ...(person ? { person } : {}) } : { unit: "task" as const }),
  });
  const whole =
    unit === "both" ? withRecordAccount(plan, perRecord) : own ? withOwnStage(plan) : plan;
  const { owners } = sizes;
  return owners ? withOwners(whole, { epsilons: owners.epsilons, record: perRecord }) : whole;
}

/** Every task's moments of its own rows, for its own model. */
function ownStage(
  { d, m, mostRows }: PublicSizes,
  perRecord: NonNullable<StageRequest["perRecord"]>,
): StageRequest {
  return {
    statistic: "moment",
    m,
    d: triangle(d + 2),
    clip: mostRows,
    rounds: 1,
    label: "own",
    budgetShare: OWN_PART,
    perRecord,
  };
}
