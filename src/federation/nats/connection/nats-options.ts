/**
 * What every connection to NATS may be given.
 * @module
 */

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
  /**
   * Called where a link that was lost is not back after 20 seconds, or comes and goes for so long, with the reason; again when that is
   * another one.
   */
  readonly onAway?: (why: Error) => void;
}
