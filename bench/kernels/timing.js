/**
 * Best times of calls here and in NumPy. Best times are compared because on a shared machine
 * everything else measures the neighbours. Calls that take longer than the system lets a process run at a stretch are
 * timed by the processor's time, since no such call is spared by the neighbours.
 *
 * @module
 */
import { spawnSync } from "node:child_process";
import { performance } from "node:perf_hooks";
import { fileURLToPath } from "node:url";
import { Bench } from "tinybench";

/** Milliseconds after which a call is not repeated. */
const PATIENCE = 1500;
/** Milliseconds from which the processor's time counts; `numpy_time.py` has the same. */
const LONG = 2;

/** The processor's time of this process in milliseconds. */
function processorTime() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e3;
}

/** Best time of a call in milliseconds; `restore` runs before each and is not timed. */
export async function bestTime(run, milliseconds, restore) {
  const once = [0, 1].reduce((least) => {
    // The first call may compile; and one that took too long is not called again.
    if (least > PATIENCE && least < Infinity) return least;
    restore?.();
    const start = processorTime();
    run();
    return Math.min(least, processorTime() - start);
  }, Infinity);
  if (once > PATIENCE) return once;
  const bench = new Bench({
    time: milliseconds,
    iterations: 5,
    warmupTime: milliseconds / 2,
    warmupIterations: 3,
    now: once > LONG ? processorTime : () => performance.now(),
  });
  bench.add("run", run, restore && { beforeEach: restore });
  await bench.run();
  const { result } = bench.tasks[0];
  if (result.state !== "completed") throw new Error(`benchmark ${result.state}`, { cause: result });
  return result.latency.min;
}

const script = fileURLToPath(new URL("numpy_time.py", import.meta.url));

/** The same of NumPy on one thread, with its version; undefined where there is none. */
export function numpyTime(testCase, milliseconds) {
  const { status, stdout } = spawnSync(
    "python3",
    [script, JSON.stringify({ ...testCase, seconds: milliseconds / 1000 })],
    { env: { ...process.env, OPENBLAS_NUM_THREADS: "1", MKL_NUM_THREADS: "1" }, encoding: "utf8" },
  );
  return status === 0 ? JSON.parse(stdout) : undefined;
}
