/**
 * What a model promises to the owner of one task, and by which ledger: owners may have budgets of their own.
 * @module
 */
import {
  ownGuarantee,
  ownLedger,
  ownRecordGuarantee,
  protectionOfOwners,
  protectionTable,
  type Ledger,
  type Protection,
} from "../../../privacy/index.js";
import type { FittedModelState } from "../model-state.js";
import type { TaskModelState } from "./task-model-state.js";

/** The part of a model that says what it promises. */
type Promised = Pick<
  FittedModelState,
  "guarantee" | "ledger" | "recordGuarantee" | "recordLedger" | "owners" | "taskNames"
>;

/** What is promised to the owner of task i. */
export function promisesOf(
  { guarantee, ledger, recordGuarantee = null, recordLedger, owners }: Promised,
  i: number,
): Required<Pick<TaskModelState, "guarantee" | "recordGuarantee">> {
  const own = owners?.[i];
  if (!own || guarantee.kind === "none" || !ledger) return { guarantee, recordGuarantee };
  return {
    guarantee: ownGuarantee(guarantee, ledger, own),
    recordGuarantee:
      recordGuarantee && recordLedger
        ? ownRecordGuarantee(recordGuarantee, recordLedger, own)
        : recordGuarantee,
  };
}

/** The ledger of task i's owner: the run's, or where owners have budgets of their own that one. */
export function ledgerOfTask({ owners, ledger }: Promised, i: number): Ledger | null {
  return owners && ledger ? ownLedger(ledger, owners[i]!) : ledger;
}

/**
 * Who is protected from whom, in a table; empty for a method that promises nothing, and for tasks that came after the fit, whose
 * owners shared nothing (`guarantee.later`).
 */
export function protectionBy(model: Promised): readonly Protection[] {
  const { guarantee, recordGuarantee = null, owners, taskNames } = model;
  if (guarantee.kind === "none" || guarantee.later !== undefined) return [];
  if (!owners) return protectionTable(guarantee, recordGuarantee);
  return protectionOfOwners(taskNames.map((task, i) => ({ task, ...promisesOf(model, i) })));
}
