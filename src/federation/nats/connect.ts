/**
 * How to connect to NATS: what Node and a page have in common, and the page's way, websockets.
 * @module
 */
import {
  AuthorizationError,
  credsAuthenticator,
  nkeyAuthenticator,
  wsconnect,
  type Authenticator,
  type ConnectionOptions,
  type NatsConnection,
} from "@nats-io/nats-core";
import { MpMtlError, OptionError } from "../../core/errors.js";

/** No server could be reached. Exit code 1. */
export class ConnectionError extends MpMtlError {
  constructor(message: string, options?: ErrorOptions) {
    super("CONNECTION", message, options);
  }
}

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

/** @throws OptionError if the text is neither a seed nor NATS credentials; it is never shown. */
export function authenticatorOf(credentials: string): Authenticator {
  const bytes = new TextEncoder().encode(credentials.trim());
  if (credentials.includes("BEGIN NATS USER JWT")) return credsAuthenticator(bytes);
  if (/^SU[A-Z2-7]{56}$/.test(credentials.trim())) return nkeyAuthenticator(bytes);
  throw new OptionError(
    "credentials: expected an nkey seed of a user (SU and 56 letters) or a NATS .creds text.",
  );
}

/** The client's options: it comes back by itself, for as long as it takes. */
export function connectionOptions(
  servers: readonly string[],
  options: NatsOptions,
): ConnectionOptions {
  const { credentials, inboxPrefix, pingSeconds = 10, attemptSeconds = 10 } = options;
  return {
    servers: [...servers],
    ...(credentials === undefined ? {} : { authenticator: authenticatorOf(credentials) }),
    ...(inboxPrefix === undefined ? {} : { inboxPrefix }),
    pingInterval: pingSeconds * 1000,
    maxPingOut: 2,
    timeout: attemptSeconds * 1000,
    maxReconnectAttempts: -1,
    reconnectTimeWait: 250,
    reconnectJitter: 500,
    reconnectJitterTLS: 500,
  };
}

/** The error of a first connection, in the user's terms. */
export function connectionRefused(servers: readonly string[], cause: unknown): Error {
  const where = servers.join(", ");
  if (cause instanceof AuthorizationError) {
    return new OptionError(`nats: ${where} refused the credentials.`, { cause });
  }
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new ConnectionError(`nats: no connection to ${where}: ${reason}`, { cause });
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
