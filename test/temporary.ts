/**
 * Folders for tests that write files; removed after the last test of the file.
 * @module
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEveryFile } from "./after-file.js";
import { memoryFolder } from "./memory-folder.js";

const folders: string[] = [];
const removeAll = () => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
};
afterEveryFile(removeAll);
// After a file all of whose tests are skipped nothing is done.
process.once("exit", removeAll);

function newIn(parent: string): string {
  const folder = mkdtempSync(join(parent, "mp-mtl-"));
  folders.push(folder);
  return folder;
}

/** A new, empty folder. */
export const temporaryFolder = (): string => newIn(tmpdir());

/** The same for many files of a few kilobytes, in memory where that can be. */
export const temporaryFolderInMemory = (): string => newIn(memoryFolder);
