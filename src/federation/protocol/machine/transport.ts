/**
 * How bytes travel between a curator and its participants: the interface, and nothing that does it.
 *
 * A transport may lose, repeat, reorder and delay messages; nothing above relies on more. What it
 * must give is the sender: `from` is a name the transport has authenticated (credentials, a subject
 * only its owner may publish), never one read from the message. Messages above a network's limit are
 * split and joined inside the transport. The in-memory transport is `memory-transport.ts`, NATS is
 * `mp-mtl/federation/nats`.
 * @module
 */

/** Whether messages can travel now. A link that is down pauses a run: it costs no round, no budget. */
export type LinkState = "up" | "down";

/** What a curator receives. */
export interface CuratorHandlers {
  /** A participant's message; `from` is the name the transport vouches for. */
  message(from: string, message: Uint8Array): void;
  /** The link came up or went down; called with the state at once when listening starts. */
  link(state: LinkState): void;
}

/** The curator's end. */
export interface CuratorTransport {
  /** To one participant. Resolves when the message was handed over, not when it arrived. */
  send(to: string, message: Uint8Array): Promise<void>;
  /** To all participants of the run. */
  broadcast(message: Uint8Array): Promise<void>;
  /** Starts delivery; called once. */
  listen(handlers: CuratorHandlers): void;
  /** Stops delivery and lets go of the connection. */
  close(): Promise<void>;
}

/** What a participant receives. */
export interface ParticipantHandlers {
  /** A message of the curator, to this participant alone ("own") or to everyone ("all"). */
  message(message: Uint8Array, scope: "own" | "all"): void;
  /** The link went up or down. */
  link(state: LinkState): void;
  /** Of a relay: a message of one of its participants, or of a relay beneath it, whose name the transport vouches for. */
  member?(from: string, message: Uint8Array): void;
}

/** A participant's end, and that of a party which the curator knows by a name as it does participants. */
export interface ParticipantTransport {
  /** To the curator, or to the relay of that name. Resolves when the message was handed over, not when it arrived. */
  send(message: Uint8Array, relay?: string): Promise<void>;
  /** Starts delivery; called once. */
  listen(handlers: ParticipantHandlers): void;
  /** Stops delivery and lets go of the connection. */
  close(): Promise<void>;
}
