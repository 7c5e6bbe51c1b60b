/**
 * The helper of two aggregators as a state machine: check reports, give shares of sums.
 *
 * It has no tasks, and learns no vector and no sum. What it promises, whatever the curator does: of every round it gives its
 * share of one sum out, with its own noise for the whole budget in it, charged before that is drawn and kept before it is said. A
 * helper that was killed says a share again, and takes part in no attempt twice.
 * @module
 */
import { array, object } from "../../../core/checks.js";
import { OptionError } from "../../../core/errors.js";
import type { Ledger } from "../../../privacy/index.js";
import type { Agreed } from "../../protocol/party/agreement.js";
import type { HelperRequest, Message } from "../../protocol/messages/messages.js";
import type { PartyEffect, PartyStatus } from "../../protocol/party/party.js";
import type { Plan } from "../../protocol/plan/plan-form.js";
import { RunOverError } from "../../protocol/party/run-over.js";
import { drawStateName, OtherStateError } from "../../protocol/party/state-name.js";
import { ThirdPartyMachine } from "../../protocol/party/third-party-machine.js";
import type { KeyPair } from "../../secure-aggregation/keys/keys.js";
import {
  encodeHelperRecord,
  readHelperState,
  type HelperRecord,
  type HelperState,
  type ToldSizes,
} from "./helper-records.js";
import { HelperRounds, type HelperAnswer, type RefusedReport } from "./helper-rounds.js";
import { helperPair, type PlannedAggregators } from "../plan/planned.js";

/** What only a helper wants done. */
export interface HelperEnd {
  readonly type: "end";
  /** What it charged for its shares; undefined where it was asked for none. */
  readonly ledger: Ledger | undefined;
}

/** What a helper wants done. */
export type HelperEffect = PartyEffect<HelperStatus> | HelperEnd;

/** What its operator may watch. */
export type HelperStatus =
  /** A report was refused: it is not in the sum. */
  | (RefusedReport & { readonly kind: "refused" })
  /** Its share of a round's sum was given out. */
  | {
      readonly kind: "given";
      /** The round, 1-based. */
      readonly round: number;
      /** Rounds of the run. */
      readonly rounds: number;
      /** How many reports the sum is of. */
      readonly reports: number;
    }
  | PartyStatus;

/** Who helps, and with what. */
export interface HelperMachineOptions {
  /** Name of the run, as the plan has it. */
  readonly run: string;
  /** The plan's name for it, which the transport vouches for. */
  readonly helper: string;
  /** X25519 secret, of which the plan has the public half. */
  readonly key: Uint8Array;
  /** Hash of the plan agreed on beforehand: any other is refused, and nobody is asked. */
  readonly agreed?: string | undefined;
  /** Whether it waits for that plan without end while only others are offered; default false. */
  readonly patient?: boolean | undefined;
  /** What its store holds. */
  readonly records: readonly Uint8Array[];
  /** Milliseconds before it asks again for the plan; default 2 s. */
  readonly retry?: number | undefined;
  /** Milliseconds without a word after the last round, after which it ends; default 60 s. */
  readonly linger?: number | undefined;
}

type AggregatorPlan = Plan & { readonly aggregation: PlannedAggregators };

/** One helper of one run. */
export class HelperMachine extends ThirdPartyMachine<HelperStatus, HelperEnd> {
  readonly #options: HelperMachineOptions;
  readonly #before: HelperState;
  #plan!: AggregatorPlan;
  #state: string | undefined;
  #keys!: KeyPair;
  #sizes: ToldSizes | undefined;
  #rounds: HelperRounds | undefined;

  /** @throws OptionError or DataError for a bad name or records of another kind. */
  constructor(options: HelperMachineOptions) {
    const { run, helper, agreed, patient, retry, records } = object("options", options);
    // Broadcasts are public, and of no use to a helper.
    const told = ["check", "give", "broadcast"] as const;
    super({ kind: "helper", name: helper, told, run, agreed, patient, retry, records });
    this.#options = options;
    this.#before = readHelperState(array("records", records));
    this.#sizes = this.#before.sizes;
    this.#state = this.#before.joined?.state;
  }

  /** Overwrites shares in memory. */
  dispose(): void {
    this.#rounds?.wipe();
  }

  protected override joined(): Agreed | undefined {
    return this.#before.joined;
  }

  /** @throws RunOverError if an earlier process gave every share: the curator has ended since. */
  protected override nobodyAnswers(): void {
    const { run, helper } = this.#options;
    // At work it ends by itself where all shares were given.
    if (!this.#before.over || this.#rounds) super.nobodyAnswers();
    else throw new RunOverError(run, helper, "an earlier process gave its share of every sum");
  }

  protected consider(plan: Plan): void {
    const { helper, key } = this.#options;
    const { aggregation } = plan;
    if (aggregation?.kind !== "two-aggregators" || aggregation.helper.name !== helper) {
      throw new OptionError(`plan: it has no two aggregators with ${helper} as their helper`);
    }
    this.#keys = helperPair(aggregation, key);
    this.#plan = { ...plan, aggregation };
  }

  protected begin(): void {
    const { session, plan } = this.output.envelope;
    if (this.#state === undefined) {
      const state = (this.#state = drawStateName());
      this.#keep({ type: "joined", session, plan, state });
    }
    if (this.#sizes) this.#open(this.#sizes);
  }

  protected override stateName(): string | undefined {
    return this.#state;
  }

  protected follow(message: Message): void {
    if (message.type === "check") this.#check(message);
    if (message.type === "give") this.#give(message);
  }

  /** Only the wait after the last round is timed. */
  protected override timer(): void {
    this.finish();
  }

  protected override stop(): void {
    this.output.add({ type: "cancel", name: "linger" });
  }

  protected end(): HelperEnd {
    return { type: "end", ledger: this.#rounds?.ledger };
  }

  /**
   * Follows a request, if it is of the sizes that were told first.
   * @throws OtherStateError if it is for another state of this helper.
   */
  #answer(request: HelperRequest, work: (rounds: HelperRounds) => HelperAnswer): void {
    if (request.state !== this.#state) throw new OtherStateError("helper");
    const { m, rows, mostRows } = request;
    const told = (this.#sizes ??= this.#learn({ m, rows, mostRows }));
    if (told.m !== m || told.rows !== rows || told.mostRows !== mostRows) {
      this.ignored("the curator names other sizes than before");
      return;
    }
    const { keep, say, why } = work(this.#rounds!);
    for (const record of keep) this.#keep(record);
    if (say) this.output.say(say);
    if (why !== undefined) this.ignored(why);
  }

  #learn(sizes: ToldSizes): ToldSizes {
    this.#open(sizes);
    this.#keep({ type: "sizes", ...sizes, sums: this.#rounds!.rounds });
    return sizes;
  }

  #open(told: ToldSizes): void {
    const { run, session, plan } = this.output.envelope;
    const sizes = { ...told, d: this.#plan.features.length };
    const name = { plan, run, session, sizes };
    this.#rounds = new HelperRounds(this.#plan, name, this.#keys, this.#before);
    this.#lingerIfOver();
  }

  #check(message: Extract<Message, { type: "check" }>): void {
    const { reporter, bytes } = message;
    const refused = (report: RefusedReport) => this.output.status({ kind: "refused", ...report });
    this.#answer(message, (rounds) => rounds.check(message, reporter, bytes, refused));
  }

  #give(message: Extract<Message, { type: "give" }>): void {
    const { round, included } = message;
    const before = this.#rounds?.ledger.releases ?? 0;
    this.#answer(message, (rounds) => rounds.give(message, included));
    const { ledger, rounds = 0 } = this.#rounds ?? {};
    if ((ledger?.releases ?? 0) > before) {
      this.output.status({ kind: "given", round, rounds, reports: included.length });
    }
    this.#lingerIfOver();
  }

  /** After the last round the curator may be killed, and ask for its share again. */
  #lingerIfOver(): void {
    if (!this.#rounds?.over) return;
    const milliseconds = this.#options.linger ?? 60_000;
    this.output.add({ type: "timer", name: "linger", milliseconds });
  }

  /** Before anything that comes after. */
  #keep(record: HelperRecord): void {
    this.output.add({ type: "append", record: encodeHelperRecord(record) });
  }
}
