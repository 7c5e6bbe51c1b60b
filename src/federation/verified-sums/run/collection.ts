/**
 * The verified form of a round's sum on the curator's side: it leads two aggregators, and sees no vector.
 *
 * What a killed leader must not lose is kept before the helper is asked for its share of a sum: whose reports are in it, and its
 * own noisy share. Before that nothing was opened, and a new attempt begins under a number never used before. The helper
 * gives its share of a round once, so a round is opened once, whatever becomes of either.
 * @module
 */
import type { RandomOptions } from "../../../random/index.js";
import { openCore } from "../../../core/index.js";
import { AttemptNumbers } from "../../curator/rounds/attempt-numbers.js";
import {
  Attendance,
  pausedStatus,
  type AttendanceOptions,
} from "../../curator/rounds/attendance.js";
import type { CuratorOutput } from "../../curator/events/curator-output.js";
import type {
  Collected,
  RoundCollection,
  UploadMessage,
} from "../../curator/rounds/round-collection.js";
import type { CuratorRecord } from "../../protocol/records.js";
import { unpackStatistic } from "../../secure-aggregation/integers/fixed-point.js";
import type { KeyPair } from "../../secure-aggregation/keys/keys.js";
import { Leader, openSum } from "../aggregators/leader.js";
import { aggregatorKeys, type PlannedAggregators } from "../plan/planned.js";
import { reportBytes } from "../aggregators/report.js";
import {
  attemptSession,
  reporterName,
  verifyKeyOf,
  type NamedRun,
} from "../aggregators/round-name.js";
import type { VerifiedTerms } from "../plan/terms.js";

/** What a collection is made of. */
export interface VerifiedCollectionOptions extends AttendanceOptions {
  readonly planned: PlannedAggregators;
  readonly run: NamedRun;
  /** What is summed in each round: entry t - 1 is of round t. */
  readonly terms: readonly VerifiedTerms[];
  /** The leader's keys. */
  readonly keys: KeyPair;
  /** Where the leader's noise comes from. */
  readonly noise: RandomOptions;
  readonly output: CuratorOutput;
  /** What earlier processes of the curator kept. */
  readonly records: readonly CuratorRecord[];
}

/** A sum that may be opened: whose reports are in it, and the leader's share. */
interface Opening {
  readonly included: readonly string[];
  readonly share: Uint8Array;
}

/** Reports that are sent to the helper again at a time: it may only be slow, and a hundred thousand lie in its queue. */
const AGAIN = 16;

/** Leads the aggregators through one round after the other. */
export class VerifiedCollection implements RoundCollection {
  readonly #options: VerifiedCollectionOptions;
  readonly #attendance: Attendance;
  readonly #core = openCore();
  readonly #attempts: AttemptNumbers;
  #round = 0;
  #leader: Leader | undefined;
  /** What the helper has not answered, by reporter. */
  readonly #pending = new Map<string, Uint8Array>();
  #opening: Opening | undefined;
  #collected: Collected | undefined;

  constructor(options: VerifiedCollectionOptions) {
    this.#options = options;
    this.#attendance = new Attendance(options);
    this.#attempts = new AttemptNumbers(options.records, options.output);
    const { states } = options.registry;
    for (const record of options.records) {
      if (record.type !== "helper") continue;
      states.enter(this.#helper, record.state);
      states.bind(this.#helper);
    }
  }

  get phase(): string {
    return `${this.#attempt} ${this.#opening ? "opening" : "reports"}`;
  }

  get collected(): Collected | undefined {
    return this.#collected;
  }

  get silent(): ReadonlyMap<string, number> {
    return this.#attendance.silent;
  }

  answered(from: string): void {
    this.#attendance.back(from);
  }

  open(round: number): void {
    this.#round = round;
    this.#collected = undefined;
    const attempt = this.#attempt;
    const kept = this.#options.records.find(
      (record) => record.type === "opening" && record.round === round && record.attempt === attempt,
    );
    if (kept?.type !== "opening") {
      this.#try();
      return;
    }
    this.#opening = { included: kept.included!, share: kept.bytes };
    this.remind();
  }

  receive(from: string, message: UploadMessage): void {
    if (message.type === "upload" || this.#collected) return;
    if (message.round !== this.#round || message.attempt !== this.#attempt) return;
    if (message.type === "aggregate") {
      this.#reported(from, message.bytes);
      return;
    }
    if (from !== this.#helper) {
      this.#refuse(from, "said what only the helper says");
      return;
    }
    if (message.type === "checked") this.#checked(message.reporter, message.bytes);
    else if (message.type === "given") this.#given(message.bytes);
    // It never got the leader's share, so nothing was opened.
    else this.#try();
  }

  settle(): void {
    const leader = this.#leader;
    if (!leader || this.#pending.size > 0 || !this.#attendance.enough) return;
    const included = leader.close();
    const share = leader.give();
    const [round, attempt] = [this.#round, this.#attempt];
    this.#options.output.keep({ type: "opening", round, attempt, included, bytes: share });
    this.#leader = undefined;
    this.#opening = { included, share };
    this.#askToGive();
  }

  remind(only?: string): void {
    if (this.#collected) return;
    const asked = (name: string) => only === undefined || only === name;
    if (asked(this.#helper)) this.#askHelper(only === undefined ? AGAIN : Infinity);
    if (this.#opening) return;
    const missing = only === undefined ? this.#attendance.missing() : [only];
    for (const name of missing) if (this.#attendance.isMissing(name)) this.#invite(name);
  }

  resume(): void {
    this.remind();
    if (this.#pending.size > AGAIN) this.remind(this.#helper);
  }

  deadline(): boolean {
    const { rounds, output } = this.#options;
    if (!this.#opening) this.#attendance.expire();
    const reports = this.#pending.size;
    if (this.#opening || reports > 0) {
      output.status({ kind: "awaiting-helper", round: this.#round, reports });
    } else if (!this.#attendance.enough) output.status(pausedStatus(rounds, this.#attendance));
    return true;
  }

  get #helper(): string {
    return this.#options.planned.helper.name;
  }

  /** The attempt at the open round, 0 before the first. */
  get #attempt(): number {
    return this.#attempts.last(this.#round);
  }

  get #terms(): VerifiedTerms {
    return this.#options.terms[this.#round - 1]!;
  }

  /** A fresh attempt, under a number never used before: everyone reports again. */
  #try(): void {
    const { planned, run, keys, noise, rounds } = this.#options;
    const [round, terms] = [this.#round, this.#terms];
    const attempt = this.#attempts.next(round);
    this.#leader?.wipe();
    this.#pending.clear();
    this.#opening = undefined;
    rounds.forget();
    this.#attendance.begin();
    const session = attemptSession(run, round, attempt);
    const verifyKey = verifyKeyOf(terms, session, keys, aggregatorKeys(planned));
    const core = this.#core;
    this.#leader = new Leader({ terms, session, verifyKey, keys, core, random: noise, round });
    this.remind();
  }

  /** All reports of a participant. Whoever is refused has answered: its tasks count as zero, and nobody waits for it. */
  #reported(from: string, bytes: Uint8Array): void {
    const { registry, rounds } = this.#options;
    const own = registry.positionsOf(from);
    if (!this.#leader || !own) return;
    const length = reportBytes(this.#terms.pine);
    const positions = [...own].sort((a, b) => a - b);
    const whole = bytes.length === length * positions.length;
    for (const [k, position] of positions.entries()) {
      const reporter = reporterName(from, position);
      // One of a wrong length is refused as malformed.
      const report = whole ? bytes.subarray(k * length, (k + 1) * length) : bytes.subarray(0, 0);
      const reception = this.#leader.receive(reporter, report);
      rounds.mark(position);
      if (reception.kind === "refused") this.#refuse(from, `its report: ${reception.why}`);
      if (reception.kind !== "forward") continue;
      this.#pending.set(reporter, reception.message);
      this.#check(reporter, reception.message);
    }
    this.#attendance.answered(from);
  }

  #checked(reporter: string, reply: Uint8Array): void {
    if (!this.#leader || !this.#pending.delete(reporter)) return;
    const outcome = this.#leader.answer(reporter, reply);
    if (outcome === "accepted") return;
    this.#refuse(reporter.slice(0, reporter.lastIndexOf(".")), `its report: ${outcome}`);
  }

  #given(bytes: Uint8Array): void {
    if (!this.#opening) return;
    const { included, share } = this.#opening;
    const sum = openSum(this.#terms, share, bytes);
    if (!sum) {
      this.#refuse(this.#helper, "its share of the sum is malformed");
      return;
    }
    const { statistic, dimension, side, step } = this.#terms.grid;
    const whole = new Float64Array(side === 0 ? dimension : side * side);
    unpackStatistic(statistic, sum, dimension, step, whole);
    this.#collected = { statistic: whole, present: included.length, clipped: 0 };
    this.#opening = undefined;
  }

  #invite(name: string): void {
    const [round, attempt] = [this.#round, this.#attempt];
    const bytes = new Uint8Array();
    this.#options.output.tell(name, { type: "aggregate", round, attempt, bytes });
  }

  /** Asks again for what the helper owes. */
  #askHelper(most: number): void {
    if (this.#opening) this.#askToGive();
    let left = most;
    for (const [reporter, message] of this.#pending) {
      if (left-- === 0) return;
      this.#check(reporter, message);
    }
  }

  #check(reporter: string, bytes: Uint8Array): void {
    this.#tellHelper({ type: "check", reporter, bytes: bytes as Uint8Array<ArrayBuffer> });
  }

  #askToGive(): void {
    this.#tellHelper({ type: "give", included: this.#opening!.included });
  }

  /** Once it was there. Before the first time it is kept with which state it takes part. */
  #tellHelper(
    body:
      | { type: "check"; reporter: string; bytes: Uint8Array }
      | { type: "give"; included: readonly string[] },
  ): void {
    const { registry, output, run } = this.#options;
    const state = registry.states.of(this.#helper);
    if (state === undefined) return;
    if (registry.states.bind(this.#helper)) output.keep({ type: "helper", state });
    const { m, rows, mostRows } = run.sizes;
    const request = { m, rows, mostRows, state, round: this.#round, attempt: this.#attempt };
    output.tell(this.#helper, { ...request, ...body });
  }

  #refuse(participant: string, why: string): void {
    this.#options.output.status({ kind: "refused", participant, why });
  }
}
