/**
 * A relay as a state machine: add up the masked integers of its participants, or, of plain sums, their vectors, and the sums of relays
 * beneath it, pass on one sum in every attempt, to the relay above it or to the curator.
 *
 * It has no tasks, no secret but the one by which the transport knows it, and no store: all that it holds are inputs
 * of one attempt, which are sent again when the curator asks for them. So a relay that was killed starts anew, says that it is there, and
 * the curator has those beneath it send what it lacks. What it can and cannot do to a sum: `gathering.ts`.
 * @module
 */
import { object } from "../../core/checks.js";
import { OptionError } from "../../core/errors.js";
import { Refusals } from "../curator/events/refusals.js";
import type { Message } from "../protocol/messages/messages.js";
import { readMessage } from "../protocol/messages/message-bytes.js";
import type { PartyEffect, PartyStatus } from "../protocol/party/party.js";
import type { Plan } from "../protocol/plan/plan-form.js";
import { ThirdPartyMachine } from "../protocol/party/third-party-machine.js";
import { sessionId } from "../secure-aggregation/keys/session.js";
import { EarlyInputs, isLater } from "./early-inputs.js";
import { ClearInputs } from "../relayed-sums/clear-inputs.js";
import { Gathering, maskedInput, requestIn, type Gathered } from "./gathering.js";
import { placeOf, type RelayPlace } from "./sources.js";

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
  /** A sum was passed on. */
  | {
      readonly kind: "passed";
      /** The round, 1-based. */
      readonly round: number;
      /** The attempt at its sum, 1-based. */
      readonly attempt: number;
      /** How many participants' inputs are in the sum that was passed on. */
      readonly inputs: number;
      /** How many it was to have. */
      readonly awaited: number;
    }
  | {
      readonly kind: "refused";
      /** Who sent what was refused: a participant, or a relay. */
      readonly participant: string;
      /** Why, in words. */
      readonly why: string;
      /** Messages of this party that were refused since the last one that was told; default 1. */
      readonly times?: number;
    }
  | PartyStatus;

/** Who relays. */
export interface RelayMachineOptions {
  /** Name of the run, as the plan has it. */
  readonly run: string;
  /** The plan's name for it, which the transport vouches for. */
  readonly relay: string;
  /** Hash of the plan agreed on beforehand: any other is refused, and nobody is asked. */
  readonly agreed?: string | undefined;
  /** Whether it waits for that plan without end while only others are offered; default false. */
  readonly patient?: boolean | undefined;
  /** Milliseconds before it asks again for the plan; default 2 s. */
  readonly retry?: number | undefined;
}

type Aggregate = Extract<Message, { type: "aggregate" }>;

/** One relay of one run. */
export class RelayMachine extends ThirdPartyMachine<RelayStatus, RelayEnd> {
  readonly #relay: string;
  readonly #refusals = new Refusals();
  readonly #early = new EarlyInputs();
  #place: RelayPlace = { size: 0, sources: [] };
  /** Who sends to it, by number among the sources. */
  #numbers: ReadonlyMap<string, number> = new Map();
  #gathering: Gathering | undefined;
  /** Of plain sums: what reads vectors. */
  #clear: ClearInputs | undefined;
  /** Whether the curator wants the sum of this attempt itself, past the relay above. */
  #straight = false;
  #at = { round: 0, attempt: 0 };
  /** Inputs in the sum of this attempt that was passed on last. */
  #passed: number | undefined;
  #sums = 0;

  /** @throws OptionError for a bad name. */
  constructor(options: RelayMachineOptions) {
    const { run, relay, agreed, patient, retry } = object("options", options);
    super({
      kind: "relay",
      name: relay,
      told: ["aggregate", "broadcast"],
      run,
      agreed,
      patient,
      retry,
    });
    this.#relay = relay;
  }

  /** Drops what it gathered, and overwrites vectors. */
  dispose(): void {
    this.#gathering = undefined;
    this.#clear?.close();
  }

  protected consider(plan: Plan): void {
    const { aggregation } = plan;
    const relayed = aggregation?.kind === "secure" || aggregation?.kind === "relays";
    const place = relayed && placeOf(aggregation, this.#relay);
    if (aggregation?.kind === "relays") this.#clear = new ClearInputs();
    if (!place) throw new OptionError(`plan: no participant of it has the relay ${this.#relay}`);
    this.#place = place;
    this.#numbers = new Map(place.sources.map(({ name }, number) => [name, number]));
  }

  protected begin(): void {
    // The curator says what it wants once the relay has said that it is there.
  }

  protected follow(message: Message, scope: "own" | "all"): void {
    // What all are told is for participants.
    if (message.type === "aggregate" && scope === "own") this.#asked(message);
    // The last broadcast says so, and then there is nothing left to add up.
    if (message.type === "broadcast" && message.statement) this.finish();
  }

  protected end(): RelayEnd {
    return { type: "end", sums: this.#sums };
  }

  /** A request of the curator: of the attempt that goes on, or of a later one. */
  #asked({ round, attempt, bytes, straight }: Aggregate): void {
    const of = { round, attempt };
    if (isLater(this.#at, of)) {
      this.ignored("a message of an attempt that is over");
      return;
    }
    const { size, sources, above } = this.#place;
    const session = this.#sessionOf(of);
    const request = requestIn(bytes, session, size);
    if (typeof request === "string") {
      this.ignored(request);
      return;
    }
    const unfit =
      this.#clear?.whyNot(request, size) ?? (!this.#clear && request.terms !== undefined);
    if (unfit) {
      this.ignored(unfit === true ? "what the curator asks of a relay is malformed" : unfit);
      return;
    }
    if (isLater(of, this.#at) || !this.#gathering) {
      this.#at = of;
      this.#passed = undefined;
      this.#straight = false;
      this.#gathering = new Gathering(
        session,
        sources,
        request,
        this.#clear?.reader(request, size) ?? maskedInput,
      );
      // A sum that these make whole is the answer to the request.
      for (const [number, early] of this.#early.take(of)) {
        const { why } = this.#gathering.take(number, early);
        if (why !== undefined) this.#refuse(sources[number]!.name, why);
      }
    }
    // Messages overtake each other; within an attempt the way past the relay above is never taken back.
    if (straight) this.#straight = true;
    const hidden = above !== undefined && !this.#straight;
    const { why, ...gathered } = this.#gathering.ask(request, hidden);
    if (why !== undefined) this.ignored(why);
    this.#pass(gathered);
  }

  protected override member(from: string, bytes: Uint8Array): void {
    const source = this.#numbers.get(from);
    if (source === undefined) {
      this.#refuse(from, "it is not one of those beneath this relay");
      return;
    }
    const message = readMessage(bytes, "party");
    if (message.type === "unreadable") {
      this.#refuse(from, message.why);
      return;
    }
    const { run, session, plan } = this.output.envelope;
    const own = message.run === run && message.session === session && message.plan === plan;
    if (!own || message.participant !== from || message.type !== "aggregate") {
      this.#refuse(from, "a message that is not for a relay, or of another run, session, plan or name"); // prettier-ignore
      return;
    }
    if (isLater(this.#at, message)) return;
    if (isLater(message, this.#at)) {
      this.#early.hold(source, message);
      return;
    }
    const { why, ...gathered } = this.#gathering!.take(source, message.bytes);
    if (why !== undefined) this.#refuse(from, why);
    this.#pass(gathered);
  }

  #pass({ sum, inputs, word }: Gathered): void {
    if (word) this.output.say(this.#message(word));
    if (!sum) return;
    this.output.say(this.#message(sum), this.#straight ? undefined : this.#place.above);
    if (inputs === undefined || inputs === this.#passed) return;
    if (this.#passed === undefined) this.#sums++;
    this.#passed = inputs;
    const { awaited } = this.#gathering!;
    this.output.status({ kind: "passed", ...this.#at, inputs, awaited });
  }

  #message(bytes: Uint8Array) {
    return { type: "aggregate", ...this.#at, bytes: bytes as Uint8Array<ArrayBuffer> } as const;
  }

  #sessionOf(of: { readonly round: number; readonly attempt: number }): Uint8Array {
    const { plan, run, session } = this.output.envelope;
    return sessionId({ plan, run: `${run} ${session}`, ...of });
  }

  #refuse(participant: string, why: string): void {
    const status = this.#refusals.note({ kind: "refused", participant, why });
    if (status) this.output.status(status);
  }
}
