/**
 * What a run must not lose, in a key-value bucket of JetStream: on the servers, so that another
 * machine can take the curator's place.
 * @module
 */
import { object, text } from "../../../core/checks.js";
import type { RunStore } from "../../protocol/machine/machine.js";
import { checkConnection, type NatsConnection } from "../connection/connection.js";
import type { BucketOptions } from "./bucket-options.js";
import type { BucketReader } from "./bucket-reader.js";

/**
 * Opens a run's bucket to read what its curator keeps there, alive or not: nothing is written, and no bucket is made.
 *
 * @param connection  with the curator's credentials; it stays open.
 * @param bucket      as for {@link openRunBucket}.
 * @param onWait      called when the server is away, and waited for.
 * @throws DataError at the first record if there is no such bucket, or its records are damaged.
 */
export async function openBucketReader(
  connection: NatsConnection,
  bucket: string,
  onWait: () => void,
): Promise<BucketReader> {
  const { openReader } = await import("./open-bucket.js");
  return openReader(connection, bucket, { onWait });
}

/**
 * Opens the store of one run in a bucket. Writes wait for a server that is away.
 *
 * @param connection  of the curator, one that may use JetStream; it stays open when the store is closed.
 * @param bucket      letters, digits, - and _; the permissions of `deploy/nats` allow `mpmtl_RUN`.
 * @throws ConnectionError if the bucket cannot be opened within half a minute, OptionError if the credentials may not use it.
 * @throws DataError at the first record if another curator has written one meanwhile.
 * @example
 * const store = await openRunBucket(connection, "mpmtl_trial", { replicas: 3 });
 */
export async function openRunBucket(
  connection: NatsConnection,
  bucket: string,
  options: BucketOptions = {},
): Promise<RunStore> {
  checkConnection(connection);
  text("bucket", bucket);
  object("options", options);
  // Only now: pages, which keep no such store, should not carry the clients of JetStream.
  const { openBucket } = await import("./open-bucket.js");
  return openBucket(connection, bucket, options);
}
