/**
 * A NATS connection as the transports use it: messages of any length, subscriptions, and a link that
 * is up or down.
 * @module
 */
import {
  AuthorizationError,
  headers,
  PermissionViolationError,
  UserAuthenticationExpiredError,
} from "@nats-io/nats-core";
import { OptionError } from "../../core/errors.js";
import { isLate } from "./connection/connect-options.js";
import type { LinkState } from "../protocol/machine/transport.js";
import type { NatsConnection, NatsMessage, NatsStatus } from "./connection/connection.js";
import { Joiner, PART_HEADER, readPlace, split, writePlace } from "./connection/parts.js";

/** Parts handed over before the server must have taken them: bounds what waits in memory. */
const PARTS_IN_FLIGHT = 8;
/** How long `close` waits for the server to take what was sent last, in milliseconds. */
const DRAIN_MS = 2000;

/** Options that both ends have. */
export interface ChannelOptions {
  /**
   * The longest message taken from the network, in bytes: it bounds what a misbehaving sender can make
   * this side hold. Default 128 MiB for a curator, of each participant; 2 GiB for a participant, whose
   * one sender is the curator. A longer one is dropped.
   */
  readonly maxMessageBytes?: number;
}

/** What a transport does with a message and the subject it came on. */
export type Receiver = (message: Uint8Array, subject: string) => void;

/** Wraps a connection; owns it from then on. */
export class Channel {
  /**
   * Resolves when the connection has ended for good: with nothing after `close`, with the reason
   * otherwise (credentials refused, a subject not permitted, a fault of the receiver). A server that
   * is only away does not end it.
   */
  readonly closed: Promise<Error | undefined>;
  readonly #connection: NatsConnection;
  readonly #maxBytes: number;
  readonly #joiners = new Set<Joiner>();
  readonly #session = globalThis.crypto.randomUUID();
  #messages = 0;
  #state: LinkState;
  #onState: (state: LinkState) => void = () => undefined;
  #failure: Error | undefined;
  /** Refusals of the credentials since the link was up. */
  #refusals = 0;
  #sending: Promise<void> = Promise.resolve();

  constructor(connection: NatsConnection, { maxMessageBytes = 2 ** 27 }: ChannelOptions) {
    this.#connection = connection;
    this.#maxBytes = maxMessageBytes;
    // It may have been lost since it was made: while a bucket was opened, say.
    this.#state = connection.info ? "up" : "down";
    this.closed = connection.closed().then((error) => {
      this.#setState("down");
      return this.#failure ?? (error instanceof Error ? explained(error) : undefined);
    });
    void this.#watch();
  }

  /** Tells the link's state: once now, then at every change. */
  onState(handler: (state: LinkState) => void): void {
    this.#onState = handler;
    handler(this.#state);
  }

  /** Publishes a message, in parts where it is too long. While the link is down it is lost. */
  async publish(subject: string, message: Uint8Array): Promise<void> {
    if (this.#state === "down") return;
    const maxPayload = this.#connection.info?.max_payload;
    if (maxPayload === undefined) return; // between two servers: as good as down
    const parts = split(message, maxPayload);
    if (parts.length === 1) {
      this.#connection.publish(subject, message);
      return;
    }
    // One long message at a time, or the parts of two would mix.
    const sent = this.#sending.then(() => this.#publishParts(subject, parts));
    this.#sending = sent.catch(() => undefined);
    await sent;
  }

  /** Publishes a message, and resolves when the server has taken it: who awaits that cannot fill this side's memory. */
  async deliver(subject: string, message: Uint8Array): Promise<void> {
    await this.publish(subject, message);
    if (this.#state === "up") await this.#taken();
  }

  async #publishParts(subject: string, parts: readonly Uint8Array[]): Promise<void> {
    const id = `${this.#session.slice(0, 18)}-${this.#messages++}`;
    for (const [index, part] of parts.entries()) {
      if (this.#state === "down") return; // the other side drops what it has
      const header = headers();
      header.set(PART_HEADER, writePlace({ id, index, count: parts.length }));
      this.#connection.publish(subject, part, { headers: header });
      if (index % PARTS_IN_FLIGHT === PARTS_IN_FLIGHT - 1) await this.#taken();
    }
  }

  /** Resolves when the server has what was published, or the connection is lost. */
  async #taken(): Promise<void> {
    // A connection that is closed meanwhile leaves its flush open.
    await Promise.race([this.#connection.flush().catch(() => undefined), this.closed]);
  }

  /** Hands every whole message on these subjects to `receive`. */
  subscribe(subject: string, receive: Receiver): void {
    const joiners = new Map<string, Joiner>();
    const joinerOf = (exact: string): Joiner => {
      let joiner = joiners.get(exact);
      if (!joiner) {
        joiner = new Joiner(this.#maxBytes);
        joiners.set(exact, joiner);
        this.#joiners.add(joiner);
      }
      return joiner;
    };
    this.#connection.subscribe(subject, {
      callback: (error, message) => {
        if (error) {
          this.#fail(error);
          return;
        }
        const whole = this.#whole(message, joinerOf);
        if (!whole) return;
        try {
          receive(whole, message.subject);
        } catch (fault) {
          // Thrown on, it would end the library's reading loop with no word to anyone.
          this.#fail(fault instanceof Error ? fault : new Error(String(fault)));
        }
      },
    });
  }

  #whole(message: NatsMessage, joinerOf: (subject: string) => Joiner): Uint8Array | undefined {
    const header = message.headers?.get(PART_HEADER) ?? "";
    if (header === "") {
      return message.data.length <= this.#maxBytes ? message.data : undefined;
    }
    const place = readPlace(header);
    return place && joinerOf(message.subject).take(place, message.data);
  }

  async #watch(): Promise<void> {
    for await (const status of this.#connection.status()) this.#note(status);
  }

  #note(status: NatsStatus): void {
    if (status.type === "disconnect" || status.type === "close") this.#setState("down");
    if (status.type === "reconnect") {
      this.#refusals = 0;
      this.#setState("up");
    }
    if (status.type === "error" && status.error instanceof PermissionViolationError) {
      this.#fail(status.error);
    }
    // The first may be of a server that is only told of a new key; a second in a row is meant.
    if (status.type === "error" && isRefusal(status.error) && ++this.#refusals === 2) {
      this.#fail(status.error);
    }
  }

  #setState(state: LinkState): void {
    if (state === this.#state) return;
    this.#state = state;
    if (state === "down") for (const joiner of this.#joiners) joiner.reset();
    this.#onState(state);
  }

  #fail(error: Error): void {
    this.#failure ??= explained(error);
    void this.#connection.close();
  }

  /** Hands over what was sent, waiting a little for a server that is there, and disconnects. */
  async close(): Promise<void> {
    if (this.#connection.isClosed()) return;
    this.#onState = () => undefined;
    if (this.#state === "up") {
      let timer: ReturnType<typeof setTimeout> | undefined;
      const enough = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, DRAIN_MS);
      });
      await Promise.race([this.#sending.then(() => this.#taken()), enough]);
      clearTimeout(timer);
    }
    await this.#connection.close();
  }
}

function isRefusal(error: unknown): error is Error {
  if (error instanceof UserAuthenticationExpiredError) return true;
  return error instanceof AuthorizationError && !isLate(error);
}

/** What a user can do about an error of the server. */
function explained(error: Error): Error {
  if (error instanceof PermissionViolationError) {
    const operation = error.operation === "publish" ? "publish to" : "subscribe to";
    return new OptionError(
      `nats: the server does not let these credentials ${operation} ${JSON.stringify(error.subject)}; ` +
        `are they for this run, and for this name in it?`,
      { cause: error },
    );
  }
  if (error instanceof AuthorizationError || error instanceof UserAuthenticationExpiredError) {
    return new OptionError(
      "nats: the server takes these credentials no longer; were they revoked, or replaced by new ones?",
      { cause: error },
    );
  }
  return error;
}
