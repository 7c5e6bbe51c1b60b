/**
 * The method of a plan: its estimator with checked options, and what it releases. Curator and participants make both, each
 * for itself.
 * @module
 */
import { object } from "../../../core/checks.js";
import { OptionError } from "../../../core/index.js";
import { Auto, chooseMethod, makeEstimator } from "../../../learning/index.js";
import { passedOptions } from "../../../learning/auto/passed-options.js";
import { requireOwnModel } from "../../../learning/auto/require-own-model.js";
import { AUTO, findMethod, isFederated, methodNamed, METHODS } from "../../../learning/methods.js";
import type { DividedEstimator } from "../../../learning/release/private-estimator.js";
import type { PublicSizes } from "../../../learning/round/halves.js";
import type { ReleasePlan } from "../../../learning/round/release-plan.js";
import { outputsOf, type LossName } from "../../../learning/tasks/losses.js";
import { shareMechanisms } from "../../secure-aggregation/plan/mechanism.js";
import { shareOptionsOf } from "../../secure-aggregation/plan/planned.js";
import type { MechanismFactory } from "../../../privacy/index.js";
import { verifiedMechanisms } from "../../verified-sums/plan/mechanism.js";
import { undeclaredColumns, UNKNOWN_ROWS } from "./learned-scale.js";
import type { Plan, PlanInput } from "./plan-form.js";
import { givenBySchema } from "./schema-features.js";

/** Methods whose halves can run apart: the private ones whose unit is a task. */
export const FEDERATED_METHODS: readonly string[] = METHODS.filter(isFederated).map(
  ({ name }) => name,
);

/** Tasks to start with, where a plan does not say. */
export const FEWEST_TASKS = 3;

function isDivided(estimator: object): estimator is DividedEstimator {
  return "halves" in estimator;
}

/**
 * The estimator of a plan: its options checked, its two halves.
 * @throws OptionError for a method without halves or a bad option.
 */
export function planEstimator({
  method,
  options,
}: Pick<Plan, "method" | "options">): DividedEstimator {
  if (!findMethod(method)) {
    throw new OptionError(
      `method: expected one of ${FEDERATED_METHODS.join(", ")}, got ${JSON.stringify(method)}`,
    );
  }
  const estimator = makeEstimator(method, { ...options });
  if (!isDivided(estimator)) {
    throw new OptionError(
      `method: ${method} has no halves that could run apart; expected one of ` +
        FEDERATED_METHODS.join(", "),
    );
  }
  return estimator;
}

/** The method of a plan at work. */
export interface PlannedMethod {
  readonly estimator: DividedEstimator;
  /** Numbers predicted per row. */
  readonly outputs: number;
  readonly releases: ReleasePlan;
  /** The run's sizes, with what the plan says of its columns. */
  readonly sizes: PublicSizes;
}

/**
 * The method of a plan, and what it releases in a run of these sizes.
 *
 * @param told what is public of the tasks; what of columns nobody declared is the plan's matter.
 * @throws RangeError if the plan's budget allows no noise; OptionError for a method that cannot run on
 *   secure sums where the plan asks for them.
 */
export function plannedMethod(plan: Plan, told: PublicSizes): PlannedMethod {
  const { aggregation, options, classes } = plan;
  const estimator = planEstimator(plan);
  const sizes = { ...told, undeclared: undeclaredColumns(plan) };
  const outputs = outputsOf(options["loss"] as LossName, classes);
  const releases = estimator.halves.releases({
    sizes,
    outputs,
    noiseShares: noiseSharesOf(aggregation),
  });
  if (releases.own) {
    throw new OptionError(
      "ownModel: a participant that returns would draw its own release's noise again, and the difference of two shows its rows; " +
        'expected "exact" in a federated run',
    );
  }
  return { estimator, outputs, releases, sizes };
}

/** undefined where the curator draws the noise. */
function noiseSharesOf(aggregation: Plan["aggregation"]): MechanismFactory | undefined {
  if (!aggregation || aggregation.kind === "relays") return undefined;
  return aggregation.kind === "two-aggregators"
    ? verifiedMechanisms({ precision: aggregation.precision ?? undefined })
    : shareMechanisms(shareOptionsOf(aggregation));
}

/**
 * The method of a plan that names "auto", or none: by the fewest tasks, the features, the budget and what its schema or `scale` says of
 * ranges, before anything is uploaded. A plan that names a method keeps it; `why` is then null.
 * @throws OptionError where nothing is worth sharing, or for an option that "auto" does not have.
 */
export function settleMethod(
  input: PlanInput,
): Pick<Plan, "method" | "options"> & { readonly why: string | null } {
  const { method = AUTO, options = {}, tasks, minimumTasks } = object("plan", input);
  if (method !== AUTO) return { method, options, why: null };
  const { features, classes, schema } = givenBySchema(input);
  const { normalize = "none" } = input;
  const checked = new Auto(options).options;
  const m = minimumTasks ?? tasks?.length ?? FEWEST_TASKS;
  const found = chooseMethod({
    ...checked,
    federated: true,
    declared: checked.scale !== "auto",
    hasPrior: checked.publicPrior !== null,
    sizes: {
      m,
      d: features.length,
      rows: m * UNKNOWN_ROWS,
      // Else every owner declares, or vouches for, all of them.
      undeclared:
        checked.scale === "auto"
          ? undeclaredColumns({ features, normalize, ...(schema ? { schema } : {}) })
          : [],
    },
    ...(checked.loss === "softmax" ? { classes: classes?.length } : {}),
  });
  requireOwnModel(found, checked);
  const passed = passedOptions({ ...found.options, ...checked }, methodNamed(found.method).options);
  return { method: found.method, options: passed, why: found.why };
}
