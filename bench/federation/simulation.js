/**
 * A federated run in one process. First table: time and memory per round as tasks grow, with
 * drop-outs. Second table: messages per round and bytes per participant as features grow, without.
 *
 *   node --expose-gc bench/federation/simulation.js [--quick] [--method NAME] [--table tasks|features] [--tasks 100,1000]
 *
 * Everything is there but the wire: a state machine for every participant with one task each, every
 * message encoded, and decoded by everyone who gets it, all in one thread. Memory is the process's
 * (resident set) when the last round closed, with what was not collected yet and what earlier rows of the table left: for one figure
 * give --method and one number of --tasks. "live" is what is left of it then when all garbage is collected. "times local" is the whole run's time over that of a
 * local fit of the same plan in the same process.
 */
import { performance } from "node:perf_hooks";
import { parseArgs } from "../parse-args.js";
import { makePlan, simulateFederation } from "../../build/modules/federation/index.js";
import { makeEstimator } from "../../build/modules/learning/index.js";
import { simulateTasks } from "./owners.js";

const { values: options } = parseArgs({
  options: {
    quick: { type: "boolean", default: false },
    method: { type: "string" },
    table: { type: "string" },
    tasks: { type: "string" },
  },
});
const DROP_OUT = 0.1;
const QUORUM = 0.8;

const METHODS = {
  "mp-low-rank": { rounds: 5, clip: 5, initialPenalty: 0.1 },
  "mp-feature-learning": { rounds: 2, choice: "local", priorStrength: 1e-3, safeguard: false },
  pmtl: { rounds: 5, localSteps: 5, safeguard: false },
};

function planFor(method, tasks) {
  return makePlan({
    run: "bench",
    method,
    features: tasks.featureNames,
    minimumTasks: tasks.m,
    quorum: QUORUM,
    deadline: 5,
    options: { ...METHODS[method], random: { mode: "seeded", seed: "bench" } },
  });
}

function memoryNow() {
  const { rss } = process.memoryUsage();
  globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  return { rss, live: heapUsed + external };
}

/** Runs a plan; what every round took, in milliseconds too. */
async function timed(plan, tasks, dropOut) {
  globalThis.gc?.();
  const started = performance.now();
  let before = started;
  const times = [];
  let memory;
  const { rounds } = await simulateFederation({
    plan,
    tasks,
    dropOut,
    onRound: ({ round }) => {
      times.push(performance.now() - before);
      if (round === plan.options.rounds) memory = memoryNow();
      before = performance.now();
    },
  });
  return { rounds, times, memory, seconds: (performance.now() - started) / 1000 };
}

const meanOf = (list, pick) => list.reduce((sum, item) => sum + pick(item), 0) / list.length;

async function growing(method, m) {
  const tasks = simulateTasks(m, 30);
  const plan = planFor(method, tasks);
  const alone = performance.now();
  await makeEstimator(method, plan.options).fit(tasks);
  const local = (performance.now() - alone) / 1000;
  const { rounds, times, memory, seconds } = await timed(plan, tasks, DROP_OUT);
  // The first round holds registering and every task's own start.
  const later = rounds.slice(1);
  const present =
    meanOf(later, (round) => round.present) / meanOf(later, (round) => round.expected);
  return {
    method,
    tasks: m,
    "start, s": (times[0] / 1000).toFixed(2),
    "round, s": (meanOf(times.slice(1), (time) => time) / 1000).toFixed(3),
    "ms per task": (meanOf(times.slice(1), (time) => time) / m).toFixed(2),
    "whole run, times local": (seconds / local).toFixed(0),
    "memory, MB": Math.round(memory.rss / 2 ** 20),
    "live, MB": Math.round(memory.live / 2 ** 20),
    "present, %": (100 * present).toFixed(0),
    "messages in": Math.round(meanOf(later, (round) => round.messagesIn)),
    "messages out": Math.round(meanOf(later, (round) => round.messagesOut)),
  };
}

async function wide(method, d) {
  const tasks = simulateTasks(20, d);
  const { rounds } = await timed(planFor(method, tasks), tasks, 0);
  // Between the first and the last, whose message holds the guarantee.
  const { messagesIn, messagesOut, bytesIn, bytesBroadcast } = rounds[1];
  return {
    method,
    d,
    "messages in per participant": messagesIn / 20,
    "messages to one": messagesOut,
    "bytes sent per participant": Math.round(bytesIn / 20),
    "bytes received per participant": Math.round(bytesBroadcast),
  };
}

function print(rows) {
  const columns = Object.keys(rows[0]);
  console.log(`| ${columns.join(" | ")} |`);
  console.log(`| ${columns.map(() => "---").join(" | ")} |`);
  for (const row of rows) console.log(`| ${columns.map((column) => row[column]).join(" | ")} |`);
}

const methods = options.method ? [options.method] : Object.keys(METHODS);
const given = options.tasks?.split(",").map(Number);
const tables = [
  ["tasks", given ?? (options.quick ? [100, 1000] : [100, 1000, 3000, 10_000]), growing],
  ["features", options.quick ? [30] : [30, 300, 1000], wide],
];
const TITLES = {
  tasks: `Drop-out ${100 * DROP_OUT} % a round, quorum ${100 * QUORUM} %, d = 30`,
  features: "One round, nobody missing",
};
for (const [name, sizes, measure] of tables) {
  if (options.table && options.table !== name) continue;
  const rows = [];
  for (const method of methods) for (const size of sizes) rows.push(await measure(method, size));
  console.log(`\n${TITLES[name]}:`);
  print(rows);
}
