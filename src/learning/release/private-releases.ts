/**
 * A release plan at work: each release is charged, then its noise drawn, then written down with its charge, and
 * only then used; the last like the first.
 * @module
 */
import { DataError, type Core, type Pointer } from "../../core/index.js";
import { Ledger, type Guarantee } from "../../privacy/index.js";
import { requireSameLedger } from "../../privacy/ledger/require-same-ledger.js";
import { requireNoiseSource } from "../../privacy/noise-source.js";
import { openStream, type RandomOptions, type RandomStream } from "../../random/index.js";
import { streamNumber } from "../../random/stream-numbers.js";
import type { RoundPrivacy } from "../round/curator.js";
import type { ReleaseJournal } from "../round/release-journal.js";
import type { PlannedStage, ReleasePlan } from "../round/release-plan.js";
import { withTerms } from "./plan-terms.js";
import { planStatement, type StatementContext } from "./plan-statement.js";

/** Where the releases happen. */
export interface ReleaseContext {
  readonly core: Core;
  /** Where the noise comes from. */
  readonly random: RandomOptions;
  /** Makes the run resumable. */
  readonly journal?: ReleaseJournal | undefined;
}

/**
 * Charges the releases of a plan, in its order, and draws their noise.
 *
 * @throws BudgetExceededError before any release if the plan does not fit its budget; OptionError if the
 *   journal's ledger is of another budget or plan, or it or the plan of another source of noise.
 */
export class PrivateReleases {
  readonly plan: ReleasePlan;
  readonly ledger: Ledger;
  /** The privacy of every stage's rounds, as its curator takes it. */
  readonly stages: readonly RoundPrivacy[];
  readonly #core: Core;
  readonly #stream: RandomStream;
  readonly #journal: ReleaseJournal | undefined;
  /** Releases that earlier runs charged. */
  readonly #charged: number;

  constructor(plan: ReleasePlan, { core, random, journal }: ReleaseContext) {
    this.plan = plan;
    const asked = journal ? withTerms(plan) : plan.ledger;
    this.ledger = journal?.openLedger(asked) ?? new Ledger(asked);
    // What is stated is of this plan, and what a journal has of another one was released with other noise, or of other uploads.
    if (journal) requireSameLedger("journal", this.ledger, asked);
    requireNoiseSource("journal", this.ledger, random.mode);
    this.#charged = this.ledger.releases;
    this.#core = core;
    this.#journal = journal;
    this.stages = plan.stages.map((stage) => this.#privacyOf(stage));
    this.#stream = openStream(core, random);
  }

  #privacyOf(stage: PlannedStage): RoundPrivacy {
    const { mechanism, budgets, first, shift } = stage;
    const work = this.#core.arena.bytes(mechanism.workspace(this.#core));
    return {
      inNoiseShares: mechanism.inNoiseShares === true,
      perturb: this.#perturb.bind(this, stage, work),
      shift: (release) => (shift === "auto" ? mechanism.shift(budgets[release - first]!) : shift),
    };
  }

  #perturb(stage: PlannedStage, work: Pointer, at: Pointer, release: number): void {
    const { mechanism, budgets, events, first, length, label } = stage;
    const k = release - first;
    if (!(k in budgets)) {
      const range = `${first} to ${first + budgets.length - 1}`;
      throw new RangeError(`round: expected a release of this stage, ${range}, got ${release}`);
    }
    if (release <= this.#charged) {
      this.#recall(stage, at, release);
      return;
    }
    this.#requireNext(release);
    this.ledger.charge(events[k]!, { round: release, ...(label === undefined ? {} : { label }) });
    this.#stream.select(streamNumber.release(release));
    mechanism.perturb(this.#core, this.#stream, at, budgets[k]!, work);
    // A copy: next in this place is the following round's statistic, before its noise.
    this.#journal?.write(release, this.#core.arena.view(at, length).slice());
  }

  /** A release has one stream of noise: drawn twice, the difference of two would be exact. */
  #requireNext(release: number): void {
    const next = this.ledger.releases + 1;
    if (release === next) return;
    throw new RangeError(`round: expected ${next}, the next release, got ${release}`);
  }

  /** Takes a release of an earlier run: never drawn again, and nothing else in its place. */
  #recall({ length }: PlannedStage, at: Pointer, release: number): void {
    const found = this.#journal?.read(release);
    if (found?.length !== length) {
      throw new DataError(
        `journal: release ${release} was charged, but ${found ? "it has another length" : "it is not there"}. ` +
          `Its budget is spent: restore the journal as it was last; another journal is another fit with a ` +
          `budget of its own.`,
      );
    }
    this.#core.arena.view(at, length).set(found);
  }

  /** The statement after the last release. */
  guarantee(notCharged: readonly string[], context: StatementContext = {}): Guarantee {
    return planStatement(this.plan, this.ledger, this.#stream.mode, notCharged, context);
  }

  /** Wipes the generator's key from memory. */
  close(): void {
    this.#stream.close();
  }
}
