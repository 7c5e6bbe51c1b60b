/**
 * Making a new file's name survive a crash.
 * @module
 */
import { closeSync, fsyncSync, openSync } from "node:fs";
import { dirname } from "node:path";

/** Makes the file's name survive a crash, where the system lets directories be synced. */
export function syncDirectory(path: string): void {
  if (process.platform === "win32") return;
  const directory = openSync(dirname(path), "r");
  fsyncSync(directory);
  closeSync(directory);
}
