/**
 * Connecting to NATS from a page, through a websocket, and what that has in common with Node's way.
 * @module
 */
import { wsconnect } from "@nats-io/nats-core";
import {
  connectChecked,
  connectionOptions,
  connectionRefused,
  endingStuckLinks,
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
  let connection: NatsConnection;
  try {
    connection = await connectChecked(wsconnect, connectionOptions(servers, options));
  } catch (cause) {
    throw connectionRefused(servers, cause, { page: true });
  }
  try {
    requireServer(connection.info?.version, { websocket: true, oldServer });
  } catch (error) {
    await connection.close();
    throw error;
  }
  return endingStuckLinks(connection);
}
