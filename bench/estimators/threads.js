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
import { openTaskWorkers } from "../../dist/node/index.js";
import { CASES as ALL, fitOf, isBrief, wordsOf } from "./thread-cases.js";

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

const CASES = ALL.filter((one) => !options.quick || isBrief(one))
  .filter(([method]) => options.only === undefined || method === options.only)
  .filter(([, { entries }]) => !options.sparse || entries !== undefined);

const RUNS = options.quick ? 3 : 5;
/** Warming up: most fits, and milliseconds after which fewer will do. */
const WARM = { fits: 10, time: 5000 };
const COUNTS = [1, 2, 16];
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
for (const one of CASES) {
  const [method, size, given] = one;
  const fitWith = fitOf(one);
  const fit = (threads) => fitWith({ threads, workers: pools.get(threads) });
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
  const [[single], [two], [sixteen]] = COUNTS.map((count) => runs.get(count));
  for (const { model } of [two, sixteen]) {
    if (!model.weights.every((w, k) => Object.is(w, single.model.weights[k]))) {
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
  console.log(
    `| ${wordsOf(one)} ` +
      `| ${alone.toFixed(0)} | ${row.ratio.toFixed(2)} | ${row.two.toFixed(2)} | ${row.sixteen.toFixed(1)} ` +
      `| ${(100 * row.serial).toFixed(1)} % | ${row.cold.toFixed(0)} |`,
  );
}
for (const pool of pools.values()) pool.close();
mkdirSync(dirname(options.out), { recursive: true });
writeFileSync(options.out, `${JSON.stringify(rows, null, 2)}\n`);
