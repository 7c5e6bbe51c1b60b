/**
 * What the transports need of a NATS connection: the part of the client's own `NatsConnection` that
 * they use, so that our declarations do not hang on its declarations.
 * @module
 */

/** A message as it comes from the client. */
export interface NatsMessage {
  readonly subject: string;
  readonly data: Uint8Array;
  readonly headers?: { get(name: string): string } | undefined;
}

/** A change that the client reports; types other than these concern nobody here. */
export interface NatsStatus {
  readonly type: string;
  readonly error?: unknown;
}

/** A connection of `@nats-io/nats-core`, as its `wsconnect` and the Node client's `connect` give it. */
export interface NatsConnection {
  readonly info?: { readonly max_payload: number };
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- the client's type of headers
  publish(subject: string, payload?: Uint8Array, options?: { headers?: any }): void;
  subscribe(
    subject: string,
    options: { callback: (error: Error | null, message: NatsMessage) => void },
  ): unknown;
  status(): AsyncIterable<NatsStatus>;
  flush(): Promise<void>;
  isClosed(): boolean;
  closed(): Promise<unknown>;
  close(): Promise<void>;
}
