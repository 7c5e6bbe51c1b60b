/**
 * Connecting to NATS from a page, through a websocket, and what that has in common with Node's way.
 * @module
 */
import { wsconnect } from "@nats-io/nats-core";
import { connectionOptions, connectionRefused } from "./connect-options.js";
import type { NatsConnection } from "./connection.js";

/** What every connection may be given. */
export interface NatsOptions {
  /**
   * The text of a credentials file: an nkey seed (`SU…`, as `deploy/nats` makes them) or NATS
   * credentials with a JWT. Without it the server must let anyone in, as one for tests does.
   */
  readonly credentials?: string;
  /** Where replies to this connection's requests go; the curator's permissions name it. */
  readonly inboxPrefix?: string;
  /** Seconds between the pings that notice a dead link; two unanswered ones end it. Default 10. */
  readonly pingSeconds?: number;
  /** Seconds until one attempt to connect is given up. Default 10. */
  readonly attemptSeconds?: number;
}

/**
 * Connects through a websocket: a page, or any host with the standard `WebSocket`.
 *
 * @param servers  `wss://host:port`; `ws://` for tests.
 * @throws ConnectionError if no server answers, OptionError if it refuses the credentials.
 */
export async function connectNatsWebSocket(
  servers: readonly string[],
  options: NatsOptions = {},
): Promise<NatsConnection> {
  try {
    return await wsconnect(connectionOptions(servers, options));
  } catch (cause) {
    throw connectionRefused(servers, cause);
  }
}
