/**
 * The guarantee for every number of colluders: what is promised rests on how many participants are
 * honest, so it is printed for fewer and for more than the plan counts on.
 *
 * With k colluders at least t - k honest shares are in every sum. Beyond k = 2 t - n - 1 (in a ring of neighbours: beyond the
 * plan's c) an active curator may open single participants: what it then sees are that participant's integers under its own
 * share of noise alone, the same numbers in every attempt, so the row of one honest share holds.
 * The coalition of all others, with or without the curator, is that row, too.
 * @module
 */
import { statedRecord } from "../../../learning/release/record-account.js";
import type { ReleasePlan } from "../../../learning/round/release-plan.js";
import { epsilonOf, type Guarantee, type PrivacyEvent } from "../../../privacy/index.js";
import { withShares } from "../../../privacy/noise-shares.js";
import type { Parties } from "./parties.js";

/** One row. */
export interface CollusionRow {
  /** k, participants in league with each other and the curator. */
  readonly colluding: number;
  /** Honest noise shares that protect each honest participant then. */
  readonly honest: number;
  readonly epsilon: number;
}

/**
 * Epsilon at `delta` against the curator and k participants, for telling k: none, the plan's, the most
 * that secrecy of the sums allows, all but one; k increasing.
 *
 * @param events the plan's, whose noise is that of t - c honest shares.
 */
export function collusionTable(
  events: readonly PrivacyEvent[],
  { participants: n, threshold: t, colluding: c, tolerated: most }: Parties,
  delta: number,
): CollusionRow[] {
  const told = [...new Set([0, c, most, n - 1])].sort((a, b) => a - b);
  return told.map((colluding) => {
    const honest = colluding <= most ? t - colluding : 1;
    return { colluding, honest, epsilon: epsilonOf(withShares(events, honest), { delta }) };
  });
}

/** What a guarantee says of numbers of colluders: of what the noise hides and, where that is a task, of one record of it. */
export function collusionOf(
  { ledger, recordOf }: Pick<ReleasePlan, "ledger" | "recordOf">,
  parties: Parties,
  delta: number,
): Pick<Guarantee, "collusion" | "recordOf"> {
  const collusion = collusionTable(ledger.plan, parties, delta);
  if (!recordOf) return { collusion };
  const ofRecord = collusionTable(recordOf.events, parties, delta);
  return { collusion, recordOf: { ...statedRecord(recordOf), collusion: ofRecord } };
}
