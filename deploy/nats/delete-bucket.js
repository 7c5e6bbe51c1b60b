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
import { nkeyAuthenticator, PermissionViolationError } from "@nats-io/nats-core";
import { connect } from "@nats-io/transport-node";

const HELP = `node delete-bucket.js --run RUN --nats tls://HOST:4222 --credentials operator.nk
  --run RUN             a run that is over
  --nats URL            its servers, with commas between
  --credentials FILE    the operator's key of that run (credentials/RUN/operator.nk)
  --tls-ca FILE         the servers' authority, where it is your own (tls/authority.pem)
  --yes                 delete; without it only what the bucket holds is said`;

function readArguments() {
  const text = { type: "string" };
  const yesNo = { type: "boolean", default: false };
  const names = { run: text, nats: text, credentials: text, "tls-ca": text };
  try {
    return parseArgs({ options: Object.assign(names, { yes: yesNo, help: yesNo }) }).values;
  } catch (error) {
    return fail(2, error.message);
  }
}

const values = readArguments();
if (values.help) {
  console.log(HELP);
  process.exit(0);
}
for (const name of ["run", "nats", "credentials"]) {
  if (values[name] === undefined) fail(2, `--${name} is needed.`);
}

function fail(code, message) {
  console.error(`delete-bucket: ${message}`);
  process.exit(code);
}

function read(option) {
  try {
    return readFileSync(values[option], "utf8").trim();
  } catch (error) {
    return fail(2, `--${option}: ${error.message}`);
  }
}

const bucket = `mpmtl_${values.run}`;
const connection = await connect({
  servers: values.nats.split(","),
  authenticator: nkeyAuthenticator(new TextEncoder().encode(read("credentials"))),
  inboxPrefix: `_INBOX.mpmtl-operator.${values.run}`,
  ...(values["tls-ca"] ? { tls: { ca: read("tls-ca") } } : {}),
}).catch((error) =>
  fail(1, `--nats: no connection to ${values.nats} with these credentials: ${error.message}.`),
);

async function ask(operation, question) {
  const answer = await connection
    .request(`$JS.API.STREAM.${operation}.KV_${bucket}`, question, { timeout: 10_000 })
    .catch((error) => {
      // The client may wrap what the server refused.
      const refused = [error, error.cause].some((one) => one instanceof PermissionViolationError);
      fail(
        refused ? 2 : 1,
        refused
          ? `--credentials: only the operator's key of run ${values.run} may do that (operator.nk).`
          : `${bucket}: no answer (${error.message}).`,
      );
    });
  const { error, ...found } = answer.json();
  if (error) fail(1, `${bucket}: ${error.description}`);
  return found;
}

// Not what curators keep there besides: marks, and parts of long records.
const { state } = await ask("INFO", JSON.stringify({ subjects_filter: `$KV.${bucket}.record.>` }));
const records = Object.keys(state.subjects ?? {}).length;
const held = `${bucket}: ${records} ${records === 1 ? "record" : "records"}, ${state.bytes} bytes, the last of ${state.last_ts}`;
if (values.yes) {
  await ask("DELETE");
  console.log(`${held}; deleted.`);
} else {
  console.log(`${held}. With --yes it is deleted for good.`);
}
await connection.close();
