/**
 * Reference numbers and data sets that lie beside the project, not in it: `../shared`. Tests that
 * need them say that they are skipped where the folder is absent.
 * @module
 */
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import { describe, test } from "vitest";
import { LEFT_OUT, thorough } from "./thorough.js";

const folder = fileURLToPath(new URL("../../shared/", import.meta.url));

/** Absolute path of a file below `../shared`, for example `sharedPath("data/school.csv.gz")`. */
export function sharedPath(path: string): string {
  return folder + path;
}

/** A JSON file below `../shared`; the caller states its shape. */
export function sharedJson(path: string): unknown {
  return JSON.parse(readFileSync(sharedPath(path), "utf8"));
}

/** A text file below `../shared`, unpacked if its name ends in `.gz`. */
export function sharedText(path: string): string {
  const bytes = readFileSync(sharedPath(path));
  return (path.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString("utf8");
}

/**
 * `describe` for tests that need files below `../shared`. Where one is missing the group is
 * skipped and its title says which.
 */
export function describeShared(title: string, paths: string[], body: () => void): void {
  const missing = paths.filter((path) => !existsSync(sharedPath(path)));
  if (missing.length === 0) describe(title, body);
  // The body reads the files while tests are collected, so it must not run at all.
  else test.skip(`${title} (skipped: ../shared/${missing.join(", ../shared/")} not here)`);
}

/** The same for those that take long. */
export function describeThoroughShared(title: string, paths: string[], body: () => void): void {
  if (thorough) describeShared(title, paths, body);
  else test.skip(`${title} ${LEFT_OUT}`);
}
