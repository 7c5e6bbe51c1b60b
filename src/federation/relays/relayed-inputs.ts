/**
 * The curator's side of the inputs that come by relays, in one attempt: which relay is waited for, and who counts how.
 *
 * Every group is in one of four states, and leaves the first two once. While its relay gathers, no input of the group counts that comes
 * straight but those with complaints; once its sum is taken, or the group sends straight, nothing of the relay counts. A sum that holds the
 * input of somebody who is counted already, or is not awaited, is refused whole. So every input is in the sum once at most.
 * @module
 */
import { parseMessage, parseSet } from "../secure-aggregation/messages.js";
import type { Setting } from "../secure-aggregation/setting.js";
import type { RelayGroup } from "./groups.js";
import { gatherMessage, parsePartial, type Urgency } from "./relay-messages.js";

/** A relay adds up; was asked to give what it has; has given; or its group sends straight to the curator. */
type State = "gathering" | "closing" | "given" | "straight";

/** A message to a participant. */
export interface SendEffect {
  readonly kind: "send";
  readonly to: number;
  readonly message: Uint8Array;
  /** Its answer is to come straight, past its relay. */
  readonly straight?: true;
}

/** What the curator's driver must do for inputs that come by relays. */
export type RelayedEffect =
  | SendEffect
  /** For a relay, by its number. */
  | { readonly kind: "gather"; readonly relay: number; readonly message: Uint8Array }
  /** What a relay says counts no more in this attempt: it gave no sum, or a wrong one. Its group sends straight. */
  | { readonly kind: "without-relay"; readonly relay: number; readonly reason: string };

/** A sum that counts: who is in it, and whose input its relay does not have. */
export interface TakenPartial {
  readonly members: readonly number[];
  readonly gone: readonly number[];
  readonly sum: Uint32Array;
}

/** What the groups of an attempt are made of. */
export interface RelayedInputsOptions {
  readonly setting: Setting;
  /** A relay's number is its place here. */
  readonly groups: readonly RelayGroup[];
  /** Relays to do without, by their number. */
  readonly straight: ReadonlySet<number>;
  /** Whether a participant's input is to come, by whatever way, and is not counted. */
  readonly isAwaited: (participant: number) => boolean;
  /** The message upon which a participant gives its input. */
  readonly inbox: (participant: number) => SendEffect;
}

/** The groups of one attempt. */
export class RelayedInputs {
  readonly #options: RelayedInputsOptions;
  readonly #states: State[];
  /** Relays whose sums lacked somebody. */
  readonly short = new Set<number>();
  /** A participant's relay. */
  readonly #relayOf = new Map<number, number>();

  constructor(options: RelayedInputsOptions) {
    this.#options = options;
    const { groups, straight } = options;
    this.#states = groups.map((_, relay) => (straight.has(relay) ? "straight" : "gathering"));
    groups.forEach(({ members }, relay) => {
      for (const member of members) this.#relayOf.set(member, relay);
    });
  }

  /** Whether a participant's input is to come by its relay. */
  isRelayed(participant: number): boolean {
    const relay = this.#relayOf.get(participant);
    return relay !== undefined && this.#isOpen(relay);
  }

  /** The relays' requests. They go out before their groups are told, and are there when the inputs come. */
  begin(): RelayedEffect[] {
    return this.#open.flatMap((relay) => {
      if (this.#awaited(relay).size > 0) return [this.#gather(relay, "whole")];
      this.#states[relay] = "given";
      return [];
    });
  }

  /** A participant's input was counted that came straight, though its relay is there: that one need not wait for it. */
  counted(participant: number): RelayedEffect[] {
    return this.isRelayed(participant)
      ? [this.#gather(this.#relayOf.get(participant)!, "whole")]
      : [];
  }

  /** A relay's message, if any is awaited: a sum, or what is to be done. What it says twice, or late, counts for nothing. */
  receive(relay: number, bytes: Uint8Array): TakenPartial | readonly RelayedEffect[] {
    if (!this.#isOpen(relay)) return [];
    const parsed = parseMessage(bytes, this.#options.setting.session);
    if (typeof parsed === "string") return this.#goStraight(relay, parsed);
    const { kind, body } = parsed;
    if (kind === "held") return this.#ask(relay, body);
    if (kind === "partial") return this.#take(relay, body);
    return this.#goStraight(relay, `"${kind}" is not for a relay to say`);
  }

  /** Asks a relay again, which may have been restarted since. */
  remindRelay(relay: number): RelayedEffect[] {
    return this.#isOpen(relay) ? [this.#gather(relay, "tell")] : [];
  }

  /** Asks those again whose input is late; of a group whose relay is there that relay, which knows more. */
  remind(late: readonly number[]): RelayedEffect[] {
    return [
      ...late.filter((index) => !this.isRelayed(index)).map((index) => this.inbox(index)),
      ...this.#open.flatMap((relay) => this.remindRelay(relay)),
    ];
  }

  /** The deadline has passed: a relay is asked for what it has, and one that was asked is done without. Empty: none is awaited. */
  hurry(): RelayedEffect[] {
    return this.#open.flatMap((relay) => {
      if (this.#states[relay] === "closing") return this.#goStraight(relay, "it gave no sum");
      this.#states[relay] = "closing";
      return [this.#gather(relay, "now")];
    });
  }

  /** What a participant is told to give its input, and by which way. */
  inbox(participant: number): SendEffect {
    const send = this.#options.inbox(participant);
    const relay = this.#relayOf.get(participant);
    const past = relay !== undefined && this.#states[relay] === "straight";
    return past ? { ...send, straight: true } : send;
  }

  #isOpen(relay: number): boolean {
    const state = this.#states[relay];
    return state === "gathering" || state === "closing";
  }

  /** Relays whose sums are awaited. */
  get #open(): number[] {
    return this.#states.flatMap((_, relay) => (this.#isOpen(relay) ? [relay] : []));
  }

  /** Those of a group whose input is awaited. */
  #awaited(relay: number): Set<number> {
    const { groups, isAwaited } = this.#options;
    return new Set(groups[relay]!.members.filter(isAwaited));
  }

  #gather(relay: number, wanted: Urgency): RelayedEffect {
    const { members } = this.#options.groups[relay]!;
    const { session, bits, entries } = this.#options.setting;
    const isAwaited = this.#awaited(relay);
    const awaited = new Set(members.flatMap((one, place) => (isAwaited.has(one) ? [place] : [])));
    const urgency = this.#states[relay] === "closing" ? "now" : wanted;
    const request = { urgency, bits, entries, awaited };
    return { kind: "gather", relay, message: gatherMessage(session, request, members.length) };
  }

  /** Asks those for their input whom the relay lacks. */
  #ask(relay: number, body: Uint8Array): RelayedEffect[] {
    const { members } = this.#options.groups[relay]!;
    const places = parseSet(body, members.length);
    if (!places) return this.#goStraight(relay, "what it says it holds is malformed");
    const held = new Set([...places].map((place) => members[place]!));
    return [...this.#awaited(relay)].flatMap((one) => (held.has(one) ? [] : [this.inbox(one)]));
  }

  #take(relay: number, body: Uint8Array): TakenPartial | RelayedEffect[] {
    const { groups, setting } = this.#options;
    const { members } = groups[relay]!;
    const partial = parsePartial(body, members.length, setting);
    if (!partial) return this.#goStraight(relay, "its sum is malformed");
    const awaited = this.#awaited(relay);
    const held = [...partial.held].map((place) => members[place]!);
    const stray = held.find((member) => !awaited.delete(member));
    if (stray !== undefined) {
      const why = `its sum holds the input of participant ${stray}, which is not awaited or counted already`;
      return this.#goStraight(relay, why);
    }
    this.#states[relay] = "given";
    if (awaited.size > 0) this.short.add(relay);
    return { members: held, gone: [...awaited], sum: partial.sum };
  }

  #goStraight(relay: number, reason: string): RelayedEffect[] {
    this.#states[relay] = "straight";
    const asked = [...this.#awaited(relay)].map((one) => this.inbox(one));
    return [{ kind: "without-relay", relay, reason }, ...asked];
  }
}
