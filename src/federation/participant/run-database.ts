/**
 * What a participant must not lose, in a page: records in IndexedDB, for one tab at a time.
 * @module
 */
import { text } from "../../core/checks.js";
import { DataError, HostError } from "../../core/index.js";
import type { RunStore } from "../protocol/machine/machine.js";

const RECORDS = "records";
const HELD = "held";

/**
 * Opens the store of one participant of one run in the browser's database, which survives reloads, closed tabs and
 * restarts of the browser. Nobody else may add to it while it is open; another tab is refused.
 *
 * The browser may throw databases away when space is short, unless `navigator.storage.persist()` was granted; it is
 * asked for here. A private window forgets with its last tab.
 *
 * @param name the database's, for example `mp-mtl RUN NAME`.
 * @throws DataError if another tab has it; HostError where there is no IndexedDB, or it cannot be opened.
 * @example
 * const store = await openRunDatabase("mp-mtl trial north");
 */
export async function openRunDatabase(name: string): Promise<RunStore> {
  text("name", name);
  if (typeof indexedDB === "undefined") {
    throw new HostError("openRunDatabase: this host has no IndexedDB; use another store.");
  }
  const release = await takeLock(name);
  try {
    // Refused, it is kept as long as there is space.
    await globalThis.navigator?.storage?.persist?.().catch(() => false);
    const opening = openDatabase(name);
    opening.onupgradeneeded = () => {
      opening.result.createObjectStore(RECORDS, { autoIncrement: true });
      opening.result.createObjectStore(HELD);
    };
    return new RunDatabase(await settled(opening, name), name, release);
  } catch (error) {
    release();
    throw error;
  }
}

/** A browser that keeps nothing for a page refuses at once. */
function openDatabase(name: string): IDBOpenDBRequest {
  try {
    return indexedDB.open(name, 1);
  } catch (error) {
    throw explained(name, error as DOMException);
  }
}

class RunDatabase implements RunStore {
  readonly #database: IDBDatabase;
  readonly #name: string;
  readonly #release: () => void;

  constructor(database: IDBDatabase, name: string, release: () => void) {
    this.#database = database;
    this.#name = name;
    this.#release = release;
  }

  async load(): Promise<readonly Uint8Array[]> {
    const transaction = this.#database.transaction([RECORDS, HELD]);
    const all = (from: string) =>
      settled(transaction.objectStore(from).getAll() as IDBRequest<Uint8Array[]>, this.#name);
    const [records, held] = await Promise.all([all(RECORDS), all(HELD)]);
    return [...records, ...held];
  }

  append(record: Uint8Array): Promise<void> {
    return this.#change(RECORDS, (store) => store.add(record.slice()));
  }

  hold(record: Uint8Array | null): Promise<void> {
    return this.#change(HELD, (store) =>
      record ? store.put(record.slice(), HELD) : store.delete(HELD),
    );
  }

  close(): Promise<void> {
    this.#database.close();
    this.#release();
    return Promise.resolve();
  }

  /** Resolves when the change is on the disk, as far as browsers promise it. */
  #change(store: string, change: (store: IDBObjectStore) => unknown): Promise<void> {
    return new Promise((resolve, reject) => {
      const transaction = this.#database.transaction(store, "readwrite", { durability: "strict" });
      transaction.oncomplete = () => resolve();
      const fail = () => reject(explained(this.#name, transaction.error));
      transaction.onabort = fail;
      transaction.onerror = fail;
      change(transaction.objectStore(store));
    });
  }
}

function settled<T>(request: IDBRequest<T>, name: string): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(explained(name, request.error));
  });
}

function explained(name: string, cause: DOMException | null): Error {
  const reason =
    cause?.name === "QuotaExceededError"
      ? "no space is left for this site; make room, and take part again"
      : `${String(cause)}; does the browser keep nothing for this page, as some private windows do? Nobody takes part without ` +
        "remembering what was agreed to";
  return new HostError(`database ${name}: it cannot be used: ${reason}.`, { cause });
}

/** The name is this tab's until the answer is called, or the tab is gone. */
function takeLock(name: string): Promise<() => void> {
  const locks = globalThis.navigator?.locks;
  if (!locks) {
    throw new HostError(
      "openRunDatabase: this host has no Web Locks; the page must be served over https.",
    );
  }
  return new Promise((resolve, reject) => {
    const held = locks.request(name, { ifAvailable: true }, (lock) => {
      if (!lock) {
        reject(
          new DataError(`database ${name}: another tab takes part with it; close one of them.`),
        );
        return undefined;
      }
      return new Promise<void>((release) => resolve(release));
    });
    held.catch(reject);
  });
}
