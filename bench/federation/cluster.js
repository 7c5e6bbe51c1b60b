/**
 * A run of many participants over three real servers on this machine: every participant has a key, a TLS connection and a state
 * machine of its own, all in one process; the curator keeps its records in a bucket on all three.
 *
 *   node bench/federation/cluster.js [--participants 1000] [--rounds 5] [--kill]
 *
 * It needs `nats-server`. `--kill` kills a server that the curator is not connected to when round 2 has closed, and the curator's
 * own one when round 3 has. In the end the models are compared with those of the local fit, bit by bit.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { performance } from "node:perf_hooks";
import { parseArgs } from "../parse-args.js";
import { openCore } from "../../build/modules/core/index.js";
import { joinRun, makePlan, planHash, runCurator } from "../../build/modules/federation/index.js";
import {
  openNatsCurator,
  openNatsParticipant,
  openRunBucket,
} from "../../build/modules/federation/nats/index.js";
import { makeEstimator } from "../../build/modules/learning/index.js";
import {
  clusterOf,
  makeCluster,
  openAll,
  openCurator,
  portsFrom,
  RUN,
  spawnServer,
  startServer,
} from "./cluster/servers.js";
import { simulateTasks } from "./owners.js";

const { values: options } = parseArgs({
  options: {
    participants: { type: "string", default: "1000" },
    rounds: { type: "string", default: "5" },
    kill: { type: "boolean", default: false },
  },
});
const tasks = simulateTasks(Number(options.participants), 30);
/** A participant for each task. */
const names = tasks.names.map((_, i) => `p${i}`);
const folder = mkdtempSync(join(tmpdir(), "mp-mtl-cluster-"));
const cluster = clusterOf(folder);
const servers = [];
process.on("exit", () => {
  for (const server of servers) server.kill("SIGKILL");
  rmSync(folder, { recursive: true, force: true });
});
const seconds = (since) => ((performance.now() - since) / 1000).toFixed(1);

const before = performance.now();
makeCluster(folder, names);
console.log(`${names.length} keys made in ${seconds(before)} s`);
for (const at of cluster) servers.push(await startServer(at));

const plan = makePlan({
  run: RUN,
  method: "pmtl",
  features: tasks.featureNames,
  tasks: tasks.names.map((name, i) => ({ name, participant: names[i] })),
  deadline: 120,
  options: {
    rounds: Number(options.rounds),
    localSteps: 5,
    safeguard: false,
    random: { mode: "seeded", seed: "bench" },
  },
});
const connecting = performance.now();
const own = await openCurator(folder);
const connections = await openAll(folder, names, portsFrom);
console.log(`connected in ${seconds(connecting)} s`);

let last = performance.now();
let used = process.cpuUsage();
const curatorsServer = () =>
  cluster.findIndex(({ port }) => String(port) === own.getServer().split(":").at(-1));
const onStatus = ({ kind, round, present, clipped }) => {
  if (kind === "started") [last, used] = [performance.now(), process.cpuUsage()];
  if (kind !== "closed") return;
  const { user, system } = process.cpuUsage(used);
  const cpu = ((user + system) / 1e6).toFixed(1);
  console.log(
    `round ${round}: ${present} present, ${clipped} clipped, ${seconds(last)} s, ${cpu} s of a processor`,
  );
  [last, used] = [performance.now(), process.cpuUsage()];
  if (!options.kill || (round !== 2 && round !== 3)) return;
  const at = curatorsServer();
  const victim = round === 2 ? (at + 1) % 3 : at;
  console.log(`killing server ${victim + 1}`);
  servers[victim].kill("SIGKILL");
  // Two of three must be up for the records to be kept: the first one comes back before the second goes.
  void delay(3000).then(() => restart(victim));
};
function restart(i) {
  servers[i] = spawnServer(cluster[i]);
}

const store = await openRunBucket(own, `mpmtl_${RUN}`, { replicas: 3 });
const core = openCore();
const registering = performance.now();
const curator = runCurator({
  plan,
  transport: openNatsCurator(own, { run: RUN }),
  store,
  onStatus,
});
const joined = connections.map((connection, i) =>
  joinRun({
    run: RUN,
    participant: names[i],
    agreed: planHash(plan),
    core,
    data: tasks.select([tasks.names[i]]),
    transport: openNatsParticipant(connection, { run: RUN, name: names[i] }),
  }),
);
const [{ ledger }, ...models] = await Promise.all([curator, ...joined]);
console.log(`whole run in ${seconds(registering)} s, ${ledger.entries.length} charges`);
const local = await makeEstimator(plan.method, plan.options).fit(tasks);
const same = models.every((model, i) =>
  model.weights.every((weight, j) => weight === local.weights[i * local.d + j]),
);
console.log(same ? "the models are those of the local fit, to the bit" : "THE MODELS DIFFER");
await Promise.all([own, ...connections].map((connection) => connection.close()));
process.exit(same ? 0 : 1);
