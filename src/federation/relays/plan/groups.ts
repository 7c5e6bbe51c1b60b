/**
 * Which relay adds up whose masked integers, or vectors: the plan says it of every participant, and of relays whose sums another relay adds up, so
 * everyone knows it.
 * @module
 */
import { OptionError } from "../../../core/errors.js";
import { checkNames } from "../../../core/messages/known-names.js";
import { isParticipantName, NAME_FORM } from "../../protocol/messages/names.js";

/** A relay of a plan whose sums are for another relay. */
export interface PlannedRelay {
  /** The name the transport vouches for. */
  readonly name: string;
  /** Name of the relay that adds up its sums with others'. */
  readonly relay: string;
}

/** What of a plan's sums says who has which relay. */
export interface Assigned {
  readonly participants: readonly { readonly name: string; readonly relay?: string }[];
  readonly relays?: readonly PlannedRelay[];
}

/** A relay and those whose masked integers it adds up. */
export interface RelayGroup {
  readonly name: string;
  /**
   * Numbers in the plan of all participants beneath it, its own and those of relays beneath it, ascending. A member's place here is its
   * place in the relay's sets.
   */
  readonly members: readonly number[];
  /** The relay that its sums are for, by its place among the plan's; left out: they are for the curator. */
  readonly relay?: number;
}

/** The relays of a plan: those of participants in the order in which it first names them, then the others. */
export function relayGroups({ participants, relays = [] }: Assigned): RelayGroup[] {
  const above = new Map(relays.map(({ name, relay }) => [name, relay]));
  const members = new Map<string, number[]>();
  for (const [index, { relay }] of participants.entries()) {
    for (const name of relay === undefined ? [] : chainOf(relay, above)) {
      const own = members.get(name);
      if (own) own.push(index);
      else members.set(name, [index]);
    }
  }
  const direct = participants.flatMap(({ relay }) => relay ?? []);
  const names = [...new Set([...direct, ...members.keys()])];
  const numbers = new Map(names.map((name, number) => [name, number]));
  return names.map((name) => {
    const group = { name, members: members.get(name)! };
    const next = above.get(name);
    return next === undefined ? group : { ...group, relay: numbers.get(next)! };
  });
}

/** A relay, the one that its sums are for, and so on; once around where a plan that is refused has a circle. */
function chainOf(relay: string, above: ReadonlyMap<string, string>): Set<string> {
  const chain = new Set<string>();
  for (let next: string | undefined = relay; next !== undefined; next = above.get(next)) {
    if (chain.has(next)) break;
    chain.add(next);
  }
  return chain;
}

/**
 * The relays of relays as a plan keeps them.
 * @throws OptionError for what is no list of them, or has a field that would be lost.
 */
export function plannedRelays(given: unknown): PlannedRelay[] {
  if (!Array.isArray(given) || !given.every(hasBothNames)) {
    throw new OptionError("plan: aggregation.relays: expected a list of { name, relay }");
  }
  return given.map((one, at) => {
    checkNames(`plan: aggregation.relays[${at}]`, one, ["name", "relay"]);
    return { name: one.name, relay: one.relay };
  });
}

function hasBothNames(one: unknown): one is PlannedRelay {
  const { name, relay } = (one ?? {}) as Partial<PlannedRelay>;
  return typeof name === "string" && typeof relay === "string";
}

/** What is wrong with the relays of a plan. */
export function relayProblems({ participants, relays = [] }: Assigned): string[] {
  const known = new Set(participants.map(({ name }) => name));
  const above = new Map(relays.map(({ name, relay }) => [name, relay]));
  const adding = new Set([
    ...participants.flatMap(({ relay }) => relay ?? []),
    ...relays.map(({ relay }) => relay),
  ]);
  const problems = [...new Set([...adding, ...above.keys()])].flatMap((name) => {
    if (!isParticipantName(name)) {
      return [`aggregation.participants: a relay's name has ${NAME_FORM}`];
    }
    return known.has(name)
      ? [
          `aggregation.participants: ${name} is a participant and a relay; give the relay another name`,
        ]
      : [];
  });
  if (above.size < relays.length) problems.push("aggregation.relays: expected every name once");
  for (const { name } of relays) {
    if (!adding.has(name)) {
      problems.push(
        `aggregation.relays: ${name} adds up for nobody; name it beside a participant or another relay, or leave it out`,
      );
    }
    const last = [...chainOf(name, above)].at(-1)!;
    if (above.has(last)) {
      problems.push(`aggregation.relays: the sums of ${name} never come to the curator`);
    }
  }
  return problems;
}
