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
import { trustWords, type Guarantee, type Ledger, type TrustModel } from "../../privacy/index.js";
import { hiddenByCiphers } from "../../privacy/guarantee/guarantee-words.js";
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
  if (aggregation.kind !== "secure") return trusting(guarantee, { kind: aggregation.kind });
  const { parties } = shareOptionsOf(aggregation);
  const { colluding, participants } = parties;
  const trust = { kind: "secure-sums", colluding, participants } as const;
  return {
    ...trusting(guarantee, trust, parties.ring !== null),
    colluding,
    ...collusionOf(releases, parties, guarantee.delta),
  };
}

function trusting(guarantee: Guarantee, trust: TrustModel, ring = false): Guarantee {
  const notCovered = [...guarantee.notCovered, ...hiddenByCiphers(trust, ring)];
  return { ...guarantee, trust: trustWords(trust), notCovered };
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
