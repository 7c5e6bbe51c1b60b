/**
 * `mp-mtl/privacy`: mechanisms as data, accounting, ledger and guarantee. No WebAssembly.
 * @module
 */
export {
  accountForDelta,
  accountForEpsilon,
  deltaOf,
  epsilonOf,
  type Account,
} from "./accounting/account.js";
export { calibrate, largestRounds, type Budget } from "./accounting/calibrate.js";
export { epsilonBounds } from "./accounting/bounds.js";
export type { FilterName } from "./accounting/filter.js";
export type { EventGroup } from "./accounting/groups.js";
export type { AccountantName } from "./accounting/accountants/accountant.js";
export { compositionBound } from "./accounting/kov.js";
export { gaussianDelta, gaussianEpsilon, gaussianMu } from "./accounting/gdp.js";
export { readDelta, resolveDelta, type DeltaChoice, type DeltaReading } from "./delta.js";
export { DeltaPaysError, noiselessDelta } from "./noiseless.js";
export * from "./events/event-kinds.js";
export * from "./events/events.js";
export { randomAllocationEvent } from "./events/random-allocation.js";
export { selectionEvent } from "./selection/selection-event.js";
export { drawRepetitions } from "./selection/draw-repetitions.js";
export { meanRepetitions, repetitionsOfMean, type Repetitions } from "./selection/repetitions.js";
export {
  calibrateSelection,
  type PlannedSelection,
  type SelectionBudget,
  type SelectionRecord,
} from "./selection/selection-budget.js";
export { parseEvent, sameEvent } from "./events/parse-event.js";
export { parseEvents } from "./events/parse-events.js";
export { toDpEvent, type DpEventTuple } from "./events/dp-event.js";
export { fromDpEvent } from "./events/parse-dp-event.js";
export { DurableLedger, type AppendLine } from "./ledger/durable-ledger.js";
export { liftBudget, liftGuarantee, recordBudget, type GroupBudget } from "./group.js";
export type { Guarantee, RecordGuarantee } from "./guarantee/guarantee.js";
export { describeGuarantee, type GuaranteeContext } from "./guarantee/describe-guarantee.js";
export {
  ownGuarantee,
  ownLedger,
  ownRecordGuarantee,
  type OwnBudget,
  type OwnPromise,
} from "./own-budget.js";
export {
  protectionOfOwners,
  protectionTable,
  type OwnerPromises,
  type Protection,
  type Stated,
  type StatedRecord,
} from "./guarantee/protection.js";
export {
  personWords,
  trustWords,
  type GuaranteeWords,
  type PersonBound,
  type TrustModel,
} from "./guarantee/guarantee-words.js";
export {
  attackerGain,
  gaussianSummary,
  type AttackerGain,
  type GaussianSummary,
} from "./guarantee/gaussian-summary.js";
export type { StoredLedger } from "./ledger/ledger-json.js";
export { BudgetExceededError, Ledger, type Spending } from "./ledger/ledger.js";
export {
  LEDGER_UNITS,
  type LedgerEntry,
  type LedgerOptions,
  type LedgerUnit,
  type NoiseSource,
} from "./ledger/ledger-entry.js";
export type { LedgerTerms } from "./ledger/ledger-terms.js";
export { allocateBudget, type Allocation, type AllocateOptions } from "./allocate-budget.js";
export { defaultMechanism, MECHANISM_NAMES } from "./mechanisms/catalogue.js";
export {
  createMechanism,
  type CreateMechanismOptions,
  type MechanismFactory,
} from "./mechanisms/create.js";
export { preferExact } from "./mechanisms/prefer-exact.js";
export type { Mechanism, MechanismName, NoiseStream } from "./mechanisms/mechanism.js";
export type { Sampling } from "./mechanisms/sampled-events.js";
export { MOST_ROUNDS, type Schedule } from "./schedule.js";
export { sensitivity, type SensitivityInput, type Statistic } from "./sensitivity.js";
export * from "./audit/index.js";
