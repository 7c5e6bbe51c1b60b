/**
 * Folders for tests that write files; removed after the last test of the file.
 * @module
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEveryFile } from "./after-file.js";

const folders: string[] = [];
const removeAll = () => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
};
afterEveryFile(removeAll);
// After a file all of whose tests are skipped nothing is done.
process.once("exit", removeAll);

/** A new, empty folder. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "mp-mtl-"));
  folders.push(folder);
  return folder;
}
