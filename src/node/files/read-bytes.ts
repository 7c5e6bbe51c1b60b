/**
 * Bytes of files, and why a file cannot be read.
 * @module
 */
import { text } from "../../core/checks.js";
import { open, readFile, type FileHandle } from "node:fs/promises";
import { DataError } from "../../core/errors.js";

const REASONS: Record<string, string> = {
  ENOENT: "there is no such file",
  ENOTDIR: "there is no such file",
  EISDIR: "this is a directory, expected a file",
  EACCES: "permission to read it is denied",
  EPERM: "permission to read it is denied",
};

/**
 * The bytes of a file.
 * @throws DataError saying which file and why it cannot be read.
 */
export async function readBytes(path: string): Promise<Uint8Array> {
  text("path", path);
  try {
    return await readFile(path);
  } catch (cause) {
    throw new DataError(`${path}: ${whyUnread(cause)}.`, { cause });
  }
}

/** @throws DataError saying which file and why it cannot be opened. */
export const openFile = (path: string): Promise<FileHandle> =>
  open(path).catch((cause: unknown) => {
    throw new DataError(`${path}: ${whyUnread(cause)}.`, { cause });
  });

/** In words, why a file cannot be read. */
export function whyUnread(cause: unknown): string {
  const code = (cause as NodeJS.ErrnoException).code ?? "";
  return REASONS[code] ?? `cannot be read (${code})`;
}
