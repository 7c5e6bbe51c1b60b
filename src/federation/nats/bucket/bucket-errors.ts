/**
 * What may go wrong with a bucket, and whether waiting can help.
 * @module
 */
import { JetStreamApiError } from "@nats-io/jetstream";
import { ClosedConnectionError, PermissionViolationError } from "@nats-io/nats-core";
import { DataError } from "../../../core/errors.js";

/** Between two tries. */
export const PAUSE_MS = 500;

const NO_BUCKET = 10059;
/** Too few servers for the copies; and no other stream, of which a run has one: another curator makes it just now. */
const NOT_YET = [10005, 10027];
/** Another value is there; the second says no more than that one may be on its way there. */
const WRONG_SEQUENCE = [10071, 10164];
/** Of the server, its account, its disk or the bucket: no waiting makes room. */
const NO_ROOM = [10002, 10023, 10028, 10047, 10054, 10077];

export const isNoBucket = (error: unknown) =>
  error instanceof JetStreamApiError && error.code === NO_BUCKET;

/** Whether a value was not written because there is one, or may be one. */
export const isOthersThere = (error: unknown) =>
  error instanceof JetStreamApiError && WRONG_SEQUENCE.includes(error.code);

export const isNoRoom = (error: unknown): error is JetStreamApiError =>
  error instanceof JetStreamApiError && NO_ROOM.includes(error.code);

export const noBucket = (bucket: string, cause: unknown) =>
  new DataError(`bucket ${bucket}: the server has no such bucket.`, { cause });

/** Of one that was there when the run went on. */
export const deletedBucket = (bucket: string, cause: unknown) =>
  new DataError(
    `bucket ${bucket}: it was deleted while the run went on, and the run's records with it. The round that was open was not published; what was ` +
      `published before is spent. Restore the server's store as it was last, or start a run of another name, with a budget of its own.`,
    { cause },
  );

/** Whether waiting can help: no answer, or the server's word that it is not ready. */
export function isPassing(error: unknown): boolean {
  if (error instanceof JetStreamApiError) return error.status === 503;
  return !(
    error instanceof DataError ||
    error instanceof ClosedConnectionError ||
    isForbidden(error)
  );
}

/** Whether a bucket cannot be made yet. */
export const isNotYet = (error: unknown) =>
  error instanceof JetStreamApiError && NOT_YET.includes(error.code);

/** Whether the server's permissions forbid it; the client wraps that where it awaited an answer. */
export function isForbidden(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  return [error, cause].some((one) => one instanceof PermissionViolationError);
}
