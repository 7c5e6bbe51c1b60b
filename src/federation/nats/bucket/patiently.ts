/**
 * Work with a bucket that is tried until it is done: a server that is away, or a cluster without a leader, comes back.
 * @module
 */
import { jetstreamManager } from "@nats-io/jetstream";
import type { NatsConnection as ClientConnection } from "@nats-io/nats-core";
import { OptionError } from "../../../core/errors.js";
import { deletedBucket, isNoBucket, isNoRoom, isPassing, PAUSE_MS } from "./bucket-errors.js";
import type { BucketOptions } from "./bucket-options.js";
import type { NatsConnection } from "../connection/connection.js";

/** Who is told of waiting. */
export type Waiting = Pick<BucketOptions, "onWait" | "onAnswer">;

/** Where it is done. */
export interface Place {
  readonly bucket: string;
  readonly connection: NatsConnection;
  readonly waiting: Waiting;
  /** Whether it is still wanted. */
  readonly isOpen: () => boolean;
}

/**
 * @throws OptionError if the server has no room; DataError if the bucket, which was there, is not any more; whatever no waiting can help.
 */
export async function patiently(
  { bucket, connection, waiting, isOpen }: Place,
  work: () => Promise<unknown>,
): Promise<void> {
  let gone = 0;
  for (let attempt = 1; ; attempt++) {
    try {
      await work();
      if (attempt > 1) waiting.onAnswer?.();
      return;
    } catch (error) {
      if (isNoBucket(error)) throw deletedBucket(bucket, error);
      if (isNoRoom(error)) {
        throw new OptionError(
          `bucket ${bucket}: the server has no room for another record (${error.message}); raise its limits or ` +
            `those of its account (make-credentials.js --store), and start again: nothing was lost.`,
          { cause: error },
        );
      }
      if (!isOpen() || connection.isClosed() || !isPassing(error)) throw error;
      if (attempt === 1) waiting.onWait?.();
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
      // Nobody takes what is written to a bucket that was deleted, as if its server were away; asked for it, that one says so.
      gone = (await isDeleted(connection, bucket)) ? gone + 1 : 0;
      if (gone === 2) throw deletedBucket(bucket, error);
    }
  }
}

/** Whether the server says that there is no such bucket; not where it says nothing. */
async function isDeleted(connection: NatsConnection, bucket: string): Promise<boolean> {
  try {
    const client = connection as unknown as ClientConnection;
    const manager = await jetstreamManager(client, { checkAPI: false });
    await manager.streams.info(`KV_${bucket}`);
    return false;
  } catch (error) {
    return isNoBucket(error);
  }
}
