/**
 * Where small files stay in memory, for tests that write, sync and remove thousands of them: what they prove is not of a disk's speed.
 * @module
 */
import { accessSync, constants } from "node:fs";
import { tmpdir } from "node:os";

const LINUX = "/dev/shm";

function isUsable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** A folder in memory where there is one, else that of temporary files. */
export const memoryFolder: string = isUsable(LINUX) ? LINUX : tmpdir();
