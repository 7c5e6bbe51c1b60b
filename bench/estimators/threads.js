/**
 * Fits on one thread, on two and on sixteen, side by side, for every method whose tasks can be spread.
 *
 *   node bench/estimators/threads.js [--quick] [--only METHOD] [--sparse] [--out FILE]
 *
 * Beside the time on the clock, which is what this machine had left, stands the time that threads spent on a processor
 * (Linux: /proc/self/task). A fit on P processors of its own ends when its busiest thread does, since the threads wait
 * for each other only once a round; so one thread's time over that of the busiest of P is the gain to expect there, and
 * what the fit's own thread does beyond a worker's share is serial. Models are compared to the bit.
 *
 * Workers are up and warm: every number of threads has workers of its own, which have run the same fit until the engine has
 * compiled what it is going to (ten times, or for five seconds); and every fit that counts follows one on as many threads, since what
 * a fit leaves to be collected is paid for by the next. What the first fit on two threads took, its worker up but
 * cold, stands in the last column.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { loadavg } from "node:os";
import { dirname } from "node:path";
import { performance } from "node:perf_hooks";
import { fileURLToPath } from "node:url";
import { parseArgs } from "../parse-args.js";
import { makeEstimator, TaskSet } from "../../dist/index.js";
import { openTaskWorkers } from "../../dist/node/index.js";
import { simulate, simulateSparse } from "./simulate.js";

const { values: options } = parseArgs({
  options: {
    quick: { type: "boolean", default: false },
    only: { type: "string" },
    sparse: { type: "boolean", default: false },
    out: {
      type: "string",
      default: fileURLToPath(new URL("../../build/bench-threads.json", import.meta.url)),
    },
  },
});

const plain = { m: 320, d: 30, n: 30 };
const small = { m: 128, d: 20, n: 30 };
/** Rows of five entries each. */
const sparse = { m: 1000, d: 300, n: 50, entries: 5 };
const CASES = [
  ["mp-low-rank", plain, {}],
  ["mp-low-rank", plain, { loss: "logistic" }],
  ["mp-low-rank", { m: 1000, d: 100, n: 50 }, { safeguard: false }],
  ["mp-low-rank", { m: 10000, d: 100, n: 5 }, { safeguard: false }],
  ["mp-group-sparse", plain, {}],
  ["mp-low-rank-sparse", plain, {}],
  ["mp-feature-learning", plain, {}],
  ["mp-hierarchical", plain, {}],
  ["mp-mixed", small, { scale: "unit" }],
  ["mp-mixed", small, { scale: "unit", loss: "logistic" }],
  ["mp-mixed", plain, { scale: "unit", unit: "record" }],
  ["mp-subspace", plain, {}],
  ["pmtl", plain, {}],
  ["pmtl", plain, { loss: "logistic" }],
  ["private-fedavg", plain, {}],
  ["private-fedavg", small, { model: "network" }],
  ["private-fedprox", plain, {}],
  ["pmtl-projected", plain, {}],
  ["ppsgd", plain, {}],
  ["joint-dp-sgd", plain, {}],
  ["mixed-model", plain, { scale: "unit" }],
  ["mixed-model", plain, {}],
  ["mixed-model", small, { scale: "unit", loss: "logistic" }],
  ["single-task", { m: 1000, d: 100, n: 50 }, { lambda: 0.1 }],
  ["single-task", { m: 1000, d: 60, n: 60 }, { penalty: "l1", lambda: 0.1 }],
  ["single-task", plain, { loss: "logistic", penalty: "l1", lambda: 0.001 }],
  ["single-task", plain, { loss: "logistic" }],
  ["single-task", plain, { loss: "softmax" }],
  ["group-sparse", { m: 1000, d: 60, n: 60 }, {}],
  ["group-sparse", { m: 1000, d: 60, n: 60 }, { loss: "logistic" }],
  ["group-sparse", plain, { loss: "logistic", lambda: 0.01 }],
  ["group-sparse", { m: 1000, d: 100, n: 20 }, {}],
  ["trace-norm", { m: 1000, d: 60, n: 60 }, {}],
  ["trace-norm", { m: 1000, d: 60, n: 60 }, { loss: "logistic" }],
  ["trace-norm", plain, { loss: "logistic", lambda: 0.01 }],
  ["low-rank-sparse", { m: 1000, d: 60, n: 60 }, {}],
  ["low-rank-sparse", plain, {}],
  ["low-rank-sparse", { m: 1000, d: 60, n: 10 }, {}],
  ["task-relationship", { m: 1000, d: 60, n: 60 }, {}],
  ["mean-regularized", { m: 1000, d: 60, n: 60 }, {}],
  ["mean-regularized", { m: 1000, d: 60, n: 60 }, { loss: "logistic" }],
  ["mean-regularized", plain, {}],
  ["mean-regularized", plain, { loss: "logistic" }],
  ["single-task", sparse, {}],
  ["single-task", sparse, { loss: "logistic" }],
  ["trace-norm", { ...sparse, m: 400, d: 100 }, { loss: "logistic" }],
  ["low-rank-sparse", { ...sparse, m: 400, d: 100 }, {}],
  ["group-sparse", sparse, {}],
  ["group-sparse", sparse, { loss: "logistic", lambda: 0.01 }],
  ["task-relationship", sparse, {}],
  ["mean-regularized", sparse, {}],
  ["mean-regularized", sparse, { loss: "logistic" }],
]
  .filter(([, , { scale: _scale, ...given }]) => !options.quick || Object.keys(given).length === 0)
  .filter(([method]) => options.only === undefined || method === options.only)
  .filter(([, { entries }]) => !options.sparse || entries !== undefined);

/** Methods without noise. */
const PLAIN = new Set([
  "single-task",
  "mixed-model",
  "group-sparse",
  "trace-norm",
  "low-rank-sparse",
  "task-relationship",
  "mean-regularized",
]);

const RUNS = options.quick ? 3 : 5;
/** Warming up: most fits, and milliseconds after which fewer will do. */
const WARM = { fits: 10, time: 5000 };
const COUNTS = [1, 2, 16];
const random = { mode: "seeded", seed: 1 };

/** What a target is taken for, by loss: one of two labels, or of three. */
const LABELS = {
  logistic: (value) => (value > 0 ? 1 : 0),
  softmax: (value) => (value > 0.1 ? 2 : value > -0.1 ? 1 : 0),
};

/** The same task set with labels. */
function labelled(tasks, labelOf) {
  return TaskSet.adopt({ ...tasks.arrays(), y: tasks.y.map(labelOf) });
}

/** Milliseconds on a processor of every thread of this process, by its number; empty off Linux. */
function processorTimes() {
  try {
    const threads = readdirSync("/proc/self/task");
    return new Map(
      threads.map((id) => {
        const text = readFileSync(`/proc/self/task/${id}/schedstat`, "utf8");
        return [Number(id), Number(text.split(" ")[0]) / 1e6];
      }),
    );
  } catch {
    return new Map();
  }
}

/** One fit: clock, and processor time of its own thread and of the busiest others. */
async function timed(fit, threads) {
  const before = processorTimes();
  const start = performance.now();
  const model = await fit(threads);
  const clock = performance.now() - start;
  const spent = [...processorTimes()].map(([id, time]) => [id, time - (before.get(id) ?? 0)]);
  const own = spent.find(([id]) => id === process.pid)?.[1] ?? NaN;
  const others = spent.filter(([id]) => id !== process.pid).map(([, time]) => time);
  const workers = others.sort((a, b) => b - a).slice(0, threads - 1);
  return { model, clock, own, workers };
}

const least = (runs, of) => runs.reduce((best, run) => Math.min(best, of(run)), Infinity);
const pools = new Map(COUNTS.map((count) => [count, openTaskWorkers(count)]));
const rows = [];
console.log(`load of the machine: ${loadavg()[0].toFixed(1)} on its processors\n`);
console.log(
  "| method, m x n x d | ms, one thread | clock, 2 | busiest thread, 2 | busiest, 16 | serial part | ms, 2, cold |\n" +
    "| --- | --- | --- | --- | --- | --- | --- |",
);
for (const [method, size, given] of CASES) {
  const tasks = size.entries ? simulateSparse(size) : simulate(size).tasks;
  const data = given.loss ? labelled(tasks, LABELS[given.loss]) : tasks;
  const clip = /^mp-.*(rank|group)/.test(method) ? { clip: 10 } : {};
  const noise = PLAIN.has(method) ? {} : { epsilon: 1, random };
  const fit = (threads) =>
    makeEstimator(method, { ...noise, ...clip, ...given }).fit(data, {
      threads,
      workers: pools.get(threads),
    });
  const runs = new Map(COUNTS.map((count) => [count, []]));
  const cold = await timed(fit, 2);
  for (const count of COUNTS) {
    const start = performance.now();
    for (let k = 0; k < WARM.fits && performance.now() - start < WARM.time; k++) await fit(count);
  }
  for (let run = 0; run < RUNS; run++) {
    for (const count of COUNTS) {
      await fit(count);
      runs.get(count).push(await timed(fit, count));
    }
  }
  const [[one], [two], [sixteen]] = COUNTS.map((count) => runs.get(count));
  for (const { model } of [two, sixteen]) {
    if (!model.weights.every((w, k) => Object.is(w, one.model.weights[k]))) {
      throw new Error(`${method}: other models on several threads`);
    }
  }
  const busiest = (count) =>
    least(runs.get(count), ({ own, workers: all }) => Math.max(own, ...all));
  const alone = least(runs.get(1), ({ own }) => own);
  const clock = (count) => least(runs.get(count), (run) => run.clock);
  const mean = ({ workers: all }) => all.reduce((a, b) => a + b, 0) / all.length;
  const row = {
    method,
    ...size,
    given,
    processor: alone,
    clock1: clock(1),
    ratio: clock(1) / clock(2),
    two: alone / busiest(2),
    sixteen: alone / busiest(16),
    cold: Math.max(cold.own, ...cold.workers),
    serial: least(runs.get(16), (run) => Math.max(run.own - mean(run), 0)) / alone,
  };
  rows.push(row);
  const words = Object.entries(given).filter(([name]) => name !== "scale");
  console.log(
    `| ${method}${words.map(([name, value]) => `, ${name} ${value}`).join("")}, ${size.m} x ${size.n} x ${size.d}` +
      `${size.entries ? `, ${size.entries} entries a row` : ""} ` +
      `| ${alone.toFixed(0)} | ${row.ratio.toFixed(2)} | ${row.two.toFixed(2)} | ${row.sixteen.toFixed(1)} ` +
      `| ${(100 * row.serial).toFixed(1)} % | ${row.cold.toFixed(0)} |`,
  );
}
for (const pool of pools.values()) pool.close();
mkdirSync(dirname(options.out), { recursive: true });
writeFileSync(options.out, `${JSON.stringify(rows, null, 2)}\n`);
