/**
 * What methods that share a prior release where they hide single records: one noisy sum of packed matrices a round.
 *
 * **Statement.** With models that one record moves by at most C / Lambda (`record-models.ts`), brought to norm K by the factor
 * K / (kept C n / Lambda), n the mean number of rows, an upload moves by at most 2 K^2 / (kept n) where one row adds nothing instead, and
 * by twice that where it is replaced; with a 1 beside, K in the first place is (K^2 + 1/2)^(1/2). Whatever a task holds, two
 * of its uploads are apart by at most sqrt(2) U, U being K^2, or K^2 + 1 with a 1 beside.
 *
 * **Proof.** Put D = K / (kept n) into the statement of `record-solve.ts`. C and Lambda cancel. Two matrices v v^T and v' v'^T of norm
 * at most U have the inner product (v . v')^2 >= 0, so the square of their distance is at most 2 U^2. QED
 * @module
 */
import type { Adjacency } from "../../../../privacy/index.js";
import { personOf, rowsOf } from "../../../options/person-options.js";
import { withOwners } from "../../../release/owner-accounts.js";
import { planReleases } from "../../../release/plan-releases.js";
import { withRecordAccount } from "../../../release/record-account.js";
import type { StageRequest } from "../../../release/stage-request.js";
import { unpacked } from "../../../../linalg/packed-symmetric.js";
import type { PlanContext, PublicSizes } from "../../../round/halves.js";
import type { ReleasePlan } from "../../../round/release-plan.js";
import type { SharingRule } from "../../../round/sharing-rule.js";
import { roundsOf, type PriorMethod } from "../method.js";
import { EQUAL_ROUNDS, type PriorMethodOptions } from "../options.js";
import { CLOSE } from "./record-models.js";
import { KEPT } from "./record-settings.js";
import { uploadLength } from "./record-solve.js";

/** Whether a 1 stands beside the models. */
export const isAugmented = ({ statistic }: PriorMethod) => statistic === "augmented-covariance";

/** Pays for models that are found to a distance, on both sides, and for rounding on the way. */
const ABOVE_ONE = 1 + 4 * CLOSE;

/**
 * The most by which one record moves an upload if it adds nothing instead; under "replace" half of what replacing it does, since
 * the accountant doubles it.
 */
export function recordNorm(
  definition: PriorMethod,
  { m, rows }: Pick<PublicSizes, "m" | "rows">,
  adjacency: Adjacency,
): number {
  const { clip } = definition;
  const moved = clip / ((KEPT * rows) / m);
  const beside = isAugmented(definition) ? 2 : 0;
  const apart = Math.SQRT2 * uploadNorm(definition);
  return (
    Math.min(
      moved * Math.sqrt(4 * clip * clip + beside),
      adjacency === "replace" ? apart / 2 : apart,
    ) * ABOVE_ONE
  );
}

/** Norm of an upload, at most. */
const uploadNorm = (definition: PriorMethod) =>
  definition.clip ** 2 + (isAugmented(definition) ? 1 : 0);

/** The releases of a fit that hides records, or tasks and records. */
export function recordReleases(
  definition: PriorMethod,
  options: PriorMethodOptions,
  { sizes, noiseShares }: PlanContext,
): ReleasePlan {
  const { m, d, rows, owners } = sizes;
  const { unit, adjacency } = options;
  const withOwn = (plan: ReleasePlan, clip: number) =>
    owners
      ? withOwners(plan, { epsilons: owners.epsilons, record: { records: rows, clip, person } })
      : plan;
  const person = personOf(options);
  const norm = recordNorm(definition, sizes, adjacency) * (person ? rowsOf(person) : 1);
  const common = {
    m,
    d: uploadLength(d, isAugmented(definition)),
    clip: uploadNorm(definition),
    rounds: roundsOf(definition, options, sizes),
    schedule: EQUAL_ROUNDS,
  };
  if (unit === "record") {
    const stage: StageRequest = {
      ...common,
      statistic: "vector",
      perRecord: { records: rows, clip: norm },
      vectorsPerUnit: person?.tasksPerPerson ?? 1,
    };
    const of = { unit, tasks: rows, ...(person ? { person } : {}) };
    return withOwn(planReleases({ options, stages: [stage], noiseShares, ...of }), norm);
  }
  const stage: StageRequest = { ...common, statistic: "moment", vectorsPerUnit: 1 };
  const plan = planReleases({ options, tasks: m, unit: "task", stages: [stage], noiseShares });
  // Of moments a replaced one counts sqrt(2) times what it adds, and what a record moves here is twice that.
  const clip = adjacency === "replace" ? Math.SQRT2 * norm : norm;
  return withOwn(withRecordAccount(plan, { records: rows, clip, person }), clip);
}

/**
 * A rule of matrices, on sums of packed ones.
 * @param counted part of the tasks that the sum counts, by the factors of owners with budgets of their own; 1 where all count.
 */
export function onPacked(
  rule: SharingRule,
  d: number,
  augmented: boolean,
  counted: number,
): SharingRule {
  const side = d + (augmented ? 1 : 0);
  return {
    statistic: "vector",
    broadcastLength: (m) => rule.broadcastLength(m, d),
    prepare: ({ core, m }) => {
      const inner = rule.prepare({ core, m, d });
      const matrix = core.arena.f64(side * side);
      return (sum, broadcast, round) => {
        const packed = core.arena.view(sum, uploadLength(d, augmented)).slice();
        if (counted !== 1) packed.forEach((value, k) => (packed[k] = value / counted));
        core.arena.view(matrix, side * side).set(unpacked(packed, side));
        return inner(matrix, broadcast, round);
      };
    },
  };
}
