/**
 * What a default private fit consists of: milliseconds in each kernel, by a timer around it, and outside of all; and how long the first
 * fits of a process take, of whose code the engine has compiled none or little.
 *
 *   node bench/estimators/fit-kernels.js [--rounds 50] [--fits 100] [--build FOLDER]
 *
 * Every number is the least of all fits, which take turns with whatever else the machine does. FOLDER is the root of another build of this package.
 */
import { performance } from "node:perf_hooks";
import { resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseArgs } from "../parse-args.js";
import { simulate } from "./simulate.js";

const { values: options } = parseArgs({
  options: {
    rounds: { type: "string", default: "50" },
    fits: { type: "string", default: "100" },
    build: { type: "string", default: fileURLToPath(new URL("../../", import.meta.url)) },
  },
});

/** Milliseconds and calls of one fit, by kernel. */
const spent = new Map();

function timed(name, kernel) {
  return (...parameters) => {
    const start = performance.now();
    const result = kernel(...parameters);
    const of = spent.get(name) ?? { ms: 0, calls: 0 };
    spent.set(name, { ms: of.ms + performance.now() - start, calls: of.calls + 1 });
    return result;
  };
}

const { WebAssembly: host } = globalThis;
const { Instance } = host;
host.Instance = function (...parameters) {
  const { exports } = new Instance(...parameters);
  const entries = Object.entries(exports).map(([name, value]) => [
    name,
    typeof value === "function" ? timed(name, value) : value,
  ]);
  return { exports: Object.fromEntries(entries) };
};

const path = pathToFileURL(resolve(options.build, "build/modules/index.js"));
const { makeEstimator, TaskSet } = await import(path);
const data = TaskSet.adopt(simulate({ m: 320, d: 30, n: 30 }).tasks.arrays());
const random = { mode: "seeded", seed: 1 };
const given = { rounds: Number(options.rounds), lambda: 0.1, clip: 10, random };

/** Of all fits: the least of a processor, and outside of kernels; the first few, by the clock and of a processor. */
const least = { fit: Infinity, outside: Infinity };
const first = [];
const kernels = new Map();
for (let k = 0; k < Number(options.fits); k++) {
  spent.clear();
  const [start, before] = [performance.now(), process.cpuUsage()];
  await makeEstimator("mp-low-rank", given).fit(data);
  const clock = performance.now() - start;
  const { user, system } = process.cpuUsage(before);
  const processor = (user + system) / 1000;
  let inside = 0;
  for (const [name, of] of spent) {
    inside += of.ms;
    if (of.ms < (kernels.get(name)?.ms ?? Infinity)) kernels.set(name, of);
  }
  least.fit = Math.min(least.fit, processor);
  least.outside = Math.min(least.outside, clock - inside);
  if (first.length < 5) first.push(`${clock.toFixed(0)} (${processor.toFixed(0)})`);
}

console.log(`ms by the clock, and of processors, of the first fits: ${first.join(", ")}`);
console.log(`least of a fit, of processors: ${least.fit.toFixed(1)}\n`);
console.log("| kernel | ms | calls |\n| --- | --- | --- |");
const sorted = [...kernels].toSorted(([, one], [, other]) => other.ms - one.ms);
for (const [name, { ms, calls }] of sorted.filter(([, of]) => of.ms >= 0.05)) {
  console.log(`| ${name} | ${ms.toFixed(2)} | ${calls} |`);
}
console.log(`| outside of kernels | ${least.outside.toFixed(2)} | |`);
