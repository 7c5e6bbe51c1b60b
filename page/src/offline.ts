/**
 * Has the browser keep the page's files, so that it works without a network once it was opened.
 * @module
 */

/** Does nothing where the browser keeps none: without https and in some private windows. */
export function keepForOffline(): void {
  if (!("serviceWorker" in navigator)) return;
  navigator.serviceWorker.register("./service-worker.js").catch(() => {
    // The page works as it is, as long as there is a network.
  });
}
