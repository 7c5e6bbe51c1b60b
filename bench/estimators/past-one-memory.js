/**
 * Private fits of more rows than one WebAssembly memory holds, spread over the memories of threads: time, processor time
 * and the process's peak, each fit in a process of its own.
 *
 *   node bench/estimators/past-one-memory.js [--size 1400x5000x100] [--cases 0,1,...] [--threads auto,3]
 *
 * Sizes are tasks x rows a task x features, in 64 bits: 5.2 GiB by default. Where rows lie in shared memory
 * (SharedArrayBuffer), workers read them there; else each is sent a copy of its own. It takes 14 GiB.
 */
import { spawnSync } from "node:child_process";
import { performance } from "node:perf_hooks";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { parseArgs } from "../parse-args.js";
import { makeEstimator, TaskSet } from "../../build/modules/index.js";
import { lehmer } from "../uniform-draws.js";
import { openTaskWorkers } from "../../build/modules/node/index.js";

const random = { mode: "seeded", seed: 1 };
const common = { epsilon: 1, rounds: 30, random };
const alone = { safeguard: false, initial: "zeros" };
const CASES = [
  { method: "mp-low-rank", given: common, shared: true },
  { method: "mp-low-rank", given: common, shared: false },
  { method: "mp-low-rank", given: { ...common, ...alone, loss: "logistic" }, shared: true },
  { method: "pmtl", given: common, shared: true },
  { method: "pmtl", given: { ...common, safeguard: false, loss: "logistic" }, shared: true },
];
const { values: options } = parseArgs({
  options: {
    size: { type: "string", default: "1400x5000x100" },
    threads: { type: "string", default: "auto,3" },
    cases: { type: "string", default: CASES.map((_, k) => k).join(",") },
    one: { type: "boolean", default: false },
  },
});
const GIB = 2 ** 30;

/** Rows within the unit ball, a model and noise, one after another so that nothing else is held. */
function tasksOf([m, n, d], { given, shared }) {
  const draw = lehmer(1);
  const uniform = () => draw() - 0.5;
  const array = (length) =>
    shared ? new Float64Array(new SharedArrayBuffer(8 * length)) : new Float64Array(length);
  const [x, y] = [array(m * n * d), array(m * n)];
  const scale = 1.9 / Math.sqrt(d);
  const w = Float64Array.from({ length: d }, uniform);
  for (let row = 0; row < m * n; row++) {
    let margin = 0;
    for (let j = 0; j < d; j++) {
      const value = scale * uniform();
      x[row * d + j] = value;
      margin += w[j] * value;
    }
    y[row] = given.loss === "logistic" ? Number(margin > 0) : margin + 0.1 * uniform();
  }
  return TaskSet.adopt({
    x,
    y,
    targetName: "y",
    offsets: Uint32Array.from({ length: m + 1 }, (_, i) => i * n),
    names: Array.from({ length: m }, (_, i) => `t${i}`),
    featureNames: Array.from({ length: d }, (_, j) => `x${j}`),
  });
}

async function one(size, at, threads) {
  const { method, given, shared } = CASES[at];
  const tasks = tasksOf(size, CASES[at]);
  const workers = openTaskWorkers(Math.max(2, Number(threads) || 2));
  const [start, before] = [performance.now(), process.cpuUsage()];
  const model = await makeEstimator(method, given).fit(tasks, {
    workers,
    threads: threads === "auto" ? threads : Number(threads),
  });
  const seconds = (performance.now() - start) / 1000;
  const { user, system } = process.cpuUsage(before);
  workers.close();
  const data = 8 * tasks.size * (tasks.d + 1);
  const peak = process.resourceUsage().maxRSS * 1024;
  const words = [
    method,
    given.loss ?? "squared",
    ...(given.safeguard === false ? ["no fallback"] : []),
  ];
  console.log(
    `| ${words.join(", ")} | ${shared ? "shared" : "copied"} | ${threads}: ${model.threads.used} | ${(data / GIB).toFixed(2)} | ` +
      `${(peak / GIB).toFixed(2)} | ${(peak / data).toFixed(2)} | ${seconds.toFixed(0)} | ${((user + system) / 1e6).toFixed(0)} |`,
  );
}

const size = options.size.split("x").map(Number);
if (options.one) {
  await one(size, Number(options.cases), options.threads);
} else {
  console.log(
    "| method, loss | rows | threads | data, GiB | peak, GiB | times the data | s | of processors |\n" +
      "| --- | --- | --- | --- | --- | --- | --- | --- |",
  );
  for (const at of options.cases.split(",")) {
    for (const threads of options.threads.split(",")) {
      const given = ["--one", "--size", options.size, "--cases", at, "--threads", threads];
      const { status } = spawnSync(process.execPath, [fileURLToPath(import.meta.url), ...given], {
        stdio: ["ignore", "inherit", "inherit"],
      });
      if (status !== 0) process.exit(status ?? 1);
    }
  }
}
