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
  /** Called when a write has to wait for a server. */
  readonly onWait?: () => void;
}
