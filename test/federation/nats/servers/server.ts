/**
 * Real nats-servers for tests: the deployment of `deploy/nats` on free ports, killed and started
 * again as a test likes. Where the machine has no `nats-server`, groups that need one are skipped and
 * say so.
 * @module
 */
import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { randomInt } from "node:crypto";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer, connect as connectTcp } from "node:net";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { describe, test } from "vitest";
import { afterEveryFile } from "../../../after-file.js";
import { LEFT_OUT, thorough } from "../../../thorough.js";
import { credentialsFolder, keptPort } from "./credentials-folder.js";

export { makeCredentials } from "./credentials-folder.js";

const installed = spawnSync("nats-server", ["--version"]).error === undefined;

/** `describe` for tests against a real server. */
export function describeNats(title: string, body: () => void): void {
  if (installed) describe(title, body);
  else test.skip(`${title} (skipped: no nats-server on this machine; Debian's package has it)`);
}

/** The same for those that take long. */
export function describeThoroughNats(title: string, body: () => void): void {
  if (thorough) describeNats(title, body);
  else test.skip(`${title} ${LEFT_OUT}`);
}

/**
 * Different ports that are free now, below those that the system gives to outgoing connections: one of
 * these could take a port between now and the server's start.
 */
export async function freePorts(count: number): Promise<number[]> {
  const ports = new Set<number>();
  while (ports.size < count) {
    const port = randomInt(15_000, 32_000);
    const server = createServer();
    try {
      await once(server.listen(port, "127.0.0.1"), "listening");
      ports.add(port);
      await once(server.close(), "close");
    } catch {
      continue; // taken
    }
  }
  return [...ports];
}

const running = new Set<ChildProcess>();
afterEveryFile(async () => {
  await Promise.all([...running].map((child) => kill(child, "SIGKILL")));
});

async function kill(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill(signal);
  await once(child, "exit");
}

async function accepts(port: number): Promise<boolean> {
  const socket = connectTcp(port, "127.0.0.1");
  try {
    await once(socket, "connect");
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

/** One server: a folder with its configuration, and a process while it runs. */
export class NatsServer {
  readonly port: number;
  readonly websocketPort: number;
  readonly folder: string;
  #child: ChildProcess | undefined;
  #log = "";
  #monitor = "";

  constructor(folder: string, port: number, websocketPort: number) {
    this.folder = folder;
    this.port = port;
    this.websocketPort = websocketPort;
  }

  get url(): string {
    return `tls://localhost:${this.port}`;
  }

  get websocketUrl(): string {
    return `wss://localhost:${this.websocketPort}`;
  }

  /** What the server has written to its log since it was made. */
  get log(): string {
    return this.#log;
  }

  async start(): Promise<void> {
    const before = this.#log.length;
    // Its monitor takes a free port, and writes to the log which.
    const child = spawn("nats-server", ["-c", "server.conf", "-m", "-1"], { cwd: this.folder });
    running.add(child);
    child.once("exit", () => running.delete(child));
    child.stderr.on("data", (text: Buffer) => (this.#log += text.toString()));
    this.#child = child;
    while (!(await accepts(this.port))) {
      if (child.exitCode !== null) throw new Error(`nats-server did not start:\n${this.#log}`);
      await delay(10);
    }
    const port = /http monitor on [^ ]*:(\d+)/.exec(this.#log.slice(before))?.[1];
    this.#monitor = `http://127.0.0.1:${port}`;
  }

  /** Whether its process is there. */
  get running(): boolean {
    return this.#child !== undefined && running.has(this.#child);
  }

  /** What its monitor says there. */
  ask(path: string): Promise<Response> {
    return fetch(`${this.#monitor}${path}`, { signal: AbortSignal.timeout(2000) });
  }

  /** Resolves when the server says that it has all that the cluster's records hold. */
  async healthy(): Promise<void> {
    while (!(await this.ask("/healthz")).ok) await delay(50);
  }

  /** Has the server read its configuration again, and waits until it has. */
  async reload(): Promise<void> {
    const before = this.#log.length;
    this.#child!.kill("SIGHUP");
    while (!this.#log.slice(before).includes("Reloaded server configuration")) {
      if (this.#child!.exitCode !== null || this.#log.slice(before).includes("Failed to reload")) {
        throw new Error(`nats-server did not read its configuration again:\n${this.#log}`);
      }
      await delay(10);
    }
  }

  /** SIGKILL: no last message, as when a machine fails. */
  async kill(): Promise<void> {
    if (this.#child) await kill(this.#child, "SIGKILL");
  }

  /** Stops its process where it is, as a machine that hangs, or lets it go on. */
  hang(hangs: boolean): void {
    this.#child?.kill(hangs ? "SIGSTOP" : "SIGCONT");
  }
}

/** A folder of keys and configurations, and its servers, not started yet. */
export interface Deployment {
  readonly run: string;
  readonly folder: string;
  readonly servers: readonly NatsServer[];
  /** PEM of the trial authority. */
  readonly authority: string;
  readonly authorityPath: string;
  credentials(name: string): string;
  credentialsPath(name: string): string;
  /** Leaf servers, by the names of their relays. */
  readonly leaves: Readonly<Record<string, NatsServer>>;
}

/** A deployment of one run, or of three servers with `size` 3. */
export async function makeDeployment(
  participants: readonly string[],
  {
    run = "trial",
    size = 1,
    page = true,
    relays = {},
    without = [],
  }: {
    run?: string;
    size?: 1 | 3;
    page?: boolean;
    /** Participants, or relays before it, of every relay, which has a leaf server. */
    relays?: Readonly<Record<string, readonly string[]>>;
    /** Relays that have none. */
    without?: readonly string[];
  } = {},
): Promise<Deployment> {
  // Those of leaf servers, and of what connects them, come after those of a cluster.
  const ports = await portRuns(4, size + Math.max(size, Object.keys(relays).length));
  const flags = [
    ["--run", run],
    ["--participants", participants.join(",")],
    ["--port", String(keptPort(0))],
    ["--leaf-port", String(keptPort(2) + size)],
    ...(page ? [["--websocket-port", String(keptPort(1))]] : []),
    ...(size === 3
      ? [
          ["--cluster", "localhost,localhost,localhost"],
          ["--cluster-port", String(keptPort(2))],
        ]
      : []),
  ].flat();
  const withLeaf = Object.keys(relays).filter((name) => !without.includes(name));
  const leafAt = (name: string) => Object.keys(relays).indexOf(name);
  const relayFlags = Object.entries(relays).map(([name, of]) => [
    "--run",
    run,
    "--relay",
    `${name}=${of.join(",")}`,
    ...(withLeaf.includes(name) ? ["--leaf", `localhost:${keptPort(3) + leafAt(name)}`] : []),
  ]);
  const folder = credentialsFolder([flags, ...relayFlags], ports);
  const leaves = withLeaf.map((name) => {
    const home = join(folder, `leaf-${run}-${name}`);
    return [name, new NatsServer(home, ports[3]! + leafAt(name), 0)] as const;
  });
  const credentialsPath = (name: string) => join(folder, "credentials", run, `${name}.nk`);
  const authorityPath = join(folder, "tls", "authority.pem");
  return {
    run,
    folder,
    servers: Array.from({ length: size }, (_, i) => {
      const home = size === 1 ? folder : join(folder, `server-${i + 1}`);
      return new NatsServer(home, ports[0]! + i, ports[1]! + i);
    }),
    authority: readFileSync(authorityPath, "utf8"),
    authorityPath,
    credentials: (name) => readFileSync(credentialsPath(name), "utf8"),
    credentialsPath,
    leaves: Object.fromEntries(leaves),
  };
}

/** First ports of `count` runs of `length` consecutive ports that are free now. */
async function portRuns(count: number, length: number): Promise<number[]> {
  for (;;) {
    const firsts = await freePorts(count);
    const wanted = firsts.flatMap((first) => Array.from({ length }, (_, i) => first + i));
    const taken = await Promise.all(wanted.map(accepts));
    if (new Set(wanted).size === wanted.length && !taken.includes(true)) return firsts;
  }
}
