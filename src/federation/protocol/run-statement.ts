/**
 * What a federated run states: what its releases promise, and whom its plan has the owners trust. Curator and participants say it, each for
 * itself.
 * @module
 */
import {
  planStatement,
  statedBy,
  type StatedOptions,
} from "../../learning/release/plan-statement.js";
import type { ReleasePlan } from "../../learning/round/release-plan.js";
import { trustWords, type Guarantee, type Ledger } from "../../privacy/index.js";
import { collusionOf } from "../secure-aggregation/plan/collusion.js";
import { shareOptionsOf } from "../secure-aggregation/plan/planned.js";
import type { Plan } from "./plan/plan-form.js";

/** The promise of a run with the trust that the plan's sums ask for; with secure sums, for every number of colluders. */
export function withTrustOf(
  { aggregation }: Pick<Plan, "aggregation">,
  releases: ReleasePlan,
  guarantee: Guarantee,
): Guarantee {
  if (!aggregation) return guarantee;
  if (aggregation.kind !== "secure") {
    return { ...guarantee, trust: trustWords({ kind: aggregation.kind }) };
  }
  const { parties } = shareOptionsOf(aggregation);
  const { colluding, participants } = parties;
  const trust = trustWords({ kind: "secure-sums", colluding, participants });
  return { ...guarantee, trust, colluding, ...collusionOf(releases, parties, guarantee.delta) };
}

/** All of it, by who knows plan, releases and charges. @param options of the plan's estimator. */
export function runStatement(
  plan: Pick<Plan, "aggregation">,
  releases: ReleasePlan,
  { ledger, options }: { readonly ledger: Ledger; readonly options: StatedOptions },
): Guarantee {
  const drawn = releases.ledger.noiseSource;
  return withTrustOf(plan, releases, planStatement(releases, ledger, drawn, [], statedBy(options)));
}
