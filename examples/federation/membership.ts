/**
 * The key and the table with which this browser takes part, kept in IndexedDB so that a reload returns by itself.
 * @module
 */

/** One participant of one run. */
export interface Membership {
  readonly server: string;
  readonly run: string;
  readonly name: string;
  /** Text of the key file. */
  readonly key: string;
  readonly table: { readonly name: string; readonly bytes: Uint8Array };
  /** Column of the task, or nothing. */
  readonly task: string;
  readonly target: string;
}

const STORE = "membership";

async function withStore<T>(
  mode: IDBTransactionMode,
  work: (store: IDBObjectStore) => IDBRequest<T>,
): Promise<T> {
  const opening = indexedDB.open("mp-mtl membership", 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore(STORE);
  const database = await new Promise<IDBDatabase>((resolve, reject) => {
    opening.onsuccess = () => resolve(opening.result);
    opening.onerror = () => reject(opening.error!);
  });
  try {
    return await new Promise<T>((resolve, reject) => {
      const transaction = database.transaction(STORE, mode);
      const request = work(transaction.objectStore(STORE));
      transaction.oncomplete = () => resolve(request.result);
      transaction.onabort = () => reject(transaction.error!);
    });
  } finally {
    database.close();
  }
}

/** What was remembered, if anything was: a browser that keeps nothing for this page remembers nothing. */
export async function recall(): Promise<Membership | undefined> {
  try {
    return await withStore(
      "readonly",
      (store) => store.get(STORE) as IDBRequest<Membership | undefined>,
    );
  } catch {
    return undefined;
  }
}

/** @returns why the browser keeps nothing; undefined if it does. A run does not depend on it. */
export async function remember(membership: Membership): Promise<string | undefined> {
  try {
    await withStore("readwrite", (store) => store.put(membership, STORE));
    return undefined;
  } catch (error) {
    const full = error instanceof DOMException && error.name === "QuotaExceededError";
    return full ? "no space is left for it" : "the browser keeps nothing for this page";
  }
}

/** @returns whether nothing is remembered any more. */
export async function forget(): Promise<boolean> {
  return withStore("readwrite", (store) => store.delete(STORE)).then(
    () => true,
    () => false,
  );
}
