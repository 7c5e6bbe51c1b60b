/**
 * Folders for tests that write files; removed after the last test of the file.
 * @module
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
}, 60_000);

/** A new, empty folder. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "mp-mtl-"));
  folders.push(folder);
  return folder;
}
