/**
 * All benches one after the other, so that none disturbs another.
 *
 *   npm run bench -- [--quick]
 *
 * Each prints its table and writes JSON to build/bench-*.json. Alone, with more options:
 * `node bench/kernels/run.js`, `node bench/estimators/trace-norm.js`, `node bench/estimators/private.js`,
 * `node bench/estimators/own-models.js`, `node bench/estimators/fit-kernels.js`,
 * `node bench/startup.js`, `node bench/kernels/noise.js`.
 */
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { parseArgs } from "./parse-args.js";

const { values } = parseArgs({ options: { quick: { type: "boolean", default: false } } });
const quick = values.quick ? ["--quick"] : [];
const BENCHES = [
  ["kernels/run.js", ...quick],
  ["estimators/trace-norm.js", ...quick],
  ["estimators/private.js", ...quick],
  ["startup.js"],
  ["kernels/noise.js", ...quick],
];

for (const [script, ...options] of BENCHES) {
  console.log(`\n== ${script} ${options.join(" ")}`);
  const path = fileURLToPath(new URL(script, import.meta.url));
  const { status } = spawnSync(process.execPath, [path, ...options], { stdio: "inherit" });
  if (status !== 0) process.exit(status ?? 1);
}
