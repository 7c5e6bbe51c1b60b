/**
 * What PMTL, private FedAvg and private FedProx run on either side where they hide single records, and what they release: in
 * every round the noisy sum of all rows' clipped gradients, and perhaps noisy gradients of a task to its own model.
 * @module
 */
import { OptionError } from "../../../../core/index.js";
import { personOf, requireUnit, rowsOf } from "../../../options/person-options.js";
import { plannedClip } from "../../../options/clip-option.js";
import { sayingAboveNoise } from "../../../release/above-noise.js";
import { curatorHalf } from "../../../release/curator-half.js";
import { withOwnStage } from "../../../release/own-release.js";
import { withOwners } from "../../../release/owner-accounts.js";
import { planReleases } from "../../../release/plan-releases.js";
import { withRecordAccount } from "../../../release/record-account.js";
import type { StageRequest } from "../../../release/stage-request.js";
import type { CuratorContext, CuratorHalf, Halves, PlanContext } from "../../../round/halves.js";
import type { ReleasePlan } from "../../../round/release-plan.js";
import { averagingHalves, trainingBytes, trainingWork } from "../halves.js";
import type { AveragingMethod } from "../updates/local-training.js";
import type { FederatedOptions } from "../options.js";
import { averagingParticipants } from "../participants.js";
import { settledRecords, type RecordOptions } from "./record-options.js";
import { factorOf } from "./record-tasks.js";
import { meanEntry, runningMeanRule } from "../running-mean.js";

type Options = FederatedOptions & RecordOptions;

/** Part of mu^2 that a task's releases to its own model take. */
const OWN_PART = 0.5;

/** The halves of such a method, for what its budget hides. */
export function unitHalves(definition: AveragingMethod, given: Options): Halves {
  if (given.unit === "task") return averagingHalves(definition, given);
  const options = settledRecords(given);
  const own: AveragingMethod = { ...definition, records: options };
  return {
    releases: (context) => recordReleases(own, options, context),
    participants(context) {
      requireUnit(context.data, options);
      return averagingParticipants(own, options)(context);
    },
    curator: (context) => recordCurator(options, context),
    // A person may have rows in several tasks.
    requireAll: (data) => requireUnit(data, options),
    requireOwn: (data) => requireUnit(data, options),
    work: (context) => trainingWork(own, options, context),
    bytes: (batch) => trainingBytes(options, batch),
  };
}

/** Intercepts are shared as well: one that its task fitted would put all of its rows into each row's gradient. */
const lengthOf = (
  { intercept }: Options,
  { sizes, outputs }: Pick<PlanContext, "sizes" | "outputs">,
) => outputs * (sizes.d + (intercept ? 1 : 0));

function recordReleases(
  definition: AveragingMethod,
  options: Options,
  context: PlanContext,
): ReleasePlan {
  const { sizes, noiseShares } = context;
  const { m, rows, mostRows } = sizes;
  const { unit, clip, recordClip, recordRate, rounds, schedule } = options;
  const person = personOf(options);
  const unitNorm = factorOf(sizes) * recordClip;
  const perRecord = { records: rows, clip: unitNorm * (person ? rowsOf(person) : 1), person };
  const d = lengthOf(options, context);
  if (noiseShares && recordRate < 1) {
    throw new OptionError(
      "recordRate: in a sum of shares the noise is there whoever is drawn, which no account here amplifies; expected 1",
    );
  }
  const shared: StageRequest = {
    statistic: "vector",
    m,
    d,
    rounds,
    schedule,
    ...(unit === "record"
      ? {
          clip: unitNorm * mostRows,
          perRecord: { ...perRecord, rate: recordRate },
          vectorsPerUnit: person?.tasksPerPerson ?? 1,
        }
      : { clip: plannedClip(clip), vectorsPerUnit: 1 }),
  };
  const steps = ownSteps(definition, options);
  const own: StageRequest | undefined =
    steps === undefined
      ? undefined
      : {
          statistic: "vector",
          m,
          d,
          clip: unitNorm * mostRows,
          label: "own",
          perRecord,
          rounds: steps,
          budgetShare: OWN_PART,
        };
  const plan = planReleases({
    options,
    stages: own ? [shared, own] : [shared],
    noiseShares,
    ...(unit === "record"
      ? { tasks: rows, unit, ...(person ? { person } : {}) }
      : { tasks: m, unit: "task" as const }),
  });
  const whole =
    unit === "both" ? withRecordAccount(plan, perRecord) : own ? withOwnStage(plan) : plan;
  const { owners } = sizes;
  if (!owners) return whole;
  const accounts = withOwners(whole, { epsilons: owners.epsilons, record: perRecord });
  return options.ownModel === "noisy" && !own ? withSharedModel(accounts) : accounts;
}

/** Rounds of the tasks' releases to their own models; undefined where there are none. */
function ownSteps(
  { start }: AveragingMethod,
  { ownModel, localSteps }: Options,
): number | undefined {
  return ownModel === "noisy" && start === "own" ? (localSteps as number) : undefined;
}

/** Where the shared model is everyone's, what an owner is promised against all others holds against whoever has its model. */
function withSharedModel(plan: ReleasePlan): ReleasePlan {
  return {
    ...plan,
    owners: plan.owners!.map((budget) => {
      const { epsilon, delta, sensitivities } = budget;
      return { ...budget, ownModel: { epsilon, delta, sensitivities } };
    }),
  };
}

/** Steps along the noisy mean gradient of all rows. */
function recordCurator(options: Options, context: CuratorContext): CuratorHalf {
  const { sizes, releases } = context;
  const { serverStepSize: stepSize, recordRate } = options;
  const { rows: byTask } = sizes.owners ?? {};
  const counted = releases.owners?.reduce((sum, { weight }, i) => sum + weight * byTask![i]!, 0);
  // Uploads are in units of the mean number of rows, those of a round's sample of rows among them.
  const divisor = recordRate * factorOf(sizes) * (counted ?? sizes.rows);
  const initial = new Float64Array(lengthOf(options, context));
  return curatorHalf(context, {
    options,
    rules: releases.stages.map((stage) =>
      sayingAboveNoise(runningMeanRule({ initial, divisor, stepSize }), stage),
    ),
    entry: meanEntry(divisor),
  });
}
