/**
 * Connecting to NATS from a page, through a websocket, and what that has in common with Node's way.
 * @module
 */
import { array } from "../../../core/checks.js";
import { wsconnect } from "@nats-io/nats-core";
import {
  connectChecked,
  connectionOptions,
  connectionRefused,
  endingStuckLinks,
  tellIfAway,
} from "./connect-options.js";
import type { NatsConnection } from "./connection.js";
import { requireServer } from "./server-version.js";
import type { NatsOptions } from "./nats-options.js";

/**
 * Connects through a websocket: a page, or any host with the standard `WebSocket`.
 *
 * @param servers  `wss://host:port`; `ws://` for tests.
 * @param options `oldServer` allows a server whose websocket port anyone can crash (CVE-2026-27889), for trials.
 * @throws ConnectionError if no server answers, or the browser does not trust its certificate; OptionError if it refuses
 *   the credentials, or is too old.
 */
export async function connectNatsWebSocket(
  servers: readonly string[],
  { oldServer, ...options }: NatsOptions & { readonly oldServer?: boolean } = {},
): Promise<NatsConnection> {
  array("servers", servers);
  const given = () => connectionOptions(servers, options);
  const explain = (cause: unknown) => connectionRefused(servers, cause, { page: true });
  let connection: Awaited<ReturnType<typeof wsconnect>>;
  try {
    connection = await connectChecked(wsconnect, given());
  } catch (cause) {
    throw explain(cause);
  }
  try {
    requireServer(connection.info?.version, { websocket: true, oldServer });
  } catch (error) {
    await connection.close();
    throw error;
  }
  tellIfAway(connection, wsconnect, given, explain, options);
  return endingStuckLinks(connection);
}
