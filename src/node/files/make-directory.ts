/**
 * Making a directory and those above it. Not Node's own `recursive`, which never returns where the system says
 * that a directory it just made does not exist (below /proc).
 * @module
 */
import { mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { syncDirectory } from "./sync-directory.js";

/** What is at a path. */
export function kindAt(path: string): "file" | "directory" | "nothing" {
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found) return "nothing";
  return found.isDirectory() ? "directory" : "file";
}

/**
 * Makes the directory if it is not there, whoever else makes it or those above it at the same time; its name survives a crash.
 * @param mode permissions of those that are made; default all that the process's mask leaves.
 */
export function makeDirectory(path: string, mode = 0o777): void {
  const refused = tryToMake(path, mode);
  if (!refused) return;
  if (refused.code !== "ENOENT" || dirname(path) === path) throw refused;
  makeDirectory(dirname(path), mode);
  const again = tryToMake(path, mode);
  if (again) throw again;
}

/** @returns why not, unless it is there now. */
function tryToMake(path: string, mode: number): NodeJS.ErrnoException | undefined {
  try {
    mkdirSync(path, { mode });
  } catch (error) {
    const refused = error as NodeJS.ErrnoException;
    return refused.code === "EEXIST" && kindAt(path) === "directory" ? undefined : refused;
  }
  syncDirectory(path);
  return undefined;
}
