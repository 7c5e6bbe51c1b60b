/**
 * The participants of a measured run on secure sums that one of its processes has, each with a key, an identity, a TLS connection and a state machine of its own. Some are
 * cut off in a round: when they have masked their integers nothing passes to them or from them until that round is closed.
 * @module
 */
import { once } from "node:events";
import { setImmediate } from "node:timers";
import { openCore } from "../../../build/modules/core/index.js";
import { decodeMessage, joinRun, MemoryStore } from "../../../build/modules/federation/index.js";
import { openNatsParticipant } from "../../../build/modules/federation/nats/index.js";
import { cutOff, makeRun } from "./secure-run.js";
import { openAll, portsFrom, RUN } from "./servers.js";

/** The kind of a message of an attempt that carries masked integers. */
const INPUT = 5;

const settings = JSON.parse(process.argv[2]);
const { tasks, names, identities, relayOf, agreed } = makeRun(settings);
/** Their places among all: of all relays, as evenly as they go. */
const places = [...names.keys()].filter((i) => i % settings.processes === settings.part);
const own = places.map((i) => names[i]);
const portsOf = (k) => {
  const leaf = settings.leaves[relayOf.get(own[k])];
  return leaf ? [leaf] : portsFrom(places[k]);
};
const connections = await openAll(settings.folder, own, portsOf);

/** Messages that came, for whoever it is. */
const waiting = [];
function takeNext() {
  waiting.shift()();
  if (waiting.length > 0) setImmediate(takeNext);
}

/**
 * One message at a time for all of this process, and sockets in between: a server hangs up on those who answer its pings no more, and a turn
 * of five hundred participants takes longer than that.
 */
const inTurn = (transport) => ({
  ...transport,
  listen: ({ link, message: take }) =>
    transport.listen({
      link,
      message(message, scope) {
        waiting.push(() => take(message, scope));
        if (waiting.length === 1) setImmediate(takeNext);
      },
    }),
});

/** What connects those who are cut off again. */
const restore = [];
function cutting(transport) {
  let [cut, over] = [false, false];
  let handlers;
  restore.push(() => {
    over = true;
    if (!cut) throw new Error("expected a participant to have been cut off, it sent no input");
    cut = false;
    handlers.link("up");
  });
  const isItsInput = (message) => {
    const { type, round, bytes } = decodeMessage(message);
    return type === "aggregate" && round === settings.cutRound && bytes[1] === INPUT;
  };
  return {
    ...transport,
    send(message, relay) {
      if (!over && !cut && isItsInput(message)) {
        cut = true;
        setImmediate(() => handlers.link("down"));
      }
      return cut ? Promise.resolve() : transport.send(message, relay);
    },
    listen(own) {
      handlers = own;
      transport.listen({ link: own.link, message: (message, scope) => cut || own.message(message, scope) }); // prettier-ignore
    },
  };
}

const cut = new Set(cutOff(names, settings));
process.send({ type: "ready" });
await once(process, "message");
process.on("message", ({ closed }) => {
  if (closed === settings.cutRound) for (const one of restore) one();
});
const core = openCore();
const models = await Promise.all(
  places.map((i, k) => {
    const participant = names[i];
    const transport = inTurn(openNatsParticipant(connections[k], { run: RUN, name: participant }));
    return joinRun({
      run: RUN,
      participant,
      agreed,
      core,
      store: new MemoryStore(),
      data: tasks.select([tasks.names[i]]),
      identity: identities[i].secret,
      transport: cut.has(participant) ? cutting(transport) : transport,
    });
  }),
);
const weights = Object.fromEntries(models.map((model, k) => [own[k], [...model.weights]]));
process.send({ type: "done", weights }, () => process.disconnect());
