/**
 * The relays of a run: who sends to whom, who connects at which server, and what servers pass on of what is said to relays.
 *
 * A relay that has a leaf server connects there, and so does what sends to it, unless that is a relay with a leaf server of its own.
 * Everyone may connect to the other servers, too, as may who has no leaf server.
 * @module
 */

/** Name and those beneath of every relay. */
export const relaysOf = ({ relays = {} }) =>
  Object.entries(relays).map(([name, { of }]) => ({ name, of }));

/** The relay that somebody sends to; undefined for the curator. */
export const relayOf = (members, name) =>
  relaysOf(members).find(({ of }) => of.includes(name))?.name;

/** The relays of a run that have a leaf server, with its address and those that connect there. */
export const leavesOf = ({ relays = {} }) =>
  Object.entries(relays).flatMap(([name, { of, leaf }]) =>
    leaf ? [{ name, leaf, names: [name, ...of.filter((one) => !relays[one]?.leaf)] }] : [],
  );

/**
 * What passes a server of what is said to relays.
 *
 * @param server a relay with a leaf server, for that one; undefined for the other servers.
 * @returns who says it to which relay, and `from` and `to` where these are: at the leaf server of the relay of that name, or undefined for
 *   the other servers.
 */
export function waysOf(members, server) {
  const home = new Map(
    leavesOf(members).flatMap(({ name, names }) => names.map((one) => [one, name])),
  );
  const ways = relaysOf(members).flatMap(({ name: relay, of }) =>
    of.map((member) => ({ member, relay, from: home.get(member), to: home.get(relay) })),
  );
  if (server !== undefined) return ways.filter(({ from, to }) => from === server || to === server);
  return ways.flatMap(({ member, relay, from, to }) => {
    // Who has a leaf server may be at the other servers as well; what stays at one leaf server passes no other.
    const passes = from !== to;
    const [starts, ends] = [from, to].map((at) => new Set(passes ? [undefined, at] : [undefined]));
    return [...starts].flatMap((start) =>
      [...ends].map((end) => ({ member, relay, from: start, to: end })),
    );
  });
}
