/** The fits inside a page; `outcome` is a promise of what they gave, for whoever drives the page. */
import { run } from "./fit.js";
import { abortedFit, longFit } from "./long-fit.js";
import { pooledFits } from "./pooled-fits.js";
import { abortedSpreadFit, spreadFits, withoutScript } from "./spread-fits.js";

function inWorker(build) {
  const worker = new Worker(new URL("./fit-worker.js", import.meta.url), { type: "module" });
  return new Promise((resolve, reject) => {
    worker.onmessage = ({ data }) => resolve(data);
    worker.onerror = ({ message }) => reject(new Error(message || "the worker script failed"));
    worker.postMessage(build);
  });
}

const what = {
  fits: run,
  worker: inWorker,
  pool: pooledFits,
  long: longFit,
  abort: abortedFit,
  spread: spreadFits,
  "abort spread": abortedSpreadFit,
  "no script": withoutScript,
};

globalThis.start = async (name, build) => {
  try {
    return await what[name](build);
  } catch (error) {
    return { name: error.name, code: error.code, message: error.message };
  }
};
