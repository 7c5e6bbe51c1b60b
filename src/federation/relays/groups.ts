/**
 * Which relay adds up whose masked integers: the plan says it of every participant, so everyone knows it.
 * @module
 */
import { isParticipantName } from "../protocol/names.js";

/** What of a plan's secure sums says who has which relay. */
interface Assigned {
  readonly participants: readonly { readonly name: string; readonly relay?: string }[];
}

/** A relay and those whose masked integers it adds up. */
export interface RelayGroup {
  readonly name: string;
  /** Their numbers in the plan, ascending. A member's place here is its place in the relay's sets. */
  readonly members: readonly number[];
}

/** The relays of a plan, in the order in which it first names them. */
export function relayGroups({ participants }: Assigned): RelayGroup[] {
  const members = new Map<string, number[]>();
  for (const [index, { relay }] of participants.entries()) {
    if (relay === undefined) continue;
    const own = members.get(relay);
    if (own) own.push(index);
    else members.set(relay, [index]);
  }
  return [...members].map(([name, own]) => ({ name, members: own }));
}

/** What is wrong with the relays of a plan. */
export function relayProblems({ participants }: Assigned): string[] {
  const names = new Set(participants.map(({ name }) => name));
  return relayGroups({ participants }).flatMap(({ name }) => {
    if (!isParticipantName(name)) {
      return ["aggregation.participants: a relay's name has 1 to 64 letters, digits, - or _"];
    }
    return names.has(name)
      ? [
          `aggregation.participants: ${name} is a participant and a relay; give the relay another name`,
        ]
      : [];
  });
}
