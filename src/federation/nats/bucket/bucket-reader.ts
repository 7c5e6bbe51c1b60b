/**
 * A run's bucket as it is read; declared apart, so that declarations name no types of the clients of JetStream.
 * @module
 */

/** Records of a bucket that is written to elsewhere. */
export interface BucketReader {
  /** Those that were written since this was asked last; at first all. What is held is not among them. */
  more(): AsyncGenerator<Uint8Array>;
}
