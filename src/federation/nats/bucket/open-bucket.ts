/**
 * Opens a run's bucket, waiting for a server that is not ready yet.
 * @module
 */
import { jetstreamManager } from "@nats-io/jetstream";
import { Kvm, type KV } from "@nats-io/kv";
import type { NatsConnection as ClientConnection } from "@nats-io/nats-core";
import { OptionError } from "../../../core/errors.js";
import type { RunStore } from "../../protocol/machine/machine.js";
import {
  isForbidden,
  isNoBucket,
  isPassing,
  isNotYet,
  noBucket,
  PAUSE_MS,
} from "./bucket-errors.js";
import type { BucketOptions } from "./bucket-options.js";
import type { BucketReader } from "./bucket-reader.js";
import { RunBucket } from "./bucket-store.js";
import { ConnectionError } from "../connection/connection-error.js";
import type { NatsConnection } from "../connection/connection.js";
import type { Waiting } from "./patiently.js";

/** A cluster that has just started needs seconds to elect its leaders. */
const OPENING_MS = 30_000;
const READING_MS = 8_000;

/** See `run-bucket.ts`. */
export async function openBucket(
  connection: NatsConnection,
  bucket: string,
  { replicas = 1, ...waiting }: BucketOptions,
): Promise<RunStore> {
  const manager = new Kvm(connection as unknown as ClientConnection);
  // Direct reads may come from a copy that lags behind; a resumed run must see the last record.
  const create = async () => {
    const kv = await manager.create(bucket, { history: 1, replicas, allow_direct: false });
    // One that was there already stays as it was made.
    if (replicas > 1) requireCopies(bucket, (await kv.status()).replicas, replicas);
    return kv;
  };
  const kv = await opened(connection, bucket, create, OPENING_MS, waiting);
  return new RunBucket(kv, bucket, connection, waiting);
}

/** @throws OptionError if fewer servers keep a copy than its user relies on. */
function requireCopies(bucket: string, copies: number, asked: number): void {
  if (copies >= asked) return;
  throw new OptionError(
    `bucket ${bucket}: ${copies} of the servers keep it, ${asked} are asked for (--replicas); ask for ${copies}, or have its stream ` +
      `KV_${bucket} changed`,
  );
}

/** See `run-bucket.ts`. */
export async function openReader(
  connection: NatsConnection,
  bucket: string,
  waiting: Waiting,
): Promise<BucketReader> {
  const client = connection as unknown as ClientConnection;
  const find = async () => {
    const manager = await jetstreamManager(client, { checkAPI: false });
    await manager.streams.info(`KV_${bucket}`);
    return new Kvm(client).open(bucket, { allow_direct: false });
  };
  const kv = await opened(connection, bucket, find, READING_MS, waiting);
  return new RunBucket(kv, bucket, connection, waiting, false);
}

async function opened(
  connection: NatsConnection,
  bucket: string,
  open: () => Promise<KV>,
  longest: number,
  { onWait, onAnswer }: Waiting,
): Promise<KV> {
  const until = performance.now() + longest;
  for (let attempt = 1; ; attempt++) {
    try {
      const kv = await open();
      if (attempt > 1) onAnswer?.();
      return kv;
    } catch (error) {
      if (error instanceof OptionError) throw error;
      if (isNoBucket(error)) throw noBucket(bucket, error);
      if (isForbidden(error)) {
        throw new OptionError(
          `bucket ${bucket}: these credentials may not use it. Those that make-credentials.js makes may use one, mpmtl_ and the ` +
            `run's name, and the curator's alone.`,
          { cause: error },
        );
      }
      const few = isNotYet(error);
      const passes = few || isPassing(error);
      if (connection.isClosed() || !passes || performance.now() > until) {
        const reason = error instanceof Error ? error.message : String(error);
        const advice = few
          ? "are as many servers there as --replicas asks for?"
          : "has the server JetStream, and may these credentials use it?";
        throw new ConnectionError(`bucket ${bucket}: it cannot be opened (${reason}); ${advice}`, {
          cause: error,
        });
      }
      if (attempt === 1) onWait?.();
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  }
}
