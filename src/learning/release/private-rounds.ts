/**
 * The private half of a curator: mechanism, planned budgets, ledger and noise of the T rounds.
 * @module
 */
import { DataError, type Core, type Pointer } from "../../core/index.js";
import {
  describeGuarantee,
  gaussianMu,
  Ledger,
  type Guarantee,
  type LedgerOptions,
  type Mechanism,
  type MechanismFactory,
  type PrivacyEvent,
  type Sampling,
  type Schedule,
} from "../../privacy/index.js";
import { openStream, type RandomStream } from "../../random/index.js";
import type { RoundPrivacy } from "../round/curator.js";
import type { ReleaseJournal } from "../round/release-journal.js";
import { statistic as statisticOf, type StatisticName } from "../round/statistic.js";
import { planMechanism } from "./noise-form.js";
import { resolveDelta, type ReleaseOptions } from "../options/private-options.js";

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
  /** Mechanisms whose noise comes in shares, instead of those the options name. */
  readonly shares?: MechanismFactory | undefined;
  /** A release after the last round that the same budget pays for. */
  readonly last?: { readonly mechanism: Mechanism; readonly share: number; readonly label: string };
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
  readonly #last:
    { scale: number; perturb: (at: Pointer, round: number, length: number) => void } | undefined;
  readonly #shift: number | "auto";
  readonly #stream: RandomStream;
  readonly #work: Pointer;
  readonly #journal: ReleaseJournal | undefined;
  /** Releases that earlier runs charged. */
  readonly #charged: number;
  /** Float64s of the statistic. */
  readonly #length: number;

  constructor(options: ReleaseOptions, releases: Releases) {
    const { core, statistic, m, d, clip, rounds, schedule } = releases;
    const { epsilon, adjacency } = options;
    const delta = resolveDelta(options.delta, m);
    const { last } = releases;
    const lastBudget = last ? shareOfBudget(last.mechanism, last.share, epsilon, delta) : 0;
    const extra = last ? [last.mechanism.event(lastBudget)] : [];
    const length = statisticOf(statistic as StatisticName).length(m, d);
    const sampling = releases.sampling ? { sampling: releases.sampling } : {};
    const { mechanism, plan } = planMechanism(
      options.noise,
      {
        name: options.mechanism,
        statistic,
        rows: m,
        dimension: d,
        clip,
        adjacency,
        delta,
        ...sampling,
      },
      { schedule, rounds, epsilon, delta, extra },
      releases.shares,
    );
    this.mechanism = mechanism;
    const events = plan.events.slice(extra.length);
    const budget: LedgerOptions = {
      epsilon,
      delta,
      adjacency,
      accountant: plan.accountant,
      plan: [...events, ...extra],
      nominal: plan.nominal,
    };
    this.#journal = releases.journal;
    this.ledger = this.#journal?.openLedger(budget) ?? new Ledger(budget);
    this.#charged = this.ledger.entries.length;
    this.#length = length;
    this.#core = core;
    this.#budgets = plan.budgets;
    this.#events = events;
    this.#shift = releases.shift;
    this.#work = core.arena.bytes(mechanism.workspace(core));
    this.#stream = openStream(core, options.random);
    if (last) this.#last = this.#planLast(last, lastBudget, extra[0]!);
  }

  #planLast(
    { mechanism, label }: NonNullable<Releases["last"]>,
    budget: number,
    event: PrivacyEvent,
  ) {
    const work = this.#core.arena.bytes(mechanism.workspace(this.#core));
    const perturb = (at: Pointer, round: number, length: number) => {
      if (round <= this.#charged) {
        this.#recall(at, round, length, false);
        return;
      }
      this.#requireNext(round);
      this.ledger.charge(event, { round, label });
      this.#stream.select(round);
      mechanism.perturb(this.#core, this.#stream, at, budget, work);
      this.#journal?.write(round, this.#core.arena.view(at, length));
    };
    return { scale: mechanism.noiseScale(budget), perturb };
  }

  /**
   * The release after the last round, of `length` float64s: its privacy, and its noise's scale.
   * @throws RangeError if none was planned.
   */
  last(length: number): RoundPrivacy & { readonly scale: number } {
    const last = this.#last;
    if (!last) throw new RangeError("last: no release after the rounds was planned");
    return {
      scale: last.scale,
      inShares: this.inShares,
      perturb: (at, round) => last.perturb(at, round, length),
      shift: () => 0,
    };
  }

  get inShares(): boolean {
    return this.mechanism.inShares === true;
  }

  perturb(at: Pointer, round: number): void {
    if (round <= this.#charged) {
      this.#recall(at, round, this.#length, true);
      return;
    }
    this.#requireNext(round);
    this.ledger.charge(this.#events[round - 1]!, { round });
    this.#stream.select(round);
    this.mechanism.perturb(this.#core, this.#stream, at, this.#budgets[round - 1]!, this.#work);
    this.#journal?.write(round, this.#core.arena.view(at, this.#length));
  }

  /** A round has one stream of noise: drawn twice, the difference of two releases would be exact. */
  #requireNext(round: number): void {
    const next = this.ledger.entries.length + 1;
    if (round === next) return;
    throw new RangeError(`round: expected ${next}, the next release, got ${round}`);
  }

  /**
   * Takes a release of an earlier run. One that was charged but never written is not drawn again:
   * the release before it stands in, which costs nothing.
   */
  #recall(at: Pointer, round: number, length: number, standIn: boolean): void {
    const found =
      this.#journal?.read(round) ??
      (standIn && round > 1 ? this.#journal?.read(round - 1) : undefined);
    if (found?.length !== length) {
      throw new DataError(
        `journal: release ${round} was charged but is not there, nor is one before it; ` +
          `its budget is spent. Start another journal.`,
      );
    }
    this.#core.arena.view(at, length).set(found);
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

/**
 * The budget of a release that takes a share of the whole: of eps for a pure mechanism, of mu^2 for
 * a Gaussian one, whose squares add up.
 */
export function shareOfBudget(
  { budgetKind }: Mechanism,
  share: number,
  epsilon: number,
  delta: number,
): number {
  return budgetKind === "mu" ? Math.sqrt(share) * gaussianMu(epsilon, delta) : share * epsilon;
}
