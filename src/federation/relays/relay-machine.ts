/**
 * A relay of secure sums as a state machine: ask for the plan, agree, add up the masked integers of its participants, pass on one sum
 * in every attempt.
 *
 * It has no tasks, no secret but the one by which the transport knows it, and no store: all that it holds are masked integers
 * of one attempt, which participants send again when they are asked. So a relay that was killed starts anew, says that it is there, and
 * the curator has its participants send what it lacks. What it can and cannot do to a sum: `gathering.ts`.
 * @module
 */
import { OptionError } from "../../core/errors.js";
import { Refusals } from "../curator/refusals.js";
import { considerPlan } from "../participant/agreement.js";
import { whyIgnored } from "../participant/participant-inbox.js";
import {
  encodeMessage,
  PROTOCOL_VERSION,
  readMessage,
  type Body,
  type Envelope,
  type Message,
} from "../protocol/messages.js";
import { isParticipantName } from "../protocol/names.js";
import type { PartyEffect, PartyEvent } from "../protocol/party.js";
import type { Plan } from "../protocol/plan-form.js";
import { REFUSALS } from "../protocol/refusal-reasons.js";
import { sessionId } from "../secure-aggregation/session.js";
import { EarlyInputs, isLater } from "./early-inputs.js";
import { Gathering, requestIn, type Gathered } from "./gathering.js";
import { relayGroups } from "./groups.js";

/** What only a relay wants done. */
export interface RelayEnd {
  readonly type: "end";
  /** Sums that it passed on. */
  readonly sums: number;
}

/** What a relay wants done. */
export type RelayEffect = PartyEffect<RelayStatus> | RelayEnd;

/** What its operator may watch. */
export type RelayStatus =
  /** A sum of so many inputs, of those that were awaited, was passed on. */
  | {
      readonly kind: "passed";
      readonly round: number;
      readonly attempt: number;
      readonly inputs: number;
      readonly awaited: number;
    }
  /** `times`: messages of this participant that were refused since the last one that was told; default 1. */
  | {
      readonly kind: "refused";
      readonly participant: string;
      readonly why: string;
      readonly times?: number;
    }
  | { readonly kind: "ignored"; readonly why: string }
  | { readonly kind: "link"; readonly state: "up" | "down" };

/** Who relays. */
export interface RelayMachineOptions {
  readonly run: string;
  /** The plan's name for it, which the transport vouches for. */
  readonly relay: string;
  /** Hash of the plan agreed on beforehand: any other is refused, and nobody is asked. */
  readonly agreed?: string | undefined;
  /** Milliseconds before it asks again for the plan; default 2 s. */
  readonly retry?: number | undefined;
}

type State = "asking" | "deciding" | "relaying" | "ended";
type Aggregate = Extract<Message, { type: "aggregate" }>;

/** One relay of one run. */
export class RelayMachine {
  readonly #options: RelayMachineOptions;
  readonly #refusals = new Refusals();
  readonly #early = new EarlyInputs();
  #state: State = "asking";
  #envelope: Envelope;
  /** Its participants, by their places in the group. */
  #members: readonly string[] = [];
  #places: ReadonlyMap<string, number> = new Map();
  #gathering: Gathering | undefined;
  #at = { round: 0, attempt: 0 };
  /** Inputs in the sum of this attempt that was passed on last. */
  #passed: number | undefined;
  #sums = 0;
  #effects: RelayEffect[] = [];

  /** @throws OptionError for a bad name. */
  constructor(options: RelayMachineOptions) {
    if (!isParticipantName(options.relay)) {
      throw new OptionError("relay: expected 1 to 64 letters, digits, - or _");
    }
    this.#options = options;
    const { run, relay: participant } = options;
    this.#envelope = { run, participant, session: "", plan: "" };
  }

  /** Takes an event; the effects are to be carried out in order. */
  handle(event: PartyEvent): RelayEffect[] {
    try {
      if (this.#state !== "ended") this.#take(event);
    } catch (error) {
      this.#state = "ended";
      this.#add({ type: "cancel", name: "retry" }, { type: "fail", error: error as Error });
    }
    const effects = this.#effects;
    this.#effects = [];
    return effects;
  }

  /** It holds no secrets. */
  dispose(): void {
    this.#gathering = undefined;
  }

  #take(event: PartyEvent): void {
    switch (event.type) {
      case "message":
        this.#receive(event.message, event.scope);
        break;
      case "member":
        if (this.#state === "relaying") this.#member(event.from, event.message);
        break;
      case "link":
        this.#add({ type: "status", status: { kind: "link", state: event.state } });
        if (event.state === "up") this.#ask();
        else this.#add({ type: "cancel", name: "retry" });
        break;
      case "timer":
        this.#ask();
        break;
      case "agree":
        if (this.#state === "deciding") this.#agree();
        break;
      case "decline":
        if (this.#state === "deciding") throw new OptionError("the plan was declined");
        break;
    }
  }

  /** Says that it is there: the curator then says again what it waits for. */
  #ask(): void {
    if (this.#state === "relaying") this.#say({ type: "here" });
    if (this.#state !== "asking") return;
    this.#say({ type: "hello", speaks: [PROTOCOL_VERSION] });
    this.#add({ type: "timer", name: "retry", milliseconds: this.#options.retry ?? 2000 });
  }

  // --- what the curator says ---

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
        if (this.#state !== "asking" && message.reason !== "expelled") return;
        throw new OptionError(`the curator refused this relay: ${REFUSALS[message.reason]}`);
      case "aggregate":
        if (this.#state === "relaying") this.#asked(message);
        return;
      case "broadcast":
        // The last one says so, and then there is nothing left to add up.
        if (this.#state === "relaying" && message.statement) this.#end();
        return;
      case "done":
        if (this.#state === "relaying") this.#end();
        return;
      default:
        this.#ignored("said what no relay is told");
    }
  }

  /** Holds the plan to what was agreed, or has it shown. */
  #consider(offer: Extract<Message, { type: "plan" }>): void {
    const { relay, agreed, run } = this.#options;
    const { plan, hash } = considerPlan(offer, { agreed, run, records: undefined }, undefined);
    this.#members = membersOf(plan, relay);
    this.#places = new Map(this.#members.map((name, place) => [name, place]));
    this.#envelope = { ...this.#envelope, session: offer.session, plan: hash };
    this.#state = "deciding";
    this.#add({ type: "cancel", name: "retry" });
    if (agreed !== undefined) this.#agree();
    else this.#add({ type: "show", plan, hash });
  }

  #agree(): void {
    this.#state = "relaying";
    this.#ask();
  }

  /** A request of the curator: of the attempt that goes on, or of a later one. */
  #asked({ round, attempt, bytes }: Aggregate): void {
    const of = { round, attempt };
    if (isLater(this.#at, of)) {
      this.#ignored("a message of an attempt that is over");
      return;
    }
    const size = this.#members.length;
    const session = this.#sessionOf(of);
    const request = requestIn(bytes, session, size);
    if (typeof request === "string") {
      this.#ignored(request);
      return;
    }
    if (isLater(of, this.#at) || !this.#gathering) {
      this.#at = of;
      this.#passed = undefined;
      this.#gathering = new Gathering(session, size, request);
      // A sum that these make whole is the answer to the request.
      for (const [place, input] of this.#early.take(of)) {
        const { why } = this.#gathering.take(place, input);
        if (why !== undefined) this.#refuse(this.#members[place]!, why);
      }
    }
    const { why, ...gathered } = this.#gathering.ask(request);
    if (why !== undefined) this.#ignored(why);
    this.#pass(gathered);
  }

  // --- what participants say ---

  #member(from: string, bytes: Uint8Array): void {
    const place = this.#places.get(from);
    if (place === undefined) {
      this.#refuse(from, "it is not one of this relay's participants");
      return;
    }
    const message = readMessage(bytes);
    if (message.type === "unreadable") {
      this.#refuse(from, message.why);
      return;
    }
    const { run, session, plan } = this.#envelope;
    const own = message.run === run && message.session === session && message.plan === plan;
    if (!own || message.participant !== from || message.type !== "aggregate") {
      this.#refuse(from, "a message that is not for a relay, or of another run, session, plan or name"); // prettier-ignore
      return;
    }
    if (isLater(this.#at, message)) return;
    if (isLater(message, this.#at)) {
      this.#early.hold(place, message);
      return;
    }
    const { why, ...gathered } = this.#gathering!.take(place, message.bytes);
    if (why !== undefined) this.#refuse(from, why);
    this.#pass(gathered);
  }

  // --- what it says ---

  #pass({ say, inputs }: Gathered): void {
    if (!say) return;
    this.#say({ type: "aggregate", ...this.#at, bytes: say as Uint8Array<ArrayBuffer> });
    if (inputs === undefined || inputs === this.#passed) return;
    if (this.#passed === undefined) this.#sums++;
    this.#passed = inputs;
    const { awaited } = this.#gathering!;
    this.#add({ type: "status", status: { kind: "passed", ...this.#at, inputs, awaited } });
  }

  #sessionOf(of: { readonly round: number; readonly attempt: number }): Uint8Array {
    const { plan, run, session } = this.#envelope;
    return sessionId({ plan, run: `${run} ${session}`, ...of });
  }

  #end(): void {
    this.#state = "ended";
    this.#add({ type: "end", sums: this.#sums });
  }

  #say(body: Body): void {
    this.#add({ type: "send", message: encodeMessage(this.#envelope, body) });
  }

  #ignored(why: string): void {
    this.#add({ type: "status", status: { kind: "ignored", why } });
  }

  #refuse(participant: string, why: string): void {
    const status = this.#refusals.note({ kind: "refused", participant, why });
    if (status) this.#add({ type: "status", status });
  }

  #add(...effects: RelayEffect[]): void {
    this.#effects.push(...effects);
  }
}

/** @throws OptionError if the plan knows no such relay. */
function membersOf({ aggregation }: Plan, relay: string): string[] {
  const planned = aggregation?.kind === "secure" ? aggregation : undefined;
  const group = planned && relayGroups(planned).find(({ name }) => name === relay);
  if (!group) throw new OptionError(`plan: no participant of it has the relay ${relay}`);
  return group.members.map((index) => planned.participants[index]!.name);
}
