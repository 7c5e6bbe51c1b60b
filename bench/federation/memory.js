/**
 * Whether a curator's memory is bounded by the model, not by owners times rounds: runs of two sizes and two lengths in every form of sum,
 * the curator a process of its own with its records and past broadcasts on the disk, as `mp-mtl curator` keeps them.
 *
 *   node bench/federation/memory.js [--owners 8,32] [--rounds 24,96] [--features 30] [--forms plain,sampled,relays,secure,verified]
 *
 * Real parties over a network in memory, bridged to the curator's process. "MB" is what that process holds (heap and buffers, after a
 * collection) beyond what it held before the run, when half of the rounds and when all but the last were closed; "KB a round" is the difference,
 * for each round between. With "relays" half of the owners have one, "sampled" is Poisson at rate 0.5. Seconds are the curator's processor
 * time for a round, without the collections.
 */
import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "../parse-args.js";
import { openCore } from "../../build/modules/core/index.js";
import {
  joinRun,
  makePlan,
  MemoryNetwork,
  MemoryStore,
  newIdentity,
  planHash,
  randomBytesFrom,
  runCurator,
  runRelay,
} from "../../build/modules/federation/index.js";
import { realClock } from "../../build/modules/federation/protocol/machine/clock.js";
import { keyPair, runHelper } from "../../build/modules/federation/verified-sums/index.js";
import { openBroadcastFile, openRunFolder } from "../../build/modules/node/index.js";
import { simulateTasks } from "./owners.js";

const random = randomBytesFrom({ mode: "seeded", seed: "bench" });
const hex = (bytes) => Buffer.from(bytes).toString("hex");
const RELAY = "relay";

/** What is allocated once, compiled code among it, is there by the first. */
const measuredRounds = (rounds) => [Math.floor(rounds / 2), rounds - 1];

/** The child's part: a curator that speaks to its parent. */
async function beCurator({ plan, leader, folder }) {
  const held = () => {
    for (let k = 0; k < 3; k++) globalThis.gc();
    const { heapUsed, external } = process.memoryUsage();
    return heapUsed + external;
  };
  const cpu = () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1000;
  };
  const before = held();
  let handlers;
  process.on("message", ({ from, message }) => handlers?.message(from, message));
  const send = (to, message) => new Promise((done) => process.send({ to, message }, () => done()));
  await runCurator({
    plan,
    store: openRunFolder(join(folder, "state")),
    broadcasts: openBroadcastFile(folder),
    releases: openBroadcastFile(folder),
    ...(leader ? { leaderKey: leader } : {}),
    transport: {
      send,
      broadcast: (message) => send("", message),
      listen: (own) => {
        handlers = own;
        own.link("up");
      },
      close: () => Promise.resolve(),
    },
    onStatus: (status) => {
      const { kind, round } = status;
      if (kind !== "closed" || !measuredRounds(plan.options.rounds).includes(round)) return;
      const came = cpu();
      const bytes = held() - before;
      process.send({ closed: round, held: bytes, came, left: cpu() });
    },
  });
  process.disconnect();
}

function formOf(form, m) {
  const names = Array.from({ length: m }, (_, i) => `p${i}`);
  const identities = new Map(names.map((name) => [name, newIdentity(random)]));
  const [leader, helper] = [keyPair(random), keyPair(random)];
  const sampling = { adjacency: "zero-out", sampling: { kind: "poisson", rate: 0.5 } };
  const aggregation = {
    relays: {
      kind: "relays",
      participants: names.map((name, i) => (i % 2 ? { name } : { name, relay: RELAY })),
    },
    secure: {
      participants: names.map((name) => ({ name, identity: hex(identities.get(name).public) })),
      colluding: 1,
    },
    verified: {
      kind: "two-aggregators",
      leader: hex(leader.public),
      helper: { name: "helper", key: hex(helper.public) },
    },
  }[form];
  const own = aggregation ? { aggregation } : {};
  return { names, identities, leader, helper, own, options: form === "sampled" ? sampling : {} };
}

async function measure(form, m, rounds) {
  const tasks = simulateTasks(m, Number(options.features));
  const { names, identities, leader, helper, own, options: more } = formOf(form, m);
  const plan = makePlan({
    run: "bench",
    method: "pmtl",
    features: tasks.featureNames,
    deadline: 600,
    ...own,
    tasks: tasks.names.map((name, i) => ({ name, participant: names[i] })),
    options: { rounds, epsilon: 5, delta: 1e-6, localSteps: 2, safeguard: false, random: { mode: "seeded", seed: "bench" }, ...more }, // prettier-ignore
  });
  const folder = mkdtempSync(join(tmpdir(), "mp-mtl-memory-"));
  const child = fork(fileURLToPath(import.meta.url), ["--curator"], { execArgv: ["--expose-gc"], serialization: "advanced" }); // prettier-ignore
  const figures = new Map();
  const network = new MemoryNetwork(realClock, { random: Math.random, delay: 0, loss: 0, duplication: 0 }); // prettier-ignore
  const hub = network.curator();
  await once(child, "message");
  child.send({ plan, folder, ...(form === "verified" ? { leader: leader.secret } : {}) });
  child.on("message", ({ to, message, ...told }) => {
    if (told.closed) figures.set(told.closed, told);
    else void (to === "" ? hub.broadcast(message) : hub.send(to, message));
  });
  hub.listen({ message: (from, message) => child.connected && child.send({ from, message }), link: () => undefined }); // prettier-ignore
  const [core, agreed] = [openCore(), planHash(plan)];
  const common = { run: "bench", agreed };
  const joined = names.map((participant, i) =>
    joinRun({
      ...common,
      participant,
      core,
      store: new MemoryStore(),
      data: tasks.select([tasks.names[i]]),
      identity: identities.get(participant).secret,
      transport: network.participant(participant),
    }),
  );
  if (form === "relays") joined.push(runRelay({ ...common, relay: RELAY, transport: network.participant(RELAY) })); // prettier-ignore
  if (form === "verified") joined.push(runHelper({ ...common, helper: "helper", key: helper.secret, store: new MemoryStore(), transport: network.participant("helper") })); // prettier-ignore
  const ended = once(child, "exit");
  await Promise.all(joined);
  await ended;
  rmSync(folder, { recursive: true, force: true });
  const [half, last] = measuredRounds(rounds).map((round) => figures.get(round));
  const between = rounds - 1 - Math.floor(rounds / 2);
  return {
    form,
    owners: m,
    rounds,
    "MB, half of them": (half.held / 1e6).toFixed(2),
    "MB, last but one": (last.held / 1e6).toFixed(2),
    "KB a round": ((last.held - half.held) / 1e3 / between).toFixed(2),
    "ms a round": ((last.came - half.left) / between).toFixed(1),
    "ms a round and owner": ((last.came - half.left) / between / m).toFixed(3),
  };
}

let options;
if (process.argv[2] === "--curator") {
  process.once("message", (settings) => void beCurator(settings));
  process.send({ ready: true });
} else {
  ({ values: options } = parseArgs({
    options: {
      owners: { type: "string", default: "8,32" },
      rounds: { type: "string", default: "24,96" },
      features: { type: "string", default: "30" },
      forms: { type: "string", default: "plain,sampled,relays,secure,verified" },
    },
  }));
  const rows = [];
  for (const form of options.forms.split(",")) {
    for (const m of options.owners.split(",").map(Number)) {
      for (const rounds of options.rounds.split(",").map(Number)) {
        rows.push(await measure(form, m, rounds));
      }
    }
  }
  console.table(rows);
}
