/**
 * The private half of a curator: mechanism, planned budgets, ledger and noise of the T rounds.
 * @module
 */
import { DataError, type Core, type Pointer } from "../../core/index.js";
import {
  allocateBudget,
  createMechanism,
  describeGuarantee,
  Ledger,
  type Guarantee,
  type LedgerOptions,
  type Mechanism,
  type PrivacyEvent,
  type Sampling,
  type Schedule,
} from "../../privacy/index.js";
import { openStream, type RandomStream } from "../../random/index.js";
import type { RoundPrivacy } from "../round/curator.js";
import type { ReleaseJournal } from "../round/release-journal.js";
import { statistic as statisticOf, type StatisticName } from "../round/statistic.js";
import { resolveDelta, type BudgetOptions } from "./private-options.js";

/** What is released, and how often. */
export interface Releases {
  readonly core: Core;
  readonly statistic: Mechanism["statistic"];
  /** Tasks, and float64s each shares. */
  readonly m: number;
  readonly d: number;
  /** K, bound on every shared vector. */
  readonly clip: number;
  readonly rounds: number;
  readonly schedule: Schedule;
  readonly shift: number | "auto";
  /** Who takes part in each release, where not everyone does. */
  readonly sampling?: Sampling;
  /** Makes the fit resumable. */
  readonly journal?: ReleaseJournal | undefined;
}

/**
 * Plans the rounds' budgets and charges each before its noise is drawn.
 *
 * @throws RangeError or BudgetExceededError before any release if the plan does not fit.
 */
export class PrivateRounds implements RoundPrivacy {
  readonly mechanism: Mechanism;
  readonly ledger: Ledger;
  readonly #core: Core;
  readonly #budgets: Float64Array;
  readonly #events: readonly PrivacyEvent[];
  readonly #shift: number | "auto";
  readonly #stream: RandomStream;
  readonly #work: Pointer;
  readonly #journal: ReleaseJournal | undefined;
  /** Releases that earlier runs charged. */
  readonly #charged: number;
  /** Float64s of the statistic. */
  readonly #length: number;

  constructor(options: BudgetOptions, releases: Releases) {
    const { core, statistic, m, d, clip, rounds, schedule } = releases;
    const { epsilon, adjacency } = options;
    const delta = resolveDelta(options.delta, m);
    this.mechanism = createMechanism({
      name: options.mechanism,
      statistic,
      rows: m,
      dimension: d,
      clip,
      adjacency,
      delta,
      ...(releases.sampling ? { sampling: releases.sampling } : {}),
    });
    const { mechanism } = this;
    const plan = allocateBudget({ schedule, rounds, epsilon, delta, mechanism });
    const budget: LedgerOptions = {
      epsilon,
      delta,
      adjacency,
      accountant: plan.accountant,
      plan: plan.events,
      nominal: plan.nominal,
    };
    this.#journal = releases.journal;
    this.ledger = this.#journal?.openLedger(budget) ?? new Ledger(budget);
    this.#charged = this.ledger.entries.length;
    this.#length = statisticOf(statistic as StatisticName).length(m, d);
    this.#core = core;
    this.#budgets = plan.budgets;
    this.#events = plan.events;
    this.#shift = releases.shift;
    this.#work = core.arena.bytes(mechanism.workspace(core));
    this.#stream = openStream(core, options.random);
  }

  perturb(at: Pointer, round: number): void {
    if (round <= this.#charged) {
      this.#recall(at, round);
      return;
    }
    this.ledger.charge(this.#events[round - 1]!, { round });
    this.#stream.select(round);
    this.mechanism.perturb(this.#core, this.#stream, at, this.#budgets[round - 1]!, this.#work);
    this.#journal?.write(round, this.#core.arena.view(at, this.#length));
  }

  /**
   * Takes a release of an earlier run. One that was charged but never written is not drawn again:
   * the release before it stands in, which costs nothing.
   */
  #recall(at: Pointer, round: number): void {
    const found =
      this.#journal?.read(round) ?? (round > 1 ? this.#journal?.read(round - 1) : undefined);
    if (found?.length !== this.#length) {
      throw new DataError(
        `journal: release ${round} was charged but is not there, nor is one before it; ` +
          `its budget is spent. Start another journal.`,
      );
    }
    this.#core.arena.view(at, this.#length).set(found);
  }

  shift(round: number): number {
    return this.#shift === "auto" ? this.mechanism.shift(this.#budgets[round - 1]!) : this.#shift;
  }

  /** Scale of the noise of a round: sigma, v or the Laplace scale. Public. */
  noiseScale(round: number): number {
    return this.mechanism.noiseScale(this.#budgets[round - 1]!);
  }

  /** The statement after the last round. */
  guarantee(notCharged: readonly string[]): Guarantee {
    return describeGuarantee(this.ledger, this.mechanism, this.#stream.mode, notCharged);
  }

  /** Wipes the generator's key from memory. */
  close(): void {
    this.#stream.close();
  }
}
