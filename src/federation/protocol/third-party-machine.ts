/**
 * A party of a run that has no tasks, as a state machine: ask for the plan, agree, work until the run is over. What a relay
 * (`relays/relay-machine.ts`) and a helper (`verified-sums/helper-machine.ts`) have in common; they say what they do with messages.
 * @module
 */
import { OptionError } from "../../core/errors.js";
import { considerPlan, type Agreed, type Offered } from "./agreement.js";
import { PROTOCOL_VERSION, type Message, type MessageType } from "./messages.js";
import { readMessage } from "./message-bytes.js";
import { isParticipantName } from "./names.js";
import { heeded } from "./party-inbox.js";
import { PartyOutput } from "./party-output.js";
import type { PartyEffect, PartyEvent } from "./party.js";
import type { Plan } from "./plan-form.js";
import { REFUSALS } from "./refusal-reasons.js";

/** What the operator of any of them may watch. */
export type ThirdPartyStatus =
  /** A message changed nothing. */
  | {
      readonly kind: "ignored";
      /** Why a message changed nothing, in words. */
      readonly why: string;
    }
  /** It asked for the plan for a while, and nobody answered; it goes on asking. */
  | { readonly kind: "unanswered" }
  /** The link to the transport came up or went down. */
  | {
      readonly kind: "link";
      /** Whether messages come and go. */
      readonly state: "up" | "down";
    };

/** Who takes part without tasks. */
export interface ThirdParty extends Offered {
  readonly kind: "relay" | "helper";
  /** The plan's name for it. */
  readonly name: string;
  /** Messages of the rounds that it is told. */
  readonly told: readonly MessageType[];
  /** Milliseconds before it asks again for the plan; default 2 s. */
  readonly retry?: number | undefined;
}

/** So many questions without an answer, a minute by default, are taken for nobody being there. */
const PATIENT_QUESTIONS = 30;

type State = "asking" | "deciding" | "working" | "ended";

/** One party without tasks of one run. */
export abstract class ThirdPartyMachine<Status, End> {
  readonly #party: ThirdParty;
  #state: State = "asking";
  /** Questions for the plan since the link came up. */
  #asked = 0;
  /** What it wants done. */
  protected readonly output: PartyOutput<Status | ThirdPartyStatus, End>;

  /** @throws OptionError for a bad name. */
  constructor(party: ThirdParty) {
    const { kind, run, name } = party;
    if (!isParticipantName(name)) {
      throw new OptionError(`${kind}: expected 1 to 64 letters, digits, - or _`);
    }
    this.#party = party;
    this.output = new PartyOutput(run, name);
  }

  /** Takes an event; the effects are to be carried out in order. */
  handle(event: PartyEvent): (PartyEffect<Status | ThirdPartyStatus> | End)[] {
    if (this.#state === "ended") return [];
    try {
      switch (event.type) {
        case "message":
          this.#receive(event.message, event.scope);
          break;
        case "member":
          if (this.#state === "working") this.member(event.from, event.message);
          break;
        case "link":
          this.output.status({ kind: "link", state: event.state });
          this.#asked = 0;
          if (event.state === "up") this.#ask();
          else this.output.add({ type: "cancel", name: "retry" });
          break;
        case "timer":
          if (event.name === "retry") this.#ask();
          else this.timer(event.name);
          break;
        case "agree":
          if (this.#state === "deciding") this.#agree();
          break;
        case "decline":
          if (this.#state === "deciding") throw new OptionError("the plan was declined");
          break;
      }
    } catch (error) {
      this.#state = "ended";
      this.output.add({ type: "cancel", name: "retry" });
      this.stop();
      this.output.add({ type: "fail", error: error as Error });
    }
    return this.output.take();
  }

  /** Overwrites what is secret in memory. */
  abstract dispose(): void;

  /** Nobody answers its question for the plan. */
  protected nobodyAnswers(): void {
    this.output.status({ kind: "unanswered" });
  }

  /** What an earlier process agreed to. */
  protected joined(): Agreed | undefined {
    return undefined;
  }

  /**
   * Takes the plan that is to be agreed to.
   * @throws OptionError if this party has no part in it.
   */
  protected abstract consider(plan: Plan): void;

  /** The plan was agreed to. */
  protected abstract begin(): void;

  /** Follows a message of the rounds, to this party alone or to all. */
  protected abstract follow(message: Message, scope: "own" | "all"): void;

  /** A participant said something to this party; the transport vouches for `from`. */
  protected member(_from: string, _message: Uint8Array): void {
    // Only relays are spoken to.
  }

  /** A timer of its own has run out. */
  protected timer(_name: string): void {
    // It has none.
  }

  /** Takes back timers of its own. */
  protected stop(): void {
    // It has none.
  }

  /** What the run came to. */
  protected abstract end(): End;

  /** Ends the machine: stops what it waits for and tells how it ended. */
  protected finish(): void {
    this.#state = "ended";
    this.stop();
    this.output.add(this.end());
  }

  /** Says that a message changed nothing, and why. */
  protected ignored(why: string): void {
    this.output.status({ kind: "ignored", why });
  }

  /** Asks for the plan; later says that it is there: the curator then says again what it waits for. */
  #ask(): void {
    if (this.#state === "working") this.output.say({ type: "here" });
    if (this.#state !== "asking") return;
    if (this.#asked++ === PATIENT_QUESTIONS) this.nobodyAnswers();
    this.output.say({ type: "hello", speaks: [PROTOCOL_VERSION] });
    const milliseconds = this.#party.retry ?? 2000;
    this.output.add({ type: "timer", name: "retry", milliseconds });
  }

  #receive(bytes: Uint8Array, scope: "own" | "all"): void {
    const { kind, told } = this.#party;
    const asking = this.#state === "asking";
    const message = heeded(readMessage(bytes), scope, this.output.envelope, asking);
    if (typeof message === "string") {
      this.ignored(message);
      return;
    }
    switch (message.type) {
      case "here":
        this.#ask();
        return;
      case "plan":
        if (asking) this.#consider(message);
        return;
      case "refused":
        if (!asking && message.reason !== "expelled") return;
        throw new OptionError(`the curator refused this ${kind}: ${REFUSALS[message.reason]}`);
      case "done":
        if (this.#state === "working") this.finish();
        return;
      default:
        if (!told.includes(message.type)) this.ignored(`said what no ${kind} is told`);
        else if (this.#state === "working") this.follow(message, scope);
    }
  }

  /** Holds the plan to what was agreed, or has it shown. */
  #consider(offer: Extract<Message, { type: "plan" }>): void {
    const joined = this.joined();
    const { plan, hash } = considerPlan(offer, this.#party, joined);
    this.consider(plan);
    this.output.envelope = { ...this.output.envelope, session: offer.session, plan: hash };
    this.#state = "deciding";
    this.output.add({ type: "cancel", name: "retry" });
    if ((this.#party.agreed ?? joined?.plan) !== undefined) this.#agree();
    else this.output.add({ type: "show", plan, hash });
  }

  #agree(): void {
    this.begin();
    this.#state = "working";
    this.#ask();
  }
}
