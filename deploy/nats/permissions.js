/**
 * Who may publish and subscribe what: the `users.conf` of a nats-server.
 *
 * The names of subjects are those of `src/federation/nats/subjects.ts`. NATS refuses everything
 * that is not allowed here, so the sender of a message on `mpmtl.RUN.in.NAME` is NAME. Each run has an account of its own for
 * its curator, and each participant another: what one of them takes of connections or subscriptions, none of the others lacks.
 * A relay is a participant to which others send, too. Where a relay has a leaf server, that one has accounts of the same names for
 * its own participants, and at the other servers an account of the leaf's passes on what these may say and hear, and no more.
 * @module
 */

/** What may stand in a subject: one token, no wildcard. */
export const TOKEN = /^[A-Za-z0-9_-]{1,64}$/;

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

/** Name and participants of every relay. */
const relaysOf = ({ relays = {} }) =>
  Object.entries(relays).map(([name, { of }]) => ({ name, of }));
const relayOf = (members, name) => relaysOf(members).find(({ of }) => of.includes(name))?.name;

/** A participant: sends to the curator, and its relay, under its own name; hears its own messages and the broadcast, a relay its participants. */
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
  const leaves = leavesOf(members).map(({ name, of }) => ({
    account: leafAccount(run, name),
    names: [name, ...of],
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

function ownAccount(run, name, members) {
  const { exports, imports } = speaking(run, [name]);
  const relay = relayOf(members, name);
  const to = relay === undefined ? [] : [{ stream: toRelay(run, relay, name), accounts: [participantAccount(run, relay)] }]; // prettier-ignore
  const heard = relaysOf(members).find((one) => one.name === name)?.of ?? [];
  const ofMember = (member) => ({
    stream: { account: participantAccount(run, member), subject: toRelay(run, name, member) },
  });
  return {
    limits: { max_connections: CONNECTIONS.participant },
    users: usersOf(members.participants[name], participantPermissions(run, name, members)),
    exports: [...exports, ...to],
    imports: [...imports, ...heard.map(ofMember)],
  };
}

/** The relays of a run that have a leaf server, with their participants and its address. */
export const leavesOf = ({ relays = {} }) =>
  Object.entries(relays).flatMap(([name, { of, leaf }]) => (leaf ? [{ name, of, leaf }] : []));

/**
 * @param runs  by name, what the record of a deployment (`deployment.js`) has of each: public keys and the bytes of its bucket.
 * @returns the text of `users.conf`.
 */
export function usersConfiguration(runs) {
  const accounts = Object.entries(runs).flatMap(([run, members]) => [
    [accountOf(run), curatorAccount(run, members)],
    ...Object.keys(members.participants).map((name) => [
      participantAccount(run, name),
      ownAccount(run, name, members),
    ]),
    ...leavesOf(members).map(({ name, of }) => [
      leafAccount(run, name),
      speaking(run, [name, ...of]),
    ]),
  ]);
  return accountsText(accounts);
}

/**
 * The accounts of a leaf server: a relay and its participants, and one in the curator's place, which is connected with it.
 * @param relay one that {@link leavesOf} gives, of the run.
 * @returns the text of the leaf's `users.conf`.
 */
export function leafUsersConfiguration(run, members, { name, of }) {
  const names = [name, ...of];
  return accountsText([
    [uplinkAccount(run), exchange(run, accountsOf(run, names))],
    ...names.map((one) => [participantAccount(run, one), ownAccount(run, one, members)]),
  ]);
}

function accountsText(accounts) {
  const lines = accounts.map(
    ([account, settings]) => `  ${JSON.stringify(account)}: ${JSON.stringify(settings)}`,
  );
  return `# Written by make-credentials.js: public keys only.\naccounts {\n${lines.join("\n")}\n}\n`;
}
