/**
 * Who may publish and subscribe what: the `users.conf` of a nats-server for one run.
 *
 * The names of subjects are those of `src/federation/nats/subjects.ts`. NATS refuses everything
 * that is not allowed here, so the sender of a message on `mpmtl.RUN.in.NAME` is NAME.
 * @module
 */

/** What may stand in a subject: one token, no wildcard. */
export const TOKEN = /^[A-Za-z0-9_-]{1,64}$/;

/** A participant: sends to the curator under its own name; hears its own messages and the broadcast. */
function participantPermissions(run, name) {
  return {
    publish: { allow: [`mpmtl.${run}.in.${name}`] },
    subscribe: { allow: [`mpmtl.${run}.out.${name}`, `mpmtl.${run}.all`] },
  };
}

/** The curator: the other direction, and one JetStream bucket for its state. */
function curatorPermissions(run) {
  const stream = `KV_mpmtl_${run}`;
  return {
    publish: {
      allow: [
        `mpmtl.${run}.out.*`,
        `mpmtl.${run}.all`,
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

/**
 * @param run           the run's name, a {@link TOKEN}.
 * @param curator       public user key of the curator.
 * @param participants  `{ name, key }`: names are {@link TOKEN}s, keys public user keys.
 * @returns the text of `users.conf`.
 */
export function usersConfiguration({ run, curator, participants }) {
  const users = [
    { name: "curator", key: curator, permissions: curatorPermissions(run) },
    ...participants.map(({ name, key }) => ({
      name,
      key,
      permissions: participantPermissions(run, name),
    })),
  ];
  const lines = users.map(
    ({ name, key, permissions }) =>
      `      # ${name}\n      { nkey: ${key}, permissions: ${JSON.stringify(permissions)} }`,
  );
  return `# Written by make-credentials.js: public keys only.
accounts {
  mpmtl {
    jetstream: { max_memory: 16MB, max_file: 2GB, max_streams: 8, max_consumers: 64 }
    users: [
${lines.join("\n")}
    ]
  }
}
`;
}
