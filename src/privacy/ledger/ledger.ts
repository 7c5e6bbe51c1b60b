/**
 * The append-only record of what was spent. Every release is charged here before its noise is drawn.
 * @module
 */
import { array, callable, integer, object, oneOf, positive } from "../../core/checks.js";
import { MpMtlError } from "../../core/errors.js";
import {
  deltaOfGroups,
  epsilonOfGroups,
  quickEpsilon,
  type Account,
} from "../accounting/account.js";
import type { AccountantName } from "../accounting/accountants/accountant.js";
import { within } from "../accounting/figures.js";
import { openFilter, type FilterName, type PrivacyFilter } from "../accounting/filter.js";
import { groupEvents, nominalEvent, pureEpsilonOf } from "../accounting/groups.js";
import { checkDelta } from "../delta.js";
import { checkAdjacency } from "../events/adjacency.js";
import { checkedEvent, checkedEvents } from "../events/checked-event.js";
import { parseLedger, type StoredLedger } from "./ledger-json.js";
import { refuseIfDeltaPays } from "../noiseless.js";
import { runsOf, sameEvent } from "../events/parse-event.js";
import {
  LEDGER_UNITS,
  type LedgerEntry,
  type LedgerOptions,
  type LedgerUnit,
  type NoiseSource,
} from "./ledger-entry.js";
import { checkedTerms, type LedgerTerms } from "./ledger-terms.js";
import type { Adjacency, PrivacyEvent } from "../events/event-kinds.js";

/** A release would exceed the budget, or is not in the plan; nothing was released. Exit code 4. */
export class BudgetExceededError extends MpMtlError {
  /** "BudgetExceededError", in minified code too. */
  override readonly name: string = "BudgetExceededError";
  /** What the refused release costs, in `unit`. */
  readonly needed: number;
  /** What was left, in `unit`. */
  readonly left: number;
  /** What `needed` and `left` count: epsilon or what the filter counts in; against a plan, releases. */
  readonly unit: string;
  /** Round of the refused charge; 0 where the plan as a whole does not fit. */
  readonly round: number;
  constructor(round: number, needed: number, left: number, unit: string, detail = "") {
    const show = (x: number) => (Number.isFinite(x) ? x.toPrecision(4) : String(x));
    super(
      "BUDGET",
      `round ${round} needs ${unit} ${show(needed)}, but ${show(left)} is left; nothing was ` +
        `released.${detail} Use fewer rounds, more noise or a larger budget.`,
    );
    this.needed = needed;
    this.left = left;
    this.unit = unit;
    this.round = round;
  }
}

/** What is spent or left. */
export interface Spending {
  /** What the releases cost together, at `delta`. */
  epsilon: number;
  /** The delta that goes with it: the ledger's once anything was charged, before that 0. */
  delta: number;
  /** Number of charged releases, whatever their rounds. */
  rounds: number;
}

/** A ledger, also of another copy of the library. @throws TypeError for what is none. */
export function checkLedger(ledger: Ledger): void {
  const { entries, spent } = object("ledger", ledger, "a Ledger");
  callable("ledger.spent", spent);
  array("ledger.entries", entries);
}

/**
 * Holds a budget and what has been taken from it.
 *
 * With a plan the whole list is accounted once, at construction; charging compares with the next
 * planned event. Without one, each charge asks a privacy filter: basic composition for pure events,
 * or the Gaussian or Renyi filter, the theorems that allow budgets and stopping to depend on what
 * was released before (Rogers et al. 2016; Smith and Thakurta 2022; Feldman and Zrnic 2021).
 *
 * @throws BudgetExceededError if the plan does not fit the budget.
 * @throws DeltaPaysError if the plan would fit it without any noise.
 * @throws RangeError if the plan is of another adjacency or no accountant covers it.
 */
export class Ledger {
  /** The budget, > 0. */
  readonly epsilon: number;
  /** The budget's delta, in [0, 1). */
  readonly delta: number;
  /** That of every event it takes; others are refused. */
  readonly adjacency: Adjacency;
  /** Whether one-sided Wishart events are charged at the papers' nominal eps, which is not a guarantee. */
  readonly nominal: boolean;
  /** undefined where it was not said. */
  readonly noiseSource: NoiseSource | undefined;
  /** What the budget is of; undefined where it was not said. */
  readonly unit: LedgerUnit | undefined;
  /** What is stated of the releases beside their budget; undefined where nothing is, or it was not said. */
  readonly terms: LedgerTerms | undefined;
  /** The accountant whose theorem holds the budget, or the filter's name. */
  readonly accountant: AccountantName | FilterName;
  /** Every release, in order, as it was fixed beforehand; undefined where a filter decides charge by charge. */
  readonly plan: readonly PrivacyEvent[] | undefined;
  readonly #accountant: AccountantName | "auto";
  readonly #entries: LedgerEntry[] = [];
  /** As they are shown, since the last charge. */
  #shown: readonly LedgerEntry[] | undefined;
  readonly #filter: PrivacyFilter | undefined;
  readonly #planned: Account | undefined;

  constructor(options: LedgerOptions) {
    object("options", options);
    this.epsilon = positive("epsilon", options.epsilon);
    this.delta = checkDelta(options.delta);
    this.adjacency = checkAdjacency(options.adjacency);
    this.nominal = options.nominal ?? false;
    const { noiseSource } = options;
    this.noiseSource =
      noiseSource === undefined
        ? undefined
        : oneOf("noiseSource", noiseSource, ["secure", "seeded"] as const);
    const { unit } = options;
    this.unit = unit === undefined ? undefined : oneOf("unit", unit, LEDGER_UNITS);
    this.terms = options.terms && checkedTerms(options.terms);
    this.plan = options.plan && Object.freeze(checkedEvents(options.plan));
    const accountant = (this.#accountant = options.accountant ?? "auto");
    if (this.plan) {
      for (const event of new Set(this.plan)) this.#checkAdjacency(event);
      this.#planned = this.#accountPlan(this.plan, accountant);
      this.accountant = this.#planned.accountant;
    } else {
      this.#filter = openFilter(accountant, this.epsilon, this.delta);
      this.accountant = this.#filter.name;
    }
  }

  /** What was charged, in order; frozen, for what a program took out here would be charged and drawn again. */
  get entries(): readonly LedgerEntry[] {
    return (this.#shown ??= Object.freeze(this.#entries.slice()));
  }

  /** How many releases were charged. */
  get releases(): number {
    return this.#entries.length;
  }

  /**
   * Takes one release from the budget. Call it before the noise is drawn.
   *
   * @throws BudgetExceededError with `needed` and `left` if it does not fit or is not what the plan
   *   says comes next; the ledger is then unchanged.
   */
  charge(given: PrivacyEvent, where: { round: number; label?: string }): void {
    const { round, label } = object("where", where);
    integer("round", round, 0);
    const event = checkedEvent(given);
    const named = label === undefined ? {} : { label };
    const entry: LedgerEntry = Object.freeze({ round, event, ...named });
    if (this.#filter) {
      this.#checkAdjacency(event);
      const charged = this.nominal ? nominalEvent(event) : event;
      const needed = this.#filter.cost(charged);
      if (!within(needed, this.#filter.left)) {
        throw new BudgetExceededError(round, needed, this.#filter.left, this.#filter.unit);
      }
      this.record(entry);
      this.#filter.spend(charged);
    } else {
      const next = this.plan![this.#entries.length];
      if (next === undefined) {
        throw new BudgetExceededError(
          round,
          1,
          0,
          "planned releases",
          ` All ${this.plan!.length} planned releases were charged.`,
        );
      }
      if (!sameEvent(event, next)) {
        const at = this.#entries.length + 1;
        throw new BudgetExceededError(
          round,
          1,
          0,
          "releases of this kind",
          ` Release ${at} of the plan is another event; accounting of a plan holds only for the plan.`,
        );
      }
      this.record(entry);
    }
    this.#entries.push(entry);
    this.#shown = undefined;
  }

  /** Called with every accepted charge before it counts; a durable ledger writes it down here. */
  protected record(_entry: LedgerEntry): void {
    // In memory nothing more is to be done.
  }

  /**
   * What the charged releases cost at the ledger's delta: never more than the budget. With a plan it
   * is a bound for the releases so far (cheap accountants only, before the last one). If stopping there
   * depends on what was released, with a plan or without one, the guarantee to quote is the budget, `epsilon`
   * and `delta`: plans and filters bound the total, and only basic composition bounds every moment (an odometer).
   */
  spent(): Spending {
    const rounds = this.#entries.length;
    if (rounds === 0) return { epsilon: 0, delta: 0, rounds };
    const epsilon = this.#filter?.spentEpsilon() ?? this.#spentOfPlan(this.#planned!);
    return { epsilon: Math.min(epsilon, this.epsilon), delta: this.delta, rounds };
  }

  #spentOfPlan({ epsilon }: Account): number {
    // The rounds of an allocation are charged with its first.
    const done = this.#entries.length;
    const next = this.plan!.findIndex((event, k) => k >= done && pureEpsilonOf(event) !== 0);
    if (next < 0) return epsilon;
    const charge = (event: PrivacyEvent) => (this.nominal ? nominalEvent(event) : event);
    const groups = groupEvents(this.#entries.map((entry) => charge(entry.event)));
    return Math.min(epsilon, quickEpsilon(groups, this.delta));
  }

  /** What is left: epsilon not yet spent and, with a plan, releases not yet made. */
  remaining(): { epsilon: number; rounds?: number } {
    const { epsilon } = this.spent();
    const left = { epsilon: Math.max(0, this.epsilon - epsilon) };
    return this.plan ? { ...left, rounds: this.plan.length - this.#entries.length } : left;
  }

  /** Everything needed to go on after a restart, in plain JSON. */
  toJSON(): StoredLedger {
    return {
      format: "mp-mtl-ledger",
      version: 1,
      epsilon: this.epsilon,
      delta: this.delta,
      adjacency: this.adjacency,
      accountant: this.plan ? (this.accountant as AccountantName) : this.#accountant,
      nominal: this.nominal,
      ...(this.noiseSource === undefined ? {} : { noiseSource: this.noiseSource }),
      ...(this.unit === undefined ? {} : { unit: this.unit }),
      ...(this.terms === undefined ? {} : { terms: this.terms }),
      ...(this.plan ? { plan: runsOf(this.plan) } : {}),
      entries: this.#entries.map((entry) => ({ ...entry })),
    };
  }

  /**
   * A ledger from its JSON: every entry is charged again, so a file that was tampered with to exceed
   * its own budget is refused.
   *
   * @throws TypeError or RangeError that names the field; BudgetExceededError if it overspends.
   */
  static fromJSON(value: unknown): Ledger {
    const { entries, ...options } = parseLedger(value);
    const ledger = new Ledger(options);
    for (const { event, ...where } of entries) ledger.charge(event, where);
    return ledger;
  }

  #checkAdjacency(event: PrivacyEvent): void {
    if (event.adjacency !== this.adjacency) {
      throw new RangeError(
        `event.adjacency: this ledger is for "${this.adjacency}", got "${event.adjacency}"`,
      );
    }
  }

  #accountPlan(plan: readonly PrivacyEvent[], accountant: AccountantName | "auto"): Account {
    const groups = groupEvents(this.nominal ? plan.map(nominalEvent) : plan);
    refuseIfDeltaPays(groups, this.delta);
    const fits =
      this.delta === 0
        ? epsilonOfGroups(groups, 0, accountant)
        : deltaOfGroups(groups, this.epsilon, accountant);
    if (!within(fits.epsilon, this.epsilon) || !within(fits.delta, this.delta)) {
      const needed = epsilonOfGroups(groups, this.delta, accountant).epsilon;
      throw new BudgetExceededError(0, needed, this.epsilon, "epsilon", " The plan does not fit.");
    }
    return { ...fits, epsilon: Math.min(fits.epsilon, this.epsilon) };
  }
}
