/**
 * From our options to the NATS client's, and from its errors to ours.
 * @module
 */
import {
  AuthorizationError,
  credsAuthenticator,
  nkeyAuthenticator,
  type Authenticator,
  type ConnectionOptions,
} from "@nats-io/nats-core";
import { OptionError } from "../../../core/errors.js";
import { ConnectionError } from "./connection-error.js";
import type { NatsOptions } from "./nats-options.js";
import { reconnectPace } from "./reconnect-pace.js";
import { tellWhyAway } from "./why-away.js";

export { endingStuckLinks } from "./stuck-link.js";

/** Longer than a server takes to read its configuration. */
const SECOND_LOOK_MS = 1000;

/** @throws OptionError if the text is neither a seed nor NATS credentials; it is never shown. */
function authenticatorOf(credentials: string): Authenticator {
  const bytes = new TextEncoder().encode(credentials.trim());
  if (credentials.includes("BEGIN NATS USER JWT")) return credsAuthenticator(bytes);
  if (/^SU[A-Z2-7]{56}$/.test(credentials.trim())) return nkeyAuthenticator(bytes);
  throw new OptionError(
    "credentials: expected an nkey seed of a user (SU and 56 letters) or a NATS .creds text.",
  );
}

/**
 * Whether the server gave up waiting for the key, which the client takes for a refusal: one of the two machines was busy,
 * and a later attempt may be in time.
 */
export function isLate(error: unknown): boolean {
  return error instanceof AuthorizationError && /authentication timeout/i.test(error.message);
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
    // A channel ends by its own rule, which tells a refusal from a key that came late.
    ignoreAuthErrorAbort: true,
    reconnectDelayHandler: reconnectPace(),
  };
}

/**
 * Connects once by the servers that are named alone, and then for good. A server of a cluster names the others before it asks for
 * a key, and the client takes a server that it gave up for a new one when it is named again: where all refuse the key it would ask them
 * for ever, as fast as they answer. A refusal is believed the second time: a server that is just reading its configuration again knows no key.
 */
export async function connectChecked<Connection extends { close(): Promise<void> }>(
  connect: (options: ConnectionOptions) => Promise<Connection>,
  options: ConnectionOptions,
): Promise<Connection> {
  await connectOnce(connect, options).catch(async (error: unknown) => {
    if (!(error instanceof AuthorizationError)) throw error;
    await new Promise((resolve) => setTimeout(resolve, SECOND_LOOK_MS));
    return connectOnce(connect, options);
  });
  return connect(options);
}

/** Connects, by the servers that are named alone, and disconnects. */
async function connectOnce<Connection extends { close(): Promise<void> }>(
  connect: (options: ConnectionOptions) => Promise<Connection>,
  options: ConnectionOptions,
): Promise<void> {
  const connection = await connect({ ...options, ignoreClusterUpdates: true, reconnect: false });
  await connection.close();
}

/** Has whoever wants to know told why a link that was lost is not back. @param given options of one more connection. */
export function tellIfAway<Connection extends { close(): Promise<void> }>(
  client: Parameters<typeof tellWhyAway>[0],
  connect: (options: ConnectionOptions) => Promise<Connection>,
  given: () => ConnectionOptions,
  explain: (error: unknown) => Error,
  { onAway }: NatsOptions,
): void {
  if (!onAway) return;
  const once = () =>
    connectOnce(connect, given()).catch((error: unknown) => {
      throw explain(error);
    });
  void tellWhyAway(client, once, onAway);
}

/** Whose certificate was not believed, as far as it is known. */
interface Asked {
  /** Whether a browser asked: it does not say why, not even that it distrusts a certificate. */
  readonly page?: boolean;
  /** Whether an authority was given. */
  readonly authority?: boolean;
}

/** What to do about a reason, beginning with a space; empty where there is nothing to add. */
function adviceOn(reason: string, { page = false, authority = false }: Asked): string {
  if (page) {
    return " Is the server there, and does this browser trust its certificate? Open its address with https:// in a tab to see.";
  }
  if (/not yet valid|expired/i.test(reason)) {
    return (
      ` Either this machine's clock, which says ${new Date().toISOString()}, is wrong, or the server's certificate is to be ` +
      "renewed there (make-credentials.js --new-certificates)."
    );
  }
  if (/altname/i.test(reason)) {
    return " Connect by a name that its certificate has, or have it made for this one, too (make-credentials.js --hosts).";
  }
  if (!/certificate|self-signed|issuer/i.test(reason)) return "";
  return authority
    ? " The authority in --tls-ca did not sign it: ask whoever runs the server for its present authority.pem."
    : " A server whose certificate no public authority signed needs that authority: --tls-ca FILE, in code authority.";
}

/** The error of a first connection, in the user's terms. */
export function connectionRefused(servers: readonly string[], cause: unknown, asked: Asked): Error {
  if (cause instanceof OptionError) return cause;
  const where = servers.join(", ");
  if (cause instanceof AuthorizationError && !isLate(cause)) {
    return new OptionError(`nats: ${where} refused the credentials.`, { cause });
  }
  const reason = isLate(cause)
    ? "it gave up waiting for the key; is it, or this machine, too busy?"
    : cause instanceof Error
      ? cause.message
      : String(cause);
  const sentence = (reason || "no reason given").replace(/[.?]?$/, (end) => end || ".");
  return new ConnectionError(
    `nats: no connection to ${where}: ${sentence}${adviceOn(reason, asked)}`,
    { cause },
  );
}
