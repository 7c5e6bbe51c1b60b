/**
 * Whether two messages, keys or digests are the same.
 * @module
 */

/** Of public values; no secret is compared with it, as it takes longer the later they differ. */
export function equalBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, i) => byte === b[i]);
}
