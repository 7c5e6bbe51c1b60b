/**
 * A party whose process is started on several machines.
 * @module
 */
import type { MemoryNetwork } from "../../src/federation/index.js";
import type {
  ParticipantHandlers,
  ParticipantTransport,
} from "../../src/federation/protocol/machine/transport.js";

/** One party's ends on several machines: each hears what is for it, and speaks in its name. */
export function machinesOf(network: MemoryNetwork, name: string): () => ParticipantTransport {
  const base = network.participant(name);
  const all = new Set<ParticipantHandlers>();
  let listens = false;
  return () => {
    let own: ParticipantHandlers | undefined;
    return {
      send: (message, relay) => base.send(message, relay),
      listen: (handlers) => {
        all.add((own = handlers));
        if (listens) {
          handlers.link("up");
          return;
        }
        listens = true;
        base.listen({
          message: (message, scope) => all.forEach((one) => void one.message(message, scope)),
          link: (state) => all.forEach((one) => void one.link(state)),
        });
      },
      close: () => Promise.resolve(void (own && all.delete(own))),
    };
  };
}
