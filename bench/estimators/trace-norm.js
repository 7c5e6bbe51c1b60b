/**
 * Times `TraceNorm` to a certified relative gap of 1e-6 against NumPy (where python3 has it) to an
 * objective within 1e-6 of the optimum, which it is told: NumPy gets no certificate and pays for none.
 *
 *   npm run bench:estimators -- [--quick]
 *
 * The data are simulated: unit rows, models of rank 5; and the School data of the sibling folder
 * `../shared`, where it is there. Best of several runs.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { fileURLToPath } from "node:url";
import { parseArgs } from "../parse-args.js";
import { lambdaMax, TraceNorm } from "../../build/modules/index.js";
import { schoolTasks } from "./school.js";
import { simulate } from "./simulate.js";

const { values: options } = parseArgs({ options: { quick: { type: "boolean", default: false } } });
const CASES = [
  { school: true, m: 139, d: 28, runs: 10 },
  { m: 139, d: 28, n: 33, share: 0.05, runs: 8 },
  { m: 320, d: 30, n: 30, share: 0.1, runs: 5 },
  { m: 1000, d: 300, n: 50, share: 0.1, runs: 2 },
].filter(({ d }) => !options.quick || d < 100);

const folder = mkdtempSync(join(tmpdir(), "mp-mtl-bench-"));
try {
  for (const size of CASES) {
    const { m, d, n, share, runs, school } = size;
    const problem = school ? schoolTasks() : simulate(size);
    if (!problem) {
      console.log("(no School data beside the project)");
      continue;
    }
    const { x, y, tasks } = problem;
    const lossScale = "sum";
    const lambda = school ? 100 : share * lambdaMax(tasks, { penalty: "trace-norm", lossScale });
    const sizes = Array.from(tasks.taskSizes);
    const best = await new TraceNorm({ lambda, lossScale, tolerance: 1e-9 }).fit(tasks);
    let milliseconds = Infinity;
    let rounds = 0;
    for (let run = 0; run < runs; run++) {
      const start = performance.now();
      const model = await new TraceNorm({ lambda, lossScale, tolerance: 1e-6 }).fit(tasks);
      milliseconds = Math.min(milliseconds, performance.now() - start);
      rounds = model.rounds;
    }
    const file = join(folder, "data.bin");
    writeFileSync(file, Buffer.concat([x, y].map(({ buffer }) => Buffer.from(buffer))));
    const argument = JSON.stringify({ d, sizes, lambda, target: best.objective });
    const script = fileURLToPath(new URL("numpy_trace_norm.py", import.meta.url));
    const { status, stdout } = spawnSync("python3", [script, file, argument], {
      encoding: "utf8",
      env: { ...process.env, OPENBLAS_NUM_THREADS: "1", OMP_NUM_THREADS: "1" },
    });
    const numpy = status === 0 ? JSON.parse(stdout) : undefined;
    const rival = numpy
      ? `numpy ${numpy.milliseconds.toFixed(0)} ms, ${numpy.iterations} iterations, ratio ` +
        (milliseconds / numpy.milliseconds).toFixed(2)
      : "numpy not found";
    console.log(
      `${school ? "School, " : ""}m ${m}, d ${d}, n ${n ?? "22 to 76"}, rank ${best.figures.rank}: ${milliseconds.toFixed(0)} ms, ` +
        `${rounds} rounds; ${rival}`,
    );
  }
} finally {
  rmSync(folder, { recursive: true });
}
