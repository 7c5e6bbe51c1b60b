/**
 * A real cluster of three servers on this machine for runs that are measured, with leaf servers where relays have them: keys, settings,
 * processes, connections.
 * @module
 */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { connectNats } from "../../../build/modules/node/index.js";

export const RUN = "bench";
const PORT = 21_222;
/** Of leaf servers, one after the other. */
const LEAF_PORT = 21_300;
/** So many connections at a time: TLS takes a server some milliseconds each. */
const AT_ONCE = 20;
const generator = fileURLToPath(
  new URL("../../../deploy/nats/make-credentials.js", import.meta.url),
);

function makeCredentials(folder, flags) {
  const { status, stderr } = spawnSync(
    process.execPath,
    [generator, "--out", folder, "--run", RUN, ...flags],
    { encoding: "utf8" },
  );
  if (status !== 0) throw new Error(stderr);
}

/** Keys and settings of the three servers, for participants of these names. */
export function makeCluster(folder, names) {
  const flags = ["--participants", names.join(","), "--port", String(PORT)];
  flags.push("--cluster", "localhost,localhost,localhost", "--cluster-port", String(PORT + 10));
  makeCredentials(folder, [...flags, "--leaf-port", String(PORT + 20)]);
}

/**
 * Keys of relays, those of participants first.
 * @param relays names of the participants or relays beneath each.
 * @returns the folders of their leaf servers, by relay; none without `leaves`.
 */
export function makeRelays(folder, relays, leaves) {
  const folders = new Map();
  for (const [i, [name, of]] of Object.entries(relays).entries()) {
    const leaf = leaves ? ["--leaf", `localhost:${LEAF_PORT + i}`] : [];
    makeCredentials(folder, ["--relay", `${name}=${of.join(",")}`, ...leaf]);
    if (leaves) folders.set(name, { cwd: join(folder, `leaf-${RUN}-${name}`), port: LEAF_PORT + i }); // prettier-ignore
  }
  return folders;
}

/** The three servers' folders and ports. */
export const clusterOf = (folder) =>
  [1, 2, 3].map((i) => ({ cwd: join(folder, `server-${i}`), port: PORT + i - 1 }));

/** Starts a server, without waiting for it. */
export const spawnServer = ({ cwd }) =>
  spawn("nats-server", ["-c", "server.conf"], { cwd, stdio: "ignore" });

/** Starts a server; resolves with its process when it listens. */
export async function startServer(at) {
  const server = spawnServer(at);
  for (;;) {
    if (server.exitCode !== null) throw new Error(`the server of ${at.cwd} ended`);
    const socket = connect(at.port, "127.0.0.1");
    const up = await once(socket, "connect").then(
      () => true,
      () => false,
    );
    socket.destroy();
    if (up) return server;
    await delay(50);
  }
}

/** Connects under a name to the servers at these ports, of which the first is tried first. */
function openConnection(folder, name, ports, more = {}) {
  return connectNats(
    ports.map((port) => `tls://localhost:${port}`),
    {
      credentials: readFileSync(join(folder, "credentials", RUN, `${name}.nk`), "utf8"),
      authority: readFileSync(join(folder, "tls", "authority.pem"), "utf8"),
      waitSeconds: 60,
      ...more,
    },
  );
}

/** The three servers' ports, another one first for every number. */
export const portsFrom = (first) => [0, 1, 2].map((i) => PORT + ((first + i) % 3));

/** The curator's connection. */
export const openCurator = (folder) =>
  openConnection(folder, "curator", portsFrom(0), { inboxPrefix: `_INBOX.mpmtl-curator.${RUN}` });

/** Connections of all these names, in their order, some at a time. */
export async function openAll(folder, names, portsOf) {
  const connections = [];
  for (let i = 0; i < names.length; i += AT_ONCE) {
    const some = names.slice(i, i + AT_ONCE);
    connections.push(...(await Promise.all(some.map((name, k) => openConnection(folder, name, portsOf(i + k)))))); // prettier-ignore
  }
  return connections;
}
