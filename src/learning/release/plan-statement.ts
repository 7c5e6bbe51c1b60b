/**
 * What a release plan promises once it is charged. It follows from the plan, its ledger and the options alone, so that whoever knows these says
 * it for himself: a participant need not take a curator's word for it.
 * @module
 */
import {
  describeGuarantee,
  liftGuarantee,
  type Guarantee,
  type Ledger,
  type NoiseSource,
  type TrustModel,
} from "../../privacy/index.js";
import {
  inRealNumbersOnly,
  isOfRealNumbersOnly,
  type Mechanism,
} from "../../privacy/mechanisms/mechanism.js";
import { OWN_BUDGETS } from "../../privacy/own-budget.js";
import type { TrustOptions } from "../options/curator-trust.js";
import type { AnyPublicPrior } from "../options/public-prior.js";
import type { ReleasePlan } from "../round/release-plan.js";
import { statedRecord } from "./record-account.js";

/** What the statement rests on beside ledger and mechanism. */
export interface StatementContext {
  /** Default a trusted curator. */
  readonly trust?: TrustModel;
  /** What was declared public and started from. */
  readonly publicPrior?: { readonly source?: string };
  /** Whether no row depends on others of its task; default true. */
  readonly recordsApart?: boolean;
}

/** Options on which a statement depends. */
export type StatedOptions = Partial<TrustOptions> & {
  /** What was declared public and started from. */
  readonly publicPrior?: AnyPublicPrior | null;
};

/** Whom the tasks of a local or federated run trust, and what they start from; secure sums say the former themselves. */
export function statedBy({
  curator,
  recordEpsilon,
  publicPrior,
}: StatedOptions): Pick<StatementContext, "trust" | "publicPrior"> {
  const alone = curator === "untrusted" && recordEpsilon !== undefined;
  return {
    trust: alone ? { kind: "record-noise", epsilon: recordEpsilon } : { kind: "curator" },
    ...(publicPrior ? { publicPrior } : {}),
  };
}

/** Whose words hold of all releases: where the noise of some is drawn in floating point, those of the others do not. */
function statedMechanism({ stages, main }: ReleasePlan): Mechanism {
  const unsound = stages.find(({ mechanism }) => !mechanism.sound);
  if (unsound) return unsound.mechanism;
  return stages.some(({ mechanism }) => isOfRealNumbersOnly(mechanism))
    ? inRealNumbersOnly(main.mechanism)
    : main.mechanism;
}

/**
 * The statement after the last release.
 * @param ledger that was charged with the plan's events.
 * @param drawn  where the noise came from.
 * @param notCharged figures that were computed beside the releases.
 */
export function planStatement(
  plan: ReleasePlan,
  ledger: Ledger,
  drawn: NoiseSource,
  notCharged: readonly string[],
  { recordsApart, ...context }: StatementContext = {},
): Guarantee {
  const { groupSize, tasks, unit, person, recordOf, owners } = plan;
  const about = { tasks, unit, ...(person ? { person } : {}), ...context };
  const described = describeGuarantee(ledger, statedMechanism(plan), drawn, notCharged, about);
  const stated: Guarantee = {
    ...described,
    ...(recordOf ? { recordOf: statedRecord(recordOf) } : {}),
    ...(owners ? { note: [described.note, OWN_BUDGETS].filter(Boolean).join("; ") } : {}),
  };
  return groupSize === undefined ? stated : liftGuarantee(stated, groupSize, recordsApart);
}
