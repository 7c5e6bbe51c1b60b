/**
 * Who sends to a relay, and for whom each may speak: a participant for itself, a relay for those beneath it.
 * @module
 */
import { relayGroups, type Assigned } from "./plan/groups.js";
import { RelayTree } from "./relay-tree.js";

/** One that sends to a relay. */
export interface Source {
  readonly name: string;
  /** Whether it sends sums; else its own input. */
  readonly isRelay: boolean;
  /** Places in the relay's group of those whose inputs it sends; of a relay, in the order of its own group. */
  readonly places: readonly number[];
}

/** What a relay knows of its place in a plan. */
export interface RelayPlace {
  /** Participants beneath it. */
  readonly size: number;
  /** Nobody's place is in two of them. */
  readonly sources: readonly Source[];
  /** The relay that its sums are for; left out: the curator. */
  readonly above?: string;
}

/** @returns undefined if the plan knows no such relay. */
export function placeOf(planned: Assigned, relay: string): RelayPlace | undefined {
  const groups = relayGroups(planned);
  const number = groups.findIndex(({ name }) => name === relay);
  if (number < 0) return undefined;
  const { members, relay: above } = groups[number]!;
  const tree = new RelayTree(groups);
  const places = new Map(members.map((index, place) => [index, place]));
  const own = tree.own(number).map((index) => ({
    name: planned.participants[index]!.name,
    isRelay: false,
    places: [places.get(index)!],
  }));
  const relays = tree.children(number).map((child) => ({
    name: groups[child]!.name,
    isRelay: true,
    places: groups[child]!.members.map((index) => places.get(index)!),
  }));
  const place = { size: members.length, sources: [...own, ...relays] };
  return above === undefined ? place : { ...place, above: groups[above]!.name };
}
