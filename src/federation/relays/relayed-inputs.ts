/**
 * The curator's side of the inputs that come by relays, in one attempt: which relay is waited for, and who counts how.
 *
 * Every relay is in one of four states, and leaves the first two once (`relay-routes.ts`). While a participant's relay gathers, no input of
 * its counts that comes straight but one with complaints; while a relay's own relay gathers, no sum of it counts that comes straight. Once a
 * relay's sum is taken, or those beneath it send past it, nothing of the relay counts. A sum that holds the input of somebody who is
 * counted already, or is not awaited, is refused whole: so every input is in the sum once at most, however many relays it might have come by.
 *
 * The curator asks every relay itself, at whatever level, so that none depends on another for what it is asked. Deadlines go up the
 * tree: the first asks relays of participants for what they have, the next those above these. A relay that lets a deadline pass
 * without a word, or, if its sum is for the curator, without the sum it was asked for, is done without: its participants send straight,
 * and relays beneath it give their sums to the curator. One that came back meanwhile, and has to gather anew, is given one more, once.
 * @module
 */
import { parseMessage } from "../secure-aggregation/attempt/messages.js";
import { parseSet } from "../secure-aggregation/attempt/message-parts.js";
import type { Setting } from "../secure-aggregation/attempt/setting.js";
import type { RelayGroup } from "./plan/groups.js";
import { gatherMessage, parsePartial, type Urgency } from "./relay-messages.js";
import { RelayRoutes } from "./relay-routes.js";
import { RelayTree } from "./relay-tree.js";

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
  | {
      readonly kind: "gather";
      readonly relay: number;
      readonly message: Uint8Array;
      /** Its sum is to come straight, past the relay above it. */
      readonly straight?: true;
    }
  /** A message of a relay was ignored. */
  | { readonly kind: "relay-refused"; readonly relay: number; readonly reason: string }
  /** What a relay says counts no more in this attempt: it gave no sum, or a wrong one. Those beneath it send straight. */
  | { readonly kind: "without-relay"; readonly relay: number; readonly reason: string };

/** A sum that counts: who is in it, and whose input its relay does not have. */
export interface TakenPartial {
  readonly members: readonly number[];
  readonly gone: readonly number[];
  readonly sum: Uint32Array;
  /** Relays beneath that one of which nothing is in the sum are asked themselves. */
  readonly asked: readonly RelayedEffect[];
}

/** What the groups of an attempt are made of. */
export interface RelayedInputsOptions {
  readonly setting: Pick<Setting, "session" | "bits" | "entries">;
  /** A relay's number is its place here. */
  readonly groups: readonly RelayGroup[];
  /** Relays to do without, by their number. */
  readonly straight: ReadonlySet<number>;
  /** Whether a participant's input is to come, by whatever way, and is not counted. */
  readonly isAwaited: (participant: number) => boolean;
  /** The message upon which a participant gives its input. */
  readonly inbox: (participant: number) => SendEffect;
  /** Of plain sums: what the vectors of these participants are held to. */
  readonly terms?: (members: readonly number[]) => Uint8Array;
  /** Of plain sums: why no vectors of these participants make such a sum, if so. */
  readonly judge?: (sum: Uint32Array, members: readonly number[]) => string | undefined;
}

/** The groups of one attempt. */
export class RelayedInputs {
  readonly #options: RelayedInputsOptions;
  readonly #tree: RelayTree;
  readonly #routes: RelayRoutes;
  /** Relays on whose way somebody was lost. */
  readonly short = new Set<number>();
  /** Relays that said something since the last deadline. */
  readonly #spoke = new Set<number>();
  /** Relays that came back since the last deadline, perhaps with nothing: what they have is not yet what they can get. */
  readonly #back = new Set<number>();
  /** Relays that were given one more deadline for that. */
  readonly #spared = new Set<number>();
  #deadlines = 0;

  constructor(options: RelayedInputsOptions) {
    this.#options = options;
    const { groups, straight, isAwaited } = options;
    this.#tree = new RelayTree(groups);
    this.#routes = new RelayRoutes(this.#tree, straight, isAwaited);
  }

  /** Whether a participant's input is to come by its relay. */
  isRelayed(participant: number): boolean {
    return this.#routes.isRelayed(participant);
  }

  /** Whether somebody's input is to come by a relay. */
  get isAwaiting(): boolean {
    return this.#routes.open.some((relay) => this.#routes.awaited(relay).size > 0);
  }

  /** The relays' requests. They go out before their groups are told, and are there when the inputs come. */
  begin(): RelayedEffect[] {
    const routes = this.#routes;
    for (const relay of routes.open) {
      if (routes.awaited(relay).size === 0) routes.give(relay, new Set());
    }
    return routes.open.map((relay) => this.#gather(relay, "whole"));
  }

  /** A participant's input was counted that came straight, though its relay is there: none on its way need wait for it. */
  counted(participant: number): RelayedEffect[] {
    return this.#routes.pathOf(participant).map((relay) => this.#gather(relay, "whole"));
  }

  /** A relay's message, if any is awaited: a sum, or what is to be done. What it says twice, or late, counts for nothing. */
  receive(relay: number, bytes: Uint8Array): TakenPartial | readonly RelayedEffect[] {
    const routes = this.#routes;
    if (!routes.isOpen(relay)) return [];
    const parsed = parseMessage(bytes, this.#options.setting.session);
    if (typeof parsed === "string") return this.#goStraight(relay, parsed);
    const { kind, body } = parsed;
    if (kind === "held") return this.#ask(relay, body);
    if (kind !== "partial") return this.#goStraight(relay, `"${kind}" is not for a relay to say`);
    if (routes.isTop(relay)) return this.#take(relay, body);
    return [{ kind: "relay-refused", relay, reason: "its sum is for the relay above it" }];
  }

  /** A relay is there again, which may have been restarted since. */
  relayBack(relay: number): RelayedEffect[] {
    if (!this.#routes.isOpen(relay)) return [];
    this.#back.add(relay);
    return [this.#gather(relay, "tell")];
  }

  /** Asks those again whose input is late; of a group whose relay is there the relay at its top, which knows more. */
  remind(late: readonly number[]): RelayedEffect[] {
    const tops = this.#routes.open.filter((relay) => this.#routes.isTop(relay));
    return [
      ...late.filter((index) => !this.isRelayed(index)).map((index) => this.inbox(index)),
      ...tops.map((relay) => this.#gather(relay, "tell")),
    ];
  }

  /** The deadline has passed: relays are asked for what they have, and some done without. Empty: none is awaited. */
  hurry(): RelayedEffect[] {
    const routes = this.#routes;
    this.#deadlines++;
    const isSilent = (relay: number) =>
      (routes.isTop(relay) && routes.isClosing(relay)) ||
      (this.#deadlines > 1 && !this.#spoke.has(relay));
    const isSpared = (relay: number) => this.#back.has(relay) && !this.#spared.has(relay);
    const late = routes.open.filter(isSilent);
    const silent = late.filter((relay) => !isSpared(relay));
    for (const relay of late) if (isSpared(relay)) this.#spared.add(relay);
    this.#spoke.clear();
    this.#back.clear();
    const past = silent.flatMap((relay) => this.#pass(relay, "it gave no sum"));
    const asked = routes.open.map((relay) => {
      if (this.#tree.height(relay) <= this.#deadlines) routes.close(relay);
      return this.#gather(relay, "tell");
    });
    return [...past, ...asked];
  }

  /** What a participant is told to give its input, and by which way. */
  inbox(participant: number): SendEffect {
    const send = this.#options.inbox(participant);
    return this.#routes.isPast(participant) ? { ...send, straight: true } : send;
  }

  /** A relay's request; one that is to give what it has is asked for nothing less, unless it has just come back. */
  #gather(relay: number, wanted: Urgency): RelayedEffect {
    const { members, relay: above } = this.#tree.groups[relay]!;
    const { setting, terms } = this.#options;
    const { session, bits, entries } = setting;
    const isAwaited = this.#routes.awaited(relay);
    const awaited = new Set(members.flatMap((one, place) => (isAwaited.has(one) ? [place] : [])));
    const isDue = this.#routes.isClosing(relay) && !this.#back.has(relay);
    const urgency = isDue ? "now" : wanted;
    const told = terms ? { terms: terms(members) } : {};
    const request = { urgency, bits, entries, awaited, ...told };
    const message = gatherMessage(session, request, members.length);
    const straight = above !== undefined && this.#routes.isTop(relay);
    return { kind: "gather", relay, message, ...(straight ? { straight } : {}) };
  }

  /** Asks those again for what the relay lacks: its own participants for their inputs, relays beneath it for their sums. */
  #ask(relay: number, body: Uint8Array): RelayedEffect[] {
    const { members } = this.#tree.groups[relay]!;
    const places = parseSet(body, members.length);
    if (!places) return this.#goStraight(relay, "what it says it holds is malformed");
    this.#spoke.add(relay);
    const held = new Set([...places].map((place) => members[place]!));
    const routes = this.#routes;
    const isLacking = (one: number) => !held.has(one);
    const own = routes.own(relay).filter(isLacking);
    const asked = own.map((one): RelayedEffect => this.inbox(one));
    for (const child of routes.children(relay)) {
      if ([...routes.awaited(child)].some(isLacking)) asked.push(this.#gather(child, "tell"));
      else this.#spoke.add(child); // it has given its sum
    }
    return asked;
  }

  #take(relay: number, body: Uint8Array): TakenPartial | RelayedEffect[] {
    const { isAwaited, setting, judge } = this.#options;
    const routes = this.#routes;
    const { members } = this.#tree.groups[relay]!;
    const partial = parsePartial(body, members.length, setting);
    if (!partial) return this.#goStraight(relay, "its sum is malformed");
    const held = [...partial.held].map((place) => members[place]!);
    const stray = held.find((member) => !isAwaited(member));
    if (stray !== undefined) {
      const why = `its sum holds the input of participant ${stray}, which is not awaited or counted already`;
      return this.#goStraight(relay, why);
    }
    const wrong = judge?.(partial.sum, held);
    if (wrong !== undefined) return this.#goStraight(relay, wrong);
    const inSum = new Set(held);
    const missing = [...routes.awaited(relay)].filter((one) => !inSum.has(one));
    const paths = missing.map((one) => ({ one, path: routes.pathOf(one) }));
    const asked = routes.give(relay, inSum).map((child) => this.#gather(child, "whole"));
    const gone = paths.filter(({ one }) => !routes.isRelayed(one));
    for (const { path } of gone) for (const at of path) this.short.add(at);
    return { members: held, gone: gone.map(({ one }) => one), sum: partial.sum, asked };
  }

  #goStraight(relay: number, reason: string): RelayedEffect[] {
    const routes = this.#routes;
    const past = this.#pass(relay, reason);
    // Those above it need not wait for it, those beneath it have no other way.
    const told = [...routes.above(relay), ...routes.children(relay)];
    return [...past, ...told.map((other) => this.#gather(other, "whole"))];
  }

  /** Does without a relay: its own participants are asked to send straight; relays beneath it are still to be asked. */
  #pass(relay: number, reason: string): RelayedEffect[] {
    const own = this.#routes.own(relay);
    this.#routes.pass(relay);
    return [{ kind: "without-relay", relay, reason }, ...own.map((one) => this.inbox(one))];
  }
}
