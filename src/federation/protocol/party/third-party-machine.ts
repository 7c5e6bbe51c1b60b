/**
 * A party of a run that has no tasks, as a state machine: ask for the plan, agree, work until the run is over. What a relay
 * (`relays/relay-machine.ts`) and a helper (`verified-sums/run/helper-machine.ts`) have in common; they say what they do with messages.
 * @module
 */
import { text } from "../../../core/checks.js";
import { HostError, OptionError } from "../../../core/errors.js";
import type { Agreed, Offered } from "./agreement.js";
import { PROTOCOL_VERSION, type Message, type MessageType } from "../messages/messages.js";
import { readMessage } from "../messages/message-bytes.js";
import { isParticipantName, NAME_FORM } from "../messages/names.js";
import { OtherPlans } from "./other-plans.js";
import { heeded } from "./party-inbox.js";
import { PartyOutput } from "./party-output.js";
import type { PartyEffect, PartyEvent, PartyStatus } from "./party.js";
import type { Plan } from "../plan/plan-form.js";
import { refusalInWords, type Refusal } from "../messages/refusal-reasons.js";
import { OtherStateError, stateField } from "./state-name.js";

/** Who takes part without tasks. */
export interface ThirdParty extends Offered {
  readonly kind: "relay" | "helper";
  /** The plan's name for it. */
  readonly name: string;
  /** Messages of the rounds that it is told. */
  readonly told: readonly MessageType[];
  /** Milliseconds before it asks again for the plan; default 2 s. At work it asks after fifteen times that without a word. */
  readonly retry: number | undefined;
}

/** So many questions for the plan without an answer, a minute by default, are taken for nobody being there. */
const PATIENT_QUESTIONS = 30;
/** At work the curator speaks first, and reminds by itself: so many times the wait for the plan are silence. */
const SILENCE = 15;
/** Questions at work without an answer: two are told, after a minute; after an hour the run is taken to be over. */
const UNTOLD_SILENCES = 2;
const LAST_SILENCE = 120;

type State = "asking" | "deciding" | "working" | "ended";

/** One party without tasks of one run. */
export abstract class ThirdPartyMachine<Status, End> {
  readonly #party: ThirdParty;
  readonly #others: OtherPlans;
  #state: State = "asking";
  /** Questions that were not answered; while the link is down none is counted. */
  #asked = 0;
  /** Whether there was a link, and with it a first question. */
  #linked = false;
  /** At work: whether the curator said anything since it was asked last. */
  #told = false;
  /** What it wants done. */
  protected readonly output: PartyOutput<Status | PartyStatus, End>;

  /** @throws OptionError for a bad name. */
  constructor(party: ThirdParty) {
    const { kind, run, name } = party;
    if (!isParticipantName(name)) {
      throw new OptionError(`${kind}: expected ${NAME_FORM}`);
    }
    text("run", run);
    this.#party = party;
    this.#others = new OtherPlans(party);
    this.output = new PartyOutput(run, name);
  }

  /** Takes an event; the effects are to be carried out in order. */
  handle(event: PartyEvent): (PartyEffect<Status | PartyStatus> | End)[] {
    if (this.#state === "ended") return [];
    try {
      switch (event.type) {
        case "message":
          this.#receive(event.message, event.scope);
          break;
        case "member":
          if (this.#state !== "working") break;
          // Who takes part still knows of no end.
          this.#asked = 0;
          this.member(event.from, event.message);
          break;
        case "link":
          this.output.status({ kind: "link", state: event.state });
          this.#linkTurned(event.state);
          break;
        case "timer":
          if (event.name !== "retry") this.timer(event.name);
          else if (this.#state === "working") this.#askIfSilent();
          else this.#askForPlan();
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

  /** Nobody answers what it asks. */
  protected nobodyAnswers(): void {
    this.output.status({ kind: "unanswered" });
  }

  /** What an earlier process agreed to. */
  protected joined(): Agreed | undefined {
    return undefined;
  }

  /** The name of its state; only a helper adds noise. */
  protected stateName(): string | undefined {
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

  /** Ends the machine: says that it knows, so that nobody tells it again, stops what it waits for and tells how it ended. */
  protected finish(): void {
    this.#state = "ended";
    this.output.say({ type: "finish" });
    this.output.add({ type: "cancel", name: "retry" });
    this.stop();
    this.output.add(this.end());
  }

  /** Says that a message changed nothing, and why. */
  protected ignored(why: string): void {
    this.output.status({ kind: "ignored", why });
  }

  /** What is left of the wait for an answer runs when the link is up again: no one asks without end whose link comes and goes. */
  #linkTurned(state: "up" | "down"): void {
    if (this.#linked) {
      this.output.add({ type: state === "up" ? "resume" : "pause", name: "retry" });
      if (state === "up") this.#say();
    } else if (state === "up") {
      this.#linked = true;
      this.#ask();
    }
  }

  /** Asks for the plan; later says that it is there: the curator then says again what it waits for. */
  #ask(): void {
    const { retry = 2000 } = this.#party;
    this.#told = false;
    if (this.#say()) this.#askLater(this.#state === "working" ? SILENCE * retry : retry);
  }

  /** @returns whether there is anything to say. */
  #say(): boolean {
    if (this.#state === "working") {
      this.output.say({ type: "here", ...stateField(this.stateName()) });
    } else if (this.#state === "asking") {
      this.output.say({ type: "hello", speaks: [PROTOCOL_VERSION] });
    } else return false;
    return true;
  }

  #askForPlan(): void {
    if (++this.#asked === PATIENT_QUESTIONS) this.nobodyAnswers();
    this.#others.unanswered(this.#asked);
    this.#ask();
  }

  #askLater(milliseconds: number): void {
    this.output.add({ type: "timer", name: "retry", milliseconds });
  }

  /**
   * At work, after a while: whoever missed that the run is over is told nothing any more.
   * @throws HostError if nobody answered for long: another process with the same options goes on where the curator is only away.
   */
  #askIfSilent(): void {
    const { kind, name, run, retry = 2000 } = this.#party;
    if (this.#told) {
      this.#told = false;
      this.#askLater(SILENCE * retry);
      return;
    }
    this.#asked++;
    if (this.#asked === UNTOLD_SILENCES) this.nobodyAnswers();
    if (this.#asked >= LAST_SILENCE) {
      throw new HostError(
        `nobody has answered ${kind} ${name} of run ${JSON.stringify(run)} for ${(this.#asked * SILENCE * retry) / 60_000} minutes: the run is ` +
          "over, or its curator is away; where it comes back, start the same command again.",
      );
    }
    this.#ask();
  }

  #receive(bytes: Uint8Array, scope: "own" | "all"): void {
    const { kind, told, agreed } = this.#party;
    const asking = this.#state === "asking";
    const { envelope } = this.output;
    const ignored = (why: string) => this.ignored(why);
    const message = heeded(
      readMessage(bytes, "curator"),
      scope,
      envelope,
      { asking, agreed },
      ignored,
    );
    if (!message) return;
    this.#told = true;
    if (this.#state === "working") this.#asked = 0;
    switch (message.type) {
      case "here":
        this.#ask();
        return;
      case "registered":
        // It is known, and there is nothing to do yet.
        return;
      case "plan":
        if (asking) this.#consider(message);
        return;
      case "refused":
        this.#heedRefusal(message.reason, message.state);
        return;
      case "done":
        if (this.#state === "working") this.finish();
        return;
      default:
        if (!told.includes(message.type)) this.ignored(`said what no ${kind} is told`);
        else if (this.#state === "working") this.follow(message, scope);
    }
  }

  /**
   * What is said of another machine's state comes here, too.
   * @throws OptionError if it takes no part.
   */
  #heedRefusal(reason: Refusal, state: string | undefined): void {
    if (reason === "other-state") {
      if (state !== undefined && state === this.stateName()) throw new OtherStateError("helper");
    } else if (this.#state === "asking" || reason === "expelled") {
      throw new OptionError(refusalInWords(this.#party.kind, reason));
    }
  }

  /** Holds the plan to what was agreed, or has it shown. */
  #consider(offer: Extract<Message, { type: "plan" }>): void {
    const joined = this.joined();
    const ignored = (why: string) => this.ignored(why);
    const offered = this.#others.read(offer, joined, this.output, ignored);
    if (!offered) return;
    const { plan, hash } = offered;
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
    this.#asked = 0;
    this.#ask();
  }
}
