/**
 * A run on secure sums over relays at a real cluster of three servers on this machine: every participant and every relay has a key, a TLS
 * connection and a state machine of its own. Curator and relays are a process each, and participants several, so that what each takes can be
 * told apart; the curator keeps its records in a bucket on all three servers.
 *
 *   node bench/federation/secure-cluster.js [--participants 1000] [--rounds 3] [--relays 10] [--above 0] [--leaves]
 *     [--cut 20] [--cut-round 2] [--colluding 10] [--drop-outs 50] [--processes 2] [--deadline 240]
 *
 * It needs `nats-server`, and Linux, whose counts of processor time and memory are read. --relays is how many add up what participants send,
 * --above how many add up what those do (0: one level, or two), --leaves gives each a leaf server, to which those beneath it connect.
 * --cut participants are cut off in --cut-round when they have masked their integers, until it is closed; the round waits a deadline for
 * them. --processes share the participants out, each of which answers when it is its turn there. In the end the models are compared, bit by bit, with those of plain sums of the same integers without relays or network.
 */
import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { fileURLToPath } from "node:url";
import { parseArgs } from "../parse-args.js";
import { modelsOfPlainSums } from "./cluster/plain-sums.js";
import { peakMegabytes, processorSeconds } from "./cluster/processes.js";
import { cutOff, makeRun } from "./cluster/secure-run.js";
import { clusterOf, makeCluster, makeRelays, startServer } from "./cluster/servers.js";

const number = (value) => ({ type: "string", default: String(value) });
const { values } = parseArgs({
  options: {
    participants: number(1000),
    rounds: number(3),
    relays: number(10),
    above: number(0),
    cut: number(20),
    "cut-round": number(2),
    colluding: number(10),
    "drop-outs": number(50),
    processes: number(2),
    deadline: number(240),
    leaves: { type: "boolean", default: false },
  },
});
const folder = mkdtempSync(join(tmpdir(), "mp-mtl-secure-cluster-"));
const started = [];
process.on("exit", () => {
  for (const one of started) one.kill("SIGKILL");
  rmSync(folder, { recursive: true, force: true });
});
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => process.exit(1));
const seconds = (since) => ((performance.now() - since) / 1000).toFixed(1);

const settings = {
  folder,
  participants: Number(values.participants),
  rounds: Number(values.rounds),
  relays: Number(values.relays),
  above: Number(values.above),
  cut: Number(values.cut),
  cutRound: Number(values["cut-round"]),
  colluding: Number(values.colluding),
  dropOuts: Number(values["drop-outs"]),
  deadline: Number(values.deadline),
  processes: Number(values.processes),
};
const run = makeRun(settings);
const before = performance.now();
makeCluster(folder, run.names);
const leaves = makeRelays(folder, run.relays, values.leaves);
settings.leaves = Object.fromEntries([...leaves].map(([relay, { port }]) => [relay, port]));
console.log(`${run.names.length} keys, and those of ${Object.keys(run.relays).length} relays, made in ${seconds(before)} s`); // prettier-ignore
for (const at of [...clusterOf(folder), ...leaves.values()]) started.push(await startServer(at));
const serverPids = started.map(({ pid }) => pid);

/**
 * A process of the run, connected when its promise resolves.
 * @param part which of the processes of that kind it is.
 */
async function startProcess(who, part = 0) {
  const script = fileURLToPath(new URL(`cluster/${who}-process.js`, import.meta.url));
  const execArgv = ["--max-old-space-size=8192"];
  const child = fork(script, [JSON.stringify({ ...settings, part })], { execArgv });
  started.push(child);
  const done = new Promise((resolve, reject) => {
    child.on("message", (message) => message.type === "done" && resolve(message));
    child.on("exit", (code) => reject(new Error(`the process of the ${who} ended with code ${code}`))); // prettier-ignore
  });
  done.catch((error) => {
    console.error(error.message);
    process.exit(1);
  });
  const [{ type }] = await once(child, "message");
  if (type !== "ready") throw new Error(`${who}: expected word that it is ready, got ${type}`);
  return { child, pid: child.pid, done };
}

const connecting = performance.now();
const curator = await startProcess("curator");
const relays = await startProcess("relays");
const participants = [];
for (let part = 0; part < settings.processes; part++) {
  participants.push(await startProcess("participants", part));
}
console.log(`connected in ${seconds(connecting)} s`);

const processorsOf = (pids) => pids.reduce((sum, pid) => sum + processorSeconds(pid), 0);
const processors = () => ({
  servers: processorsOf(serverPids),
  curator: processorSeconds(curator.pid),
  relays: processorSeconds(relays.pid),
  participants: processorsOf(participants.map(({ pid }) => pid)),
});
const rows = [];
const atFirst = processors();
let last = { at: performance.now(), used: atFirst, traffic: undefined };
function closed({ round, present }, traffic) {
  const now = { at: performance.now(), used: processors(), traffic };
  const spent = (who) => `${(now.used[who] - last.used[who]).toFixed(1)} s`;
  const since = (what) => traffic[what] - last.traffic[what];
  rows.push({
    round,
    present,
    clock: `${((now.at - last.at) / 1000).toFixed(1)} s`,
    servers: spent("servers"),
    curator: spent("curator"),
    relays: spent("relays"),
    participants: spent("participants"),
    "messages in": since("messagesIn"),
    "KB in": (since("bytesIn") / 1000).toFixed(0),
    "messages out": since("messagesOut"),
    "KB out": (since("bytesOut") / 1000).toFixed(0),
    "curator's peak": `${peakMegabytes(curator.pid).toFixed(0)} MB`,
  });
  last = now;
}
curator.child.on("message", ({ type, status, traffic }) => {
  if (type !== "status") return;
  if (status.kind === "started") {
    last = { at: performance.now(), used: processors(), traffic };
    const took = (last.used.curator - atFirst.curator).toFixed(1);
    console.log(`registered in ${seconds(registering)} s, ${took} s of a processor for the curator, its peak ${peakMegabytes(curator.pid).toFixed(0)} MB`); // prettier-ignore
  }
  if (status.kind === "closed") {
    closed(status, traffic);
    for (const { child } of participants) child.send({ closed: status.round });
    console.log(`round ${status.round}: ${JSON.stringify(rows.at(-1))}`);
  } else if (["attempt-failed", "awaiting-shares", "without-relay"].includes(status.kind)) {
    console.log(JSON.stringify(status));
  }
});
const registering = performance.now();
for (const { child } of [relays, ...participants, curator]) child.send({ type: "begin" });
const [{ charges }, { sums }, ...models] = await Promise.all([
  curator.done,
  relays.done,
  ...participants.map(({ done }) => done),
]);
console.log(`whole run in ${seconds(registering)} s, ${charges} charges, relays passed on ${sums.join(", ")} sums`); // prettier-ignore
console.table(rows);
const cut = new Set(cutOff(run.names, settings));
const plain = await modelsOfPlainSums(run, (name, round) => round !== settings.cutRound || !cut.has(name)); // prettier-ignore
const weights = Object.assign({}, ...models.map((of) => of.weights));
const same = plain.every((model, i) =>
  model.every((weight, j) => weight === weights[run.names[i]][j]),
);
console.log(same ? "the models are those of plain sums, to the bit" : "THE MODELS DIFFER");
process.exit(same ? 0 : 1);
