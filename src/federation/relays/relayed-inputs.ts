/**
 * The curator's side of the inputs that come by relays, in one attempt: which relay is waited for, and who counts how.
 *
 * Every group is in one of four states, and leaves the first two once. While its relay gathers, no input of the group counts that comes
 * straight but those with complaints; once its sum is taken, or the group sends straight, nothing of the relay counts. A sum that holds the
 * input of somebody who is counted already, or is not awaited, is refused whole. So every input is in the sum once at most.
 * @module
 */
import { parseSet } from "../secure-aggregation/messages.js";
import type { Setting } from "../secure-aggregation/setting.js";
import type { RelayGroup } from "./groups.js";
import { gatherMessage, parsePartial, type Urgency } from "./relay-messages.js";

/** A relay adds up; was asked to give what it has; has given; or its group sends straight to the curator. */
type State = "gathering" | "closing" | "given" | "straight";

/** A sum that counts: who is in it. */
export interface TakenPartial {
  readonly members: readonly number[];
  readonly sum: Uint32Array;
}

/** The groups of one attempt. */
export class RelayedInputs {
  readonly #setting: Setting;
  readonly #groups: readonly RelayGroup[];
  readonly #states: State[];
  /** A participant's relay. */
  readonly #relayOf = new Map<number, number>();

  /** @param straight relays to do without, by their number. */
  constructor(setting: Setting, groups: readonly RelayGroup[], straight: ReadonlySet<number>) {
    this.#setting = setting;
    this.#groups = groups;
    this.#states = groups.map((_, relay) => (straight.has(relay) ? "straight" : "gathering"));
    groups.forEach(({ members }, relay) => {
      for (const member of members) this.#relayOf.set(member, relay);
    });
  }

  /** Whether a participant's input is to come by a relay. */
  isRelayed(participant: number): boolean {
    const relay = this.#relayOf.get(participant);
    return relay !== undefined && this.isOpen(relay);
  }

  /** Whether a participant has a relay that it is to send past. */
  isStraight(participant: number): boolean {
    const relay = this.#relayOf.get(participant);
    return relay !== undefined && this.#states[relay] === "straight";
  }

  /** Whether a relay's sum is awaited. */
  isOpen(relay: number): boolean {
    const state = this.#states[relay];
    return state === "gathering" || state === "closing";
  }

  /** A participant's relay. */
  relayOf(participant: number): number | undefined {
    return this.#relayOf.get(participant);
  }

  /** Relays whose sums are awaited. */
  get open(): number[] {
    return this.#groups.flatMap((_, relay) => (this.isOpen(relay) ? [relay] : []));
  }

  members(relay: number): readonly number[] {
    return this.#groups[relay]!.members;
  }

  /** Nobody of the group takes part: there is nothing to wait for. */
  skip(relay: number): void {
    this.#states[relay] = "given";
  }

  /** What a relay is asked. @param awaited whose inputs are to come by it, among others. */
  request(relay: number, awaited: ReadonlySet<number>, urgency: Urgency): Uint8Array {
    const { members } = this.#groups[relay]!;
    const { session, bits, entries } = this.#setting;
    const places = new Set(
      members.flatMap((member, place) => (awaited.has(member) ? [place] : [])),
    );
    const wanted = this.#states[relay] === "closing" ? "now" : urgency;
    return gatherMessage(
      session,
      { urgency: wanted, bits, entries, awaited: places },
      members.length,
    );
  }

  /**
   * A relay's sum.
   * @param awaited who is to be in it, at most.
   * @returns why it counts for nothing, if so.
   */
  take(relay: number, body: Uint8Array, awaited: ReadonlySet<number>): TakenPartial | string {
    const { members } = this.#groups[relay]!;
    const partial = parsePartial(body, members.length, this.#setting);
    if (!partial) return "its sum is malformed";
    const held = [...partial.held].map((place) => members[place]!);
    const stray = held.find((member) => !awaited.has(member));
    if (stray !== undefined) {
      return `its sum holds the input of participant ${stray}, which is not awaited or counted already`;
    }
    this.#states[relay] = "given";
    return { members: held, sum: partial.sum };
  }

  /** Whose inputs a relay says it holds; undefined if it is malformed. */
  heldIn(relay: number, body: Uint8Array): Set<number> | undefined {
    const { members } = this.#groups[relay]!;
    const held = parseSet(body, members.length);
    return held && new Set([...held].map((place) => members[place]!));
  }

  /** The deadline has passed: a relay is asked for what it has, and one that was asked is done without. */
  escalate(): { readonly closing: readonly number[]; readonly without: readonly number[] } {
    const [closing, without]: [number[], number[]] = [[], []];
    for (const relay of this.open) {
      if (this.#states[relay] === "gathering") {
        this.#states[relay] = "closing";
        closing.push(relay);
      } else {
        this.goStraight(relay);
        without.push(relay);
      }
    }
    return { closing, without };
  }

  /** Has a group send straight from now on. */
  goStraight(relay: number): void {
    this.#states[relay] = "straight";
  }
}
