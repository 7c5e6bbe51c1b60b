/**
 * Times `TraceNorm` to a certified relative gap of 1e-6 against NumPy (where python3 has it) to an
 * objective within 1e-6 of the optimum, which it is told: NumPy gets no certificate and pays for none.
 *
 *   npm run bench:estimators -- [--quick]
 *
 * The data are simulated: unit rows, models of rank 5. Best of several runs.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { lambdaMax, TaskSet, TraceNorm } from "../../dist/index.js";

const { values: options } = parseArgs({ options: { quick: { type: "boolean", default: false } } });
const CASES = [
  { m: 139, d: 28, n: 33, share: 0.05, runs: 8 },
  { m: 320, d: 30, n: 30, share: 0.1, runs: 5 },
  { m: 1000, d: 300, n: 50, share: 0.1, runs: 2 },
].filter(({ d }) => !options.quick || d < 100);

/** Fixed numbers, nearly normal: sums of a multiplicative congruential sequence. */
function source(seed) {
  let state = seed;
  const uniform = () => (state = (state * 48271) % 2147483647) / 2147483647;
  return () =>
    Math.sqrt(2) * (uniform() + uniform() + uniform() + uniform() + uniform() + uniform() - 3);
}

function simulate({ m, d, n }) {
  const normal = source(m + d);
  const basis = Float64Array.from({ length: 5 * d }, () => 5 * normal());
  const x = new Float64Array(m * n * d);
  const y = new Float64Array(m * n);
  for (let i = 0; i < m; i++) {
    const w = new Float64Array(d);
    for (let r = 0; r < 5; r++) {
      const weight = normal();
      for (let k = 0; k < d; k++) w[k] += weight * basis[r * d + k];
    }
    for (let j = i * n; j < (i + 1) * n; j++) {
      const row = x.subarray(j * d, (j + 1) * d).map(normal);
      const length = Math.hypot(...row);
      y[j] = normal();
      row.forEach((value, k) => {
        x[j * d + k] = value / length;
        y[j] += (value / length) * w[k];
      });
    }
  }
  const tasks = Array.from({ length: m }, (_, i) => ({
    name: String(i),
    x: x.subarray(i * n * d, (i + 1) * n * d),
    y: y.subarray(i * n, (i + 1) * n),
  }));
  return { x, y, tasks: TaskSet.from(tasks) };
}

const folder = mkdtempSync(join(tmpdir(), "mp-mtl-bench-"));
try {
  for (const size of CASES) {
    const { m, d, n, share, runs } = size;
    const { x, y, tasks } = simulate(size);
    const lossScale = "sum";
    const lambda = share * lambdaMax(tasks, { penalty: "trace-norm", lossScale });
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
    const argument = JSON.stringify({ m, d, n, lambda, target: best.objective });
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
      `m ${m}, d ${d}, n ${n}, rank ${best.figures.rank}: ${milliseconds.toFixed(0)} ms, ` +
        `${rounds} rounds; ${rival}`,
    );
  }
} finally {
  rmSync(folder, { recursive: true });
}
