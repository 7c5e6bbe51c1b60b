/**
 * Whether a participant that comes back has the rows that it had when the run started: by digests in its own store, which never leave it.
 *
 * A digest of rows lets whoever reads it test guesses of them. So the digests are keyed by a secret of the owner's, where
 * the caller has one: to whoever does not know it they are random bits. Without a secret the key follows from the salt, which is kept beside
 * them, and whoever reads the store can test a guess of a whole task, all its rows at once.
 * @module
 */
import { DataError } from "../../../core/index.js";
import type { TaskSet } from "../../../data/index.js";
import { hmac } from "@noble/hashes/hmac.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, hexToBytes, utf8ToBytes } from "@noble/hashes/utils.js";
import { randomBytesFrom } from "../../secure-aggregation/keys/random-bytes.js";

const SALT_BYTES = 32;
/** Characters of a digest: no two tables have 128 equal bits by chance. */
const DIGEST = 32;

/** What a store keeps of rows; all hexadecimal. */
export interface RowsMark {
  /** Random, drawn for this run. */
  readonly salt: string;
  /** What tells the key from another. */
  readonly key: string;
  /** One after the other, by the tasks' names in ascending order. */
  readonly digests: string;
}

/**
 * Marks prepared rows: features, targets, weights and whose they are, in their order, of every task by itself.
 * @param secret the owner's, of any length; undefined for none.
 */
export function markRows(
  data: TaskSet,
  secret: Uint8Array | undefined,
  salt: Uint8Array = randomBytesFrom({ mode: "secure" })(SALT_BYTES),
): RowsMark {
  const key = keyFrom(salt, secret);
  const digests = inOrder(data).map((i) => digestOfTask(data, i, key).slice(0, DIGEST));
  return { salt: bytesToHex(salt), key: tagOf(key), digests: digests.join("") };
}

/** Whether a mark was made with this secret: only then can rows be held to it. */
export function isKeyOf({ salt, key }: RowsMark, secret: Uint8Array | undefined): boolean {
  return tagOf(keyFrom(hexToBytes(salt), secret)) === key;
}

/**
 * Holds rows to those that an earlier process marked, with the same secret.
 * @throws DataError naming a task whose rows are others.
 */
export function holdToRows(before: RowsMark, data: TaskSet, secret: Uint8Array | undefined): void {
  const now = markRows(data, secret, hexToBytes(before.salt));
  const changed = inOrder(data).find(
    (_, k) => digestAt(now.digests, k) !== digestAt(before.digests, k),
  );
  if (changed === undefined) return;
  throw new DataError(
    `task "${data.names[changed]}": its rows are not those with which this participant took part before; a value, the order of the ` +
      `rows, or whether moments stand for them (--stream), is another. Nothing was sent. A run goes on with the table of its start: put that one back as it was, in the same order ` +
      `and units. Other rows are for another run, with a budget of its own`,
  );
}

/**
 * {@link holdToRows} where an earlier process kept a mark.
 * @returns whether nothing is left unknown: false where the mark was made with another secret.
 */
export function holdToKept(
  before: RowsMark | undefined,
  data: TaskSet,
  secret: Uint8Array | undefined,
): boolean {
  if (!before) return true;
  const isKnown = isKeyOf(before, secret);
  if (isKnown) holdToRows(before, data, secret);
  return isKnown;
}

const digestAt = (digests: string, k: number) => digests.slice(k * DIGEST, (k + 1) * DIGEST);

const NO_SECRET: Uint8Array = new Uint8Array(0);

const keyFrom = (salt: Uint8Array, secret = NO_SECRET) => hmac(sha256, secret, salt);

const tagOf = (key: Uint8Array) =>
  bytesToHex(hmac(sha256, key, utf8ToBytes("key"))).slice(0, DIGEST);

/** Tasks by name: in which order a table has them changes nothing. */
function inOrder({ names }: TaskSet): number[] {
  return names.map((_, i) => i).sort((a, b) => (names[a]! < names[b]! ? -1 : 1));
}

function digestOfTask(data: TaskSet, i: number, key: Uint8Array): string {
  const { names, featureNames, targetLevels, offsets, d, sparse, y } = data;
  const [first, end] = [offsets[i]!, offsets[i + 1]!];
  const digest = hmac.create(sha256, key);
  const take = (values: Float64Array | Uint32Array | undefined) => {
    for (const bytes of bytesOf(values)) digest.update(bytes);
  };
  // Whatever has no fixed length comes with it, so that no two tasks have one text.
  const head = [names[i], featureNames, targetLevels ?? null, end - first, sparse !== undefined];
  const text = utf8ToBytes(JSON.stringify(head));
  digest.update(lengthBytes(text.length)).update(text);
  if (sparse) {
    const { starts, columns, values } = sparse;
    const [from, to] = [starts[first]!, starts[end]!];
    take(starts.subarray(first, end + 1).map((start) => start - from));
    take(columns.subarray(from, to));
    take(values.subarray(from, to));
  } else take(data.x.subarray(first * d, end * d));
  take(y.subarray(first, end));
  take(data.sampleWeights?.subarray(first, end));
  take(data.standFor?.subarray(i, i + 1));
  take(data.persons && numbered(data.persons.subarray(first, end)));
  return bytesToHex(digest.digest());
}

/** Persons by the order in which a task has them: what numbers other tasks' persons have changes nothing. */
function numbered(persons: Uint32Array): Uint32Array {
  const numbers = new Map<number, number>();
  return persons.map((person) => {
    const number = numbers.get(person) ?? numbers.size;
    numbers.set(person, number);
    return number;
  });
}

/** How many numbers, and these as this machine has them. */
function bytesOf(values: Float64Array | Uint32Array = new Uint32Array(0)): Uint8Array[] {
  const { buffer, byteOffset, byteLength } = values;
  return [lengthBytes(values.length), new Uint8Array(buffer, byteOffset, byteLength)];
}

const lengthBytes = (length: number) => new Uint8Array(Float64Array.of(length).buffer);
