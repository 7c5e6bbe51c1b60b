/**
 * Times what a program pays before its first result: importing the package, compiling the kernels,
 * the first call; each in a fresh process of Node, best of several. And what a call costs when there
 * is nothing to do: the overhead of the public functions on 1 x 1 matrices.
 *
 *   node bench/startup.js [--out FILE]
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, statSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { performance } from "node:perf_hooks";
import { fileURLToPath } from "node:url";
import { parseArgs } from "./parse-args.js";
import { cholesky, eigh, gemm, svd } from "../dist/linalg.js";

const root = new URL("..", import.meta.url);
const { values: options } = parseArgs({
  options: {
    out: { type: "string", default: fileURLToPath(new URL("build/bench-startup.json", root)) },
  },
});
const url = (path) => JSON.stringify(new URL(path, root).href);
const RUNS = 15;

/** Milliseconds that `steps` take one after the other, each the best of fresh processes. */
function inFreshProcesses(setUp, steps) {
  const script =
    `const times = []; let start; ${setUp}\n` +
    steps
      .map((step) => `start = performance.now(); ${step}; times.push(performance.now() - start);`)
      .join("\n") +
    "console.log(JSON.stringify(times));";
  const runs = Array.from({ length: RUNS }, () => {
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      ["--input-type=module", "-e", script],
      { encoding: "utf8" },
    );
    if (status !== 0) throw new Error(stderr);
    return JSON.parse(stdout);
  });
  return steps.map((_, k) => Math.min(...runs.map((times) => times[k])));
}

const input = "const a = Float64Array.of(2, 1, 1, 2);";
const [importAll, compile, , firstEigh, secondEigh] = inFreshProcesses(input, [
  `var { initialize } = await import(${url("dist/index.js")})`,
  "initialize()",
  `var { eigh } = await import(${url("dist/linalg.js")})`,
  "eigh(a, 2)",
  "eigh(a, 2)",
]);
const [importLinalg, firstCall] = inFreshProcesses(input, [
  `var { eigh } = await import(${url("dist/linalg.js")})`,
  "eigh(a, 2)",
]);
const [fromModule] = inFreshProcesses(
  `import { readFileSync } from "node:fs";` +
    `const { initialize } = await import(${url("dist/index.js")});` +
    `const module = new WebAssembly.Module(readFileSync(new URL(${url("dist/kernels.wasm")})));`,
  ["initialize({ module })"],
);
const importing = (path) => inFreshProcesses("", [`await import(${url(path)})`])[0];
/** Milliseconds from the start of a process of Node to its end, best of several. */
function wholeProcess(...args) {
  const times = Array.from({ length: RUNS }, () => {
    const start = performance.now();
    const { status, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
    if (status !== 0) throw new Error(stderr);
    return performance.now() - start;
  });
  return Math.min(...times);
}
const program = fileURLToPath(new URL("dist/cli/main.js", root));
const data =
  `const { TaskSet, MpLowRank } = await import(${url("dist/index.js")});` +
  "const tasks = TaskSet.from([0, 1, 2, 3].map((i) => " +
  "({ name: String(i), x: [[1, 0], [0, 1]], y: [i, 1] })));";
const [firstFit] = inFreshProcesses(data, [
  'await new MpLowRank({ rounds: 5, random: { mode: "seeded", seed: 1 } }).fit(tasks)',
]);

/** Best mean time of a call over batches, microseconds. */
function overhead(call) {
  let best = Infinity;
  for (let batch = 0; batch < 50; batch++) {
    const start = performance.now();
    for (let k = 0; k < 2000; k++) call();
    best = Math.min(best, (performance.now() - start) / 2);
  }
  return best;
}
const one = Float64Array.of(2);
const results = {
  node: process.versions.node,
  milliseconds: {
    'import "mp-mtl"': importAll,
    'import "mp-mtl/linalg"': importLinalg,
    'import "mp-mtl/privacy" (no WebAssembly)': importing("dist/privacy/index.js"),
    'import "mp-mtl/node"': importing("dist/node/index.js"),
    'import "mp-mtl/federation"': importing("dist/federation/index.js"),
    "import of an empty module": inFreshProcesses("", ['await import("data:text/javascript,")'])[0],
    "compile the kernels from packed bytes": compile,
    "initialize({ module })": fromModule,
    "first eigh, compiling": firstCall,
    "first eigh, compiled": firstEigh,
    "second eigh": secondEigh,
    "first private fit (4 tasks, 5 rounds), compiling": firstFit,
    "a process of Node that does nothing": wholeProcess("-e", "0"),
    "mp-mtl help": wholeProcess(program, "help"),
    "mp-mtl fit --help": wholeProcess(program, "fit", "--help"),
  },
  callMicroseconds: {
    "gemm 1 x 1 x 1": overhead(() => gemm(one, one, 1, 1, 1)),
    "eigh 1": overhead(() => eigh(one, 1)),
    "svd 1 x 1": overhead(() => svd(one, 1, 1)),
    "cholesky 1": overhead(() => cholesky(one, 1)),
  },
  bytes: {
    "kernels.wasm": statSync(new URL("dist/kernels.wasm", root)).size,
    "packed base64, three builds": statSync(new URL("dist/core/builds/packed-bytes.js", root)).size,
  },
};

for (const [title, group] of Object.entries(results)) {
  if (title === "node") continue;
  for (const [name, value] of Object.entries(group)) {
    const figure =
      title === "bytes"
        ? `${value} bytes`
        : `${value.toFixed(2)} ${title === "milliseconds" ? "ms" : "µs"}`;
    console.log(`${name.padEnd(52)}${figure.padStart(14)}`);
  }
}
mkdirSync(dirname(options.out), { recursive: true });
writeFileSync(options.out, JSON.stringify(results, null, 1) + "\n");
console.log(`wrote ${options.out}`);
