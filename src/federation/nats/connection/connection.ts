/**
 * What the transports need of a NATS connection: the part of the client's own `NatsConnection` that
 * they use, so that our declarations do not hang on its declarations.
 * @module
 */
import { callable, object } from "../../../core/checks.js";

/** A message as it comes from the client. */
export interface NatsMessage {
  readonly subject: string;
  readonly data: Uint8Array;
  /** What the sender said of it, by name. */
  readonly headers?:
    | {
        /** The value of a header; empty where there is none of the name. */
        get(name: string): string;
      }
    | undefined;
}

/** A change that the client reports; types other than these concern nobody here. */
export interface NatsStatus {
  readonly type: string;
  readonly error?: unknown;
}

/** A connection of `@nats-io/nats-core`, as its `wsconnect` and the Node client's `connect` give it. */
export interface NatsConnection {
  /** What the server said of itself, where the client has it. */
  readonly info?: {
    /** Longest message that it takes, in bytes. */
    readonly max_payload: number;
    /** Its version. */
    readonly version?: string;
  };
  /** Sends one message to a subject. */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- the client's type of headers
  publish(subject: string, payload?: Uint8Array, options?: { headers?: any }): void;
  /** The messages of a subject, from now on. */
  subscribe(
    subject: string,
    options: { callback: (error: Error | null, message: NatsMessage) => void },
  ): unknown;
  /** Changes of the link, as they happen. */
  status(): AsyncIterable<NatsStatus>;
  /** Resolves when the server has taken all that was published. */
  flush(): Promise<void>;
  /** Whether the connection has ended for good. */
  isClosed(): boolean;
  /** Resolves when the connection has ended, with what ended it. */
  closed(): Promise<unknown>;
  /** Ends the connection. */
  close(): Promise<void>;
}

/** A connection that is handed over. @throws TypeError for what is none. */
export function checkConnection(connection: NatsConnection): NatsConnection {
  const { publish, closed } = object("connection", connection);
  callable("connection.publish", publish);
  callable("connection.closed", closed);
  return connection;
}
