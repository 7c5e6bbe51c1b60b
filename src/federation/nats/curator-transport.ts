/**
 * The curator's end of a run on NATS.
 * @module
 */
import { object } from "../../core/checks.js";
import type { CuratorTransport } from "../protocol/machine/transport.js";
import { Channel, type ChannelOptions } from "./channel.js";
import { checkConnection, type NatsConnection } from "./connection/connection.js";
import { subjectsOf } from "./subjects.js";

/** A transport that may also end by itself. */
export interface NatsCuratorTransport extends CuratorTransport {
  /** See `Channel.closed`. */
  readonly closed: Promise<Error | undefined>;
}

/**
 * The curator's end of a run over NATS.
 *
 * @param connection  a connection for this transport alone, with the curator's credentials.
 * @param options     `run`: the run's name, 1 to 64 letters, digits, - and _.
 * @throws RangeError if `run` is no such name.
 * @example
 * const transport = openNatsCurator(await connectNats(["tls://nats.example.org"], { credentials }), {
 *   run: "trial",
 * });
 */
export function openNatsCurator(
  connection: NatsConnection,
  options: ChannelOptions & { readonly run: string },
): NatsCuratorTransport {
  checkConnection(connection);
  const subjects = subjectsOf(object("options", options).run);
  const channel = new Channel(connection, options);
  return {
    closed: channel.closed,
    send: (to, message) => channel.deliver(subjects.out(to), message),
    broadcast: (message) => channel.publish(subjects.all, message),
    listen(handlers) {
      channel.subscribe(subjects.allIn, (message, subject) => {
        handlers.message(subjects.sender(subject), message);
      });
      channel.onState((state) => {
        handlers.link(state);
      });
    },
    close: () => channel.close(),
  };
}
