/**
 * The curator of a measured run on secure sums, a process of its own: it tells its parent what happens, with the messages and bytes so far.
 * @module
 */
import { once } from "node:events";
import { runCurator } from "../../../build/modules/federation/index.js";
import { openNatsCurator, openRunBucket } from "../../../build/modules/federation/nats/index.js";
import { makeRun } from "./secure-run.js";
import { openCurator, RUN } from "./servers.js";

const settings = JSON.parse(process.argv[2]);
const { plan } = makeRun(settings);
const connection = await openCurator(settings.folder);
const store = await openRunBucket(connection, `mpmtl_${RUN}`, { replicas: 3 });
const transport = openNatsCurator(connection, { run: RUN });
const traffic = { messagesIn: 0, bytesIn: 0, messagesOut: 0, bytesOut: 0 };
const countOut = (message) => {
  traffic.messagesOut++;
  traffic.bytesOut += message.length;
};
const counted = {
  ...transport,
  send(to, message) {
    countOut(message);
    return transport.send(to, message);
  },
  /** Once, whoever hears it. */
  broadcast(message) {
    countOut(message);
    return transport.broadcast(message);
  },
  listen: ({ message: take, link }) =>
    transport.listen({
      link,
      message(from, message) {
        traffic.messagesIn++;
        traffic.bytesIn += message.length;
        take(from, message);
      },
    }),
};
process.send({ type: "ready" });
await once(process, "message");
const { ledger } = await runCurator({
  plan,
  transport: counted,
  store,
  onStatus: (status) => process.send({ type: "status", status, traffic: { ...traffic } }),
});
process.send({ type: "done", charges: ledger.entries.length }, () => process.disconnect());
