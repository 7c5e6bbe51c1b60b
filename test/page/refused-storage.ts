/**
 * A browser's database that refuses to keep things, for tests without a browser.
 * @module
 */

/** How it refuses: the whole database at once, when it is opened, or a change because there is no space. */
export type Refusal = "at once" | "opening" | "full";

type Handler = (() => void) | undefined;

/** As much of IndexedDB as stores of one thing need; `stored` is what it kept before. */
export function refusingDatabase(how: Refusal, stored?: unknown): IDBFactory {
  const quota = new DOMException("full", "QuotaExceededError");
  const later = (work: () => Handler) => void Promise.resolve().then(() => work()?.());
  const transaction = () => {
    const own = { error: quota, oncomplete: undefined as Handler, onabort: undefined as Handler };
    const done = { result: stored };
    const store = {
      get: () => (later(() => own.oncomplete), done),
      put: () => (later(() => own.onabort), done),
      add: () => (later(() => own.onabort), done),
      delete: () => ((stored = undefined), later(() => own.oncomplete), done),
    };
    return Object.assign(own, { objectStore: () => store });
  };
  const open = () => {
    if (how === "at once") throw new DOMException("denied", "SecurityError");
    const error = new DOMException("a mutation is not allowed", "InvalidStateError");
    const request = {
      error,
      result: { transaction, close: () => undefined },
      onsuccess: undefined as Handler,
      onerror: undefined as Handler,
    };
    later(() => (how === "opening" ? request.onerror : request.onsuccess));
    return request;
  };
  return { open } as unknown as IDBFactory;
}
