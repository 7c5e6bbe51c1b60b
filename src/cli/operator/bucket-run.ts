/**
 * A run whose records are in a bucket, read over NATS with the curator's credentials: as often as asked, each time what is new.
 * @module
 */
import { DataError, OptionError } from "../../core/index.js";
import { openConnection, type NatsValues } from "../federated/nats-options.js";
import type { Log } from "../federated/run-log.js";
import type { Io } from "../terminal/io.js";
import { RunRecords, type StoredRun } from "./stored-run.js";

/** Who reads, and from where. */
export type ReadingValues = Omit<NatsValues, "nats"> & {
  readonly nats: NatsValues["nats"] | undefined;
};

/** A bucket that is read. */
export interface BucketRun {
  /** The run as it is kept now. @throws DataError if there are no records of a run, or they are damaged. */
  read(): Promise<StoredRun>;
  close(): Promise<void>;
}

const PREFIX = "mpmtl_";

/** The bucket that a state names: `kv:BUCKET`; undefined for a folder. */
export const bucketIn = (state: string | undefined): string | undefined =>
  state?.startsWith("kv:") ? state.slice(3) : undefined;

/** The bucket that the servers of `deploy/nats` have for a run. */
export const bucketOf = (run: string): string => PREFIX + run;

/** The run that a bucket of these servers is for; undefined for one of another name. */
export const runOf = (bucket: string): string | undefined =>
  bucket.startsWith(PREFIX) ? bucket.slice(PREFIX.length) : undefined;

/**
 * Connects, and opens the bucket to read it.
 * @param run whose curator's credentials these are.
 * @throws OptionError without a server.
 */
export async function openBucketRun(
  bucket: string,
  run: string,
  values: ReadingValues,
  io: Io,
): Promise<BucketRun> {
  const { nats } = values;
  if (nats === undefined) {
    throw new OptionError(
      `--nats is needed: the run's records are in kv:${bucket}, on a server (with --credentials, the curator's), and no curator of this ` +
        "machine that is alive tells what is asked for.",
    );
  }
  const { openBucketReader } = await import("../../federation/nats/bucket/run-bucket.js");
  const log: Log = (_event, lines) => io.stderr(`${String(lines)}\n`);
  const inbox = `_INBOX.mpmtl-curator.${run}`;
  const connection = await openConnection({ ...values, nats }, io, log, inbox);
  try {
    const onWait = () => io.stderr("the bucket's server is away; waiting for it\n");
    const reader = await openBucketReader(connection, bucket, onWait);
    const records = new RunRecords();
    return {
      async read() {
        for await (const record of reader.more()) records.add(record);
        const stored = records.run();
        if (stored) return stored;
        throw new DataError(`bucket ${bucket}: there are no records of a run in it.`);
      },
      close: () => connection.close(),
    };
  } catch (error) {
    await connection.close();
    throw error;
  }
}
