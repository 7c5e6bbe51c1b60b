/**
 * That a directory can be made, or put in the place of one that is there, as far as this shows before any work is done: what is
 * to be written at the end may be what a budget was spent on.
 * @module
 */
import { accessSync, constants, statSync } from "node:fs";
import { dirname } from "node:path";
import { kindAt } from "./make-directory.js";

/** @throws what the system would say: that one may not write there, that it is read-only, or in use as where a file system is mounted. */
export function requirePlace(target: string): void {
  accessSync(nearest(dirname(target)), constants.W_OK | constants.X_OK);
  if (kindAt(target) !== "directory") return;
  // Another directory takes its name, which that of a mounted file system does not give up.
  const isMounted = statSync(target).dev !== statSync(dirname(target)).dev;
  if (isMounted) throw Object.assign(new Error(), { code: "EBUSY" });
}

/** The nearest that is there, of a directory and those above it. */
function nearest(path: string): string {
  return kindAt(path) !== "nothing" || dirname(path) === path ? path : nearest(dirname(path));
}
