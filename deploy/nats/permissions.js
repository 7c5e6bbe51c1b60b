/**
 * Who may publish and subscribe what: the `users.conf` of a nats-server.
 *
 * The names of subjects are those of `src/federation/nats/subjects.ts`. NATS refuses everything
 * that is not allowed here, so the sender of a message on `mpmtl.RUN.in.NAME` is NAME. Each run has an account of its own for
 * its curator, and each participant another: what one of them takes of connections or subscriptions, none of the others lacks.
 * A relay is a participant to which others send, too, relays among them. Where a relay has a leaf server, that one has accounts of the
 * same names for its own participants, and at the other servers an account of the leaf's passes on what these may say and hear, and no more.
 * What a relay says to another passes between their servers (`relay-ways.js`).
 * @module
 */
import { leavesOf, relayOf, relaysOf, waysOf } from "./relay-ways.js";

/** What may stand in a subject: one token, no wildcard; and in the record of a deployment, which is an object by names. */
export const TOKEN = /^(?!__proto__$)[A-Za-z0-9_-]{1,64}$/;

const CONNECTIONS = { curator: 8, participant: 8 };

const accountOf = (run) => `mpmtl_${run}`;
const participantAccount = (run, name) => `${accountOf(run)}.${name}`;
const incoming = (run, name) => `mpmtl.${run}.in.${name}`;
const outgoing = (run, name) => `mpmtl.${run}.out.${name}`;
const toAll = (run) => `mpmtl.${run}.all`;
const toRelay = (run, relay, name) => `mpmtl.${run}.to.${relay}.${name}`;

/** At the other servers, the account of a relay's leaf server. A participant's name has no dot. */
export const leafAccount = (run, relay) => `${accountOf(run)}.leaf.${relay}`;
/** What is in the certificate by which a leaf server is known. */
export const leafName = (run, relay) => `${relay}.${run}.leaf`;
/** The account at a leaf server that is connected with the other servers. */
export const uplinkAccount = accountOf;

/** A participant, or relay: sends to the curator, and its relay, under its own name; hears its own messages and the broadcast, a relay those beneath it. */
function participantPermissions(run, name, members) {
  const relay = relayOf(members, name);
  const heard = relaysOf(members).some((one) => one.name === name) ? [toRelay(run, name, "*")] : [];
  return {
    publish: {
      allow: [incoming(run, name), ...(relay === undefined ? [] : [toRelay(run, relay, name)])],
    },
    subscribe: { allow: [outgoing(run, name), toAll(run), ...heard] },
  };
}

/** The curator: the other direction, and one JetStream bucket for its state. */
function curatorPermissions(run) {
  const stream = `KV_mpmtl_${run}`;
  return {
    publish: {
      allow: [
        `mpmtl.${run}.out.*`,
        toAll(run),
        `$KV.mpmtl_${run}.>`,
        "$JS.API.INFO",
        `$JS.API.STREAM.INFO.${stream}`,
        `$JS.API.STREAM.CREATE.${stream}`,
        `$JS.API.STREAM.MSG.GET.${stream}`,
        `$JS.API.DIRECT.GET.${stream}`,
        `$JS.API.DIRECT.GET.${stream}.>`,
      ],
    },
    subscribe: { allow: [`mpmtl.${run}.in.*`, `_INBOX.mpmtl-curator.${run}.>`] },
  };
}

/** The operator: looks at the bucket of a run that is over and deletes it; takes no part in the run. */
function operatorPermissions(run) {
  const stream = `KV_mpmtl_${run}`;
  return {
    publish: { allow: [`$JS.API.STREAM.INFO.${stream}`, `$JS.API.STREAM.DELETE.${stream}`] },
    subscribe: { allow: [`_INBOX.mpmtl-operator.${run}.>`] },
  };
}

const usersOf = (keys, permissions) => keys.map((nkey) => ({ nkey, permissions }));

/** What passes between a curator's account and those of its participants, or of the leaf servers that speak for some. */
function exchange(run, accounts) {
  return {
    exports: [
      { stream: toAll(run), accounts: accounts.map(({ account }) => account) },
      ...accounts.flatMap(({ account, names }) =>
        names.map((name) => ({ stream: outgoing(run, name), accounts: [account] })),
      ),
    ],
    imports: accounts.flatMap(({ account, names }) =>
      names.map((name) => ({ stream: { account, subject: incoming(run, name) } })),
    ),
  };
}

const accountsOf = (run, names) =>
  names.map((name) => ({ account: participantAccount(run, name), names: [name] }));

function curatorAccount(run, members) {
  const { curator, operator, participants, storeBytes } = members;
  const leaves = leavesOf(members).map(({ name, names }) => ({
    account: leafAccount(run, name),
    names,
  }));
  return {
    jetstream: { max_memory: 0, max_file: storeBytes, max_streams: 1, max_consumers: 8 },
    limits: { max_connections: CONNECTIONS.curator },
    users: [
      ...usersOf(curator, curatorPermissions(run)),
      ...usersOf(operator, operatorPermissions(run)),
    ],
    ...exchange(run, [...accountsOf(run, Object.keys(participants)), ...leaves]),
  };
}

/** What an account has that speaks for some names towards the curator's. */
function speaking(run, names) {
  const from = (subject) => ({ stream: { account: accountOf(run), subject } });
  return {
    exports: names.map((name) => ({ stream: incoming(run, name), accounts: [accountOf(run)] })),
    imports: [from(toAll(run)), ...names.map((name) => from(outgoing(run, name)))],
  };
}

/**
 * What accounts give to others, and take from others, of what is said to relays.
 * @param accountOfPlace the account of a name that is there, where ways (`relay-ways.js`) have it.
 * @returns of an account its exports and imports.
 */
function carriedBy(run, ways, accountOfPlace) {
  const of = new Map();
  const partOf = (account) => {
    const part = of.get(account) ?? { exports: new Map(), imports: [] };
    of.set(account, part);
    return part;
  };
  for (const { member, relay, from, to } of ways) {
    const subject = toRelay(run, relay, member);
    const [giving, taking] = [accountOfPlace(from, member), accountOfPlace(to, relay)];
    const { exports } = partOf(giving);
    exports.set(subject, [...(exports.get(subject) ?? []), taking]);
    partOf(taking).imports.push({ stream: { account: giving, subject } });
  }
  return (account) => {
    const { exports, imports } = partOf(account);
    return { exports: [...exports].map(([stream, accounts]) => ({ stream, accounts })), imports };
  };
}

const joined = (...parts) => ({
  exports: parts.flatMap(({ exports }) => exports),
  imports: parts.flatMap(({ imports }) => imports),
});

function ownAccount(run, name, members, carried) {
  return {
    limits: { max_connections: CONNECTIONS.participant },
    users: usersOf(members.participants[name], participantPermissions(run, name, members)),
    ...joined(speaking(run, [name]), carried(participantAccount(run, name))),
  };
}

/**
 * @param runs  by name, what the record of a deployment (`deployment.js`) has of each: public keys and the bytes of its bucket.
 * @returns the text of `users.conf`.
 */
export function usersConfiguration(runs) {
  const accounts = Object.entries(runs).flatMap(([run, members]) => {
    const carried = carriedBy(run, waysOf(members, undefined), (place, name) =>
      place === undefined ? participantAccount(run, name) : leafAccount(run, place),
    );
    return [
      [accountOf(run), curatorAccount(run, members)],
      ...Object.keys(members.participants).map((name) => [
        participantAccount(run, name),
        ownAccount(run, name, members, carried),
      ]),
      ...leavesOf(members).map(({ name, names }) => [
        leafAccount(run, name),
        joined(speaking(run, names), carried(leafAccount(run, name))),
      ]),
    ];
  });
  return accountsText(accounts);
}

/**
 * The accounts of a leaf server: a relay and those that connect there with it, and one in the curator's place, which is connected with it.
 * @param leaf one that `leavesOf` gives, of the run.
 * @returns the text of the leaf's `users.conf`.
 */
export function leafUsersConfiguration(run, members, { name, names }) {
  const uplink = uplinkAccount(run);
  const carried = carriedBy(run, waysOf(members, name), (place, one) =>
    place === name ? participantAccount(run, one) : uplink,
  );
  return accountsText([
    [uplink, joined(exchange(run, accountsOf(run, names)), carried(uplink))],
    ...names.map((one) => [participantAccount(run, one), ownAccount(run, one, members, carried)]),
  ]);
}

function accountsText(accounts) {
  const lines = accounts.map(
    ([account, settings]) => `  ${JSON.stringify(account)}: ${JSON.stringify(settings)}`,
  );
  return `# Written by make-credentials.js: public keys only.\naccounts {\n${lines.join("\n")}\n}\n`;
}
