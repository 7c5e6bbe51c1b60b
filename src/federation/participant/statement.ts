/**
 * What a participant makes of the curator's statement after the last round: it is held to the plan that was agreed to.
 * @module
 */
import { DataError } from "../../core/index.js";
import { asRead, jointStatementProblem } from "../../privacy/guarantee/check-statement.js";
import { Ledger, sameEvent, trustWords, type Guarantee } from "../../privacy/index.js";
import { statedRecord } from "../../learning/release/record-account.js";
import type { ReleasePlan } from "../../learning/round/release-plan.js";
import type { Statement } from "../protocol/messages/messages.js";
import { collusionOf } from "../secure-aggregation/plan/collusion.js";
import { shareOptionsOf, type PlannedAggregation } from "../secure-aggregation/plan/planned.js";
import type { PlannedAggregators } from "../verified-sums/plan/planned.js";
import type { Plan } from "../protocol/plan/plan-form.js";
import { runStatement } from "../protocol/run-statement.js";
import type { StatedOptions } from "../../learning/release/plan-statement.js";

/**
 * Guarantee and ledger of a statement, which must bear each other out. Budget and charges must be those of the plan; where the curator
 * sees no vectors it is not believed: its promises must be the plan's, too, and what is returned is the participant's own statement, whose every
 * sentence follows from plan and charges.
 * @param options of the plan's estimator.
 * @throws DataError if they are of another budget than the plan's, or not those of the plan, or the guarantee says more than the ledger.
 */
export function believed(
  statement: Statement,
  plan: Plan,
  releases: ReleasePlan,
  options: StatedOptions,
): { readonly guarantee: Guarantee; readonly ledger: Ledger } {
  const ledger = ledgerOf(statement.ledger);
  const guarantee = asRead(statement.guarantee as Guarantee);
  const isOfPlan =
    termsArePlanned(guarantee, ledger, releases) &&
    isPlanned(guarantee, plan, releases) &&
    recordIsPlanned(guarantee, releases);
  if (!isOfPlan) {
    throw new DataError("statement: the curator's ledger or guarantee is not that of the plan");
  }
  if (ledger.epsilon !== plan.options["epsilon"]) {
    throw new DataError("the curator's ledger is not of the budget that the plan promises");
  }
  const problem = jointStatementProblem(guarantee, ledger);
  if (problem !== undefined) throw new DataError(`statement: the curator's guarantee: ${problem}`);
  const own = hiddenSums(plan.aggregation) && runStatement(plan, releases, { ledger, options });
  return { guarantee: own ?? guarantee, ledger };
}

/** Sums of which the curator sees no vectors, so that it is trusted with none, nor to draw the noise. */
const hiddenSums = (aggregation: Plan["aggregation"]) =>
  aggregation && aggregation.kind !== "relays" ? aggregation : undefined;

/** Whether they speak of the noise, delta, charges and unit that were agreed to: statement and ledger may be wrong of them together. */
function termsArePlanned(
  { person }: Guarantee,
  { noiseSource, unit, adjacency, nominal, delta, entries }: Ledger,
  { ledger: planned, person: bound }: ReleasePlan,
): boolean {
  return (
    delta === planned.delta &&
    entries.length === planned.plan.length &&
    entries.every(({ event }, i) => sameEvent(event, planned.plan[i]!)) &&
    noiseSource === planned.noiseSource &&
    unit === planned.unit &&
    adjacency === planned.adjacency &&
    nominal === planned.nominal &&
    person?.rowsPerPerson === bound?.rowsPerPerson &&
    person?.tasksPerPerson === bound?.tasksPerPerson
  );
}

function isPlanned(
  stated: Guarantee,
  { aggregation, options }: Plan,
  releases: ReleasePlan,
): boolean {
  const hidden = hiddenSums(aggregation);
  // Where the curator draws the noise it is believed.
  if (!hidden) return true;
  return (
    stated.epsilon === options["epsilon"] &&
    stated.delta === releases.ledger.delta &&
    trustIsPlanned(stated, hidden, releases)
  );
}

/** Whether a record is said to move the releases as far as the plan says, where it is said. */
function recordIsPlanned({ recordOf }: Guarantee, { recordOf: planned }: ReleasePlan): boolean {
  const { sensitivities } = planned ? statedRecord(planned) : {};
  return !recordOf || JSON.stringify(recordOf.sensitivities) === JSON.stringify(sensitivities);
}

function trustIsPlanned(
  stated: Guarantee,
  aggregation: PlannedAggregation | PlannedAggregators,
  releases: ReleasePlan,
): boolean {
  if (aggregation.kind === "two-aggregators") {
    return stated.trust === trustWords({ kind: "two-aggregators" });
  }
  const { parties } = shareOptionsOf(aggregation);
  const { collusion, recordOf } = collusionOf(releases, parties, stated.delta);
  return (
    stated.colluding === parties.colluding &&
    JSON.stringify(stated.collusion) === JSON.stringify(collusion) &&
    JSON.stringify(stated.recordOf) === JSON.stringify(recordOf)
  );
}

/** The ledger read last: all participants of one process are told the same one. */
let lastLedger: { readonly text: string; readonly ledger: Ledger } | undefined;

function ledgerOf(stored: object): Ledger {
  const text = JSON.stringify(stored);
  if (lastLedger?.text !== text) lastLedger = { text, ledger: Ledger.fromJSON(stored) };
  return lastLedger.ledger;
}
