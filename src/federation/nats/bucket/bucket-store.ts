/**
 * Records in a key-value bucket, chained by digests.
 *
 * Record N is the key `record.N`, which only one writer can create: a second curator of the same run
 * is stopped at its first record, or where it waits and looks for one. A record above the server's `max_payload` is written in parts
 * first, under keys of their own (`record-parts.ts`); it exists once its `record.N` does, which names them. What is held for a while is
 * the key `held`, which is purged when it is wiped: the server keeps no history of it, but its disk may. It is written only
 * in place of what this writer read or wrote there last, so of two curators one is stopped there, too.
 * @module
 */
import { jetstreamManager } from "@nats-io/jetstream";
import type { KV, KvEntry } from "@nats-io/kv";
import type { NatsConnection as ClientConnection } from "@nats-io/nats-core";
import { sha256 } from "@noble/hashes/sha2.js";
import { equalBytes } from "../../protocol/messages/equal-bytes.js";
import { DataError } from "../../../core/errors.js";
import { EMPTY_CHAIN, openRecord, sealRecord, type ChainEnd } from "../../../core/record-chain.js";
import type { BucketReader } from "./bucket-reader.js";
import { isNoRoom, isOthersThere } from "./bucket-errors.js";
import type { RunStore } from "../../protocol/machine/machine.js";
import type { NatsConnection } from "../connection/connection.js";
import { split } from "../connection/parts.js";
import { patiently, type Waiting } from "./patiently.js";
import { IN_PARTS, partKey, recordNumber, recordValue, strayParts, WHOLE } from "./record-parts.js";

const HELD = "held";
/** Written by every curator before it reads. */
const OPENED = "opened";

const keyOf = (record: number) => `record.${recordNumber(record)}`;

/** A run's records in its bucket; see `open-bucket.ts`. */
export class RunBucket implements RunStore, BucketReader {
  readonly #kv: KV;
  readonly #name: string;
  readonly #connection: NatsConnection;
  readonly #waiting: Waiting;
  readonly #writes: boolean;
  #end: ChainEnd | undefined;
  /** The revision of what is held, or of the mark that it was wiped; 0: nothing ever was. */
  #heldAt = 0;
  /** Which attempt's parts the records name that have some. */
  readonly #named = new Map<number, string>();
  /** Whether parts that earlier writers left were removed. */
  #swept = false;
  #open = true;

  /** @param writes whether records will be written, or only read. */
  constructor(
    kv: KV,
    name: string,
    connection: NatsConnection,
    waiting: Waiting = {},
    writes = true,
  ) {
    this.#writes = writes;
    this.#kv = kv;
    this.#name = name;
    this.#connection = connection;
    this.#waiting = waiting;
  }

  async load(): Promise<readonly Uint8Array[]> {
    const records: Uint8Array[] = [];
    for await (const record of this.read()) records.push(record);
    return records;
  }

  async *read(): AsyncGenerator<Uint8Array> {
    this.#end = EMPTY_CHAIN;
    if (this.#writes) await this.#awaitEarlierWrites();
    yield* this.more();
    const held = await this.#entry(HELD);
    this.#heldAt = held?.revision ?? 0;
    if (held && held.value.length > 0) {
      yield openRecord(EMPTY_CHAIN, held.value, sha256, `bucket ${this.#name}, held`).content;
    }
  }

  /**
   * What a killed curator wrote last may wait in the servers until enough of them are there again, and count after another one has read: that
   * one's first record would then be called another curator's. Servers keep writes in order, so once a later one counts no earlier one waits.
   * A server without room can be read nevertheless: whoever has another record to write is told then.
   */
  #awaitEarlierWrites(): Promise<void> {
    const mark = globalThis.crypto.getRandomValues(new Uint8Array(16));
    return this.#patiently(async () => {
      await this.#kv.put(OPENED, mark).catch((error: unknown) => {
        if (!isNoRoom(error)) throw error;
      });
    });
  }

  async *more(): AsyncGenerator<Uint8Array> {
    for (;;) {
      const end = this.#end ?? EMPTY_CHAIN;
      const value = await this.#read(keyOf(end.count + 1));
      if (value) {
        const bytes = await this.#assemble(value, end.count + 1);
        const opened = openRecord(end, bytes, sha256, `bucket ${this.#name}`);
        this.#end = opened.end;
        yield opened.content;
        continue;
      }
      // A record that is missing before another was lost by the server: what it released may have been published.
      const later = await this.#laterThan(end.count);
      if (later === undefined) return;
      // Another curator may have written it meanwhile.
      if (!(await this.#read(keyOf(end.count + 1)))) throw this.#missing(end.count, later);
    }
  }

  async hold(record: Uint8Array | null): Promise<void> {
    if (!this.#end) await this.load();
    const value = record ? sealRecord(EMPTY_CHAIN, record, sha256).bytes : new Uint8Array(0);
    const write = async (previousSeq: number) => {
      if (record) return this.#kv.put(HELD, value, { previousSeq });
      if (previousSeq > 0) await this.#kv.purge(HELD, { previousSeq });
      const there = await this.#kv.get(HELD);
      if (there && there.value.length > 0) throw this.#othersThere("what is held");
      return there?.revision ?? 0;
    };
    await this.#patiently(async () => {
      const before = this.#heldAt;
      this.#heldAt = await write(before).catch((error: unknown) =>
        this.#revisionOfMine(HELD, value, error, "what is held"),
      );
    });
  }

  /**
   * The revision of a value that is there although writing it was refused: the answer to an earlier attempt was lost.
   * @throws DataError if another's is there; the error itself if it is no such refusal.
   */
  async #revisionOfMine(
    key: string,
    value: Uint8Array,
    error: unknown,
    what: string,
  ): Promise<number> {
    if (!isOthersThere(error)) throw error;
    const there = await this.#kv.get(key);
    if (there && equalBytes(there.value, value)) return there.revision;
    if (there) throw this.#othersThere(what, error);
    throw new Error("not decided yet", { cause: error });
  }

  async confirm(): Promise<void> {
    const next = (this.#end?.count ?? 0) + 1;
    if (await this.#read(keyOf(next))) throw this.#othersThere(`record ${next}`);
  }

  #othersThere(what: string, cause?: unknown): DataError {
    return new DataError(
      `bucket ${this.#name}: ${what} is another curator's; a run has one curator at a time`,
      { cause },
    );
  }

  async #laterThan(count: number): Promise<string | undefined> {
    let later: string | undefined;
    await this.#patiently(async () => {
      const numbers = (await this.#keys("record")).map((key) => key.split(".").at(-1)!);
      later = numbers.find((number) => Number(number) > count);
    });
    return later;
  }

  /** The keys of a kind that are there. */
  async #keys(kind: "record" | "part"): Promise<string[]> {
    const client = this.#connection as unknown as ClientConnection;
    const manager = await jetstreamManager(client, { checkAPI: false });
    const prefix = `$KV.${this.#name}.`;
    const { state } = await manager.streams.info(`KV_${this.#name}`, {
      subjects_filter: `${prefix}${kind}.>`,
    });
    return Object.keys(state.subjects ?? {}).map((subject) => subject.slice(prefix.length));
  }

  #missing(count: number, later: string): DataError {
    return new DataError(
      `bucket ${this.#name}: record ${count + 1} is missing, though record ${Number(later)} is there; restore ` +
        `the server's store as it was last, or start anew with a budget of its own.`,
    );
  }

  async append(record: Uint8Array): Promise<void> {
    if (!this.#end) await this.load();
    const { bytes, end } = sealRecord(this.#end!, record, sha256);
    const key = keyOf(end.count);
    const { value, parts } = await this.#prepare(bytes, end.count);
    await this.#patiently(async () => {
      try {
        await this.#kv.create(key, value);
      } catch (error) {
        await this.#revisionOfMine(key, value, error, `record ${end.count}`);
      }
    }).catch(async (error: unknown) => {
      // No record will ever name them.
      if (error instanceof DataError) await this.#remove(parts).catch(() => undefined);
      throw error;
    });
    this.#end = end;
    if (!this.#swept) await this.#sweep(end.count);
  }

  /** Removes what earlier writers left. No record depends on it: where the server does not answer, the next process does it. */
  async #sweep(last: number): Promise<void> {
    this.#swept = true;
    try {
      await this.#remove(strayParts(await this.#keys("part"), last, this.#named));
    } catch {
      // They take room, and no more.
    }
  }

  async #remove(keys: readonly string[]): Promise<void> {
    for (const key of keys) {
      // A key whose value was removed keeps a mark of that.
      if ((await this.#kv.get(key))?.value.length) await this.#kv.purge(key);
    }
  }

  close(): Promise<void> {
    this.#open = false;
    return Promise.resolve();
  }

  /** The value of a record's key, 16 random bytes of which tell it from the same record of another writer, and the keys of its parts. */
  async #prepare(
    record: Uint8Array,
    number: number,
  ): Promise<{ readonly value: Uint8Array; readonly parts: readonly string[] }> {
    const id = globalThis.crypto.randomUUID();
    const tag = new TextEncoder().encode(`${id} `);
    const limit = this.#connection.info?.max_payload ?? 2 ** 20;
    const parts = split(record, limit - tag.length - 1);
    if (parts.length === 1) return { value: recordValue(WHOLE, tag, record), parts: [] };
    const keys = parts.map((_, i) => partKey(number, id, i));
    for (const [i, part] of parts.entries()) {
      await this.#patiently(() => this.#kv.put(keys[i]!, part));
    }
    this.#named.set(number, id);
    const count = new TextEncoder().encode(String(parts.length));
    return { value: recordValue(IN_PARTS, tag, count), parts: keys };
  }

  async #assemble(value: Uint8Array, number: number): Promise<Uint8Array> {
    const text = 1 + 36;
    const [kind, content] = [value[0], value.subarray(text + 1)];
    if (kind === WHOLE) return content.slice();
    const id = new TextDecoder().decode(value.subarray(1, text));
    const count = Number(new TextDecoder().decode(content));
    if (kind !== IN_PARTS || !Number.isInteger(count)) {
      throw new DataError(
        `bucket ${this.#name}: record ${number} is damaged, or of an older release of mp-mtl; start anew with ` +
          `another bucket and a budget of its own`,
      );
    }
    this.#named.set(number, id);
    const parts: Uint8Array[] = [];
    for (let i = 0; i < count; i++) {
      const part = await this.#read(partKey(number, id, i));
      if (!part) {
        throw new DataError(`bucket ${this.#name}: part ${i + 1} of record ${number} is missing`);
      }
      parts.push(part);
    }
    const record = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
    let at = 0;
    for (const part of parts) {
      record.set(part, at);
      at += part.length;
    }
    return record;
  }

  async #read(key: string): Promise<Uint8Array | undefined> {
    return (await this.#entry(key))?.value;
  }

  async #entry(key: string): Promise<KvEntry | undefined> {
    let found: KvEntry | undefined;
    await this.#patiently(async () => {
      found = (await this.#kv.get(key)) ?? undefined;
    });
    return found;
  }

  #patiently(work: () => Promise<unknown>): Promise<void> {
    const [bucket, connection, waiting] = [this.#name, this.#connection, this.#waiting];
    return patiently({ bucket, connection, waiting, isOpen: () => this.#open }, work);
  }
}
