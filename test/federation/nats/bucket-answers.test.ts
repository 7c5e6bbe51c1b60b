/** A bucket whose answers are lost, or come before what they are about: in memory, with the words of a server. */
import { JetStreamApiError } from "@nats-io/jetstream";
import type { KV } from "@nats-io/kv";
import { expect, test } from "vitest";
import { RunBucket } from "../../../src/federation/nats/bucket-store.js";
import type { NatsConnection } from "../../../src/federation/nats/index.js";

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

  write(key: string, value: Uint8Array, previous: number): Promise<number> {
    const write = () => {
      if ((this.entries.get(key)?.revision ?? 0) !== previous) throw wrongSequence(10071);
      this.entries.set(key, { value, revision: ++this.#revision });
      return this.#revision;
    };
    return new Promise((resolve) => resolve((this.faults.shift() ?? ((w) => w()))(write)));
  }

  get kv(): KV {
    const kv = {
      create: (key: string, value: Uint8Array) => this.write(key, value, 0),
      put: (key: string, value: Uint8Array, { previousSeq }: { previousSeq: number }) =>
        this.write(key, value, previousSeq),
      purge: (key: string, { previousSeq }: { previousSeq: number }) =>
        this.write(key, new Uint8Array(0), previousSeq),
      get: (key: string) =>
        Promise.resolve(this.blind-- > 0 ? null : (this.entries.get(key) ?? null)),
    };
    return kv as unknown as KV;
  }
}

const connection = { info: { max_payload: 2 ** 20 }, isClosed: () => false };

/** One whose records nobody counts. */
function bucketOf(values: Values): RunBucket {
  const bucket = new RunBucket(
    values.kv,
    "trial",
    connection as unknown as NatsConnection,
    undefined,
  );
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
  const bucket = bucketOf(values);
  values.faults.push(lost);
  await bucket.hold(Uint8Array.of(1));
  values.faults.push(lost);
  await bucket.hold(Uint8Array.of(2));
  values.faults.push(lost);
  await bucket.hold(null);
  await bucket.hold(null);
  await bucket.hold(Uint8Array.of(3));
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
