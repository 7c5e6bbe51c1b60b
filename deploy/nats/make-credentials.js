/**
 * Makes what a nats-server and its clients need for a run: one key for the curator and one for each
 * participant, the permissions that go with them, certificates for a trial, and the server's
 * configuration.
 *
 *   node deploy/nats/make-credentials.js --out my-server --participants north,south,east --run trial
 *
 * What is there already is kept, keys above all: run it again with more participants, then
 * `nats-server --signal reload`.
 * @module
 */
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { nkeys } from "@nats-io/nats-core";
import { makeAuthority, makeServerCertificate } from "./certificates.js";
import { TOKEN, usersConfiguration } from "./permissions.js";

const HELP = `node make-credentials.js --out DIR --run RUN --participants A,B,…
  --out DIR             where everything is written; what is there is kept
  --run RUN             the run's name, as in the plan: letters, digits, - and _
  --participants A,B=U… names; with =U…, the public key that the participant sent, so that its
                        secret key never leaves it
  --hosts A,B           names and addresses in the trial certificate (default localhost,127.0.0.1)
  --listen ADDRESS      address to listen on (default 127.0.0.1; 0.0.0.0 for every interface)
  --port N              for TCP clients (default 4222)
  --websocket-port N    opens a port for pages, for example 8443; needs nats-server 2.11.14, 2.12.5 or newer
  --cluster A,B,C       a cluster of these hosts: one folder each (the same host thrice: one laptop)
  --cluster-port N      between the servers (default 6222)
  --key NAME            only make DIR/NAME.nk and print its public key: what a participant runs`;

function fail(message) {
  console.error(`make-credentials: ${message}\n\n${HELP}`);
  process.exit(2);
}

function readArguments() {
  const text = { type: "string" };
  const { values } = parseArgs({
    options: {
      out: text,
      run: text,
      participants: text,
      hosts: { ...text, default: "localhost,127.0.0.1" },
      listen: { ...text, default: "127.0.0.1" },
      port: { ...text, default: "4222" },
      "websocket-port": text,
      cluster: text,
      "cluster-port": { ...text, default: "6222" },
      key: text,
      help: { type: "boolean", default: false },
    },
  });
  return values;
}

/** Makes NAME.nk, readable by its owner only, unless it is there; returns its public key. */
function makeKey(folder, name) {
  const path = join(folder, `${name}.nk`);
  if (!existsSync(path)) {
    mkdirSync(folder, { recursive: true });
    const seed = new TextDecoder().decode(nkeys.createUser().getSeed());
    writeFileSync(path, `${seed}\n`, { mode: 0o600, flag: "wx" });
  }
  const seed = readFileSync(path, "utf8").trim();
  return nkeys.fromSeed(new TextEncoder().encode(seed)).getPublicKey();
}

function readParticipants(text, credentials) {
  return text.split(",").map((entry) => {
    const [name, publicKey] = entry.trim().split("=");
    if (!TOKEN.test(name) || name === "curator") {
      fail(`--participants: expected names of letters, digits, - and _, got "${name}".`);
    }
    if (publicKey !== undefined && !/^U[A-Z2-7]{55}$/.test(publicKey)) {
      fail(`--participants: ${name}: expected a public user key (U and 55 letters) after =.`);
    }
    return { name, key: publicKey ?? makeKey(credentials, name) };
  });
}

/** The three files of one server; settings are theirs alone, users the same everywhere. */
function writeServer(folder, settings, users, parts) {
  mkdirSync(folder, { recursive: true });
  const source = fileURLToPath(new URL(".", import.meta.url));
  const lines = Object.entries(settings).map(
    ([name, value]) => `${name}: ${JSON.stringify(value)}`,
  );
  writeFileSync(join(folder, "settings.conf"), `${lines.join("\n")}\n`);
  writeFileSync(join(folder, "users.conf"), users);
  const texts = ["server.conf", ...parts].map((part) => readFileSync(join(source, part), "utf8"));
  writeFileSync(join(folder, "server.conf"), texts.join("\n"));
}

function port(values, name, step) {
  const first = Number(values[name]);
  if (!Number.isInteger(first) || first < 1 || first > 65533) {
    fail(`--${name}: expected a port, got "${values[name]}".`);
  }
  return first + step;
}

function main() {
  const values = readArguments();
  if (values.help) return console.log(HELP);
  if (!values.out) fail("--out is needed.");
  if (values.key !== undefined) {
    if (!TOKEN.test(values.key)) fail("--key: expected letters, digits, - and _.");
    return console.log(makeKey(values.out, values.key));
  }
  if (!TOKEN.test(values.run ?? "")) fail("--run: expected letters, digits, - and _.");
  if (!values.participants) fail("--participants is needed.");
  const credentials = join(values.out, "credentials");
  const curator = makeKey(credentials, "curator");
  const participants = readParticipants(values.participants, credentials);
  const users = usersConfiguration({ run: values.run, curator, participants });

  const hosts = values.hosts.split(",");
  const members = values.cluster?.split(",") ?? [hosts[0]];
  const oneMachine = new Set(members).size < members.length;
  const routes = members.map(
    (host, i) => `nats-route://${host}:${port(values, "cluster-port", oneMachine ? i : 0)}`,
  );
  const pages = values["websocket-port"] !== undefined;
  const tls = join(values.out, "tls");
  makeAuthority(tls);
  members.forEach((host, i) => {
    const step = oneMachine ? i : 0;
    const folder = values.cluster ? join(values.out, `server-${i + 1}`) : values.out;
    makeServerCertificate(tls, join(folder, "tls"), [...new Set([host, ...hosts])]);
    const at = (name) => `${values.listen}:${port(values, name, step)}`;
    const settings = {
      server: `mpmtl-${i + 1}`,
      client_address: at("port"),
      ...(pages ? { websocket_address: at("websocket-port") } : {}),
      store: "jetstream",
      certificate: "tls/server.pem",
      certificate_key: "tls/server-key.pem",
      ...(values.cluster
        ? { cluster_address: at("cluster-port"), routes, authority: "tls/authority.pem" }
        : {}),
    };
    const parts = [
      ...(values.cluster ? ["cluster.conf"] : []),
      ...(pages ? ["websocket.conf"] : []),
    ];
    writeServer(folder, settings, users, parts);
  });
  chmodSync(credentials, 0o700);
  console.log(
    `${members.length} server(s) in ${values.out}; keys in ${credentials}: hand each to its owner ` +
      `alone. Certificates are for a trial: clients need --tls-ca ${join(tls, "authority.pem")}.`,
  );
}

main();
