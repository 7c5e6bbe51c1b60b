/**
 * Makes what a nats-server and its clients need for runs: of each run a key for the curator and one for each
 * participant, the permissions that go with them, certificates, and the server's configuration.
 *
 *   node deploy/nats/make-credentials.js --out my-server --participants north,south,east --run trial
 *
 * What is there already is kept, keys and other runs above all: run it again with more participants or
 * another run, then `nats-server --signal reload`.
 * @module
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { dropOldAuthorities, leafAuthorityIn, makeAuthority } from "./certificates.js";
import {
  addKey,
  keyOfNew,
  keysOf,
  makeKey,
  openRun,
  readDeployment,
  removeRun,
  revoke,
  UsageError,
  writeDeployment,
} from "./deployment.js";
import { TOKEN } from "./permissions.js";
import { writeServers } from "./servers.js";

const HELP = `node make-credentials.js --out DIR --run RUN --participants A,B,…
  --out DIR             where everything is written; what is there is kept
  --run RUN             the run's name, as in the plan: letters, digits, - and _
  --participants A,B=U… names, added to those that the run has; with =U…, the public key that the
                        participant sent, so that its secret key never leaves it
  --relay NAME=A,B,…    a relay of the run: it gets a key, and these participants, or relays, send to it what it
                        adds up
  --leaf HOST:PORT      with --relay: it and its participants connect to a leaf server there, whose folder is
                        DIR/leaf-RUN-NAME, and which connects to the others (restart these, one by one); a relay
                        beneath it connects there, too, if it has no leaf server of its own
  --store N             bytes that the run's bucket may take (default 2 GiB)
of keys
  --renew NAME          another key for the curator, the operator or a participant whose key is here;
                        the old one is good until it is revoked
  --revoke NAME|U…      take all keys of a name, or one key, from the run for good
  --remove-run          take a run that is over from the servers
  --key NAME            only make DIR/NAME.nk and print its public key: what a participant runs;
                        with --anew another one, NAME.nk.old being the old one
of the servers, remembered from then on
  --hosts A,B           names and addresses in the certificates (default localhost,127.0.0.1)
  --listen ADDRESS      address to listen on (default 127.0.0.1; 0.0.0.0 for every interface)
  --port N              for TCP clients (default 4222)
  --websocket-port N    opens a port for pages, for example 8443; needs nats-server 2.11.14, 2.12.5 or newer
  --origins A,B         with it: addresses of the pages that may connect, https://…; default any
  --cluster A,B,C       a cluster of these hosts: one folder each; the same host thrice: one laptop, on which the second
                        and the third server take the next two of every port (4222 to 4224, 6222 to 6224, …)
  --cluster-port N      between the servers (default 6222)
  --leaf-port N         for leaf servers (default 7422)
of certificates
  --new-certificates    make anew those that our authority signed
  --new-authority       another authority beside the old one: both are trusted, the new one signs
  --drop-old-authority  trust the newest one only`;

const DEFAULTS = {
  hosts: "localhost,127.0.0.1",
  listen: "127.0.0.1",
  port: "4222",
  "cluster-port": "6222",
  "leaf-port": "7422",
};
const SERVER = [...Object.keys(DEFAULTS), "websocket-port", "origins", "cluster"];
const RESERVED = ["curator", "operator"];

function readArguments() {
  const [text, yesNo] = [{ type: "string" }, { type: "boolean", default: false }];
  const named = ["out", "run", "participants", "relay", "leaf", "store", "renew", "revoke", "key", ...SERVER]; // prettier-ignore
  const marks = ["remove-run", "anew", "new-certificates", "new-authority", "drop-old-authority"];
  const options = Object.fromEntries([
    ...named.map((name) => [name, text]),
    ...[...marks, "help"].map((name) => [name, yesNo]),
  ]);
  try {
    return parseArgs({ options }).values;
  } catch (error) {
    throw new UsageError(error.message);
  }
}

function addParticipants(record, run, text, keys) {
  for (const entry of text.split(",")) {
    const [name, publicKey] = entry.trim().split("=");
    if (!TOKEN.test(name) || RESERVED.includes(name)) {
      throw new UsageError(
        `--participants: expected names of letters, digits, - and _, other than ${RESERVED.join(" and ")}, ` +
          `got "${name}".`,
      );
    }
    if (publicKey !== undefined && !/^U[A-Z2-7]{55}$/.test(publicKey)) {
      throw new UsageError(
        `--participants: ${name}: expected a public user key (U and 55 letters) after =.`,
      );
    }
    const isNew = keysOf(record.runs[run], name) === undefined;
    const own = () => (isNew ? keyOfNew(record, keys, name) : makeKey(keys, name));
    addKey(record, run, name, publicKey ?? own());
  }
}

/** Whether a relay is another one, or sends to it, perhaps by way of others. */
function isBeneath(name, other, relays) {
  if (name === other) return true;
  return (relays[other]?.of ?? []).some((one) => Object.hasOwn(relays, one) && isBeneath(name, one, relays)); // prettier-ignore
}

/** Has a relay add up what some participants, or relays, send; each of them leaves the relay that it had. */
function addRelay(record, run, text, leaf, keys) {
  const members = record.runs[run];
  const [name, list, ...rest] = text.split("=");
  const of = list?.split(",").map((one) => one.trim()) ?? [];
  const isNew = !Object.hasOwn(members.participants, name);
  const relays = (members.relays ??= {});
  if (rest.length > 0 || !TOKEN.test(name) || RESERVED.includes(name) || of.length === 0) {
    throw new UsageError(`--relay: expected NAME=A,B,…, got "${text}".`);
  }
  if (!isNew && !Object.hasOwn(relays, name)) {
    throw new UsageError(`--relay: ${name} is a participant already; give the relay another name.`);
  }
  const stranger = of.find((one) => !Object.hasOwn(members.participants, one));
  if (stranger !== undefined) {
    throw new UsageError(
      `--relay: run ${run} knows no participant or relay ${stranger} (--participants, --relay).`,
    );
  }
  const around = of.find((one) => isBeneath(name, one, relays));
  if (around !== undefined) {
    throw new UsageError(`--relay: ${name} sends to ${around}, or by way of others; it cannot add up its sums.`); // prettier-ignore
  }
  if (leaf !== undefined && !/^[^:\s]+:\d{1,5}$/.test(leaf)) {
    throw new UsageError(`--leaf: expected HOST:PORT, got "${leaf}".`);
  }
  if (isNew) addKey(record, run, name, keyOfNew(record, keys, name));
  for (const one of Object.values(relays)) one.of = one.of.filter((other) => !of.includes(other));
  relays[name] = { of, leaf: leaf ?? relays[name]?.leaf ?? null };
}

function setStore(members, text) {
  const bytes = Number(text);
  if (!Number.isSafeInteger(bytes) || bytes < 2 ** 20) {
    throw new UsageError(`--store: expected a number of bytes of at least 1048576, got "${text}".`);
  }
  members.storeBytes = bytes;
}

/** Changes the record as was asked for; returns what to say about it. */
function changeRun(values, record) {
  const { run, participants } = values;
  const keys = join(values.out, "credentials", run ?? "");
  if (values["remove-run"]) {
    removeRun(record, run);
    return `Run ${run} is taken out; its keys are in ${keys}.`;
  }
  const known = Object.hasOwn(record.runs, run ?? "");
  if (!known && !participants) throw new UsageError("--participants is needed for a new run.");
  const members = openRun(record, run, keys);
  if (participants) addParticipants(record, run, participants, keys);
  if (values.relay !== undefined) addRelay(record, run, values.relay, values.leaf, keys);
  if (values.store !== undefined) setStore(members, values.store);
  const said = [`Keys of run ${run} are in ${keys}: hand each to its owner alone.`];
  if (values.renew !== undefined) {
    const before = keysOf(members, values.renew);
    if (!before) throw new UsageError(`--renew: run ${run} knows no ${values.renew}.`);
    const old = [...before];
    addKey(record, run, values.renew, makeKey(keys, values.renew, true));
    said.push(
      old.length > 0
        ? `Old keys of ${values.renew}, good until they are revoked: ${old.join(", ")}.`
        : `${values.renew} has a key again; those before it are revoked.`,
    );
  }
  if (values.revoke !== undefined) {
    said.push(`Revoked: ${revoke(record, run, values.revoke).join(", ")}.`);
  }
  return said.join("\n");
}

function main() {
  const values = readArguments();
  if (values.help) return console.log(HELP);
  if (!values.out) throw new UsageError("--out is needed.");
  if (values.key !== undefined) {
    if (!TOKEN.test(values.key)) throw new UsageError("--key: expected letters, digits, - and _.");
    return console.log(makeKey(values.out, values.key, values.anew));
  }
  const record = readDeployment(values.out);
  const given = Object.fromEntries(
    SERVER.filter((name) => values[name] !== undefined).map((name) => [name, values[name]]),
  );
  record.server = { ...DEFAULTS, ...record.server, ...given };
  const certificates =
    values["new-certificates"] || values["new-authority"] || values["drop-old-authority"];
  const said =
    values.run === undefined && certificates
      ? "Keys and runs are as before."
      : changeRun(values, record);
  const tls = join(values.out, "tls");
  makeAuthority(tls, values["new-authority"]);
  const authorities = [tls, leafAuthorityIn(tls)].filter((folder) => existsSync(folder));
  if (values["new-authority"] && authorities[1]) makeAuthority(authorities[1], true);
  if (values["drop-old-authority"]) authorities.forEach(dropOldAuthorities);
  const servers = writeServers(values.out, record, values["new-certificates"]);
  writeDeployment(values.out, record);
  console.log(
    `${said}\n${servers.join("\n")}\n` +
      `Clients need --tls-ca ${join(tls, "authority.pem")}; servers that run: nats-server --signal reload=PID, ` +
      `after which their log must say "Reloaded server configuration".`,
  );
}

try {
  main();
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  console.error(`make-credentials: ${error.message}\nHelp: make-credentials.js --help`);
  process.exit(2);
}
