/**
 * Making a directory and those above it. Not Node's own `recursive`, which never returns where the system says
 * that a directory it just made does not exist (below /proc).
 * @module
 */
import { mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { syncDirectory } from "./sync-directory.js";

/** What is at a path. */
export function kindOf(path: string): "file" | "directory" | "nothing" {
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found) return "nothing";
  return found.isDirectory() ? "directory" : "file";
}

/**
 * Makes the directory if it is not there; its name survives a crash.
 * @param mode permissions of those that are made; default all that the process's mask leaves.
 */
export function makeDirectory(path: string, mode = 0o777): void {
  try {
    mkdirSync(path, { mode });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EEXIST" && kindOf(path) === "directory") return;
    if (code !== "ENOENT" || dirname(path) === path) throw error;
    if (kindOf(dirname(path)) === "directory") throw error;
    makeDirectory(dirname(path), mode);
    mkdirSync(path, { mode });
  }
  syncDirectory(path);
}
