/**
 * Starts a worker that the page's content security policy binds, too.
 * @module
 */
import address from "./worker.ts?worker&url";

/**
 * A worker loaded by its address has the policy that its server sends, and a plain file server sends
 * none. One that starts from a blob inherits the page's: it can send nothing anywhere.
 */
export function startWorker(): Worker {
  const script = `import ${JSON.stringify(new URL(address, document.baseURI).href)};`;
  const url = URL.createObjectURL(new Blob([script], { type: "text/javascript" }));
  const worker = new Worker(url, { type: "module" });
  // Not before the worker has read it: its first message says so, or that it could not.
  for (const event of ["message", "error"]) {
    worker.addEventListener(event, () => URL.revokeObjectURL(url), { once: true });
  }
  return worker;
}
