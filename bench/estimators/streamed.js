/**
 * Rows beyond memory: a file of rows is written, read once into the moments of its tasks, and the mixed model is fitted on
 * these; with the peak memory of the process, and the same with the whole table in memory where it is small enough.
 *
 *   node bench/estimators/streamed.js [--gigabytes 2] [--features 30] [--tasks 100] [--whole]
 *
 * Linux: the peak is VmHWM of /proc/self/status, of a process of its own for each way.
 */
import { spawnSync } from "node:child_process";
import { createWriteStream, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { fileURLToPath } from "node:url";
import { parseArgs } from "../parse-args.js";
import { momentsOfTables, seededUniforms, tasksFromTable } from "../../build/modules/data/index.js";
import { makeEstimator } from "../../build/modules/index.js";
import { readTable, readTables } from "../../build/modules/node/index.js";

const { values: options } = parseArgs({
  options: {
    gigabytes: { type: "string", default: "2" },
    features: { type: "string", default: "30" },
    tasks: { type: "string", default: "100" },
    whole: { type: "boolean", default: false },
    /** Of the processes that this one starts. */
    read: { type: "string" },
    file: { type: "string" },
  },
});

const peak = () =>
  Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync("/proc/self/status", "utf8"))[1]) / 1024;

/** Rows whose text has 8 characters a cell, of tasks in turn. */
async function writeRows(path, bytes, d, m) {
  const uniform = seededUniforms("streamed", "rows");
  const out = createWriteStream(path);
  const models = Array.from({ length: m }, () => Array.from({ length: d }, () => uniform() - 0.5));
  out.write(`site,${Array.from({ length: d }, (_, j) => `x${j + 1}`).join(",")},y\n`);
  let rows = 0;
  for (let written = 0; written < bytes;) {
    const lines = [];
    for (let k = 0; k < 2000; k++, rows++) {
      const own = models[rows % m];
      let y = uniform() - 0.5;
      let line = `s${rows % m}`;
      for (let j = 0; j < d; j++) {
        const x = 2 * uniform() - 1;
        y += own[j] * x;
        line += `,${x.toFixed(5)}`;
      }
      lines.push(`${line},${y.toFixed(5)}\n`);
    }
    const text = lines.join("");
    written += text.length;
    if (!out.write(text)) await once(out, "drain");
  }
  out.end();
  await once(out, "finish");
  return rows;
}

async function read(way, path) {
  const schema = { task: "site", target: "y" };
  const before = peak();
  const start = performance.now();
  const tasks =
    way === "moments"
      ? (await momentsOfTables(readTables(path), schema)).tasks
      : tasksFromTable(await readTable(path), schema).tasks;
  const seconds = (performance.now() - start) / 1000;
  const { user, system } = process.cpuUsage();
  const begun = performance.now();
  const fit = { epsilon: 1, delta: 1e-5, scale: "unit", random: { mode: "seeded", seed: 1 } };
  const model = await makeEstimator("mp-mixed", fit).fit(tasks);
  console.log(
    JSON.stringify({
      way,
      seconds,
      processor: (user + system) / 1e6,
      fit: performance.now() - begun,
      before,
      peak: peak(),
      first: model.weights[0],
    }),
  );
}

if (options.read) await read(options.read, options.file);
else {
  const folder = mkdtempSync(join(tmpdir(), "mp-mtl-streamed-"));
  try {
    const path = join(folder, "rows.csv");
    const [d, m] = [Number(options.features), Number(options.tasks)];
    const rows = await writeRows(path, Number(options.gigabytes) * 1e9, d, m);
    const size = statSync(path).size;
    console.log(`${rows} rows, ${d} features, ${m} tasks: ${(size / 1e9).toFixed(2)} GB of text`);
    for (const way of ["moments", ...(options.whole ? ["table"] : [])]) {
      const own = [fileURLToPath(import.meta.url), "--read", way, "--file", path];
      const { stdout, stderr, status } = spawnSync(process.execPath, own, { encoding: "utf8" });
      if (status !== 0) console.log(`${way}: failed\n${stderr.slice(-500)}`);
      else {
        const { seconds, processor, fit, before, peak, first } = JSON.parse(stdout);
        console.log(
          `${way}: read in ${seconds.toFixed(1)} s, ${processor.toFixed(1)} of a processor, fit in ${fit.toFixed(0)} ms, ` +
            `peak ${peak.toFixed(0)} MiB, ${before.toFixed(0)} of them before; first weight ${first}`,
        );
      }
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
}
