/**
 * Memory of fits at large sizes, each in a process of its own: the largest WebAssembly memory, in blocks beyond the
 * data, and the process's peak, which has the task set's own arrays, the kernels' copy and the host in it.
 *
 *   node bench/estimators/memory.js [--sizes 1000x200x1000,20x2000x50] [--methods mp-low-rank,...]
 *
 * Sizes are tasks x features x rows a task.
 */
import { spawnSync } from "node:child_process";
import { performance } from "node:perf_hooks";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { parseArgs } from "../parse-args.js";
import { lambdaMax, makeEstimator, TaskSet } from "../../build/modules/index.js";
import { lehmer } from "../uniform-draws.js";

const random = { mode: "seeded", seed: 1 };
const METHODS = {
  "mp-low-rank": { rounds: 2, clip: 10, initial: "zeros", random },
  "mp-low-rank float32": { rounds: 2, clip: 10, initial: "zeros", random, rowPrecision: "float32" },
  "mp-feature-learning": { clip: 10, random },
  // lambda times the one from which on the solution is zero, with nothing to be held in memory.
  "trace-norm": { lambda: 0.1, maxRounds: 20 },
  "group-sparse": { lambda: 0.1, maxRounds: 5 },
};
const { values: options } = parseArgs({
  options: {
    sizes: { type: "string", default: "1000x200x1000,20x2000x50" },
    methods: { type: "string", default: Object.keys(METHODS).join(",") },
    one: { type: "boolean", default: false },
    "lambda-max": { type: "string" },
  },
});

/** Tasks of rows within the unit ball, with models of rank 3 and noise; adopted, so that their arrays exist once. */
function tasksOf(m, d, n) {
  const draw = lehmer(1);
  const uniform = () => draw() - 0.5;
  const scale = 1.9 / Math.sqrt(d);
  const x = Float64Array.from({ length: m * n * d }, () => scale * uniform());
  const shared = Array.from({ length: 3 }, () => Float64Array.from({ length: d }, uniform));
  const y = new Float64Array(m * n);
  for (let i = 0; i < m; i++) {
    const own = shared.map(uniform);
    const w = shared[0].map((_, j) => own.reduce((sum, c, k) => sum + c * shared[k][j], 0));
    for (let row = i * n; row < (i + 1) * n; row++) {
      y[row] = w.reduce((sum, wj, j) => sum + wj * x[row * d + j], 0) + 0.1 * uniform();
    }
  }
  return TaskSet.adopt({
    x,
    y,
    offsets: Uint32Array.from({ length: m + 1 }, (_, i) => i * n),
    names: Array.from({ length: m }, (_, i) => `t${i}`),
    featureNames: Array.from({ length: d }, (_, j) => `x${j}`),
    targetName: "y",
  });
}

const sizesOf = (size) => size.split("x").map(Number);

async function one(size, method) {
  const [m, d, n] = sizesOf(size);
  const { lambda, ...rest } = METHODS[method];
  const penalised = lambda && { lambda: lambda * Number(options["lambda-max"]) };
  const memories = [];
  const { Instance } = globalThis.WebAssembly;
  globalThis.WebAssembly.Instance = class extends Instance {
    constructor(...parameters) {
      super(...parameters);
      memories.push(this.exports.memory);
    }
  };
  const tasks = tasksOf(m, d, n);
  const start = performance.now();
  const model = await makeEstimator(method.split(" ")[0], { ...rest, ...penalised }).fit(tasks);
  const seconds = (performance.now() - start) / 1000;
  if (model.weights.every((weight) => weight === 0))
    throw new Error(`${method}: the solution is zero`);
  const bytes = Math.max(...memories.map(({ buffer }) => buffer.byteLength));
  const data = 8 * m * n * (d + 1);
  const mib = (x) => (x / 2 ** 20).toFixed(0);
  const peak = process.resourceUsage().maxRSS * 1024;
  console.log(
    `| ${m} | ${d} | ${n} | \`${method}\` | ${mib(data)} | ${mib(bytes)} | ` +
      `${((bytes - data) / (8 * m * d)).toFixed(1)} | ${((bytes - data) / (8 * d * d)).toFixed(1)} | ` +
      `${mib(peak)} | ${mib(peak - 2 * data)} | ${seconds.toFixed(1)} |`,
  );
}

/** Runs this script in another process. */
function inOwnProcess(more, stdio) {
  const { status, stdout } = spawnSync(
    process.execPath,
    [fileURLToPath(import.meta.url), ...more],
    { stdio: ["ignore", stdio, "inherit"], encoding: "utf8" },
  );
  if (status !== 0) process.exit(status ?? 1);
  return stdout;
}

if (options.one && options["lambda-max"] === "") {
  const penalty = options.methods;
  console.log(lambdaMax(tasksOf(...sizesOf(options.sizes)), { penalty }));
} else if (options.one) {
  await one(options.sizes, options.methods);
} else {
  console.log(
    "| m | d | n | method | data, MiB | WebAssembly, MiB | beyond it, m d | or d^2 | peak, MiB | beyond twice the data | s |\n" +
      "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |",
  );
  for (const size of options.sizes.split(",")) {
    for (const method of options.methods.split(",")) {
      const given = ["--one", "--sizes", size, "--methods", method, "--lambda-max"];
      const largest = METHODS[method].lambda && inOwnProcess([...given, ""], "pipe");
      inOwnProcess([...given, largest ?? "none"], "inherit");
    }
  }
}
