/**
 * The helper's half of a run: one helper after the other, an attempt each; every round charged and given out once.
 * @module
 */
import { DataError, openCore } from "../../../core/index.js";
import { Ledger } from "../../../privacy/index.js";
import type { RandomOptions } from "../../../random/index.js";
import type { AttemptNumber, Body } from "../../protocol/messages/messages.js";
import { plannedMethod } from "../../protocol/plan/planned-method.js";
import type { KeyPair } from "../../secure-aggregation/keys/keys.js";
import { Helper } from "../aggregators/helper.js";
import type { GivenShare, HelperRecord, HelperState } from "./helper-records.js";
import type { ReportRefusal } from "../aggregators/output-shares.js";
import { aggregatorKeys, type PlannedAggregators } from "../plan/planned.js";
import { attemptSession, verifyKeyOf, type NamedRun } from "../aggregators/round-name.js";
import { verifiedTerms, type VerifiedTerms } from "../plan/terms.js";
import type { Plan } from "../../protocol/plan/plan-form.js";

/** What follows from a request: records to be stored first, then an answer, or the reason why there is none. */
export interface HelperAnswer {
  readonly keep: readonly HelperRecord[];
  readonly say?: Body;
  /** Why nothing is said. */
  readonly why?: string;
}

/** A report that this helper refuses, for its operator. */
export interface RefusedReport {
  /** The round, 1-based. */
  readonly round: number;
  /** Whose report. */
  readonly reporter: string;
  /** Why it is not in the sum. */
  readonly why: ReportRefusal;
}

const NO_SUM_TWICE =
  "the curator opens a round again whose sum was given out: its records were lost, or it wants a second one. Nothing is " +
  "given; tell the others";

/** What an open attempt holds. */
interface OpenAttempt extends AttemptNumber {
  readonly helper: Helper;
  /** Answers by reporter, repeated when asked for again. */
  readonly replies: Map<string, Uint8Array>;
}

/** Checks reports, and gives its share of every round's sum, once. */
export class HelperRounds {
  /** What it gave out. */
  readonly ledger: Ledger;
  readonly #plan: Plan & { readonly aggregation: PlannedAggregators };
  readonly #run: NamedRun;
  readonly #keys: KeyPair;
  readonly #terms: readonly VerifiedTerms[];
  readonly #core = openCore();
  readonly #used: Map<number, number>;
  readonly #given: Map<number, GivenShare>;
  #open: OpenAttempt | undefined;

  /**
   * @param run with the sizes that the leader told.
   * @throws RangeError or BudgetExceededError if the plan's budget allows no noise; DataError if the records are of another
   *   plan.
   */
  constructor(
    plan: Plan & { readonly aggregation: PlannedAggregators },
    run: NamedRun,
    keys: KeyPair,
    before: Pick<HelperState, "used" | "given">,
  ) {
    this.#plan = plan;
    this.#run = run;
    this.#keys = keys;
    const { releases } = plannedMethod(plan, run.sizes);
    this.#terms = verifiedTerms(releases);
    this.ledger = new Ledger(releases.ledger);
    this.#used = new Map(before.used);
    this.#given = new Map(before.given.map((share) => [share.round, share]));
    before.given.forEach(({ round }, i) => {
      if (round !== i + 1)
        throw new DataError(`helper store: the share of round ${i + 1} is missing`);
      this.#charge(round);
    });
  }

  /** Number of rounds of the run. */
  get rounds(): number {
    return this.#terms.length;
  }

  /** Whether every round was given out. */
  get over(): boolean {
    return this.#given.size === this.rounds;
  }

  /** Checks a report; `refused` is told of one that is not valid. */
  check(
    { round, attempt }: AttemptNumber,
    reporter: string,
    message: Uint8Array,
    refused: (report: RefusedReport) => void,
  ): HelperAnswer {
    const keep: HelperRecord[] = [];
    const open = this.#attempt(round, attempt, keep);
    if (!("helper" in open)) return open;
    let reply = open.replies.get(reporter);
    if (!reply) {
      reply = open.helper.receive(reporter, message);
      open.replies.set(reporter, reply);
      const why = open.helper.refused.get(reporter);
      if (why) refused({ round, reporter, why });
    }
    return { keep, say: { type: "checked", round, attempt, reporter, bytes: reply } };
  }

  /**
   * Gives its share of a round's sum: charged before its noise is drawn, stored (`keep`) before it is sent.
   * @throws BudgetExceededError if the round is not the next one of the plan.
   */
  give({ round, attempt }: AttemptNumber, included: readonly string[]): HelperAnswer {
    const given = this.#given.get(round);
    if (given) {
      if (given.attempt !== attempt) return { keep: [], why: NO_SUM_TWICE };
      return { keep: [], say: { type: "given", ...given } };
    }
    const open = this.#open;
    if (open?.round !== round || open.attempt !== attempt) return this.#withhold(round, attempt);
    const accepted = new Set(open.helper.accepted);
    if (new Set(included).size !== included.length || !included.every((one) => accepted.has(one))) {
      return { keep: [], why: "the curator asks for a sum of reports that are not valid here" };
    }
    if (round !== this.#given.size + 1) {
      return { keep: [], why: "the curator asks for a round before those that come first" };
    }
    this.#charge(round);
    const share = { round, attempt, bytes: open.helper.give(included) };
    this.#given.set(round, share);
    this.#open = undefined;
    return { keep: [{ type: "given", ...share }], say: { type: "given", ...share } };
  }

  /** Overwrites what it holds of reports. */
  wipe(): void {
    this.#open?.helper.wipe();
    this.#open = undefined;
  }

  /** The open attempt, or a later one, which it begins; for one that is over, the answer that says so. */
  #attempt(round: number, attempt: number, keep: HelperRecord[]): OpenAttempt | HelperAnswer {
    const open = this.#open;
    if (open?.round === round && open.attempt === attempt) return open;
    const terms = this.#terms[round - 1];
    if (!terms) return { keep, why: "the curator names a round that the plan does not have" };
    const given = this.#given.get(round);
    if (given)
      return { keep, why: given.attempt < attempt ? NO_SUM_TWICE : "a report that is late" };
    if (attempt <= (this.#used.get(round) ?? 0)) return this.#withhold(round, attempt);
    this.wipe();
    this.#used.set(round, attempt);
    keep.push({ type: "attempt", round, attempt });
    const { aggregation, options } = this.#plan;
    const session = attemptSession(this.#run, round, attempt);
    const keys = this.#keys;
    const verifyKey = verifyKeyOf(terms, session, keys, aggregatorKeys(aggregation));
    const random = options["random"] as RandomOptions;
    const core = this.#core;
    const helper = new Helper({ terms, session, verifyKey, keys, core, random, round });
    return (this.#open = { round, attempt, helper, replies: new Map() });
  }

  #withhold(round: number, attempt: number): HelperAnswer {
    return { keep: [], say: { type: "withheld", round, attempt } };
  }

  #charge(round: number): void {
    const terms = this.#terms[round - 1];
    if (!terms) throw new DataError("helper store: it is of another plan");
    this.ledger.charge(terms.event, { round });
  }
}
