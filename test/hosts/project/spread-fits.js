/** Fits of which this thread has some tasks and two Web Workers the others, and the same fits in this thread alone. */
import { makeEstimator, openWebTaskWorkers, saveModel, simulate } from "mp-mtl";

const THREADS = 3;
const random = { mode: "seeded", seed: 1 };
const budget = { epsilon: 1, delta: 1e-4, random };

/**
 * Workers that count how many were started and ended.
 * @param isLast told of every message to one of them, once it is posted; whether the worker's answers are lost from then on.
 */
function countedWorkers(isLast = () => false) {
  const count = { started: 0, ended: 0 };
  const workers = openWebTaskWorkers(() => {
    const worker = new Worker(new URL("./task-worker.js", import.meta.url), { type: "module" });
    count.started++;
    const terminate = worker.terminate.bind(worker);
    worker.terminate = () => {
      count.ended++;
      terminate();
    };
    let isLost = false;
    worker.addEventListener("message", (event) => {
      if (isLost) event.stopImmediatePropagation();
    });
    const post = worker.postMessage.bind(worker);
    worker.postMessage = (message, ...rest) => {
      post(message, ...rest);
      isLost ||= isLast(message);
    };
    return worker;
  }, THREADS);
  return { workers, count };
}

/** All bits that a fit ends with. */
const bits = (model) =>
  JSON.stringify([[...saveModel(model)], model.history, model.guarantee, model.ledger.toJSON()]);

/** Whether memory was shared, and for each method the threads of its fit and whether it has the bits of one thread. */
export async function spreadFits() {
  const { train } = simulate({ pattern: "low-rank", tasks: 12, features: 6, seed: 5 });
  const fits = {
    "mp-mixed": { ...budget, scale: "unit" },
    "mp-low-rank": { ...budget, clip: 2, lambda: 0.1, rounds: 8 },
  };
  const { workers, count } = countedWorkers();
  const found = {};
  for (const [method, options] of Object.entries(fits)) {
    const fit = (hooks) => makeEstimator(method, options).fit(train, hooks);
    const spread = await fit({ workers, threads: THREADS });
    found[method] = { threads: spread.threads, same: bits(spread) === bits(await fit({})) };
  }
  workers.close();
  return { isShared: typeof SharedArrayBuffer === "function", ...found, ...count };
}

/** On how many threads a fit is made, and why, where the workers' script is not there. */
export async function withoutScript() {
  const { train } = simulate({ pattern: "low-rank", tasks: 12, features: 6, seed: 5 });
  const open = () => new Worker("./absent.js", { type: "module" });
  const workers = openWebTaskWorkers(open, THREADS);
  const options = { ...budget, clip: 2, lambda: 0.1, rounds: 2 };
  const model = await makeEstimator("mp-low-rank", options).fit(train, { workers, threads: 2 });
  workers.close();
  return model.threads;
}

/** How a spread fit that would take long ends when it is aborted, and whether the next one has its threads. */
export async function abortedSpreadFit() {
  const { train } = simulate({ pattern: "low-rank", tasks: 320, features: 30, seed: 1 });
  const controller = new AbortController();
  let from = Infinity;
  let asked = 0;
  // One worker owes an answer then, however fast it is; and not from within the round: as a button would.
  const isLast = ({ kind, next }) => {
    if ((kind !== "upload" && !next) || performance.now() < from) return false;
    from = Infinity;
    setTimeout(() => {
      asked = performance.now();
      controller.abort();
    });
    return true;
  };
  const { workers, count } = countedWorkers(isLast);
  const fit = (rounds, hooks) => {
    const options = { ...budget, clip: 20, lambda: 1, rounds };
    return makeEstimator("mp-low-rank", options).fit(train, {
      workers,
      threads: THREADS,
      ...hooks,
    });
  };
  let rounds = 0;
  const onRound = () => {
    if (++rounds === 1) from = performance.now() + 100;
  };
  const name = await fit(4000, { signal: controller.signal, onRound }).then(
    () => "not aborted",
    (error) => error.name,
  );
  const waited = performance.now() - asked;
  const free = workers.free;
  const next = await fit(2, {});
  workers.close();
  return { name, rounds, waited, free, next: next.threads.used, ...count };
}
