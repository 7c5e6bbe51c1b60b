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

/** What was remembered, if anything was. */
export function recall(): Promise<Membership | undefined> {
  return withStore("readonly", (store) => store.get(STORE) as IDBRequest<Membership | undefined>);
}

export async function remember(membership: Membership): Promise<void> {
  await withStore("readwrite", (store) => store.put(membership, STORE));
}

export async function forget(): Promise<void> {
  await withStore("readwrite", (store) => store.delete(STORE));
}
