/**
 * Whether a file is still the one that was looked at.
 * @module
 */
import { statSync } from "node:fs";

/** What of a file shows that nobody has written to it or put another in its place; undefined where there is none. */
export function fileTrace(path: string): string | undefined {
  const found = statSync(path, { throwIfNoEntry: false, bigint: true });
  return found && `${found.ino} ${found.size} ${found.mtimeNs}`;
}
