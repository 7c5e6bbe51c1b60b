/**
 * Why something cannot be written, in words and with its path.
 * @module
 */
import { OptionError } from "../../core/errors.js";

const REASONS: Record<string, string> = {
  EACCES: "permission to write there is denied",
  EPERM: "permission to write there is denied",
  EROFS: "the file system is read-only",
  EBUSY: "a file system is mounted there, or another process uses it; name a directory in it",
  EXDEV: "a part of it lies on another file system; name a new directory",
  EISDIR: "this is a directory, expected a file",
  EEXIST: "a file is in the way",
  ENOTDIR: "a part of the path is a file, not a directory",
  ENOENT: "no directory can be made there",
  ENOSPC: "no space is left; make room",
  EDQUOT: "the quota is used up",
  EFBIG: "it would be larger than files may be there",
  EIO: "the disk does not work",
  ENAMETOOLONG: "its name is too long",
  EMFILE: "too many files are open",
  ENFILE: "too many files are open",
};

/** The error as an OptionError that says why `path` cannot be written; another kind of error as it is. */
export function explainWrite(path: string, cause: unknown): unknown {
  const reason = REASONS[(cause as NodeJS.ErrnoException | undefined)?.code ?? ""];
  if (reason === undefined) return cause;
  return new OptionError(`${path} cannot be written: ${reason}.`, { cause });
}

/** Runs `work`; a path that cannot be written becomes an OptionError that says why. */
export function explained<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (cause) {
    throw explainWrite(path, cause);
  }
}
