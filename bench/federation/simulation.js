/**
 * A federated run of thousands of tasks in one process, with drop-outs: time and memory per round as
 * the number of tasks grows, messages per round, and bytes per participant as features grow.
 *
 *   node bench/federation/simulation.js [--quick]
 *
 * Everything is there but the wire: one state machine for every participant, every message encoded
 * and decoded, all in one thread. Memory is the process's (resident set) when the last round closed.
 */
import { performance } from "node:perf_hooks";
import { parseArgs } from "node:util";
import { TaskSet } from "../../dist/index.js";
import { makePlan, simulateFederation } from "../../dist/federation/index.js";

const { values: options } = parseArgs({ options: { quick: { type: "boolean", default: false } } });
const ROWS = 10;
const DROP_OUT = 0.1;

/** Fixed numbers, nearly uniform, by a multiplicative congruential sequence. */
function source(seed) {
  let state = seed;
  return () => (state = (state * 48271) % 2147483647) / 2147483647 - 0.5;
}

function simulateTasks(m, d) {
  const uniform = source(m + d);
  const list = Array.from({ length: m }, (_, i) => {
    const rows = Array.from({ length: ROWS }, () => Float64Array.from({ length: d }, uniform));
    const x = new Float64Array(ROWS * d);
    rows.forEach((row, j) => {
      const norm = Math.hypot(...row);
      x.set(
        row.map((value) => value / norm),
        j * d,
      );
    });
    const y = Float64Array.from(rows, (row) => 10 * row[0] + uniform());
    return { name: `task-${String(i).padStart(6, "0")}`, x, y };
  });
  return TaskSet.from(list, { featureNames: Array.from({ length: d }, (_, j) => `x${j + 1}`) });
}

const METHODS = {
  "mp-low-rank": { method: "mp-low-rank", options: { rounds: 5, clip: 5, initialPenalty: 0.1 } },
  "mp-feature-learning": { method: "mp-feature-learning", options: { rounds: 2, choice: "local" } },
  pmtl: {
    method: "pmtl",
    options: { rounds: 5, sampling: { kind: "fixed-size", size: 0 }, localSteps: 5 },
  },
};

async function run({ name, m, d, participants = m }) {
  const tasks = simulateTasks(m, d);
  const { method, options: given } = METHODS[name];
  const sampled = given.sampling ? { sampling: { kind: "fixed-size", size: m / 10 } } : {};
  const plan = makePlan({
    run: "bench",
    method,
    features: tasks.featureNames,
    minimumTasks: m,
    quorum: 0.8,
    deadline: 5,
    options: { ...given, ...sampled, random: { mode: "seeded", seed: "bench" } },
  });
  globalThis.gc?.();
  const started = performance.now();
  let before = started;
  const times = [];
  const { rounds } = await simulateFederation({
    plan,
    tasks,
    participants,
    dropOut: DROP_OUT,
    onRound: () => {
      const now = performance.now();
      times.push(now - before);
      before = now;
    },
  });
  const seconds = (performance.now() - started) / 1000;
  // The first round holds registering and every task's own start.
  const later = rounds.slice(1);
  const mean = (pick) => later.reduce((sum, round) => sum + pick(round), 0) / later.length;
  return {
    method: name,
    tasks: m,
    participants,
    d,
    "first, s": (times[0] / 1000).toFixed(2),
    "round, s": (times.slice(1).reduce((a, b) => a + b, 0) / later.length / 1000).toFixed(3),
    "total, s": seconds.toFixed(1),
    "memory, MB": Math.round(process.memoryUsage().rss / 2 ** 20),
    "present, %": (
      (100 * mean(({ present }) => present)) /
      mean(({ expected }) => expected)
    ).toFixed(0),
    "messages in": Math.round(mean(({ messagesIn }) => messagesIn)),
    "messages out": Math.round(mean(({ messagesOut }) => messagesOut)) + 1,
    "bytes sent": Math.round(mean(({ bytesIn }) => bytesIn) / participants),
    "bytes received": Math.round(
      mean(({ bytesOut, bytesBroadcast }) => bytesBroadcast + bytesOut / participants),
    ),
  };
}

const growing = options.quick ? [100, 1000] : [100, 1000, 3000, 10_000];
const wide = options.quick ? [30] : [30, 300, 1000];
const rows = [];
for (const name of Object.keys(METHODS)) {
  for (const m of growing) rows.push(await run({ name, m, d: 30 }));
}
for (const name of Object.keys(METHODS)) {
  for (const d of wide) rows.push(await run({ name, m: 20, d }));
}

const columns = Object.keys(rows[0]);
console.log(`Drop-out ${100 * DROP_OUT} % a round, quorum 80 %, ${ROWS} rows a task.`);
console.log(`| ${columns.join(" | ")} |`);
console.log(`| ${columns.map(() => "---").join(" | ")} |`);
for (const row of rows) console.log(`| ${columns.map((column) => row[column]).join(" | ")} |`);
