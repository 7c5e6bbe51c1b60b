/**
 * The helper of two aggregators as a state machine: ask for the plan, agree, check reports, give shares of sums.
 *
 * It has no tasks, and learns no vector and no sum. What it promises, whatever the curator does: of every round it gives its
 * share of one sum out, with its own noise for the whole budget in it, charged before that is drawn and kept before it is said. A
 * helper that was killed says a share again, and takes part in no attempt twice.
 * @module
 */
import { OptionError } from "../../core/errors.js";
import type { Ledger } from "../../privacy/index.js";
import { considerPlan } from "../participant/agreement.js";
import { whyIgnored } from "../participant/participant-inbox.js";
import type { PartyEffect, PartyEvent } from "../protocol/party.js";
import {
  encodeMessage,
  PROTOCOL_VERSION,
  readMessage,
  type Body,
  type Envelope,
  type HelperRequest,
  type Message,
} from "../protocol/messages.js";
import { REFUSALS } from "../protocol/refusal-reasons.js";
import { isParticipantName } from "../protocol/names.js";
import type { KeyPair } from "../secure-aggregation/keys.js";
import {
  encodeHelperRecord,
  readHelperState,
  type HelperRecord,
  type HelperState,
  type ToldSizes,
} from "./helper-records.js";
import { HelperRounds, type HelperAnswer, type RefusedReport } from "./helper-rounds.js";
import { helperPair, type PlannedAggregators } from "./planned.js";
import type { Plan } from "../protocol/plan-form.js";

/** What only a helper wants done. */
export interface HelperEnd {
  readonly type: "end";
  readonly ledger: Ledger | undefined;
}

/** What a helper wants done. */
export type HelperEffect = PartyEffect<HelperStatus> | HelperEnd;

/** What its operator may watch. */
export type HelperStatus =
  | (RefusedReport & { readonly kind: "refused" })
  /** Its share of a round's sum of so many reports was given out. */
  | {
      readonly kind: "given";
      readonly round: number;
      readonly rounds: number;
      readonly reports: number;
    }
  | { readonly kind: "ignored"; readonly why: string }
  | { readonly kind: "link"; readonly state: "up" | "down" };

/** Who helps, and with what. */
export interface HelperMachineOptions {
  readonly run: string;
  /** The plan's name for it, which the transport vouches for. */
  readonly helper: string;
  /** X25519 secret, of which the plan has the public half. */
  readonly key: Uint8Array;
  /** Hash of the plan agreed on beforehand: any other is refused, and nobody is asked. */
  readonly agreed?: string | undefined;
  /** What its store holds. */
  readonly records: readonly Uint8Array[];
  /** Milliseconds before it asks again for the plan; default 2 s. */
  readonly retry?: number | undefined;
  /** Milliseconds without a word after the last round, after which it ends; default 60 s. */
  readonly linger?: number | undefined;
}

type AggregatorPlan = Plan & { readonly aggregation: PlannedAggregators };
type State = "asking" | "deciding" | "helping" | "ended";

/** One helper of one run. */
export class HelperMachine {
  readonly #options: HelperMachineOptions;
  readonly #before: HelperState;
  #state: State = "asking";
  #envelope: Envelope;
  #plan!: AggregatorPlan;
  #keys!: KeyPair;
  #sizes: ToldSizes | undefined;
  #rounds: HelperRounds | undefined;
  #effects: HelperEffect[] = [];

  /** @throws OptionError or DataError for a bad name or records of another kind. */
  constructor(options: HelperMachineOptions) {
    if (!isParticipantName(options.helper)) {
      throw new OptionError("helper: expected 1 to 64 letters, digits, - or _");
    }
    this.#options = options;
    this.#before = readHelperState(options.records);
    this.#sizes = this.#before.sizes;
    const { run, helper: participant } = options;
    this.#envelope = { run, participant, session: "", plan: "" };
  }

  /** Takes an event; the effects are to be carried out in order. */
  handle(event: PartyEvent): HelperEffect[] {
    try {
      if (this.#state !== "ended") this.#take(event);
    } catch (error) {
      this.#fail(error as Error);
    }
    const effects = this.#effects;
    this.#effects = [];
    return effects;
  }

  /** Overwrites shares in memory. */
  dispose(): void {
    this.#rounds?.wipe();
  }

  #take(event: PartyEvent): void {
    switch (event.type) {
      case "message":
        this.#receive(event.message, event.scope);
        break;
      case "link":
        this.#add({ type: "status", status: { kind: "link", state: event.state } });
        if (event.state === "up") this.#ask();
        else this.#add({ type: "cancel", name: "retry" });
        break;
      case "timer":
        if (event.name === "linger") this.#end();
        else this.#ask();
        break;
      case "agree":
        if (this.#state === "deciding") this.#agree();
        break;
      case "decline":
        if (this.#state === "deciding") this.#fail(new OptionError("the plan was declined"));
        break;
    }
  }

  /** Says that it is there: the curator then says again what it waits for. */
  #ask(): void {
    if (this.#state === "helping") this.#say({ type: "here" });
    if (this.#state !== "asking") return;
    this.#say({ type: "hello", speaks: [PROTOCOL_VERSION] });
    this.#add({ type: "timer", name: "retry", milliseconds: this.#options.retry ?? 2000 });
  }

  #receive(bytes: Uint8Array, scope: "own" | "all"): void {
    const message = readMessage(bytes);
    const why = whyIgnored(message, scope, this.#envelope, this.#state === "asking");
    if (why !== undefined) {
      this.#ignored(why);
      return;
    }
    switch (message.type) {
      case "here":
        this.#ask();
        return;
      case "plan":
        if (this.#state === "asking") this.#consider(message);
        return;
      case "refused":
        if (this.#state !== "asking") return;
        throw new OptionError(`the curator refused this helper: ${REFUSALS[message.reason]}`);
      case "check": {
        if (this.#state !== "helping") return;
        const { reporter } = message;
        const refused = (report: RefusedReport) =>
          this.#add({ type: "status", status: { kind: "refused", ...report } });
        this.#follow(message, (rounds) => rounds.check(message, reporter, message.bytes, refused));
        return;
      }
      case "give":
        if (this.#state === "helping") this.#give(message);
        return;
      case "done":
        if (this.#state === "helping") this.#end();
        return;
      case "broadcast":
        // Public, and of no use to a helper.
        return;
      default:
        this.#ignored("said what no helper is told");
    }
  }

  /** Holds the plan to what was agreed, or has it shown. */
  #consider({ text, session }: Extract<Message, { type: "plan" }>): void {
    const { helper, key, agreed } = this.#options;
    const { joined } = this.#before;
    const { plan, hash } = considerPlan({ text, session }, this.#options, joined);
    const { aggregation } = plan;
    if (aggregation?.kind !== "two-aggregators" || aggregation.helper.name !== helper) {
      throw new OptionError(`plan: it has no two aggregators with ${helper} as their helper`);
    }
    this.#keys = helperPair(aggregation, key);
    this.#plan = { ...plan, aggregation };
    this.#envelope = { ...this.#envelope, session, plan: hash };
    this.#state = "deciding";
    this.#add({ type: "cancel", name: "retry" });
    if ((agreed ?? joined?.plan) !== undefined) this.#agree();
    else this.#add({ type: "show", plan, hash });
  }

  #agree(): void {
    const { session, plan } = this.#envelope;
    if (!this.#before.joined) this.#keep({ type: "joined", session, plan });
    this.#state = "helping";
    if (this.#sizes) this.#begin(this.#sizes);
    this.#ask();
  }

  /** Follows a request, if it is of the sizes that were told first. */
  #follow(request: HelperRequest, work: (rounds: HelperRounds) => HelperAnswer): void {
    const { m, rows, mostRows } = request;
    const told = (this.#sizes ??= this.#learn({ m, rows, mostRows }));
    if (told.m !== m || told.rows !== rows || told.mostRows !== mostRows) {
      this.#ignored("the curator names other sizes than before");
      return;
    }
    const { keep, say, why } = work(this.#rounds!);
    for (const record of keep) this.#keep(record);
    if (say) this.#say(say);
    if (why !== undefined) this.#ignored(why);
  }

  #learn(sizes: ToldSizes): ToldSizes {
    this.#begin(sizes);
    this.#keep({ type: "sizes", ...sizes });
    return sizes;
  }

  #begin(told: ToldSizes): void {
    const { run, session, plan } = this.#envelope;
    const sizes = { ...told, d: this.#plan.features.length };
    const name = { plan, run, session, sizes };
    this.#rounds = new HelperRounds(this.#plan, name, this.#keys, this.#before);
    this.#lingerIfOver();
  }

  #give(message: Extract<Message, { type: "give" }>): void {
    const { round, included } = message;
    const before = this.#rounds?.ledger.entries.length ?? 0;
    this.#follow(message, (rounds) => rounds.give(message, included));
    const { ledger, rounds = 0 } = this.#rounds ?? {};
    if ((ledger?.entries.length ?? 0) > before) {
      const reports = included.length;
      this.#add({ type: "status", status: { kind: "given", round, rounds, reports } });
    }
    this.#lingerIfOver();
  }

  /** After the last round the curator may be killed, and ask for its share again. */
  #lingerIfOver(): void {
    if (!this.#rounds?.over) return;
    const milliseconds = this.#options.linger ?? 60_000;
    this.#add({ type: "timer", name: "linger", milliseconds });
  }

  #end(): void {
    this.#state = "ended";
    this.#add({ type: "cancel", name: "linger" }, { type: "end", ledger: this.#rounds?.ledger });
  }

  #fail(error: Error): void {
    this.#state = "ended";
    this.#add({ type: "cancel", name: "retry" }, { type: "cancel", name: "linger" });
    this.#add({ type: "fail", error });
  }

  #say(body: Body): void {
    this.#add({ type: "send", message: encodeMessage(this.#envelope, body) });
  }

  /** Before anything that comes after. */
  #keep(record: HelperRecord): void {
    this.#add({ type: "append", record: encodeHelperRecord(record) });
  }

  #ignored(why: string): void {
    this.#add({ type: "status", status: { kind: "ignored", why } });
  }

  #add(...effects: HelperEffect[]): void {
    this.#effects.push(...effects);
  }
}
