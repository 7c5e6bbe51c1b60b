/**
 * Deletes the bucket of a run that is over, with the operator's key of that run: nobody else may. What it held cannot be
 * had again, and a run without it cannot go on.
 *
 *   node deploy/nats/delete-bucket.js --run trial --nats tls://localhost:4222 --tls-ca my-server/tls/authority.pem \
 *     --credentials my-server/credentials/trial/operator.nk --yes
 *
 * @module
 */
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { nkeyAuthenticator } from "@nats-io/nats-core";
import { connect } from "@nats-io/transport-node";

const text = { type: "string" };
const { values } = parseArgs({
  options: {
    run: text,
    nats: text,
    credentials: text,
    "tls-ca": text,
    yes: { type: "boolean", default: false },
  },
});
for (const name of ["run", "nats", "credentials"]) {
  if (values[name] !== undefined) continue;
  console.error(`delete-bucket: --${name} is needed.`);
  process.exit(2);
}

const bucket = `mpmtl_${values.run}`;
const connection = await connect({
  servers: values.nats.split(","),
  authenticator: nkeyAuthenticator(
    new TextEncoder().encode(readFileSync(values.credentials, "utf8").trim()),
  ),
  inboxPrefix: `_INBOX.mpmtl-operator.${values.run}`,
  ...(values["tls-ca"] ? { tls: { ca: readFileSync(values["tls-ca"], "utf8") } } : {}),
});

async function ask(operation) {
  const answer = await connection.request(`$JS.API.STREAM.${operation}.KV_${bucket}`, undefined, {
    timeout: 10_000,
  });
  const { error, ...found } = answer.json();
  if (!error) return found;
  await connection.close();
  console.error(`delete-bucket: ${bucket}: ${error.description}`);
  process.exit(1);
}

const { state } = await ask("INFO");
const held = `${bucket}: ${state.messages} values, ${state.bytes} bytes, the last of ${state.last_ts}`;
if (values.yes) {
  await ask("DELETE");
  console.log(`${held}; deleted.`);
} else {
  console.log(`${held}. With --yes it is deleted for good.`);
}
await connection.close();
