/**
 * A relay's end of a run on NATS: the curator knows it by a name as it knows participants; its participants, and relays beneath it, send to it.
 * @module
 */
import { object } from "../../core/checks.js";
import { Channel, type ChannelOptions } from "./channel.js";
import { checkConnection, type NatsConnection } from "./connection/connection.js";
import type { NatsParticipantTransport } from "./participant-transport.js";
import { subjectsOf } from "./subjects.js";

/**
 * A relay's end of a run over NATS: towards the curator it is one participant.
 *
 * @param connection  a connection for this transport alone, with the relay's credentials.
 * @param options     `run` and the relay's `name`, each 1 to 64 letters, digits, - and _. A message of one participant may have
 *   128 MiB (`maxMessageBytes`).
 * @throws RangeError if one of them is no such name.
 * @example
 * const transport = openNatsRelay(await connectNats(servers, { credentials }), { run: "trial", name: "site-a" });
 */
export function openNatsRelay(
  connection: NatsConnection,
  options: ChannelOptions & { readonly run: string; readonly name: string },
): NatsParticipantTransport {
  checkConnection(connection);
  const { run, name } = object("options", options);
  const subjects = subjectsOf(run);
  const [outgoing, own, members] = [
    subjects.in(name),
    subjects.out(name),
    subjects.allToRelay(name),
  ];
  const channel = new Channel(connection, options);
  return {
    closed: channel.closed,
    send: (message, above) =>
      channel.publish(above === undefined ? outgoing : subjects.toRelay(above, name), message),
    listen(handlers) {
      channel.subscribe(own, (message) => {
        handlers.message(message, "own");
      });
      channel.subscribe(subjects.all, (message) => {
        handlers.message(message, "all");
      });
      channel.subscribe(members, (message, subject) => {
        handlers.member?.(subjects.relaySender(subject), message);
      });
      channel.onState((state) => {
        handlers.link(state);
      });
    },
    close: () => channel.close(),
  };
}
