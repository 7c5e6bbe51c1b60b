/** A bucket whose answers are lost, or come before what they are about: in memory, with the words of a server. */
import { JetStreamApiError } from "@nats-io/jetstream";
import type { KV } from "@nats-io/kv";
import { describe, expect, test } from "vitest";
import { RunBucket } from "../../../../src/federation/nats/bucket/bucket-store.js";
import type { NatsConnection } from "../../../../src/federation/nats/index.js";
import { openBucket } from "../../../../src/federation/nats/bucket/open-bucket.js";

const wrongSequence = (code: number) =>
  new JetStreamApiError({ code: 400, err_code: code, description: "wrong last sequence" });

interface Entry {
  readonly value: Uint8Array;
  readonly revision: number;
}

/** Values by key, written in place of the one that a writer knows. */
class Values {
  readonly entries = new Map<string, Entry>();
  /** What is to go wrong with the next writes: before or after they count. */
  readonly faults: ((write: () => number) => number)[] = [];
  /** Reads that do not see what was written. */
  blind = 0;
  #revision = 0;

  write(key: string, value: Uint8Array, previous?: number): Promise<number> {
    const write = () => {
      const there = this.entries.get(key)?.revision ?? 0;
      if (previous !== undefined && there !== previous) throw wrongSequence(10071);
      this.entries.set(key, { value, revision: ++this.#revision });
      return this.#revision;
    };
    return new Promise((resolve) => resolve((this.faults.shift() ?? ((w) => w()))(write)));
  }

  get kv(): KV {
    const kv = {
      create: (key: string, value: Uint8Array) => this.write(key, value, 0),
      put: (key: string, value: Uint8Array, options?: { previousSeq: number }) =>
        this.write(key, value, options?.previousSeq),
      purge: (key: string, options?: { previousSeq: number }) =>
        this.write(key, new Uint8Array(0), options?.previousSeq),
      get: (key: string) =>
        Promise.resolve(this.blind-- > 0 ? null : (this.entries.get(key) ?? null)),
    };
    return kv as unknown as KV;
  }
}

const link = { info: { max_payload: 2 ** 20 }, isClosed: () => false };

/** A connection on which is asked which records there are. @param meanwhile what happens just before the answer. */
function counting(values: Values, meanwhile: () => Promise<unknown>): NatsConnection {
  const request = async (_subject: string, payload: Uint8Array) => {
    await meanwhile();
    const text = new TextDecoder().decode(payload);
    const { subjects_filter } = JSON.parse(text) as { readonly subjects_filter: string };
    const prefix = subjects_filter.replace("$KV.trial.", "").replace(">", "");
    const keys = [...values.entries.keys()].filter((key) => key.startsWith(prefix));
    const subjects = Object.fromEntries(keys.map((key) => [`$KV.trial.${key}`, 1]));
    const config = { name: "KV_trial", subjects: [] };
    return { data: new TextEncoder().encode(JSON.stringify({ config, state: { subjects } })) };
  };
  return { ...link, options: {}, request } as unknown as NatsConnection;
}

/** One whose records nobody counts. */
function bucketOf(values: Values, told: string[] = []): RunBucket {
  const bucket = new RunBucket(values.kv, "trial", link as unknown as NatsConnection, {
    onWait: () => told.push("waits"),
    onAnswer: () => told.push("answers"),
  });
  bucket.load = () => Promise.resolve([]);
  return bucket;
}

const lost = (write: () => number): number => {
  write();
  throw new Error("timeout");
};
/** What a server of a cluster says while an earlier write of the same key is not settled. */
const unsettled = (): number => {
  throw wrongSequence(10164);
};

test("what was written although its answer was lost is there once, and more goes after it", async () => {
  const values = new Values();
  const told: string[] = [];
  const bucket = bucketOf(values, told);
  values.faults.push(lost);
  await bucket.hold(Uint8Array.of(1));
  expect(told).toEqual(["waits", "answers"]);
  values.faults.push(lost);
  await bucket.hold(Uint8Array.of(2));
  values.faults.push(lost);
  await bucket.hold(null);
  await bucket.hold(null);
  expect(told.length).toBe(6);
  await bucket.hold(Uint8Array.of(3));
  expect(told.length).toBe(6);
  expect(values.entries.get("held")!.revision).toBe(5);
}, 10_000);

test("a write of which the cluster does not say yet whether it counts is asked for again", async () => {
  const values = new Values();
  const bucket = bucketOf(values);
  values.faults.push(unsettled);
  values.blind = 1;
  await bucket.hold(Uint8Array.of(1));
  values.faults.push(lost, unsettled);
  await bucket.hold(Uint8Array.of(2));
  expect(values.entries.get("held")!.revision).toBe(2);
}, 10_000);

test("records that another curator writes while they are read are read, too", async () => {
  const values = new Values();
  const record = (k: number) => Uint8Array.of(k);
  const other = new RunBucket(
    values.kv,
    "trial",
    counting(values, () => Promise.resolve()),
    undefined,
  );
  await other.append(record(1));
  const late = [2, 3];
  const writes = () => {
    const next = late.shift();
    return next === undefined ? Promise.resolve() : other.append(record(next));
  };
  const bucket = new RunBucket(values.kv, "trial", counting(values, writes), undefined);
  expect(await bucket.load()).toEqual([record(1), record(2), record(3)]);
  await bucket.append(record(4));
  await expect(other.append(record(5))).rejects.toThrow("record 4 is another curator's");
});

test("a record that a killed curator wrote, and that counts only when the servers are there again, is read by the next one", async () => {
  const values = new Values();
  const connection = counting(values, () => Promise.resolve());
  const open = (writes = true) => new RunBucket(values.kv, "trial", connection, {}, writes);
  const record = (k: number) => Uint8Array.of(k);
  await open().append(record(1));
  const killed = open();
  await killed.load();
  let waits: (() => number) | undefined;
  values.faults.push((write) => {
    waits = write;
    throw new JetStreamApiError({ code: 400, err_code: 1, description: "killed" });
  });
  await expect(killed.append(record(2))).rejects.toThrow("killed");
  values.faults.push((write) => {
    waits!();
    return write();
  });
  const next = open();
  expect(await next.load()).toEqual([record(1), record(2)]);
  await next.append(record(3));
  // Whoever only looks writes nothing.
  const before = values.entries.get("opened");
  expect(await open(false).load()).toHaveLength(3);
  expect(values.entries.get("opened")).toBe(before);
});

describe("parts of records that are longer than one message", () => {
  const small = (values: Values) => {
    const connection = counting(values, () => Promise.resolve());
    return { ...connection, info: { max_payload: 400 } } as NatsConnection;
  };
  const open = (values: Values) => new RunBucket(values.kv, "trial", small(values));
  const record = (k: number) => new Uint8Array(300).fill(k);
  const parts = (values: Values) =>
    [...values.entries].filter(([key, { value }]) => key.startsWith("part.") && value.length > 0);
  const each = async (values: Values) => (await open(values).load()).length;

  test("that a killed writer left are removed when its record is written by another", async () => {
    const values = new Values();
    await open(values).append(record(1));
    const perRecord = parts(values).length;
    expect(perRecord).toBeGreaterThan(1);
    const killed = open(values);
    await killed.load();
    const dies = () => {
      throw new JetStreamApiError({ code: 400, err_code: 1, description: "killed" });
    };
    values.faults.push((write) => write(), dies);
    await expect(killed.append(record(2))).rejects.toThrow("killed");
    expect(parts(values).length).toBe(perRecord + 1);

    const next = open(values);
    await next.append(record(3));
    expect(parts(values).length).toBe(2 * perRecord);
    expect(await open(values).load()).toEqual([record(1), record(3)]);
    // What was removed once is not removed again.
    const revisions = () =>
      [...values.entries].filter(([key]) => key !== "opened").map(([, { revision }]) => revision);
    const before = revisions();
    await open(values).append(Uint8Array.of(4));
    const after = revisions();
    expect(after.slice(0, before.length)).toEqual(before);
    expect(await each(values)).toBe(3);
  });

  test("of a second curator are removed when it finds that another wrote the record, and of one that still writes none is", async () => {
    const values = new Values();
    const first = open(values);
    await first.load();
    // The second has written its parts when the first writes its record.
    let ready!: () => void;
    const waits = new Promise<void>((resolve) => (ready = resolve));
    const kv = values.kv as unknown as { create: (...args: unknown[]) => Promise<number> };
    const slow = {
      ...values.kv,
      create: (...args: unknown[]) => waits.then(() => kv.create(...args)),
    };
    const late = new RunBucket(slow as unknown as KV, "trial", small(values));
    await late.load();
    const losing = late.append(record(7));
    await first.append(record(1));
    ready();
    await expect(losing).rejects.toThrow("record 1 is another curator's");
    expect(await each(values)).toBe(1);
    expect(new Set(parts(values).map(([key]) => key.split(".")[2])).size).toBe(1);

    // Of a record that is not there yet nothing is removed: its writer may be alive.
    const ahead = "part.000003.0.0";
    await values.write(ahead, Uint8Array.of(1), 0);
    const after = open(values);
    await after.append(record(2));
    expect(values.entries.get(ahead)!.value.length).toBe(1);
    await after.append(record(3));
    await open(values).append(record(4));
    expect(values.entries.get(ahead)!.value.length).toBe(0);
    expect(await each(values)).toBe(4);
  });
});

/** A connection to a cluster that makes a bucket at the third time it is asked to, of so many copies. */
function cluster(copies: number) {
  const asked: string[] = [];
  const created = () => asked.filter((one) => one.includes("CREATE")).length;
  const bucket = {
    config: { name: "KV_trial", subjects: ["$KV.trial.>"], num_replicas: copies },
    state: {},
  };
  const error = (code: number, err_code: number, description: string) => ({
    error: { code, err_code, description },
  });
  const answers: Record<string, () => object> = {
    INFO: () => ({}),
    "STREAM.INFO.KV_trial": () => (created() < 3 ? error(404, 10059, "stream not found") : bucket),
    "STREAM.CREATE.KV_trial": () =>
      created() < 3 ? error(400, 10005, "no suitable peers for placement") : bucket,
  };
  const request = (subject: string) => {
    const name = subject.replace("$JS.API.", "");
    asked.push(name);
    return Promise.resolve({ data: new TextEncoder().encode(JSON.stringify(answers[name]!())) });
  };
  const connection = {
    ...link,
    request,
    options: {},
    getServerVersion: () => ({ major: 2, minor: 9, micro: 10 }),
    features: { get: () => ({ ok: true }), require: () => true },
  };
  return { connection: connection as unknown as NatsConnection, created };
}

test("a bucket of three copies is made once so many servers have joined, and waited for until then", async () => {
  const { connection, created } = cluster(3);
  const told: string[] = [];
  const onWait = () => told.push("waits");
  const onAnswer = () => told.push("answers");
  await openBucket(connection, "trial", { replicas: 3, onWait, onAnswer });
  expect([created(), ...told]).toEqual([3, "waits", "answers"]);
}, 10_000);

test("one that was made of fewer copies than are asked for is refused", async () => {
  const { connection } = cluster(1);
  const opening = openBucket(connection, "trial", { replicas: 3 });
  await expect(opening).rejects.toMatchObject({
    code: "OPTION",
    message: expect.stringContaining(
      "1 of the servers keep it, 3 are asked for (--replicas)",
    ) as string,
  });
}, 10_000);
