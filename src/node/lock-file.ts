/**
 * One process at a time: `FILE.lock` holds the number of the process that has the file.
 * @module
 */
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { DataError } from "../core/errors.js";

/**
 * Keeps a second process of this machine away; a lock of a dead process is taken over.
 *
 * @param held what the holder has and why that excludes others, for the message.
 * @returns what gives the file free.
 * @throws DataError if a living process holds it.
 */
export function lockFile(path: string, held: string): () => void {
  const lockPath = `${path}.lock`;
  for (;;) {
    try {
      writeFileSync(lockPath, String(process.pid), { flag: "wx" });
      return () => rmSync(lockPath, { force: true });
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code !== "EEXIST") throw cause;
      const holder = Number(readFileSync(lockPath, "utf8"));
      if (isAlive(holder)) {
        throw new DataError(`${path}: process ${holder} has ${held}`, { cause });
      }
      rmSync(lockPath, { force: true });
    }
  }
}

function isAlive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
