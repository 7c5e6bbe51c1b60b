/**
 * All relays of a measured run, each with a key, a connection and a state machine of its own.
 * @module
 */
import { once } from "node:events";
import { runRelay } from "../../../build/modules/federation/index.js";
import { openNatsRelay } from "../../../build/modules/federation/nats/index.js";
import { makeRun } from "./secure-run.js";
import { openAll, portsFrom, RUN } from "./servers.js";

const settings = JSON.parse(process.argv[2]);
const { relays, agreed } = makeRun(settings);
const names = Object.keys(relays);
const portsOf = (i) => (settings.leaves[names[i]] ? [settings.leaves[names[i]]] : portsFrom(i));
const connections = await openAll(settings.folder, names, portsOf);
process.send({ type: "ready" });
await once(process, "message");
const sums = await Promise.all(
  names.map(
    (relay, i) =>
    runRelay({ run: RUN, relay, agreed, transport: openNatsRelay(connections[i], { run: RUN, name: relay }) }), // prettier-ignore
  ),
);
process.send({ type: "done", sums }, () => process.disconnect());
