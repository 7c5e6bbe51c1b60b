/**
 * Connecting to NATS over TCP and TLS.
 * @module
 */
import { array } from "../core/checks.js";
import { OptionError } from "../core/errors.js";
import { loadOptional } from "../core/optional-packages.js";
import type { NatsConnection } from "../federation/nats/connection/connection.js";
import type { NatsOptions } from "../federation/nats/connection/nats-options.js";

/** What a connection over TCP may be given. */
export interface NatsTcpOptions extends NatsOptions {
  /** PEM text of the authority that signed the server's certificate; default: the system's. */
  readonly authority?: string;
  /**
   * Lets the connection go unencrypted where the server is not on this machine. Default false: a
   * server elsewhere must speak TLS, whatever a network in between says.
   */
  readonly plaintext?: boolean;
  /** Seconds to keep trying while no server is there yet; default 0: one attempt. */
  readonly waitSeconds?: number;
  /** Ends the waiting. */
  readonly signal?: AbortSignal;
  /** Called once if the first attempt found no server and there will be others. */
  readonly onWait?: () => void;
}

const PAUSE_MS = 500;

/** Whether a URL (or bare host) names this machine. */
function isLocal(server: string): boolean {
  const { hostname } = new URL(server.includes("://") ? server : `nats://${server}`);
  return hostname === "localhost" || hostname === "[::1]" || /^127(\.\d+){3}$/.test(hostname);
}

/** TLS is asked for by `tls://`, an authority, or a server elsewhere; a server may demand it. */
function tlsOptions(
  servers: readonly string[],
  options: NatsTcpOptions,
): { ca?: string } | undefined {
  const { authority, plaintext = false } = options;
  if (authority !== undefined) {
    // The platform takes any text, and then believes nobody.
    if (!authority.includes("-----BEGIN CERTIFICATE-----")) {
      throw new OptionError(
        "authority (--tls-ca): expected the PEM text of a certificate, -----BEGIN CERTIFICATE-----, which this is not.",
      );
    }
    return { ca: authority };
  }
  if (servers.some((server) => server.startsWith("tls://"))) return {};
  return plaintext || servers.every(isLocal) ? undefined : {};
}

function checkServers(servers: readonly string[]): void {
  array("servers", servers);
  for (const server of servers) {
    const text = server.includes("://") ? server : `nats://${server}`;
    if (!URL.canParse(text) || !/^(nats|tls):\/\//.test(text)) {
      throw new OptionError(
        `nats: expected a server like nats://host:4222 or tls://host:4222, got ${JSON.stringify(server)}.`,
      );
    }
    const { username, password } = new URL(text);
    if (username !== "" || password !== "") {
      throw new OptionError("nats: a URL is no place for a password; use a credentials file.");
    }
  }
}

/** Whether trying again can help: nobody there, or there and gone while it was greeted. */
function isAbsence(error: unknown): boolean {
  const text = error instanceof Error ? `${error.message} ${String(error.cause ?? "")}` : "";
  return /refused|timeout|disconnected|hang up|ECONNRESET|EPIPE|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH/i.test(
    text,
  );
}

/**
 * Connects to one server or a cluster, and stays connected: a lost server is looked for until it
 * is back.
 *
 * @param servers  `nats://host:port` or `tls://host:port`, the members of one cluster.
 * @throws ConnectionError if no server answers or its TLS is missing or wrong, OptionError if it
 *   refuses the credentials, or is too old, and for credentials or an authority that are none.
 * @example
 * const connection = await connectNats(["tls://nats.example.org:4222"], {
 *   credentials: await readFile("north.nk", "utf8"),
 * });
 */
export async function connectNats(
  servers: readonly string[],
  options: NatsTcpOptions = {},
): Promise<NatsConnection> {
  checkServers(servers);
  const tls = tlsOptions(servers, options);
  // Only now: the client is long, and whoever imports this entry for its files should not wait for it.
  const [
    { connect },
    { connectChecked, connectionOptions, connectionRefused, endingStuckLinks, tellIfAway },
    { requireServer },
  ] = await loadOptional(() =>
    Promise.all([
      import("@nats-io/transport-node"),
      import("../federation/nats/connection/connect-options.js"),
      import("../federation/nats/connection/server-version.js"),
    ]),
  );
  const until = performance.now() + (options.waitSeconds ?? 0) * 1000;
  const given = () => ({ ...connectionOptions(servers, options), ...(tls ? { tls } : {}) });
  const authority = options.authority !== undefined;
  for (let attempt = 1; ; attempt++) {
    options.signal?.throwIfAborted();
    let connection: Awaited<ReturnType<typeof connect>>;
    try {
      connection = await connectChecked(connect, given());
    } catch (error) {
      const refused = connectionRefused(servers, error, { authority });
      if (!isAbsence(error) || performance.now() >= until) throw refused;
      if (attempt === 1) options.onWait?.();
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
      continue;
    }
    try {
      requireServer(connection.info?.version, { websocket: false });
      const explain = (error: unknown) => connectionRefused(servers, error, { authority });
      tellIfAway(connection, connect, given, explain, options);
      return endingStuckLinks(connection);
    } catch (error) {
      await connection.close();
      throw error;
    }
  }
}
