/**
 * The relays of a plan as trees: who is directly beneath whom. A relay's number is its place in the plan's list.
 * @module
 */
import type { RelayGroup } from "./plan/groups.js";

/** Relays, each with those directly beneath it. */
export class RelayTree {
  readonly groups: readonly RelayGroup[];
  readonly #children: readonly number[][];
  readonly #own: readonly number[][];
  readonly #heights: readonly number[];
  /** A participant's own relay. */
  readonly #relayOf = new Map<number, number>();

  constructor(groups: readonly RelayGroup[]) {
    this.groups = groups;
    const children = groups.map((): number[] => []);
    for (const [number, { relay }] of groups.entries()) {
      if (relay !== undefined) children[relay]!.push(number);
    }
    this.#children = children;
    this.#own = groups.map(({ members }, relay) => {
      const beneath = new Set(children[relay]!.flatMap((child) => groups[child]!.members));
      return beneath.size === 0 ? [...members] : members.filter((one) => !beneath.has(one));
    });
    for (const [relay, own] of this.#own.entries()) {
      for (const participant of own) this.#relayOf.set(participant, relay);
    }
    const heights = groups.map(() => 1);
    for (const start of groups.keys()) {
      let height = 1;
      for (let at = groups[start]!.relay; at !== undefined; at = groups[at]!.relay) {
        heights[at] = Math.max(heights[at]!, ++height);
      }
    }
    this.#heights = heights;
  }

  /** Relays whose sums are for this one. */
  children(relay: number): readonly number[] {
    return this.#children[relay]!;
  }

  /** Participants whose inputs are for this relay. */
  own(relay: number): readonly number[] {
    return this.#own[relay]!;
  }

  /** Levels of relays from this one down: 1 where none is beneath it. */
  height(relay: number): number {
    return this.#heights[relay]!;
  }

  /** The relay that a participant's input is for; undefined for the curator. */
  relayOf(participant: number): number | undefined {
    return this.#relayOf.get(participant);
  }

  /** A participant's relay, the one that its sums are for, and so on up. */
  pathOf(participant: number): number[] {
    const path: number[] = [];
    for (let at = this.relayOf(participant); at !== undefined; at = this.groups[at]!.relay) {
      path.push(at);
    }
    return path;
  }
}
