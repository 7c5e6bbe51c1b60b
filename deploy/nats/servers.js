/**
 * The folders of a deployment's servers: settings, users, certificates.
 * @module
 */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { makeServerCertificates } from "./certificates.js";
import { UsageError } from "./deployment.js";
import { usersConfiguration } from "./permissions.js";

const source = fileURLToPath(new URL(".", import.meta.url));

function port(server, name, step) {
  const first = Number(server[name]);
  if (!Number.isInteger(first) || first < 1 || first > 65533) {
    throw new UsageError(`--${name}: expected a port, got "${server[name]}".`);
  }
  return first + step;
}

/** A server that reads its configuration meanwhile finds it old or new, never half. */
function write(path, text) {
  writeFileSync(`${path}.part`, text);
  renameSync(`${path}.part`, path);
}

/** The three files of one server; settings are theirs alone, users the same everywhere. */
function writeServer(folder, settings, users, parts) {
  mkdirSync(folder, { recursive: true });
  const lines = Object.entries(settings).map(
    ([name, value]) => `${name}: ${JSON.stringify(value)}`,
  );
  write(join(folder, "settings.conf"), `${lines.join("\n")}\n`);
  write(join(folder, "users.conf"), users);
  const texts = ["server.conf", ...parts].map((part) => readFileSync(join(source, part), "utf8"));
  write(join(folder, "server.conf"), texts.join("\n"));
}

/**
 * Writes the folders of all servers.
 * @param anew whether certificates that are there are made anew.
 * @returns one line for each server's certificates: until when they are good.
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
  return members.map((host, i) => {
    const step = oneMachine ? i : 0;
    const folder = server.cluster ? join(out, `server-${i + 1}`) : out;
    const names = [...new Set([host, ...hosts])];
    const until = makeServerCertificates(join(out, "tls"), join(folder, "tls"), names, anew);
    const at = (name) => `${server.listen}:${port(server, name, step)}`;
    const settings = {
      server: `mpmtl-${i + 1}`,
      client_address: at("port"),
      ...(pages ? { websocket_address: at("websocket-port") } : {}),
      store: "jetstream",
      certificate: "tls/server.pem",
      certificate_key: "tls/server-key.pem",
      ...(server.cluster
        ? {
            cluster_address: at("cluster-port"),
            routes,
            authority: "tls/authority.pem",
            route_certificate: "tls/route.pem",
            route_certificate_key: "tls/route-key.pem",
          }
        : {}),
    };
    const parts = [
      ...(server.cluster ? ["cluster.conf"] : []),
      ...(pages ? ["websocket.conf"] : []),
    ];
    writeServer(folder, settings, users, parts);
    return `${folder}: ${until}`;
  });
}
