/**
 * The user's own table, kept in this browser until they remove it: a reload does not lose it.
 * @module
 */
import { signal } from "@preact/signals";
import type { TableChoice, TableFile } from "../work/messages.js";

/** A file, and what was said of its columns. */
export interface KeptTable {
  readonly file: TableFile;
  readonly choice: TableChoice | null;
}

const DATABASE = "mp-mtl playground";
const STORE = "table";
/** There is one. */
const KEY = "own";

/** Name of the kept file; null: none is. */
export const keptName = signal<string | null>(null);

/** Why the table that is open is not kept; null where it is, or none was to be. */
export const notKept = signal<string | null>(null);

function open(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(DATABASE, 1);
    request.onupgradeneeded = () => void request.result.createObjectStore(STORE);
    request.onsuccess = () => {
      resolve(request.result);
    };
    request.onerror = () => {
      reject(request.error ?? new Error("the browser's store did not open"));
    };
  });
}

async function inStore<T>(
  mode: IDBTransactionMode,
  work: (store: IDBObjectStore) => IDBRequest<T>,
): Promise<T> {
  const database = await open();
  try {
    return await new Promise<T>((resolve, reject) => {
      const transaction = database.transaction(STORE, mode);
      const request = work(transaction.objectStore(STORE));
      transaction.oncomplete = () => {
        resolve(request.result);
      };
      transaction.onabort = transaction.onerror = () => {
        reject(transaction.error ?? new Error("the browser's store failed"));
      };
    });
  } finally {
    database.close();
  }
}

/** What is kept; null where nothing is, or the browser keeps nothing (private windows). */
export async function readKept(): Promise<KeptTable | null> {
  const found = await inStore("readonly", (store) => store.get(KEY) as IDBRequest<KeptTable>).catch(
    () => undefined,
  );
  keptName.value = found?.file.name ?? null;
  return found ?? null;
}

const forget = () => inStore("readwrite", (store) => store.delete(KEY));

/** Keeps a table in place of the one before. Where the browser refuses, the page goes on without, and says so. */
export async function keep(table: KeptTable): Promise<void> {
  try {
    await inStore("readwrite", (store) => store.put(table, KEY));
    keptName.value = table.file.name;
    notKept.value = null;
  } catch (error) {
    // An older table would come back at a reload; where the browser does not let go of it its name goes on standing there.
    await forget().then(
      () => (keptName.value = null),
      () => undefined,
    );
    notKept.value = refusalWords(error);
  }
}

/**
 * Removes it from this browser; one that keeps nothing has nothing to remove.
 * @throws Error where the browser does not do so, which says how else to be rid of the table.
 */
export async function removeKept(): Promise<void> {
  if (keptName.value !== null) {
    await forget().catch((cause: unknown) => {
      throw new Error(
        `${keptName.value} is still kept, the browser does not let go of it: clear this page's data in the browser's settings`,
        { cause },
      );
    });
  }
  keptName.value = null;
  notKept.value = null;
}

function refusalWords(error: unknown): string {
  const full = error instanceof DOMException && error.name === "QuotaExceededError";
  return full
    ? "there is no space left for it"
    : "the browser keeps nothing for this page, as in a private window";
}
