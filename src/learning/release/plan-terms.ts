/**
 * What a plan states beside its budget, as the ledger of a fit with a journal keeps it.
 *
 * A plan's events say how much noise there is, not for which bound on a record, or with which factor of an owner's rows, the sums were
 * formed: without these a fit with another `recordClip`, or other `taskEpsilons`, would take up the releases and state its own figures of them.
 * @module
 */
import type { LedgerOptions, LedgerTerms } from "../../privacy/index.js";
import { sensitivitiesOf } from "../../privacy/own-budget.js";
import type { ReleasePlan } from "../round/release-plan.js";

/** The plan's ledger with its terms; as it is where nothing is stated beside the budget. */
export function withTerms({ ledger, person, recordOf, owners }: ReleasePlan): LedgerOptions {
  if (!person && !recordOf && !owners) return ledger;
  const terms: LedgerTerms = {
    ...(person ? { person } : {}),
    ...(recordOf ? { recordSensitivities: sensitivitiesOf(recordOf.events) } : {}),
    ...(owners ? { ownerWeights: owners.map(({ weight }) => weight) } : {}),
  };
  return { ...ledger, terms };
}
