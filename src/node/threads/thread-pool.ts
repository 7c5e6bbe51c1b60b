/**
 * Worker pools in Node: jobs on all cores.
 * @module
 */
import { availableParallelism } from "node:os";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { parentPort, Worker } from "node:worker_threads";
import { HostError } from "../../core/errors.js";
import { TaskWorkers } from "../../learning/index.js";
import {
  FitPool,
  respond,
  WorkerPool,
  type Request,
  type TellProgress,
  type WorkerPort,
} from "../../model/index.js";

/** Options of Node that say what its main script is: a thread that took them over would not find its own. */
const isAboutScript = (option: string) =>
  /^(-e|-p|--eval|--print|--input-type(=.*)?)$/.test(option);

/** What a bundler did to a thread's script; undefined where the script is not what is wrong. */
function bundled(error: Error, name: string): string | undefined {
  // Copied without the package.json that says what it is, it is taken for an older kind of script.
  if (error instanceof SyntaxError && /import statement outside a module/.test(error.message)) {
    return "is no longer a module";
  }
  const { code } = error as NodeJS.ErrnoException;
  const missing = code === "MODULE_NOT_FOUND" || code === "ERR_MODULE_NOT_FOUND";
  return missing && error.message.includes(name)
    ? "is not beside the code that starts it"
    : undefined;
}

/** What to do where a bundler left a thread's script behind or made another of it; else the error as it is. */
function explained(error: Error, script: URL): Error {
  const name = basename(fileURLToPath(script));
  const done = bundled(error, name);
  if (done === undefined) return error;
  return new HostError(
    `the script of a thread, ${name}, ${done}. A bundler does that to mp-mtl/node: leave the package out of the bundle ` +
      "(esbuild: --external:mp-mtl; vite: ssr.external; Next.js: serverExternalPackages), and install it where the program runs.",
    { cause: error },
  );
}

function threadPort(script: URL): WorkerPort {
  const own = process.execArgv.some(isAboutScript);
  const worker = new Worker(script, own ? { execArgv: [] } : {});
  return {
    post: (message, transfer = []) => worker.postMessage(message, transfer),
    listen: (message, failure) => {
      worker.on("message", message);
      worker.on("error", (error: Error) => failure(explained(error, script)));
      worker.on("messageerror", failure);
      // Whatever the code: the pool no longer listens to a worker that it ended itself.
      worker.on("exit", (code) => failure(new Error(`exit code ${code}`)));
    },
    terminate: () => void worker.terminate(),
    mayWait: true,
    hold: (alive) => (alive ? worker.ref() : worker.unref()),
  };
}

/**
 * A pool of worker threads running a script that calls {@link serveJobs}.
 * @param size most threads; default the number of cores.
 */
export function openThreadPool<Job, Result>(
  script: URL,
  size: number = availableParallelism(),
): WorkerPool<Job, Result> {
  return new WorkerPool(() => threadPort(script), size);
}

/**
 * In the script of a thread: answers the pool's requests.
 * @param run makes the result of a job; `tell`, there if the pool's `run` has `onProgress`, tells it how far the job is.
 */
export function serveJobs<Job, Result>(
  run: (job: Job, tell: TellProgress) => Promise<Result>,
): void {
  parentPort?.on("message", (request: Request<Job>) => {
    void respond(request, run, (reply) => parentPort!.postMessage(reply));
  });
  // Whoever waits for an answer is told by the thread's end.
  parentPort?.on("messageerror", (cause) => {
    throw new Error("what the thread was sent could not be read", { cause });
  });
}

/**
 * A pool of worker threads that fit models: replicates, grids, the folds of `crossValidate`. Close it when done: its
 * threads keep the process alive.
 *
 * @param size most threads; default the number of cores.
 * @example
 * const pool = openFitPool();
 * const jobs = seeds.map((seed) => ({ method: "mp-low-rank", options: { random: { mode: "seeded", seed } }, train }));
 * const results = await Promise.all(jobs.map((job) => pool.run(job)));
 * pool.close();
 */
export function openFitPool(size?: number): FitPool {
  const script = new URL("./fit-worker.js", import.meta.url);
  return new FitPool(() => threadPort(script), size ?? availableParallelism());
}

/**
 * Worker threads over which fits spread their tasks: `fit(tasks, { workers: openTaskWorkers() })`. Started when a fit needs
 * them, kept for the next one; they keep the process alive only while a fit uses them.
 *
 * @param threads most threads of all fits together, the caller's included; default the number of cores. A fit whose rows fewer
 *   threads' memories would not hold takes more.
 * @example
 * const workers = openTaskWorkers();
 * const model = await new MpMixed({ epsilon: 1 }).fit(train, { workers });
 * console.log(model.threads);
 * workers.close();
 */
export function openTaskWorkers(threads: number = availableParallelism()): TaskWorkers {
  const script = new URL("./task-worker.js", import.meta.url);
  return new TaskWorkers(() => threadPort(script), threads);
}
