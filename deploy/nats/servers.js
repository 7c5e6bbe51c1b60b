/**
 * The folders of a deployment's servers: settings, users, certificates.
 * @module
 */
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import {
  LEAF_USAGES,
  leafAuthorityIn,
  makeAuthority,
  makeLeafCertificate,
  makeServerCertificates,
} from "./certificates.js";
import { UsageError } from "./deployment.js";
import {
  leafAccount,
  leafName,
  leafUsersConfiguration,
  uplinkAccount,
  usersConfiguration,
} from "./permissions.js";
import { leavesOf, waysOf } from "./relay-ways.js";

const source = fileURLToPath(new URL(".", import.meta.url));

function port(server, name, step) {
  const first = Number(server[name]);
  if (!Number.isInteger(first) || first < 1 || first > 65533) {
    throw new UsageError(`--${name}: expected a port, got "${server[name]}".`);
  }
  return first + step;
}

/**
 * A server that reads its configuration meanwhile finds it old or new, never half.
 * @returns whether a file that was there says something else now.
 */
function write(path, text) {
  const isChanged = existsSync(path) && readFileSync(path, "utf8") !== text;
  writeFileSync(`${path}.part`, text);
  renameSync(`${path}.part`, path);
  return isChanged;
}

/** What is said of a server: where clients find it, until when its certificates are good, and whether a reload will not do. */
const lineOf = (folder, until, url, startAgain) =>
  `${folder}: ${until}; for clients: ${url}` +
  (startAgain
    ? "\n  Start this server again if it runs. Until then it takes no reload: a key that is revoked stays good."
    : "");

/**
 * The files of one server; settings are theirs alone, users the same everywhere.
 * @returns whether it changed what a server reads at its start only.
 */
function writeServer(folder, settings, users, parts) {
  mkdirSync(folder, { recursive: true });
  const lines = Object.entries(settings).map(
    ([name, value]) => `${name}: ${JSON.stringify(value)}`,
  );
  const settingsChanged = write(join(folder, "settings.conf"), `${lines.join("\n")}\n`);
  write(join(folder, "users.conf"), users);
  const own = join(folder, "own.conf");
  if (!existsSync(own)) copyFileSync(join(source, "own.conf"), own);
  const texts = ["server.conf", ...parts].map((part) => readFileSync(join(source, part), "utf8"));
  // The last word is the operator's.
  texts.push('include "own.conf"\n');
  return write(join(folder, "server.conf"), texts.join("\n")) || settingsChanged;
}

/**
 * Of one connection: a leaf server has two for each name, one for each that sends to its relay from elsewhere, and some of its own. The
 * next power of two, since a server reads it at its start only, and need not be started again for every participant of a leaf.
 */
const subscriptionsFor = (leaves) =>
  Math.max(
    16,
    ...leaves.map(({ members, relay: { name, names } }) => {
      const incoming = waysOf(members, name).filter(({ from }) => from !== name);
      return 2 ** Math.ceil(Math.log2(2 * names.length + incoming.length + 64));
    }),
  );

/** Who may connect as a leaf server, by the names in their certificates. */
function leafUsers(leaves) {
  const users = leaves.map(({ run, relay }) => ({
    user: leafName(run, relay.name),
    account: leafAccount(run, relay.name),
  }));
  return `authorization: ${JSON.stringify({ users })}\n`;
}

/** The folder of one leaf server. */
function writeLeaf(out, server, { run, members, relay }, hubs, anew) {
  const { name, leaf } = relay;
  const folder = join(out, `leaf-${run}-${name}`);
  const [host, clientPort] = leaf.split(":");
  const known = leafName(run, name);
  const tls = join(folder, "tls");
  const until = makeServerCertificates(join(out, "tls"), tls, [host], anew, LEAF_USAGES);
  makeLeafCertificate(leafAuthorityIn(join(out, "tls")), tls, known, anew);
  const uplink = {
    urls: hubs,
    account: uplinkAccount(run),
    tls: {
      cert_file: `tls/${known}.pem`,
      key_file: `tls/${known}-key.pem`,
      ca_file: "tls/authority.pem",
    },
  };
  mkdirSync(folder, { recursive: true });
  const uplinkChanged = write(
    join(folder, "uplink.conf"),
    `leafnodes: ${JSON.stringify({ reconnect: 1, remotes: [uplink] })}\n`,
  );
  const settings = {
    server: `mpmtl-${run}-${name}`,
    client_address: `${server.listen}:${clientPort}`,
    certificate: "tls/server.pem",
    certificate_key: "tls/server-key.pem",
    subscriptions: subscriptionsFor([{ members, relay }]),
  };
  const users = leafUsersConfiguration(run, members, relay);
  const changed = writeServer(folder, settings, users, ["leaf.conf"]);
  return lineOf(folder, until, `tls://${leaf}`, changed || uplinkChanged);
}

/**
 * Writes the folders of all servers.
 * @param anew whether certificates that are there are made anew.
 * @returns what is to be said of each server: until when its certificates are good, whether it must be started again.
 */
export function writeServers(out, { server, runs }, anew) {
  const hosts = server.hosts.split(",");
  const members = server.cluster?.split(",") ?? [hosts[0]];
  const oneMachine = new Set(members).size < members.length;
  const routes = members.map(
    (host, i) => `nats-route://${host}:${port(server, "cluster-port", oneMachine ? i : 0)}`,
  );
  const pages = server["websocket-port"] !== undefined;
  const users = usersConfiguration(runs);
  const leaves = Object.entries(runs).flatMap(([run, of]) =>
    leavesOf(of).map((relay) => ({ run, members: of, relay })),
  );
  const hubs = members.map((host, i) => `tls://${host}:${port(server, "leaf-port", oneMachine ? i : 0)}`); // prettier-ignore
  if (leaves.length > 0) makeAuthority(leafAuthorityIn(join(out, "tls")));
  const leafServers = leaves.map((leaf) => writeLeaf(out, server, leaf, hubs, anew));
  return [
    ...leafServers,
    ...members.map((host, i) => {
      const step = oneMachine ? i : 0;
      const folder = server.cluster ? join(out, `server-${i + 1}`) : out;
      const names = [...new Set([host, ...hosts])];
      const until = makeServerCertificates(join(out, "tls"), join(folder, "tls"), names, anew);
      const at = (name) => `${server.listen}:${port(server, name, step)}`;
      const settings = {
        server: `mpmtl-${i + 1}`,
        client_address: at("port"),
        ...(pages
          ? {
              websocket_address: at("websocket-port"),
              origins: server.origins?.split(",") ?? [],
            }
          : {}),
        store: "jetstream",
        subscriptions: subscriptionsFor(leaves),
        certificate: "tls/server.pem",
        certificate_key: "tls/server-key.pem",
        ...(leaves.length > 0
          ? { leaf_address: at("leaf-port"), leaf_authority: "tls/leaf-authority.pem" }
          : {}),
        ...(server.cluster || leaves.length > 0
          ? {
              route_certificate: "tls/route.pem",
              route_certificate_key: "tls/route-key.pem",
            }
          : {}),
        ...(server.cluster
          ? { cluster_address: at("cluster-port"), routes, authority: "tls/authority.pem" }
          : {}),
      };
      let leavesChanged = false;
      if (leaves.length > 0) {
        leavesChanged = write(join(folder, "leaf-users.conf"), leafUsers(leaves));
        const authority = join(leafAuthorityIn(join(out, "tls")), "authority.pem");
        copyFileSync(authority, join(folder, "tls", "leaf-authority.pem"));
      }
      const parts = [
        "jetstream.conf",
        ...(leaves.length > 0 ? ["leaves.conf"] : []),
        ...(server.cluster ? ["cluster.conf"] : []),
        ...(pages ? ["websocket.conf"] : []),
      ];
      const changed = writeServer(folder, settings, users, parts);
      const url = `tls://${host}:${port(server, "port", step)}`;
      return lineOf(folder, until, url, changed || leavesChanged);
    }),
  ];
}
