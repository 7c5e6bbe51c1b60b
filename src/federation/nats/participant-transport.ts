/**
 * A participant's end of a run on NATS, in Node or in a page.
 * @module
 */
import { object } from "../../core/checks.js";
import type { ParticipantTransport } from "../protocol/machine/transport.js";
import { Channel, type ChannelOptions } from "./channel.js";
import { checkConnection, type NatsConnection } from "./connection/connection.js";
import { subjectsOf } from "./subjects.js";

/** A transport that may also end by itself. */
export interface NatsParticipantTransport extends ParticipantTransport {
  /** See `Channel.closed`. */
  readonly closed: Promise<Error | undefined>;
}

/**
 * A participant's end of a run over NATS.
 *
 * @param connection  a connection for this transport alone, with the participant's credentials.
 * @param options     `run` and the participant's `name`, each 1 to 64 letters, digits, - and _; the
 *   server refuses another's name.
 * @throws RangeError if one of them is no such name.
 * @example
 * const connection = await connectNatsWebSocket(["wss://nats.example.org"], { credentials });
 * const transport = openNatsParticipant(connection, { run: "trial", name: "north" });
 */
export function openNatsParticipant(
  connection: NatsConnection,
  options: ChannelOptions & { readonly run: string; readonly name: string },
): NatsParticipantTransport {
  checkConnection(connection);
  const subjects = subjectsOf(object("options", options).run);
  const { name } = options;
  const [outgoing, own] = [subjects.in(name), subjects.out(name)];
  const channel = new Channel(connection, { maxMessageBytes: 2 ** 31, ...options });
  return {
    closed: channel.closed,
    send: (message, relay) =>
      channel.publish(relay === undefined ? outgoing : subjects.toRelay(relay, name), message),
    listen(handlers) {
      channel.subscribe(own, (message) => {
        handlers.message(message, "own");
      });
      channel.subscribe(subjects.all, (message) => {
        handlers.message(message, "all");
      });
      channel.onState((state) => {
        handlers.link(state);
      });
    },
    close: () => channel.close(),
  };
}
