/**
 * Who may publish and subscribe what: the `users.conf` of a nats-server.
 *
 * The names of subjects are those of `src/federation/nats/subjects.ts`. NATS refuses everything
 * that is not allowed here, so the sender of a message on `mpmtl.RUN.in.NAME` is NAME. Each run has an account of its own for
 * its curator, and each participant another: what one of them takes of connections or subscriptions, none of the others lacks.
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

/** A participant: sends to the curator under its own name; hears its own messages and the broadcast. */
function participantPermissions(run, name) {
  return {
    publish: { allow: [incoming(run, name)] },
    subscribe: { allow: [outgoing(run, name), toAll(run)] },
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

function curatorAccount(run, { curator, operator, participants, storeBytes }) {
  const names = Object.keys(participants);
  return {
    jetstream: { max_memory: 0, max_file: storeBytes, max_streams: 1, max_consumers: 8 },
    limits: { max_connections: CONNECTIONS.curator },
    users: [
      ...usersOf(curator, curatorPermissions(run)),
      ...usersOf(operator, operatorPermissions(run)),
    ],
    exports: [
      { stream: toAll(run), accounts: names.map((name) => participantAccount(run, name)) },
      ...names.map((name) => ({
        stream: outgoing(run, name),
        accounts: [participantAccount(run, name)],
      })),
    ],
    imports: names.map((name) => ({
      stream: { account: participantAccount(run, name), subject: incoming(run, name) },
    })),
  };
}

function ownAccount(run, name, keys) {
  const from = (subject) => ({ stream: { account: accountOf(run), subject } });
  return {
    limits: { max_connections: CONNECTIONS.participant },
    users: usersOf(keys, participantPermissions(run, name)),
    exports: [{ stream: incoming(run, name), accounts: [accountOf(run)] }],
    imports: [from(toAll(run)), from(outgoing(run, name))],
  };
}

/**
 * @param runs  by name, what the record of a deployment (`deployment.js`) has of each: public keys and the bytes of its bucket.
 * @returns the text of `users.conf`.
 */
export function usersConfiguration(runs) {
  const accounts = Object.entries(runs).flatMap(([run, members]) => [
    [accountOf(run), curatorAccount(run, members)],
    ...Object.entries(members.participants).map(([name, keys]) => [
      participantAccount(run, name),
      ownAccount(run, name, keys),
    ]),
  ]);
  const lines = accounts.map(
    ([account, settings]) => `  ${JSON.stringify(account)}: ${JSON.stringify(settings)}`,
  );
  return `# Written by make-credentials.js: public keys only.\naccounts {\n${lines.join("\n")}\n}\n`;
}
