/**
 * A run of many participants over three real servers on this machine: every participant has a key, a TLS connection and a state
 * machine of its own, all in one process; the curator keeps its records in a bucket on all three.
 *
 *   node bench/federation/cluster.js [--participants 1000] [--rounds 5] [--kill]
 *
 * It needs `nats-server`. `--kill` kills a server that the curator is not connected to when round 2 has closed, and the curator's
 * own one when round 3 has. In the end the models are compared with those of the local fit, bit by bit.
 */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { performance } from "node:perf_hooks";
import { parseArgs } from "node:util";
import { openCore } from "../../build/modules/core/index.js";
import { joinRun, makePlan, planHash, runCurator } from "../../build/modules/federation/index.js";
import {
  openNatsCurator,
  openNatsParticipant,
  openRunBucket,
} from "../../build/modules/federation/nats/index.js";
import { makeEstimator } from "../../build/modules/learning/index.js";
import { connectNats } from "../../build/modules/node/index.js";
import { simulateTasks } from "./owners.js";

const { values: options } = parseArgs({
  options: {
    participants: { type: "string", default: "1000" },
    rounds: { type: "string", default: "5" },
    kill: { type: "boolean", default: false },
  },
});
const RUN = "bench";
const PORT = 21_222;
const tasks = simulateTasks(Number(options.participants), 30);
/** A participant for each task. */
const names = tasks.names.map((_, i) => `p${i}`);
const folder = mkdtempSync(join(tmpdir(), "mp-mtl-cluster-"));
const servers = [];
process.on("exit", () => {
  for (const server of servers) server.kill("SIGKILL");
  rmSync(folder, { recursive: true, force: true });
});

function makeServers() {
  const generator = fileURLToPath(
    new URL("../../deploy/nats/make-credentials.js", import.meta.url),
  );
  const flags = ["--out", folder, "--run", RUN, "--participants", names.join(",")];
  flags.push("--port", String(PORT), "--cluster", "localhost,localhost,localhost");
  flags.push("--cluster-port", String(PORT + 10));
  const { status, stderr } = spawnSync(process.execPath, [generator, ...flags], {
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(stderr);
}

async function startServer(i) {
  const cwd = join(folder, `server-${i + 1}`);
  const server = spawn("nats-server", ["-c", "server.conf"], { cwd, stdio: "ignore" });
  servers.push(server);
  for (;;) {
    if (server.exitCode !== null) throw new Error(`server ${i + 1} ended`);
    const socket = connect(PORT + i, "127.0.0.1");
    const up = await once(socket, "connect").then(
      () => true,
      () => false,
    );
    socket.destroy();
    if (up) return;
    await delay(50);
  }
}

const urls = [0, 1, 2].map((i) => `tls://localhost:${PORT + i}`);
const open = (name, first = 0, more = {}) =>
  connectNats([...urls.slice(first), ...urls.slice(0, first)], {
    credentials: readFileSync(join(folder, "credentials", RUN, `${name}.nk`), "utf8"),
    authority: readFileSync(join(folder, "tls", "authority.pem"), "utf8"),
    waitSeconds: 60,
    ...more,
  });
const seconds = (since) => ((performance.now() - since) / 1000).toFixed(1);

const before = performance.now();
makeServers();
console.log(`${names.length} keys made in ${seconds(before)} s`);
for (const i of [0, 1, 2]) await startServer(i);

const plan = makePlan({
  run: RUN,
  method: "pmtl",
  features: tasks.featureNames,
  tasks: tasks.names.map((name, i) => ({ name, participant: names[i] })),
  deadline: 120,
  options: {
    ...{ rounds: Number(options.rounds), localSteps: 5, safeguard: false },
    random: { mode: "seeded", seed: "bench" },
  },
});
const connecting = performance.now();
const own = await open("curator", 0, { inboxPrefix: `_INBOX.mpmtl-curator.${RUN}` });
const connections = [];
/** So many at a time: TLS takes a server some milliseconds each. */
const AT_ONCE = 20;
for (let i = 0; i < names.length; i += AT_ONCE) {
  connections.push(
    ...(await Promise.all(names.slice(i, i + AT_ONCE).map((name, k) => open(name, (i + k) % 3)))),
  );
}
console.log(`connected in ${seconds(connecting)} s`);

let last = performance.now();
let used = process.cpuUsage();
const curatorsServer = () =>
  urls.findIndex((url) => url.endsWith(own.getServer().split(":").at(-1)));
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
async function restart(i) {
  const cwd = join(folder, `server-${i + 1}`);
  servers[i] = spawn("nats-server", ["-c", "server.conf"], { cwd, stdio: "ignore" });
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
    ...{ run: RUN, participant: names[i], agreed: planHash(plan), core },
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
