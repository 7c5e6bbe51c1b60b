/**
 * What a run promises one owner that stated a budget of its own: the run's releases, as far as its units move them.
 *
 * **Statement.** If what an owner's rows add to a sum is multiplied by w in (0, 1], one of its units moves the sum by w times what
 * others' units do, under the same noise: for that owner the release is the Gaussian mechanism of that sensitivity. Owners'
 * factors are public and fixed beforehand, so each has an account, and a ledger, of its own.
 *
 * **Proof.** Neighbouring worlds differ in one unit of one owner; in both worlds all else, factors and noise included, is alike. QED
 * @see Alaggan, Gambs, Kermarrec (2016), "Heterogeneous differential privacy": the stretching mechanism.
 * @module
 */
import { array, object } from "../core/checks.js";
import { attackerGain, gaussianSummary } from "./guarantee/gaussian-summary.js";
import type { Guarantee, RecordGuarantee } from "./guarantee/guarantee.js";
import { checkLedger, Ledger } from "./ledger/ledger.js";
import type { PrivacyEvent } from "./events/event-kinds.js";

/** What a guarantee of all owners says where they have budgets of their own. */
export const OWN_BUDGETS =
  "epsilon is the largest of the owners' own; what each of them is promised, its own model's guarantee states";
/** The same in the guarantee of one of them. */
const OWN_BUDGET = "epsilon is this owner's own; that of other owners may be larger";

/** A promise to one owner, with what bears it out. */
export interface OwnPromise {
  /** eps for one unit of this owner. */
  readonly epsilon: number;
  /** The delta that goes with it. */
  readonly delta: number;
  /** How far one unit of the owner moves each of the releases, in order, >= 0. */
  readonly sensitivities: readonly number[];
}

/** The account of one owner; plain JSON, and public like its epsilon. */
export interface OwnBudget extends OwnPromise {
  /** Factor of what the owner's rows add to every release, in (0, 1]. */
  readonly weight: number;
  /** Where the models are made of noisy moments: the same against whoever is given the owner's model. */
  readonly ownModel?: OwnPromise;
  /** Where the unit is a task: what a record has. */
  readonly recordOf?: Guarantee["recordOf"];
  /** With secure sums: epsilon for numbers of colluders. */
  readonly collusion?: Guarantee["collusion"];
}

/** How far something moves each of these releases. */
export const sensitivitiesOf = (events: readonly PrivacyEvent[]): number[] =>
  events.map((event) => (event as { readonly sensitivity: number }).sensitivity);

/** The releases as one owner's units move them, or its records. @throws RangeError for other noise or another number of them. */
export function eventsOf(
  events: readonly PrivacyEvent[],
  { sensitivities }: Pick<OwnPromise, "sensitivities">,
): PrivacyEvent[] {
  array("sensitivities", sensitivities);
  if (sensitivities.length !== events.length) {
    throw new RangeError(
      `sensitivities: expected one for each of ${events.length} releases, got ${sensitivities.length}`,
    );
  }
  return events.map((event, k) => {
    if (event.kind !== "gaussian" && event.kind !== "discrete-gaussian") {
      throw new RangeError(`event: expected Gaussian noise, got "${event.kind}"`);
    }
    return { ...event, sensitivity: sensitivities[k]! };
  });
}

/**
 * The ledger of one owner: what the run's has been charged with, at the owner's sensitivities.
 * @throws BudgetExceededError if the releases do not fit the owner's epsilon.
 */
export function ownLedger(ledger: Ledger, promise: OwnPromise): Ledger {
  checkLedger(ledger);
  object("promise", promise);
  const plan = eventsOf(ledger.plan ?? ledger.entries.map(({ event }) => event), promise);
  const { adjacency, noiseSource, unit } = ledger;
  const own = new Ledger({
    epsilon: promise.epsilon,
    delta: promise.delta,
    adjacency,
    plan,
    ...(noiseSource === undefined ? {} : { noiseSource }),
    ...(unit === undefined ? {} : { unit }),
  });
  ledger.entries.forEach(({ event: _, ...where }, k) => own.charge(plan[k]!, where));
  return own;
}

/** What follows from another budget. */
function figuresOf(isPrivate: boolean, ledger: Ledger, promise: OwnPromise) {
  const own = ownLedger(ledger, promise);
  const { epsilon, delta, accountant } = own;
  return {
    epsilon,
    delta,
    accountant,
    spent: own.spent(),
    ...(isPrivate ? { attacker: attackerGain(own, own.plan!) } : {}),
  };
}

/** The run's guarantee as it is for one owner. */
export function ownGuarantee(guarantee: Guarantee, ledger: Ledger, budget: OwnBudget): Guarantee {
  const { gaussian: _, ...others } = object("guarantee", guarantee);
  const { recordOf, collusion } = object("budget", budget);
  const note = guarantee.note?.replace(OWN_BUDGETS, OWN_BUDGET) ?? OWN_BUDGET;
  const gaussian = gaussianSummary(ownLedger(ledger, budget).plan!, budget);
  return {
    ...others,
    note,
    ...(gaussian ? { gaussian } : {}),
    ...figuresOf(guarantee.private, ledger, budget),
    ...(recordOf ? { recordOf } : {}),
    ...(collusion ? { collusion } : {}),
  };
}

/** The same of what holds against whoever is given the owner's own model. */
export function ownRecordGuarantee(
  guarantee: RecordGuarantee,
  ledger: Ledger,
  budget: OwnBudget,
): RecordGuarantee {
  object("guarantee", guarantee);
  const { ownModel } = object("budget", budget);
  return ownModel ? { ...guarantee, ...figuresOf(guarantee.private, ledger, ownModel) } : guarantee;
}
