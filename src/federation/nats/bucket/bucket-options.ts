/**
 * How a run's bucket is made.
 * @module
 */

/** How a bucket is made if it is not there. */
export interface BucketOptions {
  /**
   * Servers of the cluster that keep a copy: 1 (default) or 3. A server writes to its disk's cache
   * and syncs every two minutes, so only copies on other machines survive a power cut at once.
   */
  readonly replicas?: number;
  /** Called when reading or writing has to wait for a server. */
  readonly onWait?: () => void;
  /** Called when that is over. */
  readonly onAnswer?: () => void;
}
